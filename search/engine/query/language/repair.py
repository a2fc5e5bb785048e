"""A readable query near one that is not: the nearest valid form for the message.

Input → output: CQL text and where its mistake is → the first of some small repairs that parses.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from difflib import get_close_matches

from search.engine.query.attributes import ATTRIBUTES, BLOCKS, TEXT_COLUMNS
from search.engine.query.errors import QueryError
from search.engine.query.language.cql import parse_cql
from search.engine.query.language.simple import PARTS_OF_SPEECH

MAX_LENGTH = 500  # characters; repairing longer queries costs more than it helps
BARE_WORD = re.compile(r"[^\s\"'\[\](){}<>|&!=:]+")
BLOCK = re.compile(rf"</?({'|'.join(BLOCKS)})\s*/?>")
KEYWORDS = frozenset(("within", "containing", "MU", "TAB", "meet", "union"))
_NAME = re.compile(r"[A-Za-z_]+")
_NAMES = (*ATTRIBUTES, *TEXT_COLUMNS)
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
    for candidate in dict.fromkeys((straight, _as_written_here(straight))):
        if candidate != text:
            yield candidate


def _repairs(text: str, position: int) -> Iterator[str]:
    yield from _within_blocks(text)
    yield from _renamed(text, position)
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


def _renamed(text: str, position: int) -> Iterator[str]:
    """Say whose the name at the mistake is, or spell it as the most like that there is."""
    name = _NAME.match(text, position)
    if name is None:
        return
    if name[0] in _NAMES:
        yield f"{text[:position]}match.{text[position:]}"
    for like in get_close_matches(name[0], _NAMES):
        yield text[:position] + like + text[name.end() :]


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


# Signs of other tools

# Attributes by names that corpora of other tools have: what they are here, and the flag it takes.
_ATTRIBUTES = {
    "lc": ("word", "c"),
    "word_lc": ("word", "c"),
    "lemma_lc": ("lemma", "c"),
    "form": ("word", ""),
    "hw": ("lemma", ""),
    "xpos": ("pos", ""),
    "c5": ("pos", ""),
}
# Last letters of Sketch Engine's lempos, as in “say-v”.
_LEMPOS = {"v": "VERB", "n": "NOUN", "j": "ADJ", "a": "ADV", "i": "PREP", "d": "PRON", "c": "CONJ"}

_STRING = r"""("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')"""

_VALUE = re.compile(r"(?<=[\w\s])(!?=)\s*(?:/([^/\"']*)/|([^\s\"'\[\]()&|$/%,=]+))(?=\s*[\]&|)%])")
_ALONE = re.compile(r"\s*/([^/\"]+)/\s*")
_RENAMED = re.compile(rf"\b({'|'.join(_ATTRIBUTES)})(\s*!?=\s*){_STRING}(?:%(\w+))?")
_LEMPOS_TEST = re.compile(r"\blempos\s*=\s*[\"']([^\"']+)-([a-z])[\"']")
_CLASS_TEST = re.compile(r"\b(?:upos|pos_class)\s*(!?=)\s*[\"'](\w+)[\"']")
_MEET = re.compile(r"^\s*\((?=\s*(?:meet|union)\b)")
_NUMBERED = re.compile(r"(?<![\w@\"'])([1-9]):(?=\s*[\[\"'(])")
_NUMBER_USED = re.compile(r"(?<![\w.\"'])([1-9])\.(?=[A-Za-z_])")
_GLOBAL = re.compile(r"(?<=[\]\"'])\s*&\s*(?=!?\(?\s*[a-i]\.)")


def _as_written_here(text: str) -> str:
    """Set the signs of other tools right.

    Examples
    --------
    >>> _as_written_here("[word=water & tag=/V.*/]")
    '[word="water" & tag="V.*"]'
    >>> _as_written_here("1:[] 2:[] & 1.lemma=2.lemma")
    'a:[] b:[] :: a.lemma=b.lemma'
    >>> _as_written_here('[lc="water"] (meet "a" "b")'), _as_written_here('(meet "a" "b" s)')
    ('[word="water"%c] (meet "a" "b")', 'MU(meet "a" "b" s)')
    """
    for change in _CHANGES:
        text = change(text)
    return text


def _meet(text: str) -> str:
    return _MEET.sub("MU(", text)


def _values(text: str) -> str:
    """Put values in quotes; those that name another attribute or a number stay."""
    if alone := _ALONE.fullmatch(text):
        return f'"{alone[1]}"'

    def quoted(found: re.Match[str]) -> str:
        sign, pattern, bare = found.groups()
        if bare is not None and (bare.isdigit() or bare.rpartition(".")[2] in ATTRIBUTES):
            return found[0]
        return f'{sign}"{bare if pattern is None else pattern}"'

    return _VALUE.sub(quoted, text)


def _names(text: str) -> str:
    def renamed(found: re.Match[str]) -> str:
        name, flag = _ATTRIBUTES[found[1]]
        flags = "".join(sorted({*(found[4] or ""), *flag}))
        return f"{name}{found[2]}{found[3]}{'%' if flags else ''}{flags}"

    return _RENAMED.sub(renamed, text)


def _word_classes(text: str) -> str:
    def lemma_and_class(found: re.Match[str]) -> str:
        tags = PARTS_OF_SPEECH.get(_LEMPOS.get(found[2], ""))
        return f'(lemma="{found[1]}" & pos="{tags}")' if tags else found[0]

    def tags_of(found: re.Match[str]) -> str:
        tags = PARTS_OF_SPEECH.get(found[2].upper())
        return f'pos{found[1]}"{tags}"' if tags else found[0]

    return _CLASS_TEST.sub(tags_of, _LEMPOS_TEST.sub(lemma_and_class, text))


def _labels(text: str) -> str:
    """Write numbers of tokens as letters, and what is said of them behind ``::``."""
    if not _NUMBERED.search(text):
        return text

    def letter(found: re.Match[str]) -> str:
        return "abcdefghi"[int(found[1]) - 1] + found[0][1:]

    lettered = _NUMBER_USED.sub(letter, _NUMBERED.sub(letter, text))
    return lettered if "::" in lettered else _GLOBAL.sub(" :: ", lettered, count=1)


_CHANGES: tuple[Callable[[str], str], ...] = (_meet, _values, _names, _word_classes, _labels)
