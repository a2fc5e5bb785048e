"""Adding a source: the look-up of its address, its samples, their rules, its patterns."""
