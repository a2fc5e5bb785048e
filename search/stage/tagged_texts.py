"""Claimed texts → documents with tokens and tags, in parts that fit into memory.

What is to be hidden is left out untagged; a text on which the tagger breaks fails by itself.
"""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace
from operator import itemgetter

from feeds.work.batches import Failures, whole_or_each
from feeds.work.leases import Claim
from search.engine.annotation.annotate import (
    AnnotatedText,
    AnnotatedToken,
    TextToAnnotate,
    annotate_many,
)
from search.engine.annotation.lexicon import LexiconOverrides
from search.engine.annotation.tagger import shared_tagger
from search.engine.index.documents import IndexDocument
from search.lexicon.entries import LexiconInForce
from search.stage.text_parts import parts_of_body
from search.stage.texts_to_index import BlockSpan, TextInput

# What the index keeps of a token; a third of the time of naming the fields.
_WORD_LEMMA_TAG = itemgetter(*map(AnnotatedToken._fields.index, ("word", "lemma", "tag")))

LEFT_OUT = "left out"
INDEXED = "indexed"
EMPTY = "empty"

# Tokens of a million characters take some 230 MB while they are tagged and written.
MAX_PART_CHARACTERS = 1_000_000
# Texts that are tagged together: what a token is on the way takes several times what is kept.
_TAGGED_CHARACTERS = 200_000


@dataclass(frozen=True, slots=True)
class TaggedText:
    """A text with what came of it; an article's parts are documents of their own."""

    source: TextInput
    outcome: str
    document: IndexDocument
    parts: tuple[IndexDocument, ...] = ()


def parts_of(inputs: Sequence[TextInput]) -> list[list[TextInput]]:
    """Cut a batch into parts that fit into memory with all their tokens; most fit as one."""
    return _cut(inputs, MAX_PART_CHARACTERS)


def _cut(inputs: Sequence[TextInput], most_characters: int) -> list[list[TextInput]]:
    parts: list[list[TextInput]] = [[]]
    n_left = most_characters
    for item in inputs:
        if parts[-1] and len(item.text) > n_left:
            parts.append([])
            n_left = most_characters
        parts[-1].append(item)
        n_left -= len(item.text)
    return parts


def tag_texts(
    inputs: list[TextInput], in_force: LexiconInForce, terms: Claim
) -> tuple[list[TaggedText], int]:
    """Tag a batch at once; when that fails, text by text, so that one bad text stands alone."""
    shown = [item for item in inputs if not item.is_hidden]
    results = [TaggedText(item, LEFT_OUT, item.document) for item in inputs if item.is_hidden]
    failures = Failures(terms)
    parts = whole_or_each(
        shown,
        lambda some: _tag(some, in_force),
        lambda item, error: failures.add(item.row, error),
    )
    return results + [text for part in parts for text in part], failures.n_quarantined


def _tag(inputs: Sequence[TextInput], in_force: LexiconInForce) -> list[TaggedText]:
    return [
        TaggedText(item, INDEXED, body, tuple(parts))
        if body.tokens
        else TaggedText(item, EMPTY, body)
        for item, (body, *parts) in zip(inputs, tagged(inputs, in_force.overrides), strict=True)
    ]


def tagged(
    inputs: Sequence[TextInput], overrides: LexiconOverrides
) -> list[tuple[IndexDocument, ...]]:
    """Tag texts: of each its body, then its parts."""
    return [
        documents
        for some in _cut(inputs, _TAGGED_CHARACTERS)
        for documents in _tagged_together(some, overrides)
    ]


def _tagged_together(
    inputs: Sequence[TextInput], overrides: LexiconOverrides
) -> list[tuple[IndexDocument, ...]]:
    texts = [TextToAnnotate(item.text, item.document.language, item.corrections) for item in inputs]
    texts += [
        TextToAnnotate(part.text, item.document.language) for item in inputs for part in item.above
    ]
    annotated = annotate_many(texts, shared_tagger(), overrides)
    bodies, above = annotated[: len(inputs)], iter(annotated[len(inputs) :])
    found = []
    for item, text in zip(inputs, bodies, strict=True):
        body = _with_tokens(item.document, text, _blocks_of_tokens(item.blocks, text))
        own = [part.document(_with_tokens(item.document, next(above), [])) for part in item.above]
        parts = [part for part in own if part.tokens]
        found.append((body, *parts, *parts_of_body(body)))
    return found


def _with_tokens(
    document: IndexDocument, annotated: AnnotatedText, blocks: list[int]
) -> IndexDocument:
    return replace(
        document,
        tokens=list(map(_WORD_LEMMA_TAG, annotated.tokens)),
        sentence_starts=annotated.sentence_starts,
        space_before=annotated.space_before(),
        blocks=blocks,
    )


def _blocks_of_tokens(blocks: Sequence[BlockSpan], annotated: AnnotatedText) -> list[int]:
    """Say of each token in which kind of block it starts; nothing where there are none."""
    if not blocks:
        return []
    starts = [token[0] for token in annotated.tokens]
    kinds = [0] * len(starts)
    for block in blocks:
        first, end = bisect_left(starts, block.start), bisect_left(starts, block.end)
        kinds[first:end] = [block.kind] * (end - first)
    return kinds
