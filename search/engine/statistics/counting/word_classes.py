"""What kind of word a value is: letters or digits by its form, function word or name by its tags.

Input → output: lexicon → flags per word form, made once and continued as it grows; values of types
and counts → which values are mostly function words, which mostly names. Punctuation is a value as
a whole, whatever its tokens look like, so that counts without it are those of a query for it.
"""

import re
from enum import IntFlag
from threading import Lock
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from search.engine.annotation.function_words import ALL_FUNCTION_WORDS
from search.engine.annotation.tagset import (
    CLOSED_TAGS,
    TAGS,
    UNIVERSAL_TAGS,
    UNTAGGED,
    WordClass,
)
from search.engine.index.lexicon.lexicon import Lexicon, LexiconView
from search.engine.index.lexicon.strings import Chunk
from search.engine.statistics.counting.attribute_values import TypeValues, type_values

I64 = npt.NDArray[np.int64]
U8 = npt.NDArray[np.uint8]
Mask = npt.NDArray[np.bool_]

BEYOND_ASCII = 128  # the first byte value that ASCII lacks
MOST = 0.5  # a value is a name when more than half of its tokens are tagged so
_ALL_TAGS = {**TAGS, **UNIVERSAL_TAGS}
NAME_TAGS = frozenset(tag for tag, info in _ALL_TAGS.items() if info.word_class is WordClass.NAME)
# Forms of be, have and do are verbs by their tags, but serve grammar wherever they stand.
FUNCTION_LEMMAS = ("be", "have", "do")
NOT_WORDS = frozenset(tag for tag, info in _ALL_TAGS.items() if info.word_class is WordClass.SIGN)


class FormFlag(IntFlag):
    """What a form is made of."""

    LETTER = 1
    DIGIT = 2
    JOINER = 4  # apostrophe or hyphen
    OTHER = 8


_JOINERS = "'’ʼ-‐‑"
_ASCII = np.full(256, FormFlag.OTHER, dtype=np.uint8)
_ASCII[[ord(c) for c in "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"]] = FormFlag.LETTER
_ASCII[[ord(c) for c in "0123456789"]] = FormFlag.DIGIT
_ASCII[[ord(c) for c in "'-"]] = FormFlag.JOINER
_ASCII[ord("\n")] = 0
_LETTER = re.compile(r"[^\W\d_]")
_DIGIT = re.compile(r"\d")


def flags_of(form: str) -> FormFlag:
    """Say what a form is made of.

    Examples
    --------
    >>> flags_of("don’t") == FormFlag.LETTER | FormFlag.JOINER
    True
    >>> flags_of("3.5") == FormFlag.DIGIT | FormFlag.OTHER
    True
    """
    flags = FormFlag(0)
    for character in form:
        if character in _JOINERS:
            flags |= FormFlag.JOINER
        elif _LETTER.match(character):
            flags |= FormFlag.LETTER
        elif _DIGIT.match(character):
            flags |= FormFlag.DIGIT
        else:
            flags |= FormFlag.OTHER
    return flags


_KNOWN: WeakKeyDictionary[Lexicon, U8] = WeakKeyDictionary()
_LOCK = Lock()


def form_flags(lexicon: LexiconView) -> U8:
    """Return the flags of each form: shape (n_forms,). O(bytes of the forms that are new)."""
    with _LOCK:
        known = _KNOWN.get(lexicon.lexicon, np.empty(0, dtype=np.uint8))
        if len(known) < lexicon.size.n_forms:
            chunks = lexicon.lexicon.forms.chunks(len(known))
            known = np.concatenate([known, *map(_chunk_flags, chunks)])
            _KNOWN[lexicon.lexicon] = known
    return known[: lexicon.size.n_forms]


def _chunk_flags(chunk: Chunk) -> U8:
    """Combine the flags of all bytes of each form; forms beyond ASCII are looked at one by one."""
    if not len(chunk.ends):
        return np.empty(0, dtype=np.uint8)
    raw = np.frombuffer(chunk.blob, dtype=np.uint8)
    starts = np.concatenate([[0], chunk.ends[:-1] + 1])
    flags = np.bitwise_or.reduceat(_ASCII[raw], starts)
    beyond = np.bitwise_or.reduceat(raw, starts) >= BEYOND_ASCII
    for i in np.flatnonzero(beyond).tolist():
        flags[i] = flags_of(chunk.get(chunk.first + i))
    return flags


