"""Lines of vertical files: markup and tokens.

Input → output: a line without its line feed ↔ a tag with attributes, or a token's columns. A line
is markup if it is a whole tag; ``<unk>`` with further columns behind it is a token. Entities are
those of XML: ``&lt; &gt; &amp; &quot; &apos;`` and numbers; an ``&`` that begins none stands for
itself, as in files that were never escaped.
"""

import re
from dataclasses import dataclass
from xml.sax.saxutils import escape

from search.engine.exchange.errors import BadTextError

NAME = r"[^\W\d][\w.:-]*"
TAG_START = re.compile(rf"<(/?)({NAME})(?=[\s/>]|$)")
ATTRIBUTE = re.compile(rf"\s+({NAME})\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'<>=]+?)(?=\s|/?>))")
TAG_END = re.compile(r"\s*/?>\s*")
ANNOTATION = re.compile(rf"<({NAME}) (.*)>\s*")
ANNOTATED = re.compile(r"[\w.-]+")  # what follows the underscore
ENTITY = re.compile(r"&(?:(lt|gt|amp|quot|apos)|#([0-9]{1,7})|#x([0-9A-Fa-f]{1,6}));")
NAMED = {"lt": "<", "gt": ">", "amp": "&", "quot": '"', "apos": "'"}
# Of Unicode: numbers beyond or in between are no characters.
LAST_CODE_POINT = 0x10FFFF
SURROGATES = range(0xD800, 0xE000)
BREAKS = str.maketrans("\t\n\r", "   ")


@dataclass(frozen=True, slots=True)
class Tag:
    """A start or end tag; attributes without entities."""

    name: str
    is_end: bool
    attributes: dict[str, str]


def read_tag(line: str) -> Tag | None:
    """Read a line as a tag; None if it does not begin like one.

    Raises
    ------
    BadTextError
        With the reason, if it begins like a tag and is not a whole one.
    """
    start = TAG_START.match(line)
    if start is None:
        return None
    attributes: dict[str, str] = {}
    at = start.end()
    while found := ATTRIBUTE.match(line, at):
        name, *values = found.groups()
        if name in attributes:
            raise BadTextError(f"the attribute {name} comes twice")
        attributes[name] = unescape(next(value for value in values if value is not None))
        at = found.end()
    if TAG_END.fullmatch(line, at) is None:
        raise BadTextError(
            f"the tag <{start[1]}{start[2]} has no proper end: {line[at : at + 40]!r}"
        )
    return Tag(start[2], bool(start[1]), attributes)


def read_annotation(line: str) -> tuple[str, str] | None:
    """Read a region with its value as ``cwb-decode`` writes it; None if the line is none.

    Examples
    --------
    >>> read_annotation("<text_author Ann Abbot>")
    ('text_author', 'Ann Abbot')
    """
    found = ANNOTATION.fullmatch(line)
    if found is None:
        return None
    # The first underscore behind the first sign and the last colon: each longer rest is one too.
    behind = found[1][max(1, found[1].rfind(":") + 1) :].partition("_")[2]
    return (found[1], unescape(found[2])) if ANNOTATED.fullmatch(behind) else None


def is_remark(line: str) -> bool:
    """Say whether a line is a comment or a processing instruction of XML."""
    return line.startswith(("<!--", "<?", "<!DOCTYPE")) and line.rstrip().endswith(">")


def unescape(text: str) -> str:
    """Put characters in the place of entities.

    Examples
    --------
    >>> unescape("AT&amp;T &#x20AC; R&B")
    'AT&T € R&B'
    """
    return ENTITY.sub(_character, text) if "&" in text else text


def _character(entity: re.Match[str]) -> str:
    named, decimal, hexadecimal = entity.groups()
    if named:
        return NAMED[named]
    number = int(decimal) if decimal else int(hexadecimal, 16)
    if not 0 < number <= LAST_CODE_POINT or number in SURROGATES:
        return entity[0]
    return chr(number)


def written_tag(name: str, attributes: dict[str, str]) -> str:
    """Write a start tag with its attributes in double quotes."""
    values = (f' {key}="{_quoted(value)}"' for key, value in attributes.items())
    return f"<{name}{''.join(values)}>"


def _quoted(value: str) -> str:
    return escape(value.translate(BREAKS), {'"': "&quot;"})


def written_cell(value: str) -> str:
    """Write a column of a token; tabs and line ends become spaces."""
    return escape(value.translate(BREAKS))
