"""Templates without the white space of their layout: lines to read cost nothing on the wire.

The source is squeezed when a template is compiled, so rendering pays nothing. White space that a
browser shows stays, as one line break. What goes is white space

- beside the tag of a block-level element, just inside a button, and at the ends of a file;
- after `{% load %}` and `{% extends %}`;
- said twice because of a condition or loop: at the start of a branch when white space stands before
  its `{% if %}` too, at the end of one when it stands after its `{% endif %}` too;
- between attributes, down to one space, and at the line breaks of an attribute's value:
  an address is joined without a space, other values with one;
- around `{# joined #}`, which stands where the formatter breaks a line between two things that
  belong together, such as `…{% endif %}` and `{% if %}, …`.

`pre`, `textarea` and `script` stay as they are, and so does a line's own white space.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.template.base import Origin
from django.template.loaders import filesystem
from propcache.api import cached_property

# No form: `form.inline` stands within a line of words.
_BLOCK_NAMES = """
    address article aside blockquote body br caption col colgroup dd details dialog div dl dt
    fieldset figcaption figure footer h1 h2 h3 h4 h5 h6 head header hr html legend li link main
    meta nav ol optgroup option p script section summary table tbody td tfoot th thead title tr ul
"""
_BLOCKS = frozenset(_BLOCK_NAMES.split())
_HEADS = frozenset({"if", "for", "with"})
_TOKEN = re.compile(
    r"""
    (?P<raw><(?P<element>pre|textarea|script)\b.*?</(?P=element)>)
    |(?P<control>\{%.*?%\})
    |(?P<value>\{\{.*?\}\}|<!--.*?-->)
    |(?P<joint>\s*\{\#\ joined\ \#\}\s*)
    |(?P<note>\s*\{\#.*?\#\})
    |(?P<tag></?[a-zA-Z](?:\{%.*?%\}|\{\{.*?\}\}|"[^"]*"|'[^']*'|[^<>"'])*>)
    |(?P<space>\s+)
    |(?P<words>(?:(?!\{[{%\#]|</?[a-zA-Z]|<!--|\s).)+)
    """,
    re.VERBOSE | re.DOTALL,
)
_IN_TAG = re.compile(
    r"""
    (?P<attribute>[\w:-]+)=(?P<quoted>"[^"]*"|'[^']*')
    |(?P<kept>\{%.*?%\}|\{\{.*?\}\}|"[^"]*"|'[^']*')
    |\s*\n\s*(?P<end>>?)
    """,
    re.VERBOSE | re.DOTALL,
)
_BREAK = re.compile(r"\s*\n\s*")
_ADDRESSES = frozenset({"action", "data-copy", "data-picks", "href", "hx-get", "src", "value"})
_NAME = re.compile(r"</?([a-zA-Z][\w-]*)")


class Loader(filesystem.Loader):
    """Reads templates of `DIRS` and squeezes them."""

    def get_contents(self, origin: Origin) -> str:
        return squeeze(super().get_contents(origin))


def squeeze(source: str) -> str:
    """Leave out white space that no browser shows."""
    tokens = list(_tokens(source.strip()))
    redundant = {*_beside_blocks(tokens), *_after_loads(tokens), *_at_branches(tokens)}
    return "".join(token.squeezed for place, token in enumerate(tokens) if place not in redundant)


@dataclass(frozen=True)
class _Token:
    kind: str  # raw, control, value, tag, space or words
    source: str

    @cached_property
    def word(self) -> str:
        """The first word of a `{% … %}`; empty for anything else."""
        return self.source[2:].split()[0] if self.kind == "control" else ""

    @cached_property
    def element(self) -> str:
        """The element's name in small letters; empty for what is no tag."""
        found = _NAME.match(self.source) if self.kind in {"raw", "tag"} else None
        return found[1].lower() if found else ""

    @cached_property
    def is_layout(self) -> bool:
        """White space with a line break."""
        return self.kind == "space" and "\n" in self.source

    @property
    def squeezed(self) -> str:
        if self.is_layout:
            return "\n"
        if self.kind == "tag" and "\n" in self.source:
            return _IN_TAG.sub(_on_one_line, self.source)
        return self.source


def _on_one_line(found: re.Match[str]) -> str:
    if not found["attribute"]:
        return found["kept"] or found["end"] or " "
    quote, value = found["quoted"][0], found["quoted"][1:-1]
    if "\n" in value:
        value = _BREAK.sub("" if found["attribute"] in _ADDRESSES else " ", value.strip())
    return f"{found['attribute']}={quote}{value}{quote}"


def _tokens(source: str) -> Iterator[_Token]:
    position = 0
    while found := _TOKEN.match(source, position):
        position = found.end()
        if found.lastgroup not in {"joint", "note"}:
            yield _Token("raw" if found["raw"] else str(found.lastgroup), found[0])


def _beside_blocks(tokens: Sequence[_Token]) -> Iterator[int]:
    for place, token in enumerate(tokens[1:-1], start=1):
        if not token.is_layout:
            continue
        before, after = tokens[place - 1], tokens[place + 1]
        is_in_button = before.source.startswith("<button") or after.source == "</button>"
        if before.element in _BLOCKS or after.element in _BLOCKS or is_in_button:
            yield place


def _after_loads(tokens: Sequence[_Token]) -> Iterator[int]:
    for place, token in enumerate(tokens[:-1]):
        is_alone = place == 0 or tokens[place - 1].kind == "space"
        if token.word in {"load", "extends"} and is_alone and tokens[place + 1].is_layout:
            yield place + 1


def _at_branches(tokens: Sequence[_Token]) -> Iterator[int]:
    """Give the places of white space that stands beside the whole condition or loop too."""
    open_heads: list[list[int]] = []
    for place, token in enumerate(tokens):
        if token.word in _HEADS:
            open_heads.append([place])
        elif token.word in {"elif", "else", "empty"} and open_heads:
            open_heads[-1].append(place)
        elif token.word.removeprefix("end") in _HEADS and open_heads:
            yield from _of_one_condition(tokens, [*open_heads.pop(), place])


def _of_one_condition(tokens: Sequence[_Token], controls: Sequence[int]) -> Iterator[int]:
    *openers, end = controls
    is_loop = tokens[openers[0]].word == "for"
    parts_turns = is_loop and tokens[controls[1] - 1].kind == "space"
    if openers[0] > 0 and tokens[openers[0] - 1].kind == "space" and (not is_loop or parts_turns):
        yield from (place + 1 for place in openers if tokens[place + 1].is_layout)
    if not is_loop and end + 1 < len(tokens) and tokens[end + 1].kind == "space":
        yield from (place - 1 for place in controls[1:] if tokens[place - 1].is_layout)
