"""Timelines of microblogs: where they are, how they are asked for, and what their answers hold."""
