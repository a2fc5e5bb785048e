"""Sentence keys: text with sentence spans → one 64-bit hash for each distinct sentence.

Two articles that share a sentence share its key, so a table key → articles finds the candidates for
a comparison without comparing everything with everything. Normalisation, minimum length
and hash are those of the South African English corpus.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import xxhash

from extraction.text.comparable import comparable_parts
from extraction.text.sentences import split_sentences

# Shorter sentences ("She laughed.") are shared by chance.
MIN_SENTENCE_CHARACTERS = 20

_SIGN_BIT = 1 << 63


@dataclass(frozen=True, slots=True)
class SentenceKey:
    """One distinct sentence of an article.

    `hash` is a signed 64-bit integer, `position` the running number of the sentence from 0.
    """

    hash: int
    position: int


def sentence_hash(normalized: str) -> int:
    """Hash a normalised sentence with xxh3.

    Returns
    -------
    int
        The unsigned 64-bit digest of the UTF-8 bytes, cast to the signed range that databases
        store.
    """
    unsigned: int = xxhash.xxh3_64_intdigest(normalized.encode("utf-8", "surrogatepass"))
    return unsigned - (unsigned & _SIGN_BIT) * 2


def sentence_of(key: int, text: str) -> str:
    """Find the sentence of a text that has this hash; "" where none has."""
    spans = split_sentences(text)
    for (start, end), normalized in zip(spans, comparable_parts(text, spans), strict=True):
        if sentence_hash(normalized) == key:
            return text[start:end]
    return ""


def sentence_hashes(text: str, spans: Iterable[tuple[int, int]]) -> list[SentenceKey]:
    """Give each distinct comparable sentence of a text its key.

    Parameters
    ----------
    spans
        The sentences in order, as half-open code-point spans.

    Returns
    -------
    list of SentenceKey
        In order of position; a sentence that occurs twice is there once, with its first position.
        Sentences shorter than `MIN_SENTENCE_CHARACTERS` after normalisation are left out but
        counted in the positions. Empty for an article without usable sentences.

    Notes
    -----
    Linear in the length of the text.
    """
    first_positions: dict[int, int] = {}
    for position, normalized in enumerate(comparable_parts(text, spans)):
        if len(normalized) >= MIN_SENTENCE_CHARACTERS:
            first_positions.setdefault(sentence_hash(normalized), position)
    return [SentenceKey(key, position) for key, position in first_positions.items()]
