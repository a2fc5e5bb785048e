"""Texts reduced to what is compared, the newest kept: candidates mostly came a short while ago."""

from functools import lru_cache

from dedup.similarity.near import Sketch, sketch
from dedup.similarity.sentences import SentenceKey, sentence_hashes
from dedup.similarity.sketches import forget_words
from extraction.text.sentences import split_sentences

# About 20 MB of texts and sketches in a process; a third of all sketches are of candidates.
_KEPT = 1000
_LONGEST_KEPT_CHARACTERS = 20_000


def sketched(body: str) -> Sketch:
    """Reduce a text to its sketch, or remember it."""
    return _sketched(body) if len(body) <= _LONGEST_KEPT_CHARACTERS else sketch(body)


def keyed(body: str) -> tuple[SentenceKey, ...]:
    """Reduce a text to the keys of its sentences, or remember them."""
    return _keyed(body) if len(body) <= _LONGEST_KEPT_CHARACTERS else _keyed.__wrapped__(body)


_sketched = lru_cache(maxsize=_KEPT)(sketch)


@lru_cache(maxsize=_KEPT)
def _keyed(body: str) -> tuple[SentenceKey, ...]:
    return tuple(sentence_hashes(body, split_sentences(body)))


def forget_sketches() -> None:
    """Let all that is remembered go: a process that has nothing to do needs none of it."""
    _sketched.cache_clear()
    _keyed.cache_clear()
    forget_words()
