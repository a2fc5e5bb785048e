"""Where a line stands, what the page's title says of it, and which words stand on and around it.

Columns of `line_features`: float32 matrices with a row for each line.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from extraction.html.lines.line_forms import FloatMatrix
from extraction.html.lines.phrases import PHRASE_GROUPS, phrase_bits
from extraction.html.markup.outline import HEADING_TAGS, TAG_GROUPS, Outline
from extraction.text.plain_words import words_of

_SHINGLE = 4  # words that are hardly ever common by chance
N_HINTS = 15  # bits of `Hint` that were there when the shipped model was trained
# Phrase groups that head the part behind the article: read_also, share, subscribe, comments, tags,
# about_author.
_SIGN_GROUPS = (0, 1, 2, 6, 8, 9)
_SIGN_CHARACTERS = 60  # a longer line is no heading


@dataclass(frozen=True, slots=True)
class PageContext:
    """What the page says of itself, for the comparison with its lines."""

    title: str = ""
    description: str = ""
    json_ld_body: str = ""
    authors: tuple[str, ...] = ()


def title_support(outline: Outline, texts: list[str], context: PageContext) -> FloatMatrix:
    """Agreement with headline, description, JSON-LD body and authors."""
    title = set(words_of(context.title))
    description = context.description.casefold()
    description_words = set(words_of(description))
    body_shingles = _shingles(context.json_ld_body)
    authors = [name.casefold() for name in context.authors if len(name) > 3]
    said = title | description_words
    # Most lines agree with nothing, so only what is not 0 is set.
    support = np.zeros((len(texts), 8), dtype=np.float32)
    support[:, 5] = bool(body_shingles)
    agreeing: list[int] = []
    agreements: list[tuple[float, ...]] = []  # one by one numpy takes twice as long as for all
    for row, (line, text) in enumerate(zip(outline.lines, texts, strict=True)):
        n_chars = len(text)
        if n_chars >= _LONG_LINE and not body_shingles:
            continue
        words = words_of(text)
        if body_shingles and words:
            own = _shingles_of(words)
            support[row, 4] = sum(map(body_shingles.__contains__, own)) / len(own)
        if n_chars >= _LONG_LINE:
            continue
        if not said.isdisjoint(words):
            is_heading = outline.tags[line.node] in HEADING_TAGS
            agreeing.append(row)
            agreements.append(_agreement(set(words), title, description_words, is_heading))
        folded = text.casefold()
        if description and n_chars > 20 and folded[:200] in description:
            support[row, 3] = 1.0
        if n_chars < 120 and any(map(folded.__contains__, authors)):
            support[row, 6] = 1.0
    if agreeing:
        support[np.ix_(agreeing, _AGREEMENT)] = agreements
    return support


# From here on a line is a paragraph, which is compared with the body of JSON-LD alone.
_LONG_LINE = 400
_AGREEMENT = [0, 1, 2, 7]


def _agreement(
    words: set[str], title: set[str], description: set[str], is_heading: bool
) -> tuple[float, float, float, float]:
    """Agreement of a line's words with the headline and the description."""
    n_shared = len(words & title)
    overlap = n_shared / (len(words) + len(title) - n_shared)
    return (
        overlap,
        overlap > 0.9,
        len(words & description) / len(words) if len(words) > 3 else 0.0,
        is_heading and overlap > 0.5,
    )


def _shingles(text: str) -> frozenset[tuple[str, ...]]:
    words = words_of(text)
    # A body shorter than this is a teaser.
    return frozenset(_shingles_of(words)) if len(words) >= 40 else frozenset()


def _shingles_of(words: list[str]) -> list[tuple[str, ...]]:
    if len(words) < _SHINGLE:
        return [tuple(words)]
    return list(zip(words, words[1:], words[2:], words[3:], strict=False))


def position_columns(mass: npt.NDArray[np.float64], support: FloatMatrix) -> FloatMatrix:
    """Where the line stands: in the page, among its running text, and relative to the headline."""
    n_lines = len(mass)
    if not n_lines:
        return np.zeros((0, 8), np.float32)
    order = np.arange(n_lines)
    before = np.concatenate([[0.0], np.cumsum(mass)])[:-1] / max(float(mass.sum()), 1.0)
    headline = int(support[:, 0].argmax() if not support[:, 7].any() else support[:, 7].argmax())
    has_headline = 1.0 if support[headline, 0] > 0.5 else 0.0
    distance = (order - headline) * has_headline
    paragraphs = np.flatnonzero(mass > 0)
    gap_before = _gap(order, paragraphs, "left")
    gap_after = _gap(order, paragraphs, "right")
    return np.stack(
        [
            order / n_lines,
            before,
            np.sign(distance) * np.log1p(np.abs(distance)) / 4,
            (distance > 0).astype(float),
            np.full(n_lines, has_headline),
            np.log1p(gap_before) / 4,
            np.log1p(gap_after) / 4,
            np.full(n_lines, np.log1p(mass.sum()) / 10),
        ],
        axis=1,
    ).astype(np.float32)


def signs_before(outline: Outline, bits: FloatMatrix, mass: npt.NDArray[np.float64]) -> FloatMatrix:
    """How many short lines of each sign were met since the running text began.

    And how far back the last one is.
    """
    first_phrase = bits.shape[1] - len(PHRASE_GROUPS)
    is_short = np.array([len(line.text) < _SIGN_CHARACTERS for line in outline.lines], dtype=bool)
    begun = np.cumsum(mass) > 0
    columns = []
    for group in _SIGN_GROUPS:
        sign = (bits[:, first_phrase + group] > 0) & is_short & begun
        columns.append(np.minimum(np.cumsum(sign), 5) / 5)
    return np.stack(columns, axis=1).astype(np.float32)


def _gap(
    order: npt.NDArray[np.int64], paragraphs: npt.NDArray[np.int64], side: str
) -> npt.NDArray[np.float64]:
    """Lines to the nearest line of running text before or after."""
    if not len(paragraphs):
        return np.full(len(order), 50.0)
    if side == "left":
        where = np.searchsorted(paragraphs, order, "left") - 1
        return np.where(where >= 0, order - paragraphs[np.maximum(where, 0)], 50).astype(float)
    where = np.searchsorted(paragraphs, order, "right")
    last = len(paragraphs) - 1
    return np.where(where <= last, paragraphs[np.minimum(where, last)] - order, 50).astype(float)


def hint_bits(outline: Outline, texts: list[str], nodes: npt.NDArray[np.int64]) -> FloatMatrix:
    """Expand flags: class words of the element and around it, tags around it, phrases in it."""
    own_hints = np.array(outline.own_hints, dtype=np.int64)
    own = own_hints[nodes]
    parents = np.array(outline.parents, dtype=np.int64)[nodes]
    parent_hints = np.where(parents >= 0, own_hints[parents], 0)
    around = np.array(outline.hints, dtype=np.int64)[nodes]
    tags = np.array(outline.tag_bits, dtype=np.int64)[nodes]
    known = {text: phrase_bits(text) for text in set(texts)}
    phrases = np.array([known[text] for text in texts], dtype=np.int64)
    parts = [
        _expand(own, N_HINTS),
        _expand(parent_hints, N_HINTS),
        _expand(around, N_HINTS),
        _expand(tags, len(TAG_GROUPS)),
        _expand(phrases, len(PHRASE_GROUPS)),
    ]
    return np.concatenate(parts, axis=1)


def _expand(values: npt.NDArray[np.int64], n_bits: int) -> FloatMatrix:
    return ((values[:, None] >> np.arange(n_bits)) & 1).astype(np.float32)
