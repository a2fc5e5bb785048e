"""XML that nobody vouches for: its root, and the names of its elements."""

from lxml import etree


def xml_root(body: bytes) -> etree._Element | None:
    """Parse XML that nobody vouches for; None when not even one element can be recovered.

    No entities, no network, no DTD, no huge trees: a billion laughs ends as an empty text.
    """
    parser = etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
        recover=True,
        remove_comments=True,
        remove_pis=True,
    )
    try:
        return etree.fromstring(body, parser)
    except (etree.XMLSyntaxError, ValueError):
        return None


def local_name(element: etree._Element) -> str:
    """Give an element's name without its name space; empty for comments and instructions.

    `etree.QName` raises ValueError where the name space holds a brace, as any text may.
    """
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""
