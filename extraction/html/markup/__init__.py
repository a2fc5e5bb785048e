"""Bytes of a page → its tree, cleaned → its outline; what the markup says by itself."""
