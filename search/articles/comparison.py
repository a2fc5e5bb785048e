"""Two articles side by side: their sentences in rows, changed words marked, and how much is shared.

The alignment is that of `dedup.similarity.differences`; here are numbers, anchors and paragraphs.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from dedup.similarity.differences import Row, RowKind, align
from dedup.similarity.word_differences import Edit, count_words, word_edits
from extraction.models import Article
from extraction.text.sentences import split_sentences
from search.articles.reading import blocks_of

# Far more than an editor reads; a book in the corpus must not make a page of 100 MB.
MAX_SENTENCES = 1500
MAX_CHARACTERS = 150_000


@dataclass(frozen=True, slots=True)
class WordRun:
    """A run of words in one column; `is_shared` where the other column has it too."""

    text: str
    is_shared: bool


@dataclass(frozen=True, slots=True)
class SentenceCell:
    """Sentences of one column that stand in one row; `number` is that of the first, from 1."""

    number: int
    words: tuple[WordRun, ...]
    starts_paragraph: bool


@dataclass(frozen=True, slots=True)
class SentenceRow:
    """A row of both columns.

    `left_twin` and `right_twin` are the numbers that the other column's sentence has, wherever it
    stands. `n_hidden` is set on a line that stands for so many equal ones.
    """

    kind: str
    left: SentenceCell | None = None
    right: SentenceCell | None = None
    left_twin: int | None = None
    right_twin: int | None = None
    is_moved: bool = False
    n_hidden: int = 0


@dataclass(frozen=True, slots=True)
class Shares:
    """What became of the sentences and words of both texts."""

    n_same: int
    n_changed: int
    n_moved: int
    n_left: int
    n_right: int
    left_words: int
    right_words: int
    shared_words: int

    @property
    def of_left(self) -> float | None:
        """Share of the left text's words that stand on the right too, in the same places."""
        return self.shared_words / self.left_words if self.left_words else None

    @property
    def of_right(self) -> float | None:
        return self.shared_words / self.right_words if self.right_words else None


@dataclass(frozen=True, slots=True)
class Comparison:
    """`is_cut` says that the texts are longer than what is shown."""

    title: tuple[Edit, ...]
    lines: tuple[SentenceRow, ...]
    shares: Shares
    is_cut: bool


def compare(left: Article, right: Article, *, only_differences: bool = False) -> Comparison:
    """Put two articles side by side; `only_differences` puts equal lines together into one each."""
    columns = _Column(left), _Column(right)
    rows = align(columns[0].sentences, columns[1].sentences)
    lines: Iterable[SentenceRow] = _lines(rows, columns)
    if only_differences:
        lines = _without_equals(lines)
    return Comparison(
        title=tuple(word_edits(left.title, right.title)),
        lines=tuple(lines),
        shares=_shares(rows, columns),
        is_cut=columns[0].is_cut or columns[1].is_cut,
    )


class _Column:
    """The sentences of one article as far as they are compared."""

    def __init__(self, article: Article) -> None:
        text = article.text[:MAX_CHARACTERS]
        spans = [(start, end) for start, end in split_sentences(text) if text[start:end].strip()]
        self.is_cut = len(text) < len(article.text) or len(spans) > MAX_SENTENCES
        spans = spans[:MAX_SENTENCES]
        self.sentences = [text[start:end].strip() for start, end in spans]
        block_starts = {start for _, start, _ in blocks_of(article)}
        self._paragraph_starts = {
            number for number, (start, _) in enumerate(spans) if start in block_starts
        }

    def cell(self, numbers: Sequence[int], words: Iterable[WordRun]) -> SentenceCell | None:
        """Make the cell of consecutive sentences; None for none."""
        if not numbers:
            return None
        return SentenceCell(numbers[0] + 1, tuple(words), numbers[0] in self._paragraph_starts)


def _lines(rows: Sequence[Row], columns: tuple[_Column, _Column]) -> Iterator[SentenceRow]:
    for row in rows:
        other = row if row.partner is None else rows[row.partner]
        is_moved = row.partner is not None
        left, right = row.left or other.left, row.right or other.right
        yield SentenceRow(
            kind=row.kind.value,
            left=columns[0].cell(row.left, _words(row, columns[0], row.left, _left_of)),
            right=columns[1].cell(row.right, _words(row, columns[1], row.right, _right_of)),
            left_twin=right[0] + 1 if left and right else None,
            right_twin=left[0] + 1 if left and right else None,
            is_moved=is_moved,
        )


def _left_of(edit: Edit) -> str:
    return edit.left


def _right_of(edit: Edit) -> str:
    return edit.right


def _words(
    row: Row, column: _Column, numbers: Sequence[int], side: Callable[[Edit], str]
) -> Iterator[WordRun]:
    """Give the words of one side; what was put in on the other side leaves no gap here."""
    if row.kind is RowKind.CHANGED:
        for is_same, edits in groupby(filter(side, row.edits), key=lambda edit: edit.is_same):
            yield WordRun("".join(map(side, edits)), is_same)
        return
    for number in numbers:
        yield WordRun(column.sentences[number], row.kind is RowKind.SAME)


def _without_equals(lines: Iterable[SentenceRow]) -> Iterator[SentenceRow]:
    """Replace equal lines that follow each other by one that says how many there were."""
    for is_equal, run in groupby(lines, key=lambda line: line.kind == "same" and not line.is_moved):
        if is_equal:
            first, *others = run
            yield replace(first, left=None, right=None, n_hidden=1 + len(others))
        else:
            yield from run


def _shares(rows: Sequence[Row], columns: tuple[_Column, _Column]) -> Shares:
    counts = dict.fromkeys(RowKind, 0)
    n_moved = shared = 0
    for row in rows:
        # a moved pair has two rows, of which the left one is counted
        if row.partner is not None and not row.left:
            continue
        counts[row.kind] += 1
        n_moved += row.partner is not None
        if row.kind is RowKind.SAME:
            shared += sum(count_words(columns[0].sentences[number]) for number in row.left)
        shared += sum(count_words(edit.left) for edit in row.edits if edit.is_same)
    return Shares(
        n_same=counts[RowKind.SAME],
        n_changed=counts[RowKind.CHANGED],
        n_moved=n_moved,
        n_left=counts[RowKind.LEFT],
        n_right=counts[RowKind.RIGHT],
        left_words=sum(map(count_words, columns[0].sentences)),
        right_words=sum(map(count_words, columns[1].sentences)),
        shared_words=shared,
    )
