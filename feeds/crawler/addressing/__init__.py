"""Addresses of pages: their identity, which are articles, which links are followed."""
