"""The parameters of a search: names, labels, controls, defaults and checks, in one table.

The order of the table is that of the parameters in every address; links that were given away rest
on names and defaults, so neither ever changes. A new filter is one entry here, one field of the
engine's `DocumentFilter`, and its control in `templates/search/_filters.html`.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any
from urllib.parse import parse_qs

from django.core.validators import slug_re

from extraction.own_fields import articles_with
from extraction.text.language_names import LANGUAGES, language_name
from feeds.models import Crawl
from presentation.wording.figures import counted, grouped
from search.asking import base_words
from search.asking.hit_filters import near_condition
from search.asking.parts import PARTS, parse_part, part_name
from search.asking.sort_fields import MAX_KEYS, join_sort
from search.asking.values import (
    MAX_NAME,
    FreeText,
    Many,
    Names,
    OneOf,
    Parameter,
    ParameterGroup,
    PublicationNames,
    Reader,
    Switch,
    WholeNumber,
    WrongValueError,
    kept_and_left_out,
)
from search.engine.concordance.narrowing import Reach
from search.engine.concordance.sort_keys import SortKeyError, parse_keys, write_keys
from search.engine.index.documents import DocumentKind, DocumentRights
from search.engine.index.text_names import TEXT_NAME
from search.engine.query.ast import Condition
from search.engine.query.errors import QueryError
from search.engine.query.filters import Copies, DocumentSet, Stories
from search.engine.query.language.parser import MAX_QUERY_LENGTH, Language
from search.engine.statistics.slices import parse_slice
from search.models import Subcorpus
from search.opened_index import current_snapshot
from search.wording.periods import first_day, last_day
from search.wording.slice_words import slice_words

SORTS = (
    ("new", "newest first"),
    ("old", "oldest first"),
    ("r1,r2,r3", "1R 2R 3R"),
    ("l1,l2,l3", "1L 2L 3L"),
    ("node,r1", "node, then 1R"),
    ("pub", "publication"),
    ("random", "random"),
    ("good", "good examples"),
)
MAX_CONTEXT = 50  # words on each side: more of a text is read in the text
MAX_LINES = 200  # as many as a page shows fast; a file has them all
MAX_SAMPLE = 100_000  # as deep as a list of lines goes
MAX_OTHER_SEARCH = 8_000  # characters: as long as an address may be
MAX_REACH = 50  # tokens: longer than nearly every sentence
MOST_GENERATIONS = 10**9
MOST_CRAWLS = 10**9
MOST_WORDS = 10_000_000  # more than any text of a newspaper
MAX_SEED = 2**31 - 1
_REACH = re.compile(r"([0-9]{1,2}),([0-9]{1,2})")
_SHARE = re.compile(r"([0-9]{1,2}(?:\.[0-9]{1,3})?)%")
PLACE = re.compile(r"(\d{1,15})\.(\d{1,9})")  # generation, and lines before
_HIT = re.compile(TEXT_NAME + "-[0-9]{1,9}")
# In Django's words; pages and API answer the same sentences.
_TOO_LONG = "Ensure this value has at most {most} characters (it has {n})."
_NO_SLUG = "Enter a valid “slug” consisting of letters, numbers, underscores or hyphens."


def _column_and_value(text: str) -> tuple[str, str]:
    name, sign, value = text.partition(":")
    if not sign or not name.strip() or not value.strip():
        raise ValueError(f"“{text}” is no column with its value: write register:letter.")
    return name.strip(), value.strip()


def _near(text: str) -> Condition | None:
    try:
        return near_condition(text)
    except QueryError as error:
        raise ValueError(f"“{text}” cannot be looked for. {error.message}") from None


def _reach(text: str) -> Reach:
    found = _REACH.fullmatch(text.replace(" ", ""))
    sides = (int(found[1]), int(found[2])) if found else (0, 0)
    if not any(sides) or max(sides) > MAX_REACH:
        raise ValueError(f"“{text}” is no reach. Write tokens left and right of the node: 5,5.")
    return Reach(*sides)


@dataclass(frozen=True, slots=True)
class _Sort(FreeText):
    """Keys of an order: one text, or the fields of the sort panel."""

    def written(self, texts: Sequence[str]) -> list[str]:
        return [joined] if (joined := join_sort(texts)) else []


def _sort(text: str) -> str:
    try:
        keys = parse_keys(text)
    except SortKeyError:
        keys = ()
    if not 0 < len(keys) <= MAX_KEYS:
        raise ValueError(
            f"“{text}” is no order. Up to three of new, old, pub, node, l1 to l5, r1 to r5."
        )
    return write_keys(keys)


def _sample(text: str) -> int | float | None:
    """Give a number of lines, or a share of all as a float."""
    if not text:
        return None
    share = _SHARE.fullmatch(text)
    if share and float(share[1]) > 0:
        return float(share[1])
    if text.isascii() and text.isdigit() and 1 <= int(text[:7]) <= MAX_SAMPLE:
        return int(text)
    raise ValueError(
        f"“{text}” is no sample. Write a number of lines up to 100,000, or a share such as 10%."
    )


def _place(text: str) -> str:
    if text and not PLACE.fullmatch(text):
        raise ValueError(f"“{text}” is no place in this list: it starts from page one.")
    return text


def _hit(text: str) -> str:
    if text and not _HIT.fullmatch(text):
        raise ValueError(f"“{text}” names no hit.")
    return text


@dataclass(frozen=True, slots=True)
class _OtherSearch(FreeText):
    """The query string of another search."""

    def chip_words(self, text: str, _names: PublicationNames) -> str:
        return " ".join(parse_qs(text).get("q", [text]))


@dataclass(frozen=True, slots=True)
class _Tags(Names):
    """Tags of publications, as they are tagged now."""

    def value_of(self, texts: Sequence[str], reader: Reader) -> Any:
        names = Names.value_of(self, texts, reader)
        if not names:
            return None
        kept, left_out = kept_and_left_out(names)
        among = {slug for name in kept for slug in reader.tags[name]}
        without = {slug for name in left_out for slug in reader.tags[name]}
        slugs = (among if kept else set(reader.publications)) - without
        return base_words.Tagged(kept, left_out, tuple(sorted(slugs)))

    def fields_of(self, value: base_words.Tagged | None) -> dict[str, Any]:
        return {self.field: None if value is None else value.slugs}


@dataclass(frozen=True, slots=True)
class _Origin(OneOf):
    """Texts of newspapers or of collections, by the publications of the moment."""

    def read(self, text: str, reader: Reader) -> base_words.Origin | None:
        name = OneOf.read(self, text, reader)
        if not name:
            return None
        is_own = name == base_words.COLLECTIONS
        own = reader.collections
        slugs = own if is_own else set(reader.publications) - own
        return base_words.Origin(name, tuple(sorted(slugs)))

    def fields_of(self, value: base_words.Origin | None) -> dict[str, Any]:
        return {self.field: None if value is None else value.slugs}


@dataclass(frozen=True, slots=True)
class _OfCrawl(WholeNumber):
    """The number of a crawl; `request.texts_of` makes its texts of it."""

    def read(self, text: str, reader: Reader) -> int | None:
        number = WholeNumber.read(self, text, reader)
        if number is not None and not Crawl.objects.filter(pk=number).exists():
            raise WrongValueError(self.name, f"There is no crawl {number}.")
        return number


@dataclass(frozen=True, slots=True)
class _OwnColumns(Many):
    """Columns of the files that people gave, each with its value."""

    check: Callable[[str], Any] = field(default=_column_and_value)

    def value_of(self, texts: Sequence[str], reader: Reader) -> Any:
        pairs = Many.value_of(self, texts, reader)
        if not pairs:
            return None
        ids = articles_with(pairs)
        found = DocumentSet.of((DocumentKind.ARTICLE, number) for number in ids)
        return base_words.OwnColumns(pairs, found)

    def fields_of(self, value: base_words.OwnColumns | None) -> dict[str, Any]:
        return {self.field: None if value is None else value.texts}

    def chip_words(self, text: str, _names: PublicationNames) -> str:
        return ": ".join(_column_and_value(text)) if ":" in text else text


@dataclass(frozen=True, slots=True)
class _Day(FreeText):
    """A day, or the first or last one of a month or year; `7d` counts from the reader's today."""

    edge: Callable[[str, date], date] = first_day

    def checked(self, text: str, reader: Reader) -> date | None:
        return self.edge(text, reader.today) if text else None


