"""Limits and intervals that admins change while everything runs: what each is, and its value."""
