"""Changed words: two wordings of one sentence → the runs of words both have, and those one has.

Longest common subsequence of words (Wagner & Fischer 1974), each weighed by its letters so that
"Johannesburg" is kept rather than "the". What is too long for the table is first cut at words that
stand once on each side, as Bram Cohen's patience diff does with lines.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

from dedup.similarity.increasing import longest_increasing
from extraction.text.comparable import comparable

# A word with the blanks behind it. Numbers, initials and compounds stay whole: "R2.5m" against
# "R2.6m" is one changed amount. All characters belong to some piece.
_PIECE = re.compile(r"\w+(?:[.,:'’-]\w+)*\s*|[^\w\s]\s*|\s+")
# Two sentences of a hundred words. It bounds the work to 50 cells a word whatever comes: 3 million
# words of which none agree take as long as 150 million cells, not 2 × 10¹².
MAX_CELLS = 10_000
# Each level cuts at the words that are single between the cuts of the level before; real texts need
# two, and an endless row of new ones can only be made on purpose.
_MAX_LEVELS = 8
# Words that stay between two changes are taken into them when the changes are this many times as
# long: "the" kept between two rewritten clauses only makes them hard to read.
_ISLAND_FACTOR = 2

_Match = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Edit:
    """A run of words: kept, if `is_same`, else `left` was taken out and `right` put in its place.

    What is kept may differ in case, blanks and the form of quotation marks (`comparable`), so both
    wordings are there.
    """

    left: str
    right: str
    is_same: bool


@dataclass(frozen=True, slots=True)
class _Region:
    """Half-open stretches of both rows of pieces."""

    left: int
    left_end: int
    right: int
    right_end: int

    @property
    def n_cells(self) -> int:
        return (self.left_end - self.left) * (self.right_end - self.right)


@dataclass(frozen=True, slots=True)
class _Run:
    """A region that is kept or changed as a whole."""

    region: _Region
    is_same: bool

    def joined_with(self, later: "_Run") -> "_Run":
        """Make one change of all from this run to the end of a later one."""
        first, last = self.region, later.region
        return _Run(_Region(first.left, last.left_end, first.right, last.right_end), is_same=False)


def words_of(text: str) -> list[str]:
    """Give the words, numbers and signs of a text in the form in which they are compared."""
    return [key for piece in _PIECE.findall(text) if (key := comparable(piece))]


def count_words(text: str) -> int:
    """Count the words and numbers of a text; signs are none."""
    return sum(map(_is_word, words_of(text)))


def word_edits(left: str, right: str) -> list[Edit]:
    r"""Find what was kept, taken out and put in between two wordings.

    Parameters
    ----------
    left, right
        Any two texts, usually of one sentence.

    Returns
    -------
    list of Edit
        Kept and changed runs in turn. All `left` joined are the left text, all `right` the right
        one, and both sides of what is kept are equal as `comparable` has it. Empty for two empty
        texts.

    Notes
    -----
    Quadratic up to `MAX_CELLS` pairs of words; beyond that linear, with words that stand once on
    each side as the fixed points. A stretch without any such word is then changed as a whole, so a
    result is always right but not always the shortest.

    References
    ----------
    Wagner, R. & Fischer, M. (1974), The string-to-string correction problem, J. ACM 21.

    Examples
    --------
    >>> for edit in word_edits("Five men were held.", "Six men were held on Monday."):
    ...     print(edit)
    Edit(left='Five ', right='Six ', is_same=False)
    Edit(left='men were held', right='men were held ', is_same=True)
    Edit(left='', right='on Monday', is_same=False)
    Edit(left='.', right='.', is_same=True)
    """
    pieces = _PIECE.findall(left), _PIECE.findall(right)
    keys = [comparable(piece) for piece in pieces[0]], [comparable(piece) for piece in pieces[1]]
    runs = _runs(_matches(*keys), (len(keys[0]), len(keys[1])))
    return _as_edits(_join_islands(runs, (_count_words(keys[0]), _count_words(keys[1]))), pieces)


def _matches(left: Sequence[str], right: Sequence[str]) -> list[_Match]:
    """Pair equal words without crossings, in order."""
    found: list[_Match] = []
    todo = [(_Region(0, len(left), 0, len(right)), 0)]
    while todo:
        region, level = todo.pop()
        ends, region = _trim(region, left, right)
        found += ends
        if not region.n_cells:
            continue
        if region.n_cells <= MAX_CELLS:
            found += _table(region, left, right)
            continue
        anchors = _anchors(region, left, right) if level < _MAX_LEVELS else []
        found += anchors
        if anchors:
            todo += [(between, level + 1) for between in _between(region, anchors)]
    return sorted(found)


def _trim(
    region: _Region, left: Sequence[str], right: Sequence[str]
) -> tuple[list[_Match], _Region]:
    """Match what both begin and end with."""
    found: list[_Match] = []
    i, i_end, j, j_end = region.left, region.left_end, region.right, region.right_end
    while i < i_end and j < j_end and left[i] == right[j]:
        found.append((i, j))
        i, j = i + 1, j + 1
    while i < i_end and j < j_end and left[i_end - 1] == right[j_end - 1]:
        i_end, j_end = i_end - 1, j_end - 1
        found.append((i_end, j_end))
    return found, _Region(i, i_end, j, j_end)


def _anchors(region: _Region, left: Sequence[str], right: Sequence[str]) -> list[_Match]:
    """Match words that stand once in both stretches, as many as can be without crossings."""
    n_left = Counter(left[region.left : region.left_end])
    n_right = Counter(right[region.right : region.right_end])
    places = {right[j]: j for j in range(region.right, region.right_end) if n_right[right[j]] == 1}
    pairs = [
        (i, places[left[i]])
        for i in range(region.left, region.left_end)
        if n_left[left[i]] == 1 and left[i] in places
    ]
    return [pairs[at] for at in longest_increasing([j for _, j in pairs])]


def _between(region: _Region, anchors: Sequence[_Match]) -> Iterator[_Region]:
    i, j = region.left, region.right
    for left, right in (*anchors, (region.left_end, region.right_end)):
        yield _Region(i, left, j, right)
        i, j = left + 1, right + 1


def _table(region: _Region, left: Sequence[str], right: Sequence[str]) -> Iterator[_Match]:
    """Match by the table of heaviest common subsequences of all beginnings."""
    own = left[region.left : region.left_end]
    others = right[region.right : region.right_end]
    rows = [[0] * (len(others) + 1)]
    for key in own:
        above, row, last = rows[-1], [0], 0
        weight = len(key) + 1  # of two equal ones that with more words
        for j, other in enumerate(others):
            last = max(above[j] + weight if key == other else 0, above[j + 1], last)
            row.append(last)
        rows.append(row)
    i, j = len(own), len(others)
    while i and j:
        if rows[i][j] == rows[i - 1][j]:
            i -= 1
        elif rows[i][j] == rows[i][j - 1]:
            j -= 1
        else:
            i, j = i - 1, j - 1
            yield region.left + i, region.right + j


def _runs(matches: Sequence[_Match], ends: _Match) -> Iterator[_Run]:
    """Put matches and what lies between them into runs that reach to the ends of both rows."""
    i = j = 0
    kept_from: _Match | None = None
    for left, right in (*matches, ends):
        if (left, right) != (i, j):
            if kept_from is not None:
                yield _Run(_Region(kept_from[0], i, kept_from[1], j), is_same=True)
            yield _Run(_Region(i, left, j, right), is_same=False)
            kept_from = None
        kept_from = kept_from or (left, right)
        i, j = left + 1, right + 1
    if kept_from is not None and kept_from != ends:
        yield _Run(_Region(kept_from[0], ends[0], kept_from[1], ends[1]), is_same=True)


def _join_islands(runs: Iterator[_Run], n_words: tuple[list[int], list[int]]) -> list[_Run]:
    """Take short kept runs between two longer changes into them; linear, as each is joined once.

    `n_words` counts the words before each piece of both rows.
    """

    def size(run: _Run) -> int:
        """Words of the side that has more."""
        place = run.region
        return max(
            n_words[0][place.left_end] - n_words[0][place.left],
            n_words[1][place.right_end] - n_words[1][place.right],
        )

    joined: list[_Run] = []
    for run in runs:
        joined.append(run)
        while len(joined) > 2 and not run.is_same:
            before, kept, after = joined[-3:]
            if size(kept) * _ISLAND_FACTOR > min(size(before), size(after)):
                break
            joined[-3:] = [before.joined_with(after)]
    return joined


def _count_words(keys: Sequence[str]) -> list[int]:
    """Count the words and numbers before each piece and in all."""
    return [0, *accumulate(map(_is_word, keys))]


def _is_word(key: str) -> bool:
    return any(map(str.isalnum, key))


def _as_edits(runs: Sequence[_Run], pieces: tuple[Sequence[str], Sequence[str]]) -> list[Edit]:
    return [
        Edit(
            "".join(pieces[0][run.region.left : run.region.left_end]),
            "".join(pieces[1][run.region.right : run.region.right_end]),
            run.is_same,
        )
        for run in runs
    ]
