"""Subjects of two texts: titles, headings, headlines and questions by which they are of two things."""
