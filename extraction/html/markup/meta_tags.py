"""Head of a page: meta elements (Open Graph, Dublin Core …), title, canonical link, language."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from lxml import etree

from extraction.html.markup.elements import text_of

# One value of a description may be long; nothing a meta element says is longer than this.
_MAX_VALUE_CHARACTERS = 10_000
# An article has at most some dozens of tags, and fewer of everything else.
_MAX_VALUES = 200


@dataclass(slots=True)
class HeadData:
    """What the head says, by lower-cased property or name."""

    values: dict[str, list[str]] = field(default_factory=dict)
    title: str = ""
    canonical: str = ""
    language: str = ""

    def first(self, *names: str) -> str:
        """First non-empty value among the names, in the order of the names."""
        for name in names:
            for value in self.values.get(name, ()):
                return value
        return ""

    def every(self, names: Iterable[str]) -> list[str]:
        """All values of the names, in order."""
        return [value for name in names for value in self.values.get(name, ())]


def read_head(root: etree._Element) -> HeadData:
    """Read meta elements wherever they stand: broken pages have them in the body."""
    head = HeadData(
        language=(
            root.get("lang") or root.get("{http://www.w3.org/XML/1998/namespace}lang") or ""
        ).strip()
    )
    for meta in root.iter("meta"):
        content = meta.get("content")
        if not content:
            continue
        value = " ".join(content[:_MAX_VALUE_CHARACTERS].split())
        if not value:
            continue
        for attribute in ("property", "name", "itemprop", "http-equiv"):
            key = meta.get(attribute)
            if key:
                values = head.values.setdefault(key.strip().lower(), [])
                if len(values) < _MAX_VALUES:
                    values.append(value)
    title = next(root.iter("title"), None)
    if title is not None:
        head.title = text_of(title)[:_MAX_VALUE_CHARACTERS]
    for link in root.iter("link"):
        if (link.get("rel") or "").strip().lower() == "canonical" and link.get("href"):
            head.canonical = (link.get("href") or "").strip()
            break
    return head
