"""Parts of the text as addresses name them, and which documents of the index they are.

Input → output: kinds of text, parts, query → kinds of documents. Without a word on parts an article
is its body; a query that keeps its matches within a headline or a standfirst looks there.
"""

from collections.abc import Iterable

from search.engine.index.documents import ABOVE_BODY, IN_BODY, DocumentKind
from search.engine.query.ast import Query

Kinds = frozenset[DocumentKind]

PARTS: dict[str, DocumentKind] = {
    "body": DocumentKind.ARTICLE,
    **{kind.label: kind for kind in DocumentKind if kind.is_part},
}
PART_NAMES = {kind: name for name, kind in PARTS.items()}
PART_WORDS = {
    DocumentKind.ARTICLE: "bodies",
    DocumentKind.HEADLINE: "headlines",
    DocumentKind.STANDFIRST: "standfirsts",
    DocumentKind.HEADING: "headings",
    DocumentKind.QUOTE: "quotes",
    DocumentKind.LIST_ITEM: "items of lists",
    DocumentKind.CAPTION: "captions",
}

# Texts that have no parts of which somebody asks.
_OTHERS = {DocumentKind.COMMENT: "comments", DocumentKind.POST: "posts"}


def parse_part(text: str) -> DocumentKind:
    """Read the name of a part.

    Raises
    ------
    ValueError
        With a sentence for the reader.
    """
    if text not in PARTS:
        raise ValueError(f"“{text[:40]}” is no part of the text: {', '.join(PARTS)}.")
    return PARTS[text]


def kinds_in(texts: Kinds, parts: Iterable[DocumentKind]) -> Kinds:
    """Return which documents are looked at.

    Parameters
    ----------
    texts : frozenset of DocumentKind
        One kind of text, or none for all; articles alone have parts.
    parts : iterable of DocumentKind
        Of the articles; none for the body. What stands in the body is not counted beside it again.
    """
    wanted = frozenset(parts)
    if DocumentKind.ARTICLE in wanted:
        wanted -= frozenset(IN_BODY)
    if not wanted or (texts and DocumentKind.ARTICLE not in texts):
        return texts
    return wanted if texts else wanted | frozenset(_OTHERS)


def parts_named(query: Query) -> Kinds:
    """Return the parts above the body in which a query wants its matches."""
    unit = "" if query.within is None else query.within.unit
    return frozenset(kind for kind in ABOVE_BODY if kind.label == unit)


def part_name(kind: DocumentKind) -> str:
    """Name one part where a choice of parts is listed."""
    return "body" if kind is DocumentKind.ARTICLE else PART_WORDS[kind]


def part_words(kinds: Kinds) -> str:
    """Name kinds of documents: “headlines and quotes of articles, and comments and posts”."""
    words = [PART_WORDS[kind] for kind in sorted(kinds - frozenset(_OTHERS))]
    listed = " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
    others = " and ".join(name for kind, name in _OTHERS.items() if kind in kinds)
    return f"{listed} of articles{f', and {others}' if others else ''}"
