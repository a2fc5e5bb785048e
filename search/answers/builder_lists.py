"""Tags, word classes and regular expressions that the builder offers beside a drawing.

Input → output: a selection → rows; counts are those of the query that a click makes.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from time import perf_counter

import numpy as np

from search.engine.annotation.tagset import TAGS, UNIVERSAL_TAGS, describe
from search.engine.drawing.drawing import CLASS_NAMES, CLASS_PATTERNS
from search.engine.index.selection import Selection
from search.engine.query.conditions.patterns import matching_forms
from search.engine.statistics.counting.type_counts import value_counts
from search.engine.statistics.vocabulary.tag_list import TagRow, tag_list
from search.wording.untagged import universal_names

# Seconds for all examples of regular expressions; those after have no words until the next time.
PATIENCE_SECONDS = 0.3
N_WORDS = 3
_PENN = "English: Penn Treebank"
_BOTH, _OTHER = "In both", "Other tags"


@dataclass(frozen=True, slots=True)
class NamedTag:
    """A tag of the texts with its plain words."""

    row: TagRow
    words: str


@dataclass(frozen=True, slots=True)
class TagSet:
    """Tags of one set that the texts have, by their hits."""

    name: str
    tags: tuple[NamedTag, ...]


@dataclass(frozen=True, slots=True)
class ClassRow:
    """A word class: its tags in these texts, set by set, and their tokens."""

    name: str
    words: str
    tags: tuple[str, ...]
    hits: int


@dataclass(frozen=True, slots=True)
class PatternRow:
    """A regular expression, what it finds, its hits (None: not counted) and its top words."""

    pattern: str
    means: str
    hits: int | None = None
    words: tuple[str, ...] = ()

    @property
    def used_as(self) -> str:
        """How the drawing takes it: with capitals as written, or whatever they are."""
        return "pattern-as-written" if self.pattern in WITH_CASE else "pattern"


PATTERNS = (
    ("colou?r", "? makes the character before it optional"),
    (".*ness", ". is any character, * repeats it: words that end so"),
    ("un.+able", "+ repeats once or more"),
    ("(rain|snow).*", "| is or, brackets hold what belongs together"),
    ("gr[ae]y", "[ae] is one of these characters"),
    ("[^aeiou]+", "[^…] is any character but these"),
    (r"\d+", r"\d is a digit; \w a letter, digit or _"),
    ("[A-Z]{2,5}", "A-Z is a range, {2,5} says how often; “any case” must be off"),
    (r"\d+\.\d+", r"a backslash takes the meaning from a sign: \. is a full stop"),
    (r".*[^\x00-\x7F].*", "words with a character that is not ASCII"),
)
WITH_CASE = frozenset({"[A-Z]{2,5}"})


def tag_sets(selection: Selection) -> tuple[TagSet, ...]:
    """List the tags of the texts by their set."""
    universal = f"{universal_names()}: universal tags"
    sets: dict[str, list[NamedTag]] = {_PENN: [], universal: [], _BOTH: [], _OTHER: []}
    for row in tag_list(selection):
        is_penn, is_universal = row.tag in TAGS, row.tag in UNIVERSAL_TAGS
        name = _BOTH if is_penn and is_universal else _PENN if is_penn else universal
        name = name if is_penn or is_universal else _OTHER
        sets[name].append(NamedTag(row, describe(row.tag).words))
    return tuple(TagSet(name, tuple(tags)) for name, tags in sets.items() if tags)


def class_rows(selection: Selection) -> tuple[ClassRow, ...]:
    """List the word classes with their tags in these texts."""
    rows = tag_list(selection)
    found = []
    for name, words in CLASS_NAMES.items():
        form = re.compile(CLASS_PATTERNS[name])
        of_class = [row for row in rows if form.fullmatch(row.tag)]
        tags, hits = tuple(row.tag for row in of_class), sum(row.hits for row in of_class)
        found.append(ClassRow(name, words, tags, hits))
    return tuple(found)


def pattern_rows(selection: Selection, patience: float = PATIENCE_SECONDS) -> Iterator[PatternRow]:
    """Run the examples of regular expressions over the words of the texts.

    Each costs a look at all forms once, kept as long as the index is open.
    """
    lexicon = selection.snapshot.lexicon
    counts = value_counts(selection, "word")
    began = perf_counter()
    for pattern, means in PATTERNS:
        if perf_counter() - began > patience:
            yield PatternRow(pattern, means)
            continue
        flags = (pattern not in WITH_CASE, False, False)
        forms = matching_forms(lexicon, pattern, flags, 0)
        of_forms = counts[forms]
        n = min(N_WORDS, len(forms))
        top = forms[np.argpartition(-of_forms, n - 1)[:n]] if n else forms
        top = top[np.argsort(-counts[top], kind="stable")]
        words = lexicon.forms_of(top[counts[top] > 0])
        yield PatternRow(pattern, means, int(of_forms.sum()), tuple(words))
