"""Sketches of texts, the newest kept: candidates are mostly texts that came a short while ago."""

from functools import lru_cache

from dedup.similarity.near import Sketch, sketch

# About 20 MB of texts and sketches in a process; a third of all sketches are of candidates.
_KEPT = 1000
_LONGEST_KEPT_CHARACTERS = 20_000


def sketched(body: str) -> Sketch:
    """Reduce a text to its sketch, or remember it."""
    return _remembered(body) if len(body) <= _LONGEST_KEPT_CHARACTERS else sketch(body)


@lru_cache(maxsize=_KEPT)
def _remembered(body: str) -> Sketch:
    return sketch(body)
