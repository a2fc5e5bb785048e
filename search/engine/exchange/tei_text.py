"""Text of XML elements: read without entities, written without what XML cannot hold.

Input → output: an element → its text with single spaces; text → text and elements as markup.
Characters that XML 1.0 does not allow are written as U+FFFD.
"""

import re
from xml.sax.saxutils import escape

from lxml import etree

from search.engine.exchange.errors import BadTextError

WHITE_SPACE = re.compile(r"[ \t\r\n]+")
NOT_IN_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
REPLACEMENT = "\ufffd"


def plain_text(element: etree._Element) -> str:
    """Return the text of an element and all inside it.

    Raises
    ------
    BadTextError
        If it holds an entity other than those of XML itself.
    """
    if not len(element):
        return WHITE_SPACE.sub(" ", element.text or "").strip(" ")
    entity = next(element.iter(etree.Entity), None)
    if entity is not None:
        raise BadTextError(f"the entity {entity.text} is not read; write the character itself")
    return WHITE_SPACE.sub(" ", "".join(map(str, element.itertext(etree.Element)))).strip(" ")


def written_text(text: str) -> str:
    """Write text between tags."""
    return escape(_allowed(text))


def written_attributes(attributes: dict[str, str]) -> str:
    """Write attributes as they follow a tag's name."""
    pairs = (
        f' {name}="{escape(_allowed(value), {chr(34): "&quot;"})}"'
        for name, value in attributes.items()
    )
    return "".join(pairs)


def element(name: str, text: str, **attributes: str) -> str:
    """Write an element that holds only text."""
    return f"<{name}{written_attributes(attributes)}>{written_text(text)}</{name}>"


def _allowed(text: str) -> str:
    return NOT_IN_XML.sub(REPLACEMENT, WHITE_SPACE.sub(" ", text))
