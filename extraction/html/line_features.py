"""Features of every line of a page: what a reader would look at to tell the article from its frame.

Outline and what the page says of itself → a matrix, one row a line. Besides the line's own form
(length, links, punctuation, phrases) there are its ancestors (tags and class words), its containers
(how much of the page's running text they hold), the page's dominant paragraph markup, the support
of headline, description and JSON-LD, and the neighbours in page order. No feature knows a site; all
are shares, logarithms or flags.
"""

import re
from collections import Counter
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from extraction.html.outline import HEADING_TAGS, TAG_GROUPS, Outline
from extraction.html.phrases import PHRASE_GROUPS, phrase_bits

FloatMatrix = npt.NDArray[np.float32]

_WORD = re.compile(r"\w+")
# Scripts without blanks: a character counts as half a word (ALG-2's proposal), as an eighth of a
# paragraph's length.
_CJK = re.compile(r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]")
_SENTENCE_END = re.compile(r"""[.!?…。！？;:؟।]["'”’»«)\]]*$""")
_INNER_END = re.compile(r"[.!?][\"'”’»)]*\s+[\"'“‘«(]?[^\W\d_]|[。！？]")
_DATE = re.compile(
    r"\b\d{1,2}[./-]\d{1,2}[./-]\d{2,4}\b|\b(?:19|20)\d\d[-./年]\s?\d{1,2}|\b\d{1,2}:\d\d\b|\b(?:19|20)\d\d\b"
)
_DIGIT = re.compile(r"\d")
# Running text: at least this many characters (CJK counts more) and mostly outside of links.
PARAGRAPH_CHARACTERS = 80
_LINK_SHARE = 0.35
_CJK_WEIGHT = 3
_LEVELS = 4
_BEST_LEVELS = 4
_SHINGLE = 4
# Digits and capitals tell about dates, bylines and labels, which are short.
_LONG_CHARACTERS = 200
_END_CHARACTERS = 24
N_HINTS = 15
# Columns of each kind of evidence, for ablations.
FEATURE_GROUPS: dict[str, slice] = {
    "own form": slice(0, 23),
    "markup of the running text": slice(23, 27),
    "position": slice(27, 41),
    "support of title, description, JSON-LD": slice(41, 49),
    "names, tags, phrases": slice(49, 131),
    "containers": slice(131, 161),
    "records": slice(161, 172),
    "neighbours": slice(172, 262),
}


@dataclass(frozen=True, slots=True)
class PageContext:
    """What the page says of itself, for the comparison with its lines."""

    title: str = ""
    description: str = ""
    json_ld_body: str = ""
    authors: tuple[str, ...] = ()


def line_features(outline: Outline, context: PageContext) -> FloatMatrix:
    """Features of all lines.

    Returns
    -------
    ndarray of shape (n_lines, n_features), float32
        Empty first axis for a page without text. Linear in lines and elements.
    """
    texts = [line.text for line in outline.lines]
    nodes = np.array([line.node for line in outline.lines], dtype=np.int64)
    weights = [_weight(text) for text in texts]
    own = _own_form(outline, weights)
    mass = own[:, _RUNNING].astype(np.float64) * weights
    containers, best_flags = _containers(outline, nodes, mass)
    markup = _markup_share(outline, mass)
    support = _support(outline, texts, context)
    bits = _bits(outline, texts, nodes)
    position = np.concatenate(
        [_positions(mass, support), _after_signs(outline, bits, mass)], axis=1
    )
    base = np.concatenate([own, markup, position, support], axis=1)
    near = np.concatenate([own[:, _NEAR_COLUMNS], markup[:, :1], bits[:, _NEAR_BITS]], axis=1)
    neighbours = [_shifted(near, offset) for offset in (-3, -2, -1, 1, 2, 3)]
    together = np.concatenate([_same_container(outline, nodes), _records(outline, nodes)], axis=1)
    return np.concatenate(
        [base, bits, containers, best_flags, together, *neighbours], axis=1
    ).astype(np.float32)


_NEAR_COLUMNS = [0, 1, 2, 4, 5, 6]
# Hints own: comments, related, byline, caption, frame; tags: p, li, h2/h3.
_NEAR_BITS = [2, 4, 6, 7, 9, 45, 46, 62]