@dataclass(frozen=True, slots=True)
class _Length(WholeNumber):
    """A bound of a text's length, said behind “at least” or “at most”."""

    bound: str = ""

    def chip_words(self, text: str, _names: PublicationNames) -> str:
        return f"{self.bound} {text}"


def _of_length(bound: str) -> Callable[[int | None, PublicationNames], str]:
    return lambda n, _: "" if n is None else f" of {bound} {counted(n, 'word', 'words')}"


@dataclass(frozen=True, slots=True)
class _OwnSubcorpus(FreeText):
    """A subcorpus that the reader may use."""

    def checked(self, text: str, reader: Reader) -> Subcorpus | None:
        if not text:
            return None
        if not slug_re.fullmatch(text):
            raise ValueError(_NO_SLUG)
        found = reader.subcorpora.filter(slug=text).first()
        if found is None:
            raise ValueError(f"There is no subcorpus “{text}” that you may use.")
        return found


@dataclass(frozen=True, slots=True)
class _Generation(WholeNumber):
    """A generation that there is already."""

    def read(self, text: str, reader: Reader) -> int | None:
        number = WholeNumber.read(self, text, reader)
        if number is not None and number > (newest := current_snapshot().generation):
            raise WrongValueError(
                self.name,
                f"There is no generation {grouped(number)} yet; the newest is {grouped(newest)}.",
            )
        return number


