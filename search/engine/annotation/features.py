"""What the tagger knows of a word: numbered attributes, the same in training and in use.

Every attribute depends on one word type at one of five places (the token itself, its neighbours,
their neighbours), so the weights of a type can be summed once and kept (see `tagger`). An attribute
is a 32-bit number mixed from its template and its value; no strings are stored. Word classes
(distributional clusters, the lexicon's tag set, the share of capitalised uses) come from one sorted
table of hashes, `WordClasses`.
"""

import re
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

import numpy as np
import numpy.typing as npt

UInt32 = npt.NDArray[np.uint32]

# Places of an attribute: the token, one before, one after, two before, two after.
N_PLACES = 5
HERE, BEFORE, AFTER, BEFORE_2, AFTER_2 = range(N_PLACES)
PLACE_OFFSETS = (0, -1, 1, -2, 2)

# Words beyond the table get this class in every column.
NO_CLASS = 0xFFFF
N_CLASSES = 5
CLUSTER_64, CLUSTER_320, CLUSTER_1024, TAG_SET, CAPITALS = range(N_CLASSES)

# Letters; each length up to these is an attribute, and the shipped models know no others.
LONGEST_SUFFIX = 5
LONGEST_PREFIX = 4
# A line with this share of capitalised words is a headline in title case.
HEADLINE_SHARE = 0.7
HEADLINE_MIN_WORDS = 3

_DIGIT = re.compile(r"\d")
# Factors that scramble bits: the finalizer of MurmurHash3, and 2 ** 32 by the golden ratio (Knuth).
_MIX_1 = np.uint32(0x85EBCA6B)
_MIX_2 = np.uint32(0xC2B2AE35)
_GOLDEN = 0x9E3779B1


class CaseFlag(IntEnum):
    """How far a capital letter says something in this sentence."""

    NORMAL = 0
    FIRST = 1
    HEADLINE = 2
    CAPITALS = 3


@dataclass(frozen=True, slots=True)
class WordClasses:
    """Sorted CRC-32s of lower-cased forms, and one row of classes each (uint16)."""

    keys: UInt32
    classes: npt.NDArray[np.uint16]

    def look_up(self, hashes: UInt32) -> npt.NDArray[np.uint16]:
        """Classes of the given hashes, shape (n, N_CLASSES); NO_CLASS where unknown."""
        places = np.searchsorted(self.keys, hashes).clip(max=len(self.keys) - 1)
        found: npt.NDArray[np.uint16] = self.classes[places]
        found[self.keys[places] != hashes] = NO_CLASS
        return found


def case_flags(sentence: Sequence[str]) -> list[CaseFlag]:
    """Flag the tokens of a sentence: headline, all capitals, or normal with a first word."""
    words = [word for word in sentence if word[0].isalpha()]
    if len(words) >= HEADLINE_MIN_WORDS:
        if all(word.isupper() for word in words) and sum(map(len, words)) > len(words):
            return [CaseFlag.CAPITALS] * len(sentence)
        n_capital = sum(word[0].isupper() for word in words)
        if n_capital >= HEADLINE_SHARE * len(words):
            return [CaseFlag.HEADLINE] * len(sentence)
    flags = [CaseFlag.NORMAL] * len(sentence)
    for place, word in enumerate(sentence):
        if word[0].isalnum():
            flags[place] = CaseFlag.FIRST
            break
    return flags


def fold(form: str) -> str:
    """Lower case, digits as 0, typographic apostrophes as plain ones: the form of all tables."""
    return _DIGIT.sub("0", form.lower()).replace("’", "'")


def shape(form: str) -> str:
    """Write runs of capitals, small letters and digits as X, x, 0: `A-Team5` is X-Xx0."""
    signs: list[str] = []
    for sign in form:
        if sign.isupper():
            mark = "X"
        elif sign.isalpha():
            mark = "x"
        elif sign.isdigit():
            mark = "0"
        else:
            mark = sign
        if not signs or signs[-1] != mark:
            signs.append(mark)
    return "".join(signs)


