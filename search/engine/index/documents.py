"""What goes into the index and what comes back out of it: documents as frozen values.

A document is one article, comment or post, or one part of an article: its headline, its quotes. Its
identity is ``(kind, key)``; adding the same identity again replaces the older version, which stays
readable for queries at an older generation.
"""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import NamedTuple

from search.engine.index.segments.text_blocks import TextBlock

UNIX_EPOCH = dt.date(1970, 1, 1)


class DocumentKind(IntEnum):
    """Text type; the numbers are written to files and never change.

    An article is its body. What stands above the body, and what is to be counted apart from it,
    are parts: documents of their own with the key of their article. Headline and standfirst are
    in no body; headings, quotes, items of lists and captions are in both. A post of a microblog
    has a key as an article, and no article has the same; so have its parts.
    """

    ARTICLE = 1
    COMMENT = 2
    HEADLINE = 3
    STANDFIRST = 4
    HEADING = 5
    QUOTE = 6
    LIST_ITEM = 7
    CAPTION = 8
    POST = 9

    @property
    def label(self) -> str:
        """Lower-case name, the value of ``text_kind`` in queries."""
        return self.name.lower()

    @property
    def is_part(self) -> bool:
        """Whether it is a part of an article, which counts only where it is asked for."""
        return self not in TEXT_KINDS


# Parts with the blocks that are in them: those above the body, and those taken from it.
ABOVE_BODY: dict[DocumentKind, TextBlock] = {
    DocumentKind.HEADLINE: TextBlock.HEADLINE,
    DocumentKind.STANDFIRST: TextBlock.STANDFIRST,
}
IN_BODY: dict[DocumentKind, TextBlock] = {
    DocumentKind.HEADING: TextBlock.HEADING,
    DocumentKind.QUOTE: TextBlock.QUOTE,
    DocumentKind.LIST_ITEM: TextBlock.LIST_ITEM,
    DocumentKind.CAPTION: TextBlock.CAPTION,
}
TEXT_KINDS = frozenset({DocumentKind.ARTICLE, DocumentKind.COMMENT, DocumentKind.POST})
# Their keys are those of articles: no two of them share one.
ARTICLE_KINDS = TEXT_KINDS - {DocumentKind.COMMENT}
PART_KINDS = frozenset(kind for kind in DocumentKind if kind.is_part)


class DocumentRights(IntEnum):
    """What a site says of text and data mining; the numbers are written to files."""

    NONE = 0
    RESERVED = 1
    GRANTED = 2

    @property
    def label(self) -> str:
        """Lower-case name, the value of ``text_rights`` in queries."""
        return self.name.lower()


# Columns whose few numbers stand for words: what queries, filters and tables write for them.
WORDED_COLUMNS: dict[str, dict[int, str]] = {
    "kind": {int(kind): kind.label for kind in DocumentKind},
    "changed": {0: "no", 1: "yes"},
    "rights": {int(rights): rights.label for rights in DocumentRights},
    "undated": {0: "no", 1: "yes"},
}


class IndexToken(NamedTuple):
    """One token with its three indexed attributes (a plain 3-tuple is as good)."""

    word: str
    lemma: str
    tag: str


@dataclass(frozen=True, slots=True)
class IndexDocument:
    """One text on its way into the index.

    Parameters
    ----------
    key : int
        Identity within the kind: the article's or comment's database key, positive; of a part
        that of its article.
    kind : DocumentKind
        Article, comment, post or part of an article.
    tokens : sequence of (word, lemma, tag)
        In text order.
    sentence_starts : sequence of int
        Token numbers at which sentences start, ascending; 0 may be left out.
    publication, section, author, language : str
        Values to filter and count by; empty when unknown. ``publication`` is the publication's
        slug, ``language`` a BCP 47 code.
    published_seconds, ingested_seconds : int
        Seconds since 1970-01-01 UTC: when the text was published, and when it came in.
    day : date or None
        Day of publication in the site's time zone; None takes the UTC day of
        ``published_seconds``.
    duplicate_cluster : int
        Key of the article regarded as the original of its cluster of same texts; 0 or the own key
        when the text stands alone or is the original itself.
    story_cluster : int
        Key of the story (same event) the text belongs to; 0 for none.
    parent_key : int
        For a comment the key of its article, otherwise 0.
    is_changed : bool
        Whether its page has shown another text before this one.
    rights : DocumentRights
        What its site says of text and data mining.
    is_undated : bool
        Whether nobody knows when it was published: ``published_seconds`` and ``day`` are a place in
        orders then, which no filter, trend or count by time may take for a date.
    space_before : sequence of bool or None
        Per token: did white space stand before it. None leaves spacing to rules of punctuation.
    blocks : sequence of int
        Per token: the kind of the block it stands in, a number of ``TextBlock``. Empty: nothing is
        known of blocks, which is the same as paragraphs everywhere.
    generation_in : int
        Since which generation the text has been as it is, when an index is built anew; 0 for the
        generation that is being committed.
    """

    key: int
    kind: DocumentKind
    tokens: Sequence[tuple[str, str, str]]
    sentence_starts: Sequence[int] = (0,)
    publication: str = ""
    section: str = ""
    author: str = ""
    language: str = "en"
    published_seconds: int = 0
    ingested_seconds: int = 0
    day: dt.date | None = None
    duplicate_cluster: int = 0
    story_cluster: int = 0
    parent_key: int = 0
    is_changed: bool = False
    rights: DocumentRights = DocumentRights.NONE
    is_undated: bool = False
    space_before: Sequence[bool] | None = None
    blocks: Sequence[int] = ()
    generation_in: int = 0

    @property
    def day_number(self) -> int:
        """Days since 1970-01-01 of the day of publication."""
        if self.day is None:
            return self.published_seconds // 86_400
        return (self.day - UNIX_EPOCH).days


@dataclass(frozen=True, slots=True)
class DocumentInfo:
    """The columns of one stored document."""

    key: int
    kind: DocumentKind
    publication: str
    section: str
    author: str
    language: str
    published_seconds: int
    ingested_seconds: int
    day: dt.date
    duplicate_cluster: int
    story_cluster: int
    parent_key: int
    generation_in: int
    generation_out: int
    n_tokens: int
    is_changed: bool = False
    rights: DocumentRights = DocumentRights.NONE
    is_undated: bool = False


@dataclass(frozen=True, slots=True)
class StoredDocument:
    """A whole document read back: its columns and its tokens."""

    info: DocumentInfo
    tokens: list[IndexToken]
    sentence_starts: list[int]
    space_before: list[bool]
    blocks: list[int]


@dataclass(frozen=True, slots=True)
class IndexSize:
    """How much the index holds at a generation, in all and per kind.

    Of articles, comments and posts: parts of articles are counted with none of them.
    """

    generation: int
    n_tokens: int
    n_documents: int
    n_types: int
    n_segments: int
    tokens_by_kind: dict[DocumentKind, int] = field(default_factory=dict)
    documents_by_kind: dict[DocumentKind, int] = field(default_factory=dict)
