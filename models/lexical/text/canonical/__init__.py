"""A canonical form of short texts: what a reader reads when decoration and disguise are taken off."""
