"""The index on disk: segments of one composite type stream, written by one, read by many."""
