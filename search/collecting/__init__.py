"""Texts that people give to a collection: files that wait, imports in slices, and their form."""
