"""Lists of feeds: OPML bytes → addresses with titles and groups, and back.

Broken documents are read as far as they go. Entities, DTDs and network stay off, so a hostile
list costs no more than its own size. References: OPML 1.0 and 2.0.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from lxml import etree

from feeds.crawler.addressing.canonical import BadUrl, canonicalize
from feeds.crawler.documents.plain_text import plain_text
from feeds.crawler.documents.xml_documents import local_name, xml_root

MAX_FEEDS = 5_000  # more is a directory, not a reader's list
_FEED_TYPES = frozenset({"rss", "rss1", "rss2", "atom", "feed", "pie", "rdf", "xml", ""})
_LIST_TYPES = frozenset({"include", "link"})


@dataclass(frozen=True, slots=True)
class OpmlFeed:
    """One feed of a list; ``group`` holds the titles of the outlines around it.

    ``categories`` are those of its own attribute, ``extra`` the attributes of other namespaces by
    their names in Clark's notation (`{uri}name`), ``line`` its line in the file. ``url`` is empty
    for what `OpmlDocument.others` holds.
    """

    url: str
    title: str = ""
    home_url: str = ""
    group: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    extra: Mapping[str, str] = field(default_factory=dict, hash=False)
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class OpmlDocument:
    """A list that was read; ``problem`` is a sentence when it is none.

    ``refused`` holds addresses that cannot be feeds, each with its sentence; ``n_over`` counts
    the feeds beyond the limit; ``includes`` are other lists, which are not followed; ``others`` are
    outlines without a feed that carry attributes of other namespaces.
    """

    title: str = ""
    feeds: tuple[OpmlFeed, ...] = ()
    refused: tuple[tuple[str, str], ...] = ()
    includes: tuple[str, ...] = ()
    n_over: int = 0
    problem: str = ""
    others: tuple[OpmlFeed, ...] = ()


def read_opml(body: bytes, most: int = MAX_FEEDS) -> OpmlDocument:
    """Read a list of feeds.

    Parameters
    ----------
    body
        The file, at most some megabytes.
    most
        Feeds that are read; those behind them are counted.

    Returns
    -------
    OpmlDocument
        Each feed once by its canonical key, in the order of the file.
    """
    root = xml_root(body.lstrip())
    if root is None:
        return OpmlDocument(problem="The list cannot be read as XML.")
    if _name(root) != "opml":
        return OpmlDocument(problem=f"This is a document of type “{_name(root)}”, not OPML.")
    feeds: dict[str, OpmlFeed] = {}
    refused: list[tuple[str, str]] = []
    includes: list[str] = []
    others: list[OpmlFeed] = []
    n_over = 0
    for outline in _outlines(root):
        kind = _attribute(outline, "type").lower()
        address = _attribute(outline, "xmlUrl")
        if not address:
            if _extra(outline):
                others.append(_feed(outline, ""))
            elif kind in _LIST_TYPES and _attribute(outline, "url"):
                includes.append(_attribute(outline, "url"))
            continue
        try:
            canonical = canonicalize(address)
        except BadUrl as problem:
            refused.append((address[:300], str(problem)))
            continue
        if "://" not in address and "." not in canonical.host:
            refused.append((address[:300], "This is a word, no address."))
            continue
        if len(feeds) >= most and canonical.key not in feeds:
            n_over += 1
        else:
            feeds.setdefault(canonical.key, _feed(outline, canonical.url))
    title = next((element.text or "" for element in root.iter("{*}title")), "")
    return OpmlDocument(
        plain_text(title, 300),
        tuple(feeds.values()),
        tuple(refused),
        tuple(includes),
        n_over,
        "" if feeds or others else _without_feeds(len(includes)),
        tuple(others),
    )


def _without_feeds(n_includes: int) -> str:
    if not n_includes:
        return "The list holds no feed."
    return f"The list holds no feed, only {n_includes} other lists, which are not followed."


def _outlines(root: etree._Element) -> Iterable[etree._Element]:
    return (element for element in root.iter("{*}outline"))


def _feed(outline: etree._Element, url: str) -> OpmlFeed:
    around = [_title(parent) for parent in outline.iterancestors("{*}outline")]
    return OpmlFeed(
        url,
        _title(outline),
        _attribute(outline, "htmlUrl"),
        tuple(filter(None, reversed(around))),
        tuple(_categories(_attribute(outline, "category"))),
        _extra(outline),
        _line(outline),
    )


def _line(outline: etree._Element) -> int:
    line: object = outline.sourceline  # which the stubs know as no number
    return line if isinstance(line, int) else 0


def _categories(text: str) -> Iterable[str]:
    """Read a list such as "/News/Africa,Daily": the last part of each path."""
    paths = (part.strip().strip("/") for part in text.split(","))
    return dict.fromkeys(plain_text(path.split("/")[-1], 300) for path in paths if path)


def _extra(outline: etree._Element) -> dict[str, str]:
    return {str(k): str(v) for k, v in outline.attrib.items() if str(k).startswith("{")}


def _title(outline: etree._Element) -> str:
    return plain_text(_attribute(outline, "text") or _attribute(outline, "title"), 300)


def _name(element: etree._Element) -> str:
    return local_name(element).lower()


def _attribute(element: etree._Element, name: str) -> str:
    """Look up an attribute whatever its case: "xmlurl" and "XMLURL" are met."""
    wanted = name.lower()
    values = (str(v).strip() for k, v in element.attrib.items() if str(k).lower() == wanted)
    return next(values, "")


def write_opml(
    title: str, feeds: Iterable[OpmlFeed], prefixes: Mapping[str, str] | None = None
) -> bytes:
    """Write a list that `read_opml` reads back: feeds in groups by the first group title.

    Titles come back as plain text: a reference such as "&quot;" in one is taken for the character
    it stands for, since lists in use are often escaped twice.

    Parameters
    ----------
    title
        Head of the list.
    feeds
        In the order in which they shall stand; those without a group stand at the top level.
    prefixes
        Prefix to namespace of the feeds' extra attributes.

    Returns
    -------
    bytes
        UTF-8 with XML declaration.
    """
    root = etree.Element("opml", version="2.0", nsmap=dict(prefixes or {}))
    etree.SubElement(etree.SubElement(root, "head"), "title").text = _clean(title)
    body = etree.SubElement(root, "body")
    groups: dict[tuple[str, ...], etree._Element] = {(): body}
    for feed in feeds:
        parent = _group(groups, feed.group)
        etree.SubElement(parent, "outline", _attributes(feed))
    return etree.tostring(root, xml_declaration=True, encoding="UTF-8", pretty_print=True)


def _attributes(feed: OpmlFeed) -> dict[str, str]:
    attributes = {"text": _clean(feed.title or feed.url)}
    if feed.url:
        attributes |= {"type": "rss", "xmlUrl": feed.url}
    if feed.home_url:
        attributes["htmlUrl"] = feed.home_url
    if feed.categories:
        attributes["category"] = ",".join(
            _clean(name).replace(",", " ") for name in feed.categories
        )
    return attributes | {name: _clean(value) for name, value in feed.extra.items()}


def _group(groups: dict[tuple[str, ...], etree._Element], path: tuple[str, ...]) -> etree._Element:
    if path not in groups:
        parent = _group(groups, path[:-1])
        groups[path] = etree.SubElement(parent, "outline", {"text": _clean(path[-1])})
    return groups[path]


def _clean(text: str) -> str:
    """Drop what XML cannot hold."""
    return plain_text(text, 1_000) if not text.isprintable() else text
