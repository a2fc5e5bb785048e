"""How a page was read, for those who look at it: every line and element with its reason."""