_RUNNING = 6  # column of `_own_form`: whether the line is running text


def _weight(text: str) -> int:
    """Characters, those of scripts without blanks counted several times."""
    if text.isascii():
        return len(text)
    return len(text) + (_CJK_WEIGHT - 1) * len(_CJK.findall(text))


def _own_form(outline: Outline, weights: list[int]) -> FloatMatrix:
    lines = outline.lines
    texts = [line.text for line in lines]
    seen = Counter(texts)
    counts = np.array(
        [
            (
                len(line.text),
                line.n_link_chars,
                line.n_strong_chars,
                line.text.count(" ") + 1,
                line.n_links,
                seen[line.text] - 1,
                line.after_break,
            )
            for line in lines
        ],
        dtype=np.float64,
    ).reshape(len(lines), 7)
    n_chars, n_link_chars, n_strong_chars, n_words, n_links, n_twins, after_break = counts.T
    weight = np.array(weights, dtype=np.float64)
    signs = np.array([_signs(text) for text in texts], dtype=np.float64).reshape(len(lines), 12)
    is_running = (weight >= PARAGRAPH_CHARACTERS) & (n_link_chars < _LINK_SHARE * n_chars)
    return np.stack(
        [
            np.log1p(np.minimum(weight, 4095)),
            np.minimum(n_link_chars / n_chars, 1),
            signs[:, 0],
            signs[:, 1],
            np.minimum(n_strong_chars / n_chars, 1),
            np.minimum(signs[:, 2], 10) / 10,
            is_running,
            np.minimum(n_words, 60) / 60,
            signs[:, 3] / n_chars,
            signs[:, 4] / n_chars,
            *signs[:, 5:].T,
            (weight - n_chars) / (_CJK_WEIGHT - 1) / n_chars,
            np.minimum(n_links, 10) / 10,
            n_links == 0,
            np.minimum(n_twins, 3) / 3,
            after_break,
            n_chars / n_words / 20,
        ],
        axis=1,
    ).astype(np.float32)


def _signs(text: str) -> tuple[float, ...]:
    """Tell how the line ends and begins; its commas, digits, capitals, date, separators."""
    n_chars = len(text)
    is_short = n_chars < _LONG_CHARACTERS
    first = text[0]
    n_commas = text.count(",")
    if not text.isascii():
        n_commas += text.count("，") + text.count("、")
    return (
        _SENTENCE_END.search(text, max(0, n_chars - _END_CHARACTERS)) is not None,
        _INNER_END.search(text) is not None,
        n_commas,
        len(_DIGIT.findall(text)) if is_short else 0,
        sum(map(str.isupper, text)) if is_short else 0,
        first.islower(),
        first.isdigit(),
        not first.isalnum(),
        n_chars < 120 and _DATE.search(text) is not None,
        text[-1] == ":",
        "?" in text,
        "|" in text or "»" in text or "/ " in text or "•" in text,
    )


def _larger_parents(outline: Outline) -> list[int]:
    """For each element the nearest ancestor that spans more lines.

    Wrappers around the same lines are passed over.
    """
    larger = [0] * len(outline.tags)
    first, end = outline.first_line, outline.end_line
    for index, parent in enumerate(outline.parents):
        if parent < 0:
            continue
        if end[parent] - first[parent] > end[index] - first[index]:
            larger[index] = parent
        else:
            larger[index] = larger[parent]
    return larger


