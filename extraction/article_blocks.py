"""The blocks of a stored text: an article → kind and span of each."""

from itertools import pairwise

from extraction.models import Article


def blocks_of(article: Article) -> list[tuple[str, int, int]]:
    """Kind and span of each block in page order; a text without blocks is cut at its line breaks.

    Spans are places in `Article.whole_text`: those of captions lie behind the text.
    """
    blocks = [(str(kind), int(start), int(end)) for kind, start, end in article.blocks]
    return blocks or [("paragraph", start, end) for start, end in _line_spans(article.text)]


def _line_spans(text: str) -> list[tuple[int, int]]:
    """Spans of the lines that are not blank."""
    ends = [-1, *(at for at, sign in enumerate(text) if sign == "\n"), len(text)]
    spans = [(before + 1, end) for before, end in pairwise(ends)]
    return [(start, end) for start, end in spans if text[start:end].strip()]