@dataclass(frozen=True, slots=True)
class _Slices(Many):
    """Slices of what the other filters let through."""

    check: Callable[[str], Any] = field(default=parse_slice)

    def chip_words(self, text: str, publications: PublicationNames) -> str:
        return slice_words(text, publications)


@dataclass(frozen=True, slots=True)
class _Parts(Many):
    """Parts of articles, one or more."""

    check: Callable[[str], Any] = field(default=parse_part)

    def chip_words(self, text: str, _names: PublicationNames) -> str:
        return part_name(PARTS[text]) if text in PARTS else text


def _number(low: int, high: int) -> dict[str, Any]:
    wrong = f"Write a whole number from {low} to {grouped(high)}."
    return {"low": low, "high": high, "wrong": wrong}


def _text(most_chars: int = MAX_NAME) -> dict[str, Any]:
    return {"most_chars": most_chars, "too_long": _TOO_LONG}


_RIGHTS = {rights.label: rights for rights in DocumentRights}
_QUERY: Any = {"group": ParameterGroup.QUERY}
_FILTER: Any = {"group": ParameterGroup.FILTER, "says_limits": False}
_HITS: Any = {"group": ParameterGroup.HITS, "says_limits": False}
_DISPLAY: Any = {"group": ParameterGroup.DISPLAY}
_BRIEF: Any = {"group": ParameterGroup.DISPLAY, "says_limits": False}