def _containers(
    outline: Outline, nodes: npt.NDArray[np.int64], mass: npt.NDArray[np.float64]
) -> tuple[FloatMatrix, FloatMatrix]:
    """Statistics of the containers around each line.

    Level by level, and its place relative to the page's main container.
    """
    n_lines = len(nodes)
    link_chars = np.array([line.n_link_chars for line in outline.lines], dtype=np.float64)
    chars = np.array([len(line.text) for line in outline.lines], dtype=np.float64)
    sums = [
        np.concatenate([[0.0], np.cumsum(values)]) for values in (chars, link_chars, mass, mass > 0)
    ]
    first = np.array(outline.first_line, dtype=np.int64)
    end = np.array(outline.end_line, dtype=np.int64)
    larger = np.array(_larger_parents(outline), dtype=np.int64)
    total_mass = max(float(mass.sum()), 1.0)
    columns = []
    level = nodes
    for _ in range(_LEVELS):
        low, high = first[level], np.maximum(end[level], first[level] + 1)
        level_chars, level_links, level_mass, level_paragraphs = (
            values[high] - values[low] for values in sums
        )
        n_inside = (high - low).astype(np.float64)
        columns += [
            np.log1p(level_chars),
            level_links / np.maximum(level_chars, 1.0),
            level_mass / total_mass,
            np.log1p(n_inside),
            level_paragraphs / n_inside,
            level_mass / np.maximum(level_chars, 1.0),
        ]
        level = larger[level]
    best = _main_container(outline, nodes, mass, larger)
    flags = []
    ends = np.array(outline.ends, dtype=np.int64)
    for _ in range(_BEST_LEVELS):
        flags.append(((nodes >= best) & (nodes < ends[best])).astype(np.float64))
        best = int(larger[best])
    parent = larger[nodes] if n_lines else nodes
    first_best = _main_container(outline, nodes, mass, larger)
    flags.append((parent == first_best).astype(np.float64))
    flags.append((nodes == first_best).astype(np.float64))
    return (
        np.stack(columns, axis=1).astype(np.float32)
        if n_lines
        else np.zeros((0, 6 * _LEVELS), np.float32),
        np.stack(flags, axis=1).astype(np.float32)
        if n_lines
        else np.zeros((0, _BEST_LEVELS + 2), np.float32),
    )


def _main_container(
    outline: Outline,
    nodes: npt.NDArray[np.int64],
    mass: npt.NDArray[np.float64],
    larger: npt.NDArray[np.int64],
) -> int:
    """Element with the most running text close to it.

    A line counts whole for its container and half for the next one.
    """
    if not len(nodes):
        return 0
    scores = np.zeros(len(outline.tags))
    level = larger[nodes]
    weight = 1.0
    for _ in range(3):
        np.add.at(scores, level, mass * weight)
        level = larger[level]
        weight /= 2
    np.add.at(scores, nodes, mass * 0.75 * np.array([line.after_break for line in outline.lines]))
    return int(scores.argmax())


def _markup_share(outline: Outline, mass: npt.NDArray[np.float64]) -> FloatMatrix:
    """Share of the page's running text whose element and parent have the same tags and classes."""
    full: list[tuple[str, ...]] = []
    short: list[tuple[str, ...]] = []
    tags, classes = outline.tags, outline.classes
    for line in outline.lines:
        node = line.node
        parent = outline.parents[node]
        short.append((tags[node], classes[node]))
        around = (tags[parent], classes[parent]) if parent >= 0 else ("", "")
        full.append(short[-1] + around)
    columns = []
    total = max(float(mass.sum()), 1.0)
    for signatures in (full, short):
        sums: dict[tuple[str, ...], float] = {}
        for signature, value in zip(signatures, mass.tolist(), strict=True):
            sums[signature] = sums.get(signature, 0.0) + value
        columns.append([sums[signature] / total for signature in signatures])
        counts = Counter(signatures)
        columns.append([min(counts[signature], 50) / 50 for signature in signatures])
    return np.array(columns, dtype=np.float32).T.reshape(len(mass), 4)


def _support(outline: Outline, texts: list[str], context: PageContext) -> FloatMatrix:
    """Agreement with headline, description, JSON-LD body and authors."""
    title = set(_WORD.findall(context.title.casefold()))
    description = context.description.casefold()
    description_words = set(_WORD.findall(description))
    body_shingles = _shingles(context.json_ld_body)
    authors = [name.casefold() for name in context.authors if len(name) > 3]
    rows = []
    for line, text in zip(outline.lines, texts, strict=True):
        short = len(text) < 400
        words = _WORD.findall(text.casefold()) if short or body_shingles else ()
        distinct = set(words) if short else set()
        overlap = len(distinct & title) / len(distinct | title) if title and distinct else 0.0
        own = _shingles_of(words) if body_shingles and words else []
        rows.append(
            (
                overlap,
                1.0 if overlap > 0.9 else 0.0,
                len(distinct & description_words) / len(distinct)
                if description_words and len(distinct) > 3
                else 0.0,
                1.0 if short and len(text) > 20 and text.casefold()[:200] in description else 0.0,
                sum(shingle in body_shingles for shingle in own) / len(own) if own else 0.0,
                1.0 if body_shingles else 0.0,
                1.0
                if short and len(text) < 120 and any(name in text.casefold() for name in authors)
                else 0.0,
                1.0 if outline.tags[line.node] in HEADING_TAGS and overlap > 0.5 else 0.0,
            )
        )
    return np.array(rows, dtype=np.float32).reshape(len(texts), 8)


