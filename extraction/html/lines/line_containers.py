"""The elements around a line: how much of the page's running text they hold, and their kind.

Columns of `line_features`: float32 matrices with a row for each line, made in linear time.
"""

import numpy as np
import numpy.typing as npt

from extraction.html.lines.line_forms import FloatMatrix
from extraction.html.markup.outline import Outline

# Levels of containers that are looked at; the shipped model was trained on these columns.
_LEVELS = 4
_MAIN_LEVELS = 4
_RECORD_LEVELS = 5


def container_columns(
    outline: Outline,
    nodes: npt.NDArray[np.int64],
    mass: npt.NDArray[np.float64],
    larger: npt.NDArray[np.int64],
) -> FloatMatrix:
    """Return six figures for each of the four containers around a line, the nearest first.

    Parameters
    ----------
    nodes
        Element of each line.
    mass
        Weight of each line of running text, in characters; 0 for other lines.
    larger
        As `larger_parents` gives it.
    """
    link_chars = np.array([line.n_link_chars for line in outline.lines], dtype=np.float64)
    chars = np.array([len(line.text) for line in outline.lines], dtype=np.float64)
    sums = [
        np.concatenate([[0.0], np.cumsum(values)]) for values in (chars, link_chars, mass, mass > 0)
    ]
    first = np.array(outline.first_line, dtype=np.int64)
    end = np.array(outline.end_line, dtype=np.int64)
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
    return np.stack(columns, axis=1).astype(np.float32)


def main_container_flags(
    outline: Outline,
    nodes: npt.NDArray[np.int64],
    mass: npt.NDArray[np.float64],
    larger: npt.NDArray[np.int64],
) -> FloatMatrix:
    """Whether a line lies in the page's main container or in one of the three around it.

    Then whether its container is the main one, and its element; parameters as above.
    """
    main = _main_container(outline, nodes, mass, larger)
    ends = np.array(outline.ends, dtype=np.int64)
    flags = []
    around = main
    for _ in range(_MAIN_LEVELS):
        flags.append((nodes >= around) & (nodes < ends[around]))
        around = int(larger[around])
    flags += [larger[nodes] == main, nodes == main]
    return np.stack(flags, axis=1).astype(np.float32)


def larger_parents(outline: Outline) -> npt.NDArray[np.int64]:
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
    return np.array(larger, dtype=np.int64)


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


def markup_share(outline: Outline, mass: npt.NDArray[np.float64]) -> FloatMatrix:
    """Share of the page's running text whose element and parent have the same tags and classes."""
    full: dict[tuple[str, ...], int] = {}  # signature → its number
    short: dict[tuple[str, ...], int] = {}
    numbers: tuple[list[int], list[int]] = ([], [])
    tags, classes, parents = outline.tags, outline.classes, outline.parents
    for line in outline.lines:
        node = line.node
        parent = parents[node]
        own = (tags[node], classes[node])
        around = (tags[parent], classes[parent]) if parent >= 0 else ("", "")
        numbers[0].append(full.setdefault(own + around, len(full)))
        numbers[1].append(short.setdefault(own, len(short)))
    columns: list[npt.NDArray[np.float64]] = []
    total = max(float(mass.sum()), 1.0)
    for signatures in numbers:
        at = np.array(signatures, dtype=np.int64)
        columns.append(np.bincount(at, weights=mass)[at] / total)
        columns.append(np.minimum(np.bincount(at)[at], 50) / 50)
    return np.stack(columns, axis=1).astype(np.float32)


def record_columns(outline: Outline, nodes: npt.NDArray[np.int64]) -> FloatMatrix:
    """Count siblings of the same tag and class, for the line's element and those around it.

    Comments, teasers and search results are records; so are paragraphs, which is why the levels are
    kept apart. Besides: how many elements lie between this line and the last, and how deep it is.
    """
    known: dict[tuple[int, str, str], int] = {}  # parent, tag and class → their number
    keys = zip(outline.parents, outline.tags, outline.classes, strict=True)
    kinds = np.array([known.setdefault(key, len(known)) for key in keys], dtype=np.int64)
    depths: list[int] = []
    for parent in outline.parents:
        depths.append(depths[parent] + 1 if parent >= 0 else 0)
    counts = (np.log(np.bincount(kinds)) / 4)[kinds]
    parents = np.maximum(np.array(outline.parents, dtype=np.int64), 0)
    columns = []
    level = nodes
    for _ in range(_RECORD_LEVELS):
        columns.append(counts[level])
        level = parents[level]
    previous = np.concatenate([nodes[:1], nodes[:-1]])
    columns.append(np.sign(nodes - previous) * np.log1p(np.abs(nodes - previous)) / 4)
    columns.append(np.array(depths)[nodes] / 20)
    return np.stack(columns, axis=1).astype(np.float32)


def same_container(outline: Outline, nodes: npt.NDArray[np.int64]) -> FloatMatrix:
    """Whether the line before and after lies in the same element.

    Or in one with the same parent.
    """
    parents = np.array(outline.parents, dtype=np.int64)[nodes]
    columns = []
    for values in (nodes, parents):
        same = np.zeros(len(nodes) + 1, dtype=np.float32)
        if len(nodes) > 1:
            same[1:-1] = values[1:] == values[:-1]
        columns += [same[:-1], same[1:]]
    return np.stack(columns, axis=1)