PARAMETERS: tuple[Parameter, ...] = (
    FreeText("q", "Query", **_text(MAX_QUERY_LENGTH), **_QUERY, help="The query"),
    OneOf(
        "ql", "Language of the query", (("simple", "Simple"), ("cql", "CQL")),
        "is no query language: simple or cql.", Language, **_QUERY,
        help="Language of the query",
    ),
    OneOf(
        "in", "Texts",
        (("articles", "Articles"), ("comments", "Comments"), ("posts", "Posts"), ("both", "All")),
        "is no kind of text: articles, comments, posts or both.",
        base_words.KINDS.__getitem__, **_FILTER,
        field="kinds", in_base=base_words.of_kinds, has_chip=False,
        help="Kind of text; posts are those of microblogs, both means all",
    ),
    _Parts(
        "part", "Part of the text", **_FILTER,
        help=f"Only these parts of articles: {', '.join(PARTS)}; without it the body alone",
    ),
    Switch("case", "Match case", takes_all=True, **_QUERY, help="Match case"),
    _OwnSubcorpus(
        "sub", "Subcorpus", most_chars=MAX_QUERY_LENGTH, **_FILTER,
        help="Short name of a subcorpus",
    ),
    Names(
        "pub", "Publication", **_FILTER, field="publications", in_base=base_words.of_publications,
        known=lambda reader: reader.publications,
        named=lambda reader, text: reader.publication_named(text),
        wrong="is no publication’s name.",
        near=lambda reader, text: reader.publications_with(text),
        say=lambda slug, publications: publications.get(slug, slug),
        help="Short name of a publication; -name leaves it out",
    ),
    _Tags(
        "tag", "Tag", **_FILTER, field="among", in_base=base_words.of_tags,
        known=lambda reader: reader.tags, wrong="is no tag of a publication.",
        help="Tag of publications, as they are tagged now; -tag leaves them out",
    ),
    _Origin(
        "origin", "Origin",
        (("", "any"), (base_words.NEWSPAPERS, "newspapers"),
         (base_words.COLLECTIONS, "collections of texts")),
        "is no origin: newspapers or collections.", **_FILTER, field="among",
        in_base=base_words.of_origin,
        help="Only texts of newspapers, or only those that people gave to collections",
    ),
    _OfCrawl(
        "crawl", "Crawl", None, **_number(1, MOST_CRAWLS), **_FILTER,
        in_base=base_words.of_crawl,
        help="Number of a crawl: only the texts of pages that it found",
    ),
    _OwnColumns(
        "column", "Column", **_FILTER, field="cut", in_base=base_words.of_own_columns,
        help="Only given texts with this value in a column of their file, as register:letter; "
             "of several columns all must fit, of several values of one column any",
    ),
    Names(
        "sec", "Section", **_FILTER, field="sections", in_base=base_words.of_names("in section"),
        help="Section; -name leaves it out",
    ),
    Names(
        "author", "Author", **_FILTER, field="authors", in_base=base_words.of_names("by"),
        help="Author; -name leaves it out",
    ),
    Names(
        "agency", "Agency", **_FILTER, field="agencies", in_base=base_words.of_names("signed by"),
        help="News agency that signs beside the authors or alone; -name leaves it out",
    ),
    Names(
        "lang", "Language", **_FILTER, field="languages", in_base=base_words.of_languages,
        known=lambda _: LANGUAGES, wrong="is no language that is told apart here.",
        takes_minus=False, say=lambda code, _: language_name(code),
        help="Language of the text; -code leaves it out",
    ),
    _Day(
        "from", "From", **_text(MAX_QUERY_LENGTH), **_FILTER, field="first_day", edge=first_day,
        in_base=base_words.of_day("from"),
        help="First day: 2026-09-24, 2026-09, 2026, or 7d for the last seven days",
    ),
    _Day(
        "to", "To", **_text(MAX_QUERY_LENGTH), **_FILTER, field="last_day", edge=last_day,
        in_base=base_words.of_day("to"), help="Last day, written as from",
    ),
    OneOf(
        "undated", "Dates", (("", "any"), ("no", "with a date"), ("yes", "no date")),
        "says nothing of dates: yes or no.", {"": None, "yes": True, "no": False}.__getitem__,
        **_FILTER, field="is_undated", in_base=base_words.of_undated,
        help="Only texts without a date, or only the others; from and to find no text without one",
    ),
    _Length(
        "minwords", "Length in words", None, **_number(1, MOST_WORDS), **_FILTER,
        field="least_tokens", bound="at least", in_base=_of_length("at least"),
        help="Only texts of at least so many words; marks of punctuation count as words",
    ),
    _Length(
        "maxwords", "Length in words", None, **_number(1, MOST_WORDS), **_FILTER,
        field="most_tokens", bound="at most", in_base=_of_length("at most"),
        help="Only texts of at most so many words, counted as for minwords",
    ),
    OneOf(
        "changed", "Changes", (("", "any"), ("yes", "changed since"), ("no", "as first seen")),
        "says nothing of changes: yes or no.", {"": None, "yes": True, "no": False}.__getitem__,
        **_FILTER, field="is_changed", in_base=base_words.of_changed,
        help="Only texts that their page has changed since it was first seen, or only the others",
    ),
    OneOf(
        "rights", "Rights",
        (("", "any"), ("reserved", "reserved"), ("granted", "granted"), ("none", "nothing said")),
        "are no rights: reserved, granted or none.", _RIGHTS.get, **_FILTER,
        field="rights", in_base=base_words.of_rights,
        help="What the site says of text and data mining",
    ),
    OneOf(
        "copies", "Copies",
        (("once", "count copies once"), ("all", "count every copy"),
         ("originals", "originals only")),
        "is no way to count copies: once, all or originals.", Copies, **_FILTER,
        field="copies", in_base=base_words.of_copies, help="How texts that are the same count",
    ),
    OneOf(
        "stories", "Stories", (("all", "count every article"), ("once", "count each story once")),
        "is no way to count stories: once or all.", Stories, **_FILTER,
        field="stories", in_base=base_words.of_stories, help="How reports of one event count",
    ),
    WholeNumber(
        "since", "New after generation", None, **_number(0, MOST_GENERATIONS), **_FILTER,
        field="since", in_base=base_words.of_newcomers,
        help="Only what came in after this generation",
    ),
    _Slices(
        "only", "Only", **_FILTER, in_base=base_words.of_slices,
        help="A slice of what the other filters let through: pub:name, -pub:name for all but it, "
             "days:2026-09-01..2026-09-30",
    ),
    _OtherSearch(
        "also", "Found too by", **_text(MAX_OTHER_SEARCH), **_HITS,
        help="The address of another search, from q= on: hits that overlap one of its hits",
    ),
    _OtherSearch(
        "less", "Not found by", **_text(MAX_OTHER_SEARCH), **_HITS,
        help="The address of another search, from q= on: hits that overlap none of its hits",
    ),
    FreeText(
        "near", "Near", check=_near, **_text(), **_HITS, field="near",
        help="A word or a token in CQL that must stand near the hit",
    ),
    FreeText(
        "notnear", "Not near", check=_near, **_text(), **_HITS, field="not_near",
        help="A word or a token in CQL that must not",
    ),
    FreeText(
        "reach", "Reach", "5,5", check=_reach, **_text(20), **_HITS, field="reach",
        has_chip=False, help="Tokens left and right that these two look at",
    ),
    OneOf(
        "overlap", "Overlapping hits", (("all", "a line each"), ("join", "in one line")),
        "is nothing to do with hits that overlap: all or join.", **_HITS, field="overlaps",
        help="What becomes of hits that overlap",
    ),
    OneOf(
        "one", "Of each text",
        (("", "all hits"), ("text", "the first hit"), ("random", "a random hit")),
        "is no choice of hits: text or random.", **_HITS, field="one_each",
        help="Which hits of a text are kept",
    ),
    _Sort(
        "sort", "Sort", "new", check=_sort, **_text(), **_BRIEF,
        help="Up to three of new, old, good, random, pub, node, l1 to l5, r1 to r5, with commas",
    ),
    FreeText(
        "sample", "Sample", check=_sample, **_text(20), **_BRIEF,
        help="So many random hits, or a share such as 10%",
    ),
    WholeNumber(
        "seed", "Seed", 1, **_number(0, MAX_SEED), **_BRIEF,
        help="Of the sample: equal seeds give equal samples",
    ),
    OneOf(
        "view", "View", (("kwic", "KWIC"), ("sentence", "Sentence"), ("wide", "Wide")),
        "is no view: kwic, sentence or wide.", **_DISPLAY,
        help="Words around the hit, its sentence, or the sentences around too",
    ),
    OneOf(
        "show", "Words with",
        (("", "nothing else"), ("tags", "their tags"), ("lemmas", "their lemmas"),
         ("both", "lemmas and tags")),
        "is nothing to show with words: tags, lemmas or both.", **_DISPLAY,
        help="What stands beside each word of the lines, and in columns of a file",
    ),
    WholeNumber("ctx", "Context", 12, **_number(1, MAX_CONTEXT), **_DISPLAY,
                help="Words on each side"),
    WholeNumber("n", "Lines", 50, **_number(1, MAX_LINES), **_DISPLAY, help="Lines an answer"),
    FreeText(
        "after", "Place in the list", **_text(), **_BRIEF, check=_place,
        help="The value of “next” or “previous” in an answer: pages of one generation",
    ),
    FreeText("hit", "Hit", check=_hit, **_text(MAX_QUERY_LENGTH), **_BRIEF),
    _Generation(
        "asof", "Generation", None, **_number(1, MOST_GENERATIONS), group=ParameterGroup.GENERATION,
        says_limits=False, help="Search the corpus as it was at this generation",
    ),
)  # fmt: skip

BY_NAME = {parameter.name: parameter for parameter in PARAMETERS}
DEFAULTS = {parameter.name: parameter.default for parameter in PARAMETERS}


def _named(*groups: ParameterGroup) -> tuple[str, ...]:
    return tuple(parameter.name for parameter in PARAMETERS if parameter.group in groups)


# What narrows the corpus.
FILTERS = _named(ParameterGroup.FILTER)
# What narrows the hits of a query; the reach goes with what it is the reach of.
OF_HITS = _named(ParameterGroup.HITS)
HIT_FILTERS = tuple(name for name in OF_HITS if BY_NAME[name].has_chip)
# How a concordance is shown: nothing that numbers rest on.
DISPLAY = frozenset(_named(ParameterGroup.DISPLAY))
