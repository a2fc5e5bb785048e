"""Counts over hits and corpora."""