def value_flags(lexicon: LexiconView, values: TypeValues, attribute: str) -> U8:
    """Return what each value is made of; tags all count as letters, pairs go by their lemma.

    Returns
    -------
    ndarray of shape (n_values,)
    """
    flags = np.full(values.n_values, FormFlag.LETTER, dtype=np.uint8)
    if attribute == "pos":
        return flags
    forms = form_flags(lexicon)
    if attribute == "lemma+pos":
        flags[values.numbers] = forms[lexicon.lemmas]
        return flags
    return forms


def letters_only(flags: U8) -> Mask:
    """Tell values of letters, with apostrophes and hyphens, from others."""
    has_letter = (flags & FormFlag.LETTER) != 0
    others = (flags & (FormFlag.DIGIT | FormFlag.OTHER)) != 0
    return np.asarray(has_letter & ~others)


def with_letters_or_digits(flags: U8) -> Mask:
    """Tell words and numbers from punctuation."""
    return np.asarray((flags & (FormFlag.LETTER | FormFlag.DIGIT)) != 0)


def with_digits(flags: U8) -> Mask:
    """Tell values that have a digit."""
    return np.asarray((flags & FormFlag.DIGIT) != 0)


def function_words(lexicon: LexiconView, values: TypeValues, type_counts: I64) -> Mask:
    """Tell values most of whose tokens are function words.

    A token is one if its tag is of a closed class (determiners, prepositions, pronouns, modals and
    so on) or its lemma is be, have or do. So the corpus itself says what its stop words are, and
    "can" stays when it is a tin. Tokens of languages without a tagger are told by lists.

    Returns
    -------
    ndarray of shape (n_values,)
    """
    is_function = _types_tagged(lexicon, CLOSED_TAGS)
    for lemma in FUNCTION_LEMMAS:
        number = lexicon.find_form(lemma)
        if number is not None:
            is_function |= lexicon.lemmas == number
    is_function |= _untagged_function_types(lexicon)
    return _mostly(values, type_counts, is_function)


def _untagged_function_types(lexicon: LexiconView) -> Mask:
    """Tell types that no tagger has read and whose form a list names."""
    numbers = (lexicon.find_form(word) for word in ALL_FUNCTION_WORDS)
    known = np.array([number for number in numbers if number is not None], dtype=np.uint32)
    untagged = _types_tagged(lexicon, frozenset({UNTAGGED}))
    return np.asarray(untagged & np.isin(lexicon.lower[lexicon.words], known))


def names(lexicon: LexiconView, values: TypeValues, type_counts: I64) -> Mask:
    """Tell values most of whose tokens are tagged as names: shape (n_values,)."""
    return _mostly(values, type_counts, _types_tagged(lexicon, NAME_TAGS))


def signs(lexicon: LexiconView, values: TypeValues, type_counts: I64) -> Mask:
    """Tell values most of whose tokens are tagged as punctuation: shape (n_values,)."""
    return _mostly(values, type_counts, _types_tagged(lexicon, NOT_WORDS))


def content_words(lexicon: LexiconView, values: TypeValues, type_counts: I64) -> Mask:
    """Tell values that are no function words: shape (n_values,)."""
    return ~function_words(lexicon, values, type_counts)


def of_class(
    lexicon: LexiconView, values: TypeValues, type_counts: I64, word_class: WordClass
) -> Mask:
    """Tell values most of whose tokens have tags of a class: shape (n_values,)."""
    tags = frozenset(tag for tag, info in _ALL_TAGS.items() if info.word_class is word_class)
    return _mostly(values, type_counts, _types_tagged(lexicon, tags))


def _types_tagged(lexicon: LexiconView, tags: frozenset[str]) -> Mask:
    wanted = np.array([tag in tags for tag in lexicon.tag_names()], dtype=np.bool_)
    return wanted[lexicon.tags] if len(wanted) else np.empty(0, dtype=np.bool_)


def _mostly(values: TypeValues, type_counts: I64, is_kind: Mask) -> Mask:
    every = values.fold(type_counts)
    of_kind = values.fold(np.where(is_kind, type_counts, 0))
    return np.asarray(of_kind > MOST * every)


def word_values(lexicon: LexiconView, attribute: str) -> Mask:
    """Tell values with a letter or a digit from others.

    Returns
    -------
    ndarray of shape (n_values,)
        For the tag: whether its name has a letter (``,`` and ``.`` have none).
    """
    if attribute == "pos":
        names = lexicon.tag_names()
        return np.array([any(map(str.isalnum, name)) for name in names], dtype=np.bool_)
    values = type_values(lexicon, attribute)
    return with_letters_or_digits(value_flags(lexicon, values, attribute))
