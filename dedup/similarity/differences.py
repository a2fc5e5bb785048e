"""Two texts side by side: their sentences → rows that say what both have, and what one has.

Equal sentences are found as Heckel (1978) finds equal lines: those that stand once on each side
first, then their neighbours. What is left is paired by common words, so that a sentence touched by
a sub-editor stands beside the one it was. A longest row of pairs in order makes the two columns;
all other pairs have been moved.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from dedup.similarity.increasing import longest_increasing
from dedup.similarity.word_differences import Edit, word_edits, words_of
from extraction.text.comparable import comparable

_Texts = tuple[Sequence[str], Sequence[str]]

# Share of common words (by letters) from which two sentences are wordings of one.
REWORDED_FROM = 0.5
# Words of more unpaired sentences than these say little about which belong together; and each
# sentence is compared with this many others at most. Both keep the work linear.
_MAX_HOLDERS = 32
_MAX_COMPARED = 6
# A sentence joins a neighbour's row (one sentence made of two) if the likeness grows by this much.
_JOIN_GAIN = 0.02


class RowKind(StrEnum):
    """What the sentences of a row are to each other."""

    SAME = "same"
    CHANGED = "changed"
    LEFT = "left"  # on the left only
    RIGHT = "right"


@dataclass(frozen=True, slots=True)
class AlignedRow:
    """Sentences that stand beside each other, by their numbers from 0.

    One side is empty where a sentence has no like, and where it was moved: `partner` is then the
    number of the row with its other half. `edits` are there for changed sentences.
    """

    kind: RowKind
    left: tuple[int, ...]
    right: tuple[int, ...]
    edits: tuple[Edit, ...] = ()
    partner: int | None = None


@dataclass(frozen=True, slots=True)
class _Pair:
    """Consecutive sentences of both sides that are one text, or two wordings of it."""

    left: tuple[int, ...]
    right: tuple[int, ...]
    is_same: bool


def align(left: Sequence[str], right: Sequence[str]) -> list[AlignedRow]:
    """Put the sentences of two texts beside each other.

    Parameters
    ----------
    left, right
        The sentences of each text in order. They are equal when `comparable` makes them so.

    Returns
    -------
    list of AlignedRow
        Each sentence of each side is in exactly one row, and both sides' numbers ascend.

    Notes
    -----
    O(n log n) in the number of sentences, and linear in their words up to the bound of
    `word_edits`.

    References
    ----------
    Heckel, P. (1978), A technique for isolating differences between files, Comm. ACM 21.

    Examples
    --------
    >>> here = ["Rain fell.", "Two roads were closed on Monday.", "More to follow."]
    >>> there = ["Rain fell.", "Three roads were closed on Monday."]
    >>> for row in align(here, there):
    ...     print(row.kind, row.left, row.right)
    same (0,) (0,)
    changed (1,) (1,)
    left (2,) ()
    """
    texts = left, right
    same = _equal([comparable(text) for text in left], [comparable(text) for text in right])
    pairs = [_Pair((i,), (j,), is_same=True) for i, j in same.items()]
    pairs += [_Pair((i,), (j,), is_same=False) for i, j in _reworded(texts, same).items()]
    pairs.sort(key=lambda pair: pair.left)
    in_order = set(longest_increasing([pair.right[0] for pair in pairs]))
    ordered = [pair for at, pair in enumerate(pairs) if at in in_order]
    moved = [pair for at, pair in enumerate(pairs) if at not in in_order]
    return _in_rows(_join_neighbours(ordered, moved, texts), moved, texts)


def _equal(left: Sequence[str], right: Sequence[str]) -> dict[int, int]:
    """Pair equal sentences, those that stand more than once with equal neighbours first."""
    n_left, n_right = Counter(left), Counter(right)
    places = {key: j for j, key in enumerate(right)}
    found = {i: places[key] for i, key in enumerate(left) if n_left[key] == n_right[key] == 1}
    taken = set(found.values())
    # The beginnings and the ends of both texts count as pairs.
    for way, i_start, j_start in ((1, -1, -1), (-1, len(left), len(right))):
        j: int | None = j_start
        for i in range(i_start + way, len(left) if way > 0 else -1, way):
            beside = j + way if j is not None else -1
            is_free = i not in found and 0 <= beside < len(right) and beside not in taken
            if is_free and left[i] == right[beside]:
                found[i] = beside
                taken.add(beside)
            j = found.get(i)
    remaining: dict[str, list[int]] = defaultdict(list)
    for j in range(len(right) - 1, -1, -1):
        if j not in taken:
            remaining[right[j]].append(j)
    for i, key in enumerate(left):
        if i not in found and remaining[key]:
            found[i] = remaining[key].pop()
    return found


def _reworded(texts: _Texts, same: dict[int, int]) -> dict[int, int]:
    """Pair sentences without an equal one by common words, the likest first."""
    taken = set(same.values())
    own = {i: Counter(words_of(text)) for i, text in enumerate(texts[0]) if i not in same}
    others = {j: Counter(words_of(text)) for j, text in enumerate(texts[1]) if j not in taken}
    scale = max(1, len(texts[1])) / max(1, len(texts[0]))
    scored = [
        (likeness, -abs(i * scale - j), i, j)
        for i, j in _candidates(own, others)
        if (likeness := _likeness(own[i], others[j])) >= REWORDED_FROM
    ]
    found: dict[int, int] = {}
    used: set[int] = set()
    for _, _, i, j in sorted(scored, reverse=True):
        if i not in found and j not in used:
            found[i] = j
            used.add(j)
    return found


def _candidates(
    own: dict[int, Counter[str]], others: dict[int, Counter[str]]
) -> Iterator[tuple[int, int]]:
    """Name for each sentence those that share most of its rarer words."""
    holders: dict[str, list[int]] = defaultdict(list)
    for j, words in others.items():
        for word in words:
            holders[word].append(j)
    for i, words in own.items():
        n_letters: Counter[int] = Counter()
        for word in words:
            if len(holders.get(word, ())) <= _MAX_HOLDERS:
                n_letters.update(dict.fromkeys(holders.get(word, ()), len(word)))
        for j, _ in n_letters.most_common(_MAX_COMPARED):
            yield i, j


def _likeness(left: Counter[str], right: Counter[str]) -> float:
    """Share of common words among all of both, weighed by letters (Dice 1945); 0 for no words."""
    n_letters = _n_letters(left) + _n_letters(right)
    return 2 * _n_letters(left & right) / n_letters if n_letters else 0.0


def _n_letters(words: Counter[str]) -> int:
    return sum(len(word) * n for word, n in words.items())


def _join_neighbours(
    ordered: Sequence[_Pair], moved: Sequence[_Pair], texts: _Texts
) -> list[_Pair]:
    """Take unpaired sentences into a changed pair beside them where that makes it more alike."""
    free = _Free(
        set(range(len(texts[0]))).difference(*(pair.left for pair in (*ordered, *moved))),
        set(range(len(texts[1]))).difference(*(pair.right for pair in (*ordered, *moved))),
    )
    return [pair if pair.is_same else _grown(pair, free, texts) for pair in ordered]


def _grown(pair: _Pair, free: "_Free", texts: _Texts) -> _Pair:
    """Grow a pair by free neighbours; each step raises a figure up to 1, so there are few."""
    words = _words(texts[0], pair.left), _words(texts[1], pair.right)
    likeness = _likeness(*words)
    while True:
        best = max(
            (
                (_likeness(_words(texts[0], wider.left), _words(texts[1], wider.right)), wider)
                for wider in free.widened(pair)
            ),
            key=lambda scored: scored[0],
            default=(0.0, pair),
        )
        if best[0] < likeness + _JOIN_GAIN:
            return pair
        likeness, pair = best
        free.left.difference_update(pair.left)
        free.right.difference_update(pair.right)


def _words(texts: Sequence[str], numbers: Iterable[int]) -> Counter[str]:
    return Counter(word for number in numbers for word in words_of(texts[number]))


@dataclass(frozen=True, slots=True)
class _Free:
    """Sentences without a like."""

    left: set[int]
    right: set[int]

    def widened(self, pair: _Pair) -> Iterator[_Pair]:
        """Name the ways to take one neighbour more into a pair."""
        for i in {pair.left[0] - 1, pair.left[-1] + 1} & self.left:
            yield _Pair(tuple(sorted((*pair.left, i))), pair.right, is_same=False)
        for j in {pair.right[0] - 1, pair.right[-1] + 1} & self.right:
            yield _Pair(pair.left, tuple(sorted((*pair.right, j))), is_same=False)


def _in_rows(ordered: Sequence[_Pair], moved: Sequence[_Pair], texts: _Texts) -> list[AlignedRow]:
    """Set pairs in order side by side and everything else between them, left before right."""
    moved_left = {pair.left[0]: pair for pair in moved}
    moved_right = {pair.right[0]: pair for pair in moved}
    rows: list[AlignedRow] = []
    halves: dict[_Pair, list[int]] = defaultdict(list)  # numbers of the rows of a moved pair
    i = j = 0
    end = _Pair((len(texts[0]),), (len(texts[1]),), is_same=True)
    for pair in (*ordered, end):
        for number in range(i, pair.left[0]):
            if number in moved_left:
                halves[moved_left[number]].append(len(rows))
            rows.append(_half(moved_left.get(number), texts, left=(number,)))
        for number in range(j, pair.right[0]):
            if number in moved_right:
                halves[moved_right[number]].append(len(rows))
            rows.append(_half(moved_right.get(number), texts, right=(number,)))
        if pair is not end:
            rows.append(AlignedRow(_kind(pair), pair.left, pair.right, _edits(pair, texts)))
        i, j = pair.left[-1] + 1, pair.right[-1] + 1
    for first, second in halves.values():
        rows[first] = replace(rows[first], partner=second)
        rows[second] = replace(rows[second], partner=first)
    return rows


def _half(
    pair: _Pair | None, texts: _Texts, left: tuple[int, ...] = (), right: tuple[int, ...] = ()
) -> AlignedRow:
    """Make the row of a sentence that stands alone, or of one side of a moved pair."""
    if pair is None:
        return AlignedRow(RowKind.LEFT if left else RowKind.RIGHT, left, right)
    return AlignedRow(_kind(pair), left, right, _edits(pair, texts))


def _kind(pair: _Pair) -> RowKind:
    return RowKind.SAME if pair.is_same else RowKind.CHANGED


def _edits(pair: _Pair, texts: _Texts) -> tuple[Edit, ...]:
    if pair.is_same:
        return ()
    left = " ".join(texts[0][i] for i in pair.left)
    return tuple(word_edits(left, " ".join(texts[1][j] for j in pair.right)))
