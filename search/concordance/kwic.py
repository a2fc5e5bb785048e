"""Concordance lines: a node with its left and right context, and the document it stands in.

Input → output: hits and a page request → lines of text, spaced as in the original.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from search.concordance.sorting import LineReference, Order, lines_in_order
from search.index.documents import DocumentInfo, DocumentKind
from search.index.hits import Hits
from search.index.reader import SegmentView
from search.index.segment import Segment

DEFAULT_LINES = 50
DEFAULT_CONTEXT = 12
SENTENCE_CONTEXT_TOKENS = 200  # of one side; longer "sentences" are lists and tables


@dataclass(frozen=True, slots=True)
class PageRequest:
    """Which lines to show and how.

    Parameters
    ----------
    offset, count : int
        First line, from 0, and number of lines.
    order : Order
    context : int
        Words on each side.
    whole_sentence : bool
        Show the sentence of the node instead of a number of words.
    """

    offset: int = 0
    count: int = DEFAULT_LINES
    order: Order = field(default_factory=Order)
    context: int = DEFAULT_CONTEXT
    whole_sentence: bool = False


@dataclass(frozen=True, slots=True)
class KwicLine:
    """One line; ``left + node + right`` is a stretch of the text with its own white space.

    ``position`` and ``length`` are in tokens, the position counted from the start of the document
    from 0; document and position are a permanent address of the hit.
    """

    info: DocumentInfo
    position: int
    length: int
    left: str
    node: str
    right: str
    left_words: tuple[str, ...]
    node_words: tuple[str, ...]
    right_words: tuple[str, ...]

    @property
    def kind(self) -> DocumentKind:
        """Article or comment."""
        return self.info.kind

    @property
    def key(self) -> int:
        """Key of the document within its kind."""
        return self.info.key


def concordance(hits: Hits, page: PageRequest) -> list[KwicLine]:
    """Return a page of concordance lines."""
    references = lines_in_order(hits, page.order, page.offset, page.count)
    return [_line(hits, reference, page) for reference in references]


def _line(hits: Hits, reference: LineReference, page: PageRequest) -> KwicLine:
    view = hits.parts[reference.part].view
    segment = view.segment
    start, end = reference.start, reference.end
    text_start, text_end = segment.bounds[reference.row : reference.row + 2].tolist()
    if page.whole_sentence:
        low = max(text_start, _sentence_start(segment, start))
        high = min(text_end, _sentence_end(segment, end - 1))
    else:
        low, high = max(text_start, start - page.context), min(text_end, end + page.context)
    words, spaces = _words(hits, view, low, high)
    return KwicLine(
        info=hits.snapshot.document_info(view, reference.row),
        position=start - text_start,
        length=end - start,
        left=_text(words[: start - low], spaces[: start - low], first=True)
        + _gap(low < start and spaces[start - low]),
        node=_text(words[start - low : end - low], spaces[start - low : end - low], first=True),
        right=_text(words[end - low :], spaces[end - low :], first=False),
        left_words=tuple(words[: start - low]),
        node_words=tuple(words[start - low : end - low]),
        right_words=tuple(words[end - low :]),
    )


def _words(hits: Hits, view: SegmentView, low: int, high: int) -> tuple[list[str], list[bool]]:
    lexicon = hits.snapshot.lexicon
    segment = view.segment
    forms = lexicon.words[segment.stream[low:high]].tolist()
    return list(map(lexicon.form, forms)), segment.space_before(low, high).tolist()


def _text(words: Sequence[str], spaces: Sequence[bool], *, first: bool) -> str:
    """Join words with the white space that stood before each; not before the first if so asked."""
    text = "".join(f" {word}" if space else word for word, space in zip(words, spaces, strict=True))
    return text[1:] if first and spaces and spaces[0] else text


def _gap(is_open: bool) -> str:
    return " " if is_open else ""


def _sentence_start(segment: Segment, position: int) -> int:
    """Return where the sentence starts, or a long sentence's last stretch before the position."""
    return max(position - int(segment.left[position]), position - SENTENCE_CONTEXT_TOKENS)


def _sentence_end(segment: Segment, position: int) -> int:
    return min(position + int(segment.right[position]), position + SENTENCE_CONTEXT_TOKENS) + 1
