"""Explorer: pairs that one can search, each with its texts, its scores and what decided it.

`drawing` chooses the pairs that the report holds, `cards` says all that is known of a pair, `grounds` holds its
evidence against the bars of the rules; `card.js` shows a pair, `explorer.js` searches and pages through them.
"""
