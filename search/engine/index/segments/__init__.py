"""Segments of an index: token streams, postings, sentences and documents in one file."""
