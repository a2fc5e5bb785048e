"""Dedup: same texts, same stories."""
