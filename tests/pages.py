"""What a reader finds on a page: its words, links, fields and tables, however it is marked up.

Each function takes a response of the test client or the markup itself.
"""

from collections.abc import Iterator

import lxml.html

# Elements that end a word: text of two cells is two words, text of two spans may be one.
_INLINE_NAMES = """
    a abbr b bdi cite code del em i ins kbd mark q s small span strong sub sup time u wbr
"""
_INLINE = frozenset(_INLINE_NAMES.split())
_SILENT = frozenset(["script", "style", "template", "title"])


def markup(source) -> str:
    """The markup with single spaces, for what is neither words nor an attribute."""
    return " ".join((source if isinstance(source, str) else source.content.decode()).split())


def is_whole(source) -> bool:
    """Is this a page from its document type to its end, not a part of one?"""
    page = markup(source).lower()
    return page.startswith("<!doctype html>") and page.endswith("</html>")


def parsed(source):
    """The page as a tree."""
    text = source if isinstance(source, str) else source.content.decode()
    return lxml.html.fromstring(text)


def words(source) -> str:
    """All that is written on the page, with single spaces."""
    return text_of(parsed(source))


def text_of(element) -> str:
    """All that is written inside an element, with single spaces."""
    return " ".join("".join(_pieces(element)).split())


def texts(source, selector: str) -> list[str]:
    """What is written in each element that a CSS selector finds."""
    return [text_of(element) for element in parsed(source).cssselect(selector)]


def values(source, selector: str, attribute: str) -> list[str | None]:
    """An attribute of each element that a CSS selector finds."""
    return [element.get(attribute) for element in parsed(source).cssselect(selector)]


def has(source, selector: str) -> bool:
    """Does a CSS selector find anything?"""
    return bool(parsed(source).cssselect(selector))


def links(source) -> list[tuple[str, str]]:
    """Words and address of each link, in order."""
    return [(text_of(link), link.get("href")) for link in parsed(source).cssselect("a[href]")]


def addresses(source, link_words: str) -> list[str]:
    """Where the links of these words lead."""
    return [address for shown, address in links(source) if shown == link_words]


def fields(source) -> list[tuple[str, str | None]]:
    """Name and value of each control that a form would send, hidden ones included."""
    return [
        (control.name, control.value)
        for control in parsed(source).cssselect("input[name], select[name], textarea[name]")
        if control.get("type") not in {"checkbox", "radio"} or control.get("checked") is not None
    ]


def filled(source, action: str) -> dict[str, str | list[str]]:
    """What the form with this address would send; boxes that can be ticked together as a list."""
    form = parsed(source).cssselect(f'form[action="{action}"]')[0]
    found: dict[str, str | list[str]] = {}
    for control in form.cssselect("input[name], select[name], textarea[name]"):
        is_box, is_radio = (control.get("type") == kind for kind in ("checkbox", "radio"))
        if is_box:
            ticked = found.setdefault(control.name, [])
            if control.get("checked") is not None:
                ticked.append(control.get("value"))
        elif not is_radio or control.get("checked") is not None:
            found[control.name] = control.value or ""
    return found


def open_forms(source) -> list[str | None]:
    """Addresses of the forms that stand unfolded."""
    return values(source, "details[open] form", "action")


def error_beside(source, field_id: str) -> str:
    """What is said of a field by the error that it names, empty where it names none."""
    page = parsed(source)
    named = " ".join(values(source, f'[id="{field_id}"][aria-invalid]', "aria-describedby"))
    errors = (page.cssselect(f'[id="{one}"].error') for one in named.split())
    return " ".join(text_of(error) for found in errors for error in found)


def options(source, name: str) -> list[tuple[str, str]]:
    """Value and words of each option of a choice."""
    return [
        (option.get("value", text_of(option)), text_of(option))
        for option in parsed(source).cssselect(f'select[name="{name}"] option')
    ]


def rows(source, selector: str = "table") -> list[list[str]]:
    """Cells of each row of the tables that a CSS selector finds, heads included."""
    return [
        [text_of(cell) for cell in row.iterchildren("td", "th")]
        for table in parsed(source).cssselect(selector)
        for row in table.iter("tr")
    ]


def _pieces(element) -> Iterator[str]:
    if not isinstance(element.tag, str) or element.tag in _SILENT:
        return
    edge = "" if element.tag in _INLINE else " "
    yield edge
    yield element.text or ""
    for child in element:
        yield from _pieces(child)
        yield child.tail or ""
    yield edge
