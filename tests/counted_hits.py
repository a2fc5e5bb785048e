"""Slow, obvious counts over hits: what statistics of hits are compared with."""

from collections.abc import Iterator
from dataclasses import dataclass

from hypothesis import strategies as st
from plain_queries import Text, plain_spans
from random_corpora import KINDS, PAPERS, WORDS, batches_of
from random_corpora import value_of as token_value
from small_corpora import document

from search.engine.index.documents import IndexDocument
from search.engine.query.ast import Query

sentences = st.lists(st.sampled_from(WORDS), min_size=1, max_size=7).map(" ".join)
documents = st.builds(
    lambda key, text, paper, kind, is_undated: document(
        key, " | ".join(text), publication=paper, kind=kind, is_undated=is_undated
    ),
    st.integers(1, 6) | st.integers(28, 40),
    st.lists(sentences, min_size=1, max_size=3),
    st.sampled_from(PAPERS),
    st.sampled_from(KINDS),
    st.sampled_from([False, False, True]),
)
batches = batches_of(documents, max_size=3)


@dataclass(frozen=True)
class PlainHit:
    document: IndexDocument
    start: int
    end: int

    @property
    def sentence(self) -> int:
        return Text(self.document).sentence_number(self.start)


def plain_hits(query: Query, items: list[IndexDocument]) -> Iterator[PlainHit]:
    for item in items:
        for start, end in plain_spans(query, item):
            yield PlainHit(item, start, end)


def sentence_numbers(item: IndexDocument) -> list[int]:
    text = Text(item)
    return [text.sentence_number(position) for position in range(len(item.tokens))]


def value(token: tuple[str, str, str], attribute: str) -> str:
    if attribute == "lemma+pos":
        return f"{token[1]}/{token[2]}"
    return token_value(token, attribute)


def value_of_hit(hit: PlainHit, key: str) -> str:
    """What a hit counts as under a key of the address."""
    item = hit.document
    if key == "month" and item.is_undated:
        return ""
    if key == "month":
        return "1970-01" if item.day_number < 31 else "1970-02"
    if key in ("publication", "section", "author"):
        return str(getattr(item, key))
    if key == "kind":
        return item.kind.label
    place, _, attribute = key.rpartition(".")
    if not place:
        return " ".join(value(token, attribute) for token in item.tokens[hit.start : hit.end])
    position = _position(hit, place)
    return "" if position is None else value(item.tokens[position], attribute)


def _position(hit: PlainHit, place: str) -> int | None:
    if place == "first":
        return hit.start
    if place == "last":
        return hit.end - 1
    if place.isdigit():
        position = hit.start + int(place) - 1
        return position if position < hit.end else None
    side, distance = place[0], int(place[1])
    edge, position = (
        (hit.start, hit.start - distance) if side == "l" else (hit.end - 1, hit.end - 1 + distance)
    )
    sentences = sentence_numbers(hit.document)
    inside = 0 <= position < len(sentences) and sentences[position] == sentences[edge]
    return position if inside else None
