"""Characters in disguise: a pattern of those that hardly stand in a plain text.

Beside the tables of `lookalikes` and of normalisation it is asked of originals, where nothing is folded yet.
"""

DISGUISE = (
    r"[\u{AD}\u{34F}\u{300}-\u{36F}\u{180E}\u{1D00}-\u{1DFF}\u{200B}-\u{2011}\u{202A}-\u{202F}\u{2060}-\u{2064}"
    r"\u{20D0}-\u{20FF}\u{2460}-\u{24FF}\u{A730}-\u{A7FF}\u{FB00}-\u{FB06}\u{FEFF}\u{FF01}-\u{FF5E}\u{FFFD}"
    r"\u{1D400}-\u{1D7FF}\u{1F110}-\u{1F189}]"
)
"""Regular expression (Rust) of one character that is invisible, lost, put over another one, or looks like a letter, a
digit or a sign of ASCII."""
