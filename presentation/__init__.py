"""How things are shown to people, for every app: words, charts, and what all page views share.

The lowest layer: it imports nothing of ours, and everything of ours may import it.
"""
