"""Meaning of a pair that shares no wording: do two texts say the same in other words?"""
