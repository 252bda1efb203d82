"""Frames around what a text says: of messages, prompts, subtitles and records, read as line ends."""
