"""Extraction: bytes to text with metadata."""
