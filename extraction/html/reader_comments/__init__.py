"""Readers' comments that stand in a page itself."""
