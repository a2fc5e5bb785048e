"""CQL as other tools read it → as it is written here.

Input → output: a query that cannot be read → the same with the signs of Manatee and Sketch Engine
(Jakubíček et al. 2010), BlackLab and CWB's older versions set right; whether it can be read then is
for the caller to see.
"""

import re
from collections.abc import Callable

from search.engine.query.attributes import ATTRIBUTES
from search.engine.query.language.simple import PARTS_OF_SPEECH

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


def as_written_here(text: str) -> str:
    """Set the signs of other tools right.

    Examples
    --------
    >>> as_written_here("[word=water & tag=/V.*/]")
    '[word="water" & tag="V.*"]'
    >>> as_written_here("1:[] 2:[] & 1.lemma=2.lemma")
    'a:[] b:[] :: a.lemma=b.lemma'
    >>> as_written_here('[lc="water"] (meet "a" "b")'), as_written_here('(meet "a" "b" s)')
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
