"""What the head, scripts, headings and classes of a page say of it, before anything is decided.

One reading of the tree before it is cleaned. Of microdata (schema.org `itemprop`) only properties
of visible elements are read here; meta elements with an `itemprop` are read with the head.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import islice
from urllib.parse import urlsplit

from lxml import etree

from extraction.html.fields.field_choices import PageMarks
from extraction.html.fields.headings import Heading, read_headings
from extraction.html.markup.elements import attribute, select, text_of
from extraction.html.markup.json_ld import JsonLdArticle, read_json_ld
from extraction.html.markup.meta_tags import HeadData, read_head

# Enough for the article element, which stands early.
_MAX_OUTERMOST = 10
_PROPERTIES = frozenset(
    [
        "headline", "datepublished", "datemodified", "articlesection", "keywords",
        "isaccessibleforfree", "inlanguage", "description",
    ]
)  # fmt: skip
_MAX_ITEMS = 2_000  # the article's own stand early
# Twice as fast as asking each element, but libxml2 takes their number squared for the step up: a
# minute for 180,000, so they are counted before it.
_MARKED = etree.XPath(f"(//@itemprop)[position() <= {_MAX_ITEMS}]/..")
# A property has some dozen values (keywords), and a longer one is the text itself.
_MAX_ITEM_VALUES = 20
_MAX_ITEM_CHARACTERS = 2_000
# Things beside the article whose properties are their own.
_OTHER_THINGS = ("Comment", "UserComments", "Product", "Offer", "Person", "VideoObject")


@dataclass(frozen=True, slots=True)
class PageSources:
    """What the uncleaned tree says, before anything is decided."""

    head: HeadData
    json_ld: JsonLdArticle
    headings: tuple[Heading, ...]
    site_names: tuple[str, ...]
    microdata: dict[str, list[str]] = field(default_factory=dict)
    classes: str = ""  # class values of the outermost elements

    @property
    def marks(self) -> PageMarks:
        """What the fields are chosen from that need no agreement."""
        return PageMarks(self.head, self.json_ld, self.microdata, self.classes)


def read_sources(
    root: etree._Element, url: str, site_name: str, site_names: Sequence[str] = ()
) -> PageSources:
    """Read the tree before cleaning removes its head and scripts.

    `site_name` is the publication's, `site_names` what was learnt over the pages of the host.
    """
    head = read_head(root)
    json_ld = read_json_ld(root)
    names = (
        site_name,
        *site_names,
        head.first(
            "og:site_name", "application-name", "apple-mobile-web-app-title", "al:android:app_name"
        ),
        json_ld.publisher,
        *_host_names(url or head.canonical or head.first("og:url")),
    )
    return PageSources(
        head=head,
        json_ld=json_ld,
        headings=read_headings(root),
        site_names=tuple(dict.fromkeys(name for name in names if name)),
        microdata=read_microdata(root),
        classes=" ".join(
            attribute(element, "class")
            for element in islice(root.iter("html", "body", "main", "article"), _MAX_OUTERMOST)
        ),
    )


def _host_names(url: str) -> list[str]:
    try:
        host = (urlsplit(url).hostname or "").removeprefix("www.")
    except ValueError:
        return []
    labels = host.split(".")
    if len(labels) < 2:
        return [host] if host else []
    # The label before "co.za" or "com": the longest of the last three but the very last.
    registered = max(labels[-3:-1], key=len)
    return [host, registered]


def read_microdata(root: etree._Element) -> dict[str, list[str]]:
    """Values by lower-cased property, in document order; machine-readable ones where given."""
    found: dict[str, list[str]] = {}
    for element in select(_MARKED, root):
        if element.tag == "meta":
            continue
        for name in attribute(element, "itemprop").lower().split():
            if name not in _PROPERTIES or len(found.get(name, ())) >= _MAX_ITEM_VALUES:
                continue
            if _is_of_another_thing(element):
                continue
            value = (
                attribute(element, "content") or attribute(element, "datetime") or text_of(element)
            )
            value = " ".join(value.split())
            if 0 < len(value) <= _MAX_ITEM_CHARACTERS:
                found.setdefault(name, []).append(value)
    return found


def _is_of_another_thing(element: etree._Element) -> bool:
    item = next((one for one in element.iterancestors() if one.get("itemscope") is not None), None)
    return item is not None and attribute(item, "itemtype").endswith(_OTHER_THINGS)
