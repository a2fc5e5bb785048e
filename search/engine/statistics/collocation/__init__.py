"""Words that stand near the hits, and how strongly they go together."""
