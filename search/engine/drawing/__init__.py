"""Queries as a page draws them: a tree of cards, written as CQL and read back from it."""
