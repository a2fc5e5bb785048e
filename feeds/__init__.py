"""Feeds: what to fetch, when, and what came back."""
