"""The papers' feeds: articles → RSS 2.0, Atom (RFC 4287) or JSON Feed 1.1 as bytes."""

import json
from collections.abc import Sequence
from email.utils import format_datetime
from xml.etree.ElementTree import Element, SubElement, tostring

from corpus_site.newsstand.edition import PublishedPiece
from corpus_site.newsstand.exchange import PaperAnswer
from corpus_site.newsstand.papers import Paper

# Most feeds show a few days; all that is out at the start fits.
WINDOW = 30
_HEADERS = {"Cache-Control": "max-age=10"}
_ATOM = "http://www.w3.org/2005/Atom"
_DC = "http://purl.org/dc/elements/1.1/"


def feed(paper: Paper, articles: Sequence[PublishedPiece], root: str) -> PaperAnswer:
    """Answer with the newest articles; `root` is the paper's origin without a slash."""
    shown = articles[:WINDOW]
    make, content_type = _MAKERS[paper.feed]
    modified_at = max((article.published_at for article in shown), default=None)
    return PaperAnswer(
        make(paper, shown, root), content_type, modified_at=modified_at, headers=_HEADERS
    )


def _rss(paper: Paper, articles: Sequence[PublishedPiece], root: str) -> bytes:
    rss = Element("rss", {"version": "2.0", "xmlns:dc": _DC})
    channel = SubElement(rss, "channel")
    for tag, text in (
        ("title", paper.name),
        ("link", f"{root}/"),
        ("description", paper.motto),
        ("language", paper.language.lower()),
    ):
        SubElement(channel, tag).text = text
    for article in articles:
        item = SubElement(channel, "item")
        SubElement(item, "title").text = article.piece.title
        SubElement(item, "link").text = root + article.path
        # not an address: a reader that takes it for one is wrong
        guid = SubElement(item, "guid", {"isPermaLink": "false"})
        guid.text = f"{paper.key}-{article.number}"
        SubElement(item, "pubDate").text = format_datetime(article.published_at)
        SubElement(item, "category").text = paper.sections[article.piece.section]
        SubElement(item, "description").text = article.piece.standfirst
        for author in article.piece.authors:
            SubElement(item, "dc:creator").text = author
    return _document(rss)


def _atom(paper: Paper, articles: Sequence[PublishedPiece], root: str) -> bytes:
    atom = Element("feed", {"xmlns": _ATOM, "xml:lang": paper.language})
    SubElement(atom, "title").text = paper.name
    SubElement(atom, "id").text = f"tag:{paper.key}.example,2026:feed"
    SubElement(atom, "link", {"rel": "alternate", "href": f"{root}/"})
    SubElement(atom, "link", {"rel": "self", "href": root + paper.feed_path})
    newest = max((article.published_at for article in articles), default=None)
    if newest is not None:
        SubElement(atom, "updated").text = newest.isoformat()
    for article in articles:
        entry = SubElement(atom, "entry")
        SubElement(entry, "title").text = article.piece.title
        SubElement(entry, "id").text = f"tag:{paper.key}.example,2026:{article.number}"
        SubElement(entry, "link", {"rel": "alternate", "href": root + article.path})
        SubElement(entry, "published").text = article.published_at.isoformat()
        SubElement(entry, "updated").text = article.published_at.isoformat()
        SubElement(entry, "summary").text = article.piece.standfirst
        for author in article.piece.authors:
            SubElement(SubElement(entry, "author"), "name").text = author
    return _document(atom)


def _document(root: Element) -> bytes:
    document: bytes = tostring(root, encoding="utf-8", xml_declaration=True)
    return document


def _json_feed(paper: Paper, articles: Sequence[PublishedPiece], root: str) -> bytes:
    items = [
        {
            "id": str(article.number),
            "url": root + article.path,
            "title": article.piece.title,
            "summary": article.piece.standfirst,
            "date_published": article.published_at.isoformat(),
            "authors": [{"name": name} for name in article.piece.authors],
        }
        for article in articles
    ]
    document = {
        "version": "https://jsonfeed.org/version/1.1",
        "title": paper.name,
        "home_page_url": f"{root}/",
        "feed_url": root + paper.feed_path,
        "language": paper.language,
        "items": items,
    }
    return json.dumps(document, ensure_ascii=False, indent=1).encode()


_MAKERS = {
    "rss": (_rss, "application/rss+xml; charset=utf-8"),
    "atom": (_atom, "application/atom+xml; charset=utf-8"),
    "json": (_json_feed, "application/feed+json; charset=utf-8"),
}
