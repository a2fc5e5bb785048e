"""Learning a language from a treebank that an admin brings; numpy is all it needs."""
