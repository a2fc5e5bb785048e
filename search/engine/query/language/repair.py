"""A readable query near one that is not: the nearest valid form for the message.

Input → output: CQL text and where its mistake is → the first of some small repairs that parses.
"""

import re
from collections.abc import Iterable, Iterator

from search.engine.query.attributes import BLOCKS
from search.engine.query.errors import QueryError
from search.engine.query.language.cql import parse_cql
from search.engine.query.language.foreign_cql import as_written_here

MAX_LENGTH = 500  # characters; repairing longer queries costs more than it helps
BARE_WORD = re.compile(r"[^\s\"'\[\](){}<>|&!=:]+")
BLOCK = re.compile(rf"</?({'|'.join(BLOCKS)})\s*/?>")
KEYWORDS = frozenset(("within", "containing", "MU", "TAB", "meet", "union"))
# As word processors write quotes.
CURLY = str.maketrans(dict.fromkeys("“”„", '"') | dict.fromkeys("‘’‚", "'"))
CLOSERS = {"(": ")", "[": "]", "{": "}"}


def suggest(text: str, position: int, known: str = "") -> str:
    """Return a repaired query, or an empty string.

    Parameters
    ----------
    position : int
        Of the mistake.
    known : str
        What the mistake itself says to write; only the signs of other tools go before it.

    Examples
    --------
    >>> suggest('[lemma="go"] [pos="V.*] within s', 18)
    '[lemma="go"] [pos="V.*"] within s'
    >>> suggest("heavy rain", 0)
    '"heavy" "rain"'
    """
    if len(text) > MAX_LENGTH:
        return known
    written = _readable(_from_other_tools(text))
    return written or known or _readable(_repairs(text, position))


def _readable(candidates: Iterable[str]) -> str:
    """Return the first that can be read."""
    for candidate in candidates:
        try:
            parse_cql(candidate)
        except QueryError:
            continue
        return candidate
    return ""


def _from_other_tools(text: str) -> Iterator[str]:
    straight = text.translate(CURLY)
    for candidate in dict.fromkeys((straight, as_written_here(straight))):
        if candidate != text:
            yield candidate


def _repairs(text: str, position: int) -> Iterator[str]:
    yield from _within_blocks(text)
    if text[position : position + 1] in ('"', "'"):
        mark = text[position]
        for end in re.finditer(r"(?=[\])]|\s|$)", text[position + 1 :]):
            at = position + 1 + end.start()
            yield from _closed(text[:at] + mark + text[at:])
    yield from _closed(text)
    yield text[:position] + text[position + 1 :]
    words = [word for word in BARE_WORD.findall(text) if word not in KEYWORDS]
    if words and not set(text) & set("\"'[]$"):
        yield BARE_WORD.sub(lambda found: f'"{found[0]}"', text)
        yield " ".join(f'"{word}"' for word in words)


def _within_blocks(text: str) -> Iterator[str]:
    """Write blocks such as ``<quote/>``, which are no structures, behind ``within``."""
    block = BLOCK.search(text)
    if block is None:
        return
    yield re.sub(rf"within\s+{BLOCK.pattern}", r"within \1", text)
    rest = BLOCK.sub("", text).strip().removeprefix("containing").strip()
    yield f"{rest or '[]'} within {block[1]}"


def _closed(text: str) -> Iterator[str]:
    """Yield the text, and the text with its open brackets closed at the end."""
    yield text
    opened: list[str] = []
    for character in re.sub(r'"[^"]*"', "", text):
        if character in CLOSERS:
            opened.append(CLOSERS[character])
        elif opened and character == opened[-1]:
            opened.pop()
    if opened:
        yield text + "".join(reversed(opened))
