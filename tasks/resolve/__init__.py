"""Resolution: containment, survivors, rescued removals, viral fragments, decisions."""
