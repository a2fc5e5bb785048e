"""The search engine as a program of its own: ``python -m search``, without Django."""
