"""Concordance lines joined with what the database knows of their texts: title, address, names."""

import datetime as dt
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from extraction.html.fields.agencies import agency_of
from extraction.models import Article
from extraction.own_fields import columns_of
from feeds.sources.naming import publication_names
from search.answers.part_places import hit_name
from search.asking.parts import PART_NAMES
from search.engine.concordance.kwic import KwicLine
from search.engine.index.documents import DocumentInfo, DocumentKind
from search.engine.index.joined_names import NAME_SIGN, names_in


@dataclass(frozen=True, slots=True)
class SearchLine:
    """One line of a concordance.

    ``article_id`` is the article itself or the one the comment stands under; ``position`` and
    ``length`` count tokens within the text, from 0; ``left + node + right`` is a stretch of it.
    ``seen_at`` is when a web archive had seen the page that the text is from, None for our own
    visits. ``readings`` counts the hits that were joined to this one; ``targets`` are the marked
    tokens of the node, counted from its first.
    """

    kind: DocumentKind
    article_id: int
    comment_id: int | None
    position: int
    length: int
    left: str
    node: str
    right: str
    kwic: KwicLine
    publication: str
    publication_slug: str
    dated_at: dt.datetime
    author: str
    language: str
    title: str
    url: str
    readings: int = 1
    targets: tuple[int, ...] = ()
    rights: str = ""  # reserved, granted; empty where its site says nothing
    seen_at: dt.datetime | None = None
    own: Mapping[str, str] = field(default_factory=dict)  # columns of the file of a given text
    is_undated: bool = False  # `dated_at` is a place in orders, see `IndexDocument`

    @property
    def authors(self) -> str:
        """The author, without the agencies that sign beside; of a comment whoever wrote it."""
        return NAME_SIGN.join(self._signed[0])

    @property
    def agencies(self) -> str:
        """The agencies that sign the article."""
        return NAME_SIGN.join(self._signed[1])

    @property
    def _signed(self) -> tuple[list[str], list[str]]:
        names = names_in(self.author)
        agencies = [] if self.is_comment else [name for name in names if agency_of(name) == name]
        return [name for name in names if name not in agencies], [*filter(None, agencies)]

    @property
    def left_words(self) -> tuple[str, ...]:
        """Words of the left context."""
        return self.kwic.left_words

    @property
    def right_words(self) -> tuple[str, ...]:
        """Words of the right context."""
        return self.kwic.right_words

    @property
    def is_comment(self) -> bool:
        """True for a hit in a comment."""
        return self.kind is DocumentKind.COMMENT

    @property
    def is_post(self) -> bool:
        """True for a hit in a post of a microblog."""
        return self.kind is DocumentKind.POST

    @property
    def part(self) -> str:
        """Name of the part of the article it stands in; empty in a body, a comment or a post."""
        return PART_NAMES[self.kind].replace("_", " ") if self.kind.is_part else ""

    @property
    def hit(self) -> str:
        """Name of the hit in addresses: ``12-7``, or ``c12-7`` in a comment."""
        return hit_name(self.kind, self.comment_id or self.article_id, self.position)


@dataclass(frozen=True, slots=True)
class _Known:
    """What the database knows of the texts of some lines: names, and title, address, sight."""

    articles: dict[int, tuple[str, str, dt.datetime | None]]
    publications: dict[str, str]
    own: Mapping[int, Mapping[str, str]]


@dataclass(frozen=True, slots=True)
class LineExtras:
    """What is looked up for some lines beside their text; None for nothing.

    ``readings`` counts the hits that were joined to a line's, ``targets`` gives the numbers of the
    marked tokens from the first of the node.
    """

    readings: Callable[[KwicLine], int] | None = None
    targets: Callable[[KwicLine], tuple[int, ...]] | None = None


NO_EXTRAS = LineExtras()


def search_lines(
    lines: Sequence[KwicLine], extras: LineExtras = NO_EXTRAS
) -> tuple[SearchLine, ...]:
    """Look titles, addresses and publications up, in two queries for all lines.

    A third one looks for the columns of texts that were given.
    """
    infos = [line.info for line in lines]
    ids = {info.parent_key or info.key for info in infos}
    found = Article.objects.filter(pk__in=ids)
    rows = list(found.values_list("pk", "title", "url", "fetch__seen_at", "page_id"))
    slugs = {info.publication for info in infos}
    names = {slug: name for slug, name in publication_names().items() if slug in slugs}
    given = [pk for pk, *_, page in rows if page is None]
    articles = {pk: (title, url, seen) for pk, title, url, seen, _ in rows}
    known = _Known(articles, names, columns_of(given) if given else {})
    pairs = zip(lines, infos, strict=True)
    return tuple(_search_line(line, info, known, extras) for line, info in pairs)


def _search_line(
    line: KwicLine, info: DocumentInfo, known: _Known, extras: LineExtras
) -> SearchLine:
    is_comment = info.kind is DocumentKind.COMMENT
    article_id = info.parent_key if is_comment else info.key
    title, url, seen_at = known.articles.get(article_id, ("", "", None))
    return SearchLine(
        kind=info.kind,
        article_id=article_id,
        comment_id=info.key if is_comment else None,
        position=line.position,
        length=line.length,
        left=line.left,
        node=line.node,
        right=line.right,
        kwic=line,
        publication=known.publications.get(info.publication, info.publication),
        publication_slug=info.publication,
        dated_at=dt.datetime.fromtimestamp(info.published_seconds, dt.UTC),
        author=info.author,
        language=info.language,
        title=title,
        url=url,
        readings=extras.readings(line) if extras.readings else 1,
        targets=extras.targets(line) if extras.targets else (),
        rights=info.rights.label if info.rights else "",
        seen_at=None if is_comment else seen_at,
        own={} if is_comment else known.own.get(article_id, {}),
        is_undated=info.is_undated,
    )
