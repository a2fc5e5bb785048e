"""The links of a page: HTML → where each leads, its words, and whether it stands in a menu.

A slice of a crawl reads hundreds of pages with hundreds of links each, so each address and each
element of a page is looked at once.
"""

from dataclasses import dataclass
from itertools import islice

from lxml import etree

from feeds.crawler.addressing.article_addresses import is_file
from feeds.crawler.addressing.canonical import BadUrl, CanonicalUrl, canonicalize
from feeds.crawler.addressing.links import unwrap
from feeds.crawler.documents.html_tree import html_tree
from feeds.crawler.documents.plain_text import plain_text

# A front page of 1,200 links was met; a page of more than these is a directory.
MAX_LINKS = 2_000
# Looked at, the doubles and the useless too: 300,000 took ten seconds.
MAX_ANCHORS = 20_000
# A teaser's link holds half the article, "Read more" nothing: neither is a headline.
_HEADLINE_WORDS = range(3, 26)
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5"})
_FRAMES = frozenset({"nav", "footer"})
_NO_PAGES = ("#", "javascript:", "mailto:", "tel:", "data:", "whatsapp:")


@dataclass(frozen=True, slots=True)
class Link:
    """One link of a page: where it leads, its words, whether it stands in a menu or the foot."""

    address: CanonicalUrl
    words: str
    is_framed: bool


def read_links(body: bytes, base_url: str, content_type: str = "") -> list[Link]:
    """List the links of a page, each address once, in page order.

    Parameters
    ----------
    body
        HTML of any charset; at most 3 MB of it are read.
    base_url
        Final address of the page.
    content_type
        Header of the answer, for the charset.

    Returns
    -------
    list of Link
        At most `MAX_LINKS`; links to other schemes, to files and to the page itself are left out.
        The longest words under which an address is linked are kept.
    """
    root = html_tree(body, content_type)
    if root is None:
        return []
    base = _base(root, base_url)
    own = canonicalize(base_url).key
    found: dict[str, Link] = {}
    places, addresses = _Places(), _Addresses(base)
    for anchor in islice(root.iter("a"), MAX_ANCHORS):
        link = _link(anchor, addresses, places)
        if link is None or link.address.key == own:
            continue
        known = found.get(link.address.key)
        if known is not None:
            found[link.address.key] = _merged(known, link)
        elif len(found) < MAX_LINKS:
            found[link.address.key] = link
    return list(found.values())


def _merged(known: Link, again: Link) -> Link:
    words = max(known.words, again.words, key=len)
    return Link(known.address, words, known.is_framed and again.is_framed)


def _link(anchor: etree._Element, addresses: "_Addresses", places: "_Places") -> Link | None:
    address = addresses.of(str(anchor.get("href", "")).strip())
    if address is None:
        return None
    place = places.of(anchor.getparent())
    return Link(address, _words(anchor, is_in_heading=place.is_in_heading), place.is_framed)


class _Addresses:
    """Where the links of a page lead; pages name one address several times."""

    def __init__(self, base: str) -> None:
        self._base = base
        self._known: dict[str, CanonicalUrl | None] = {}

    def of(self, href: str) -> CanonicalUrl | None:
        """Give the page that a link leads to; None where it is none."""
        if href not in self._known:
            self._known[href] = self._read(href)
        return self._known[href]

    def _read(self, href: str) -> CanonicalUrl | None:
        if not href or href.startswith(_NO_PAGES):
            return None
        try:
            linked = canonicalize(href, self._base)
            behind = unwrap(linked.url)
            address = linked if behind == linked.url else canonicalize(behind)
        except BadUrl:
            return None
        return None if is_file(address.url) else address


@dataclass(frozen=True, slots=True)
class _Place:
    """Whether an element is a heading or stands in one; whether it is a menu or the foot, too."""

    is_in_heading: bool = False
    is_framed: bool = False


class _Places:
    """Where the elements of a page stand; each is looked at once, however many links it holds."""

    def __init__(self) -> None:
        self._known: dict[etree._Element, _Place] = {}

    def of(self, element: etree._Element | None) -> _Place:
        """Give the place of an element; that of none is open."""
        unknown = []
        while element is not None and element not in self._known:
            unknown.append(element)
            element = element.getparent()
        place = _Place() if element is None else self._known[element]
        for inner in reversed(unknown):
            is_frame = inner.tag in _FRAMES or inner.get("role") == "navigation"
            is_heading = place.is_in_heading or inner.tag in _HEADINGS
            place = self._known[inner] = _Place(is_heading, place.is_framed or is_frame)
        return place


def _words(anchor: etree._Element, *, is_in_heading: bool) -> str:
    """Words of a headline's link; those of teasers and buttons are none."""
    inner = next(anchor.iter(*_HEADINGS), None)
    if inner is None and not is_in_heading:
        return ""
    source = inner if inner is not None else anchor
    words = plain_text(" ".join(map(str, source.itertext())), 300)
    return words if len(words.split()) in _HEADLINE_WORDS else ""


def _base(root: etree._Element, base_url: str) -> str:
    declared = str(root.xpath("string(//base/@href)"))
    if not declared:
        return base_url
    try:
        return canonicalize(declared, base_url).url
    except BadUrl:
        return base_url
