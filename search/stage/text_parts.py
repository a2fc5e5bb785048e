"""Parts of an article as documents of their own: headline, standfirst, quotes, captions.

Input → output: an article and its tagged body → one `IndexDocument` for each part that it has. What
stands above the body is tagged beside it; what stands in the body is taken from it with the tags,
block after block, so that both say the same of a token. What is read here of old articles is in
their rows: nothing is fetched or extracted for it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from extraction.models import Article
from extraction.text.normalize import normalize_text
from search.engine.index.documents import ABOVE_BODY, IN_BODY, DocumentKind, IndexDocument

# Raised when articles of before are to have parts that they lack: they get them by themselves, see
# `late_parts`.
PARTS_VERSION = 1


@dataclass(frozen=True, slots=True)
class PartText:
    """A part that stands above the body, untagged."""

    kind: DocumentKind
    text: str

    def document(self, tagged: IndexDocument) -> IndexDocument:
        """Make it a part from the article's columns and its own tokens."""
        block = int(ABOVE_BODY[self.kind])
        return replace(tagged, kind=self.kind, blocks=[block] * len(tagged.tokens))


def parts_above(article: Article) -> tuple[PartText, ...]:
    """Return headline and standfirst, as far as an article has them."""
    texts = {DocumentKind.HEADLINE: article.title, DocumentKind.STANDFIRST: article.standfirst}
    found = ((kind, normalize_text(text)) for kind, text in texts.items())
    return tuple(PartText(kind, text) for kind, text in found if text)


def parts_of_body(body: IndexDocument) -> Iterator[IndexDocument]:
    """Give the parts of a tagged body; a sentence never runs from one block into the next."""
    for kind, block in IN_BODY.items():
        places = [place for place, at in enumerate(body.blocks) if at == block]
        if places:
            yield _taken(body, kind, places)


def _taken(body: IndexDocument, kind: DocumentKind, places: Sequence[int]) -> IndexDocument:
    begins, spaces = set(body.sentence_starts), body.space_before
    before = [-1, *places[:-1]]
    return replace(
        body,
        kind=kind,
        tokens=[body.tokens[place] for place in places],
        sentence_starts=[
            number
            for number, (place, last) in enumerate(zip(places, before, strict=True))
            if place in begins or place != last + 1
        ],
        space_before=None
        if spaces is None
        else [bool(spaces[place]) and number > 0 for number, place in enumerate(places)],
        blocks=[body.blocks[place] for place in places],
    )