def _mix(template: int, values: UInt32) -> UInt32:
    """Spread (template, value) over 32 bits (the finisher of MurmurHash3)."""
    mixed = values ^ np.uint32((template * _GOLDEN) & 0xFFFFFFFF)
    mixed = (mixed ^ (mixed >> np.uint32(16))) * _MIX_1
    mixed = (mixed ^ (mixed >> np.uint32(13))) * _MIX_2
    return mixed ^ (mixed >> np.uint32(16))


def pair_keys(first: UInt32, second: UInt32, template: int) -> UInt32:
    """Attributes of two neighbouring words, by the hashes of their folded forms."""
    return _mix(template, first * _MIX_1 + second * _MIX_2)


# Numbers of templates; those of single words lie below.
PAIR_BEFORE = 201
PAIR_AFTER = 202


@dataclass(frozen=True, slots=True)
class TypeAttributes:
    """Attributes of n types by place, (n, a) each, and what a network looks up of them, (n, 14).

    The columns: folded form, four endings, three beginnings, shape with case flag, case flag, tag
    set, capitals and two grains of clusters.
    """

    folded: UInt32
    by_place: tuple[UInt32, UInt32, UInt32, UInt32, UInt32]
    columns: UInt32


def type_attributes(
    types: Sequence[tuple[str, CaseFlag]], word_classes: WordClasses
) -> TypeAttributes:
    """Compute the attributes of word types.

    Parameters
    ----------
    types
        (form, case flag); the empty form stands for what lies beyond the sentence.
    word_classes
        Table of clusters, tag sets and capitals.

    Returns
    -------
    TypeAttributes
        uint32 arrays with one row a type; the number of columns depends on the place only.
    """
    strings = np.array([_string_hashes(form) for form, _ in types], dtype=np.uint32)
    flags = np.array([flag for _, flag in types], dtype=np.uint32)
    folded, exact, shapes = strings[:, 0], strings[:, 1], strings[:, 2]
    classes = word_classes.look_up(folded).astype(np.uint32)
    case = shapes * np.uint32(4) + flags
    values = [
        folded,
        exact,
        shapes,
        *strings[:, 3:].T,
        *classes.T,
        case,
        classes[:, CAPITALS] * np.uint32(1 << 20) + case,
        classes[:, TAG_SET] * np.uint32(1 << 20) + case,
        strings[:, 3 + 1] ^ case * _MIX_2,
        strings[:, 3 + 2] ^ classes[:, TAG_SET] * _MIX_2,
        classes[:, CLUSTER_320] * np.uint32(1 << 20) + case,
        np.zeros_like(folded),
    ]
    suffix_2, suffix_3 = strings[:, 3 + 1], strings[:, 3 + 2]
    near = [folded, suffix_2, suffix_3, *classes[:, :TAG_SET].T, classes[:, TAG_SET], case]
    far = [folded, classes[:, CLUSTER_320], classes[:, TAG_SET]]
    return TypeAttributes(
        folded,
        (
            _columns(0, values),
            _columns(50, near),
            _columns(70, near),
            _columns(90, far),
            _columns(110, far),
        ),
        _network_columns(strings, flags, classes, case),
    )


def _network_columns(strings: UInt32, flags: UInt32, classes: UInt32, case: UInt32) -> UInt32:
    """List what the window network looks up of a type: form, endings, case, classes."""
    columns = [
        strings[:, 0],
        *strings[:, 3:7].T,
        *strings[:, 8:11].T,
        case,
        flags,
        *classes[:, [TAG_SET, CAPITALS, CLUSTER_320, CLUSTER_1024]].T,
    ]
    return np.stack(columns, axis=1)


def _columns(first_template: int, values: Sequence[UInt32]) -> UInt32:
    return np.stack([_mix(first_template + i, column) for i, column in enumerate(values)], axis=1)


def _string_hashes(form: str) -> list[int]:
    """CRC-32s of the folded form, the form, its shape, five endings and four beginnings."""
    folded = fold(form)
    pieces = [folded, form, shape(form)]
    pieces += [folded[-n:] if len(folded) > n else "" for n in range(1, LONGEST_SUFFIX + 1)]
    pieces += [folded[:n] if len(folded) > n else "" for n in range(1, LONGEST_PREFIX + 1)]
    return [zlib.crc32(piece.encode()) for piece in pieces]
