"""What a page's microdata (schema.org `itemprop`) say of the article; readers' comments left out.

Only properties that no meta element holds are read here: those of visible elements. Meta elements
with an `itemprop` are read with the head.
"""

from lxml import etree

from extraction.html.elements import attribute, select, text_of

_PROPERTIES = frozenset(
    [
        "headline", "datepublished", "datemodified", "articlesection", "keywords",
        "isaccessibleforfree", "inlanguage", "description",
    ]
)  # fmt: skip
_MAX_ELEMENTS = 2_000
# Twice as fast as asking each element, but libxml2 takes their number squared for the step up: a
# minute for 180,000, so they are counted before it.
_MARKED = etree.XPath(f"(//@itemprop)[position() <= {_MAX_ELEMENTS}]/..")
_MAX_VALUES = 20
_MAX_CHARACTERS = 2_000
# Things beside the article whose properties are their own.
_OTHER_THINGS = ("Comment", "UserComments", "Product", "Offer", "Person", "VideoObject")


def read_microdata(root: etree._Element) -> dict[str, list[str]]:
    """Values by lower-cased property, in document order; machine-readable ones where given."""
    found: dict[str, list[str]] = {}
    for element in select(_MARKED, root):
        if element.tag == "meta":
            continue
        for name in attribute(element, "itemprop").lower().split():
            if name not in _PROPERTIES or len(found.get(name, ())) >= _MAX_VALUES:
                continue
            if _is_of_another_thing(element):
                continue
            value = (
                attribute(element, "content") or attribute(element, "datetime") or text_of(element)
            )
            value = " ".join(value.split())
            if 0 < len(value) <= _MAX_CHARACTERS:
                found.setdefault(name, []).append(value)
    return found


def _is_of_another_thing(element: etree._Element) -> bool:
    item = next((one for one in element.iterancestors() if one.get("itemscope") is not None), None)
    return item is not None and attribute(item, "itemtype").endswith(_OTHER_THINGS)
