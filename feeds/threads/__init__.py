"""Threads of readers' comments in the frontier: when each is looked at."""
