"""The lexicon in force, editors' changes of it, corrections of tokens, and tagging anew."""
