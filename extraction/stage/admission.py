"""Whether an article belongs to the corpus: its kind, its length, its twin → in it, or a reason.

What an editor takes anyway is in the corpus whatever the rules of its publication say. Dedup and
index ask for the outcome alone, `in_corpus`; who leaves texts out for another cause does so here,
behind these rules.
"""

from extraction.html.extract_page import page_kind
from extraction.html.page import ExtractedKind
from extraction.models import Article, ArticleKind
from feeds.models import Publication, TakenKind

# Changed with the rules below, so that stored articles are placed anew by them.
RULES = "1"
_KINDS = {ArticleKind.GALLERY: "It is a gallery.", ArticleKind.VIDEO: "It is a video page."}
_TWIN = "The publication has an article under the same name already."


def place(row: Article, publication: Publication, *, is_taken: bool) -> None:
    """Set an article's kind, and whether it is in the corpus.

    One that was withdrawn stays where it is. Writes nothing to the database.
    """
    row.kind = kind_of(row, publication)
    if row.withdrawn_at is not None:
        return
    row.reason = "" if is_taken else reason_against(row, publication)
    row.in_corpus = not row.reason


def kind_of(row: Article, publication: Publication) -> ArticleKind:
    """Tell the kind of an article by its address, its text and what its publication calls short.

    A post is one whatever its length; a page without any text stays what it was taken for when it
    was read.
    """
    if row.kind == ArticleKind.POST or (not row.text and row.kind in _KINDS):
        return ArticleKind(row.kind)
    kind = page_kind(row.url, row.text)
    is_short = kind is ExtractedKind.EMPTY or len(row.text) < publication.min_characters
    if kind in {ExtractedKind.TEXT, ExtractedKind.EMPTY}:
        return ArticleKind.SHORT if is_short else ArticleKind.TEXT
    return ArticleKind(kind.value)


def reason_against(row: Article, publication: Publication) -> str:
    """Say what keeps an article of its kind out of the corpus; "" where nothing does."""
    kind = ArticleKind(row.kind)
    if kind in _KINDS and kind.value not in publication.taken_kinds:
        return _KINDS[kind]
    # Of other kinds the kind says it already, and a row may come without its text.
    if kind is ArticleKind.SHORT or (kind in _KINDS and len(row.text) < publication.min_characters):
        return f"Its text is shorter than {publication.min_characters} characters."
    if row.slug_twin_id is not None and TakenKind.TWIN.value not in publication.taken_kinds:
        return _TWIN
    return ""