def _shingles(text: str) -> frozenset[tuple[str, ...]]:
    words = _WORD.findall(text.casefold())
    # A body shorter than this is a teaser.
    return frozenset(_shingles_of(words)) if len(words) >= 40 else frozenset()


def _shingles_of(words: list[str]) -> list[tuple[str, ...]]:
    if len(words) < _SHINGLE:
        return [tuple(words)]
    return list(zip(words, words[1:], words[2:], words[3:], strict=False))


def _positions(mass: npt.NDArray[np.float64], support: FloatMatrix) -> FloatMatrix:
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


# Phrase groups that head the part behind the article: read_also, share, subscribe, comments, tags,
# about_author.
_SIGN_GROUPS = (0, 1, 2, 6, 8, 9)
_SIGN_CHARACTERS = 60


def _after_signs(outline: Outline, bits: FloatMatrix, mass: npt.NDArray[np.float64]) -> FloatMatrix:
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
    return np.stack(columns, axis=1)


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


def _bits(outline: Outline, texts: list[str], nodes: npt.NDArray[np.int64]) -> FloatMatrix:
    """Expand flags: class words of the element and around it, tags around it, phrases in it."""
    own = np.array([outline.own_hints[node] for node in nodes], dtype=np.int64)
    parents = np.array([outline.parents[node] for node in nodes], dtype=np.int64)
    parent_hints = np.array(
        [outline.own_hints[parent] if parent >= 0 else 0 for parent in parents], dtype=np.int64
    )
    around = np.array([outline.hints[node] for node in nodes], dtype=np.int64)
    tags = np.array([outline.tag_bits[node] for node in nodes], dtype=np.int64)
    phrases = np.array([phrase_bits(text) for text in texts], dtype=np.int64)
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


_RECORD_LEVELS = 5


def _records(outline: Outline, nodes: npt.NDArray[np.int64]) -> FloatMatrix:
    """Count siblings of the same tag and class, for the line's element and those around it.

    Comments, teasers and search results are records; so are paragraphs, which is why the levels are
    kept apart. Besides: how many elements lie between this line and the last, and how deep it is.
    """
    keys = list(zip(outline.parents, outline.tags, outline.classes, strict=True))
    kinds = Counter(keys)
    depths: list[int] = []
    for parent in outline.parents:
        depths.append(depths[parent] + 1 if parent >= 0 else 0)
    counts = np.log([kinds[key] for key in keys]) / 4
    parents = np.maximum(np.array(outline.parents, dtype=np.int64), 0)
    columns = []
    level = nodes
    for _ in range(_RECORD_LEVELS):
        columns.append(counts[level])
        level = parents[level]
    previous = np.concatenate([nodes[:1], nodes[:-1]])
    columns.append(np.sign(nodes - previous) * np.log1p(np.abs(nodes - previous)) / 4)
    columns.append(np.array(depths)[nodes] / 20)
    return np.stack(columns, axis=1)


def _same_container(outline: Outline, nodes: npt.NDArray[np.int64]) -> FloatMatrix:
    """Whether the line before and after lies in the same element.

    Or in one with the same parent.
    """
    parents = np.array([outline.parents[node] for node in nodes], dtype=np.int64)
    columns = []
    for values in (nodes, parents):
        same = np.zeros(len(nodes) + 1, dtype=np.float32)
        if len(nodes) > 1:
            same[1:-1] = values[1:] == values[:-1]
        columns += [same[:-1], same[1:]]
    return np.stack(columns, axis=1)


def _shifted(matrix: FloatMatrix, offset: int) -> FloatMatrix:
    """Row i of the result is row i + offset; zeros outside the page."""
    result = np.zeros_like(matrix)
    if abs(offset) >= len(matrix):
        return result
    if offset > 0:
        result[:-offset] = matrix[offset:]
    else:
        result[-offset:] = matrix[:offset]
    return result
