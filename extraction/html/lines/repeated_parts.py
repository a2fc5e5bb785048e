"""Posts of a live blog, questions with answers, items of a long list: alike parts, kept together.

Siblings of one signature (tag and class, names with digits left out), each with a heading or a time
and running text. Where the line model keeps most of them, the text and headings of all are the
article's: it doubts short posts and headings such as "78 minutes: Luton 2 Villa 2". Teasers,
comments and boxes are alike too, but the model keeps few of them. Cross-validated by domain: F1 of
`fundus80` .984 → .987, two live blogs .94 and .93 → .99 and 1.00; no set loses.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from extraction.html.lines.line_votes import Probabilities, decided
from extraction.html.markup.outline import HEADING_TAGS, Outline

_PART_TAGS = frozenset(["div", "section", "article", "li", "dd", "details"])
_OPENING_TAGS = HEADING_TAGS | {"time"}
# From three parts on the gain is no greater, and boxes of shop pages come in.
_LEAST_PARTS = 5
# Running text of a part: lines this long, mostly outside of links; a very long one counts no more
# than a long one.
_RUNNING_CHARACTERS = 60
_LONGEST_COUNTED = 200
_MOST_LINKED = 0.5
# The model keeps a part whose running text is likelier in than out on average, most parts of the
# group, and is rather sure of the group.
_KEPT_MEAN = 0.5
_KEPT_SHARE = 0.7
_GROUP_MEAN = 0.6
# Headings that it finds this unlikely on average are the publisher's, not the author's.
_HEADING_MEAN = 0.2


@dataclass(frozen=True, slots=True)
class Part:
    """Positions of a part's lines of running text, and of the headings above the last of them."""

    running: tuple[int, ...]
    headings: tuple[int, ...]


def kept_together(outline: Outline, probabilities: Probabilities) -> Probabilities:
    """Raise the text and headings of alike parts most of which the model keeps.

    Parameters
    ----------
    probabilities : ndarray of shape (n_lines,)
        Of each line to belong to the article.

    Returns
    -------
    ndarray of shape (n_lines,)
        The same, with the lines of such parts raised above one half.
    """
    found = probabilities.copy()
    for parts in alike_parts(outline):
        means = np.array([_mean(outline, part.running, probabilities) for part in parts])
        if (means >= _KEPT_MEAN).mean() < _KEPT_SHARE or means.mean() < _GROUP_MEAN:
            continue
        headings = [position for part in parts for position in part.headings]
        raised = [position for part in parts for position in part.running]
        if headings and probabilities[headings].mean() >= _HEADING_MEAN:
            raised += headings
        found[raised] = decided(found[raised], is_in=True)
    return found


def alike_parts(outline: Outline) -> Iterator[tuple[Part, ...]]:
    """Find groups of five or more siblings of one signature that open as posts do and hold text."""
    openings = [index for index, tag in enumerate(outline.tags) if tag in _OPENING_TAGS]
    if len(openings) < _LEAST_PARTS:
        return
    groups: dict[tuple[int, str, str], list[int]] = {}
    for index in _around(outline, openings):
        names = outline.classes[index].split()
        signature = " ".join(sorted({name for name in names if not _has_digit(name)}))
        key = outline.parents[index], outline.tags[index], signature
        groups.setdefault(key, []).append(index)
    for members in groups.values():
        if len(members) >= _LEAST_PARTS:
            parts = tuple(part for index in members if (part := _part(outline, index)).running)
            if len(parts) >= _LEAST_PARTS:
                yield parts


def _around(outline: Outline, openings: list[int]) -> list[int]:
    """Elements around headings and times that may be parts, each once, in page order."""
    seen: set[int] = set()
    for index in openings:
        around = outline.parents[index]
        while around >= 0 and around not in seen:
            seen.add(around)
            around = outline.parents[around]
    return sorted(index for index in seen if outline.tags[index] in _PART_TAGS)


def _has_digit(name: str) -> bool:
    return any(character.isdigit() for character in name)


def _part(outline: Outline, index: int) -> Part:
    span = range(outline.first_line[index], min(outline.end_line[index], len(outline.lines)))
    own = [at for at in span if not _is_linked(outline, at)]
    running = tuple(at for at in own if len(outline.lines[at].text) >= _RUNNING_CHARACTERS)
    last = running[-1] if running else -1
    headings = (at for at in own if at < last and _is_heading(outline, at))
    return Part(running, tuple(headings))


def _is_linked(outline: Outline, position: int) -> bool:
    line = outline.lines[position]
    return line.n_link_chars >= _MOST_LINKED * len(line.text)


def _is_heading(outline: Outline, position: int) -> bool:
    return outline.tags[outline.lines[position].node] in HEADING_TAGS


def _mean(outline: Outline, positions: tuple[int, ...], probabilities: Probabilities) -> float:
    lengths = [min(len(outline.lines[at].text), _LONGEST_COUNTED) for at in positions]
    return float(np.average(probabilities[list(positions)], weights=np.sqrt(lengths)))
