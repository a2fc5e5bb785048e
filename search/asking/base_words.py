"""Words for the base: what each filter says of the texts that numbers rest on.

Together they are one phrase: `articles of Karoo Courier from 1 Sep 2026, copies counted once`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date

from extraction.text.language_names import language_name
from presentation.wording.figures import grouped
from presentation.wording.times import day
from search.asking.parts import part_words
from search.asking.values import PublicationNames, kept_and_left_out
from search.engine.index.documents import DocumentKind, DocumentRights
from search.engine.query.filters import Copies, DocumentSet, Stories
from search.engine.statistics.slices import Slice
from search.wording.slice_words import slice_words

KINDS: dict[str, frozenset[DocumentKind]] = {
    "articles": frozenset({DocumentKind.ARTICLE}),
    "comments": frozenset({DocumentKind.COMMENT}),
    "posts": frozenset({DocumentKind.POST}),
    "both": frozenset(),  # all of them
}
# Where texts come from.
NEWSPAPERS, COLLECTIONS = "newspapers", "collections"
_KIND_WORDS = {
    KINDS["articles"]: "articles",
    KINDS["comments"]: "comments",
    KINDS["posts"]: "posts",
    KINDS["both"]: "articles, comments and posts",
}
_COPIES_WORDS = {
    Copies.ONCE: "copies counted once",
    Copies.ALL: "every copy counted",
    Copies.ORIGINALS: "originals only",
}

_RIGHTS_WORDS = {
    DocumentRights.NONE: " of which no rights are reserved or granted",
    DocumentRights.RESERVED: " with reserved rights",
    DocumentRights.GRANTED: " with granted rights",
}


def of_kinds(kinds: frozenset[DocumentKind], _: PublicationNames) -> str:
    return _KIND_WORDS.get(kinds) or part_words(kinds)


def of_publications(slugs: Sequence[str], publications: PublicationNames) -> str:
    kept, left_out = (
        [publications.get(slug, slug) for slug in part] for part in kept_and_left_out(slugs)
    )
    words = f" of {_list(kept)}" if kept else ""
    return words + (f" without {_list(left_out)}" if left_out else "")


@dataclass(frozen=True, slots=True)
class Tagged:
    """Tags that were asked for and left out, with the publications that come of it."""

    kept: tuple[str, ...]
    left_out: tuple[str, ...]
    slugs: tuple[str, ...]


def of_tags(tagged: Tagged | None, _: PublicationNames) -> str:
    """Say whose texts count: “ of publications tagged “daily””."""
    if tagged is None:
        return ""
    kept, left_out = ([f"“{name}”" for name in part] for part in (tagged.kept, tagged.left_out))
    words = f" of publications tagged {_list(kept)}" if kept else ""
    return words + (f" of no publication tagged {_list(left_out)}" if left_out else "")


@dataclass(frozen=True, slots=True)
class Origin:
    """Whether the texts of newspapers or of collections count, with the publications of it."""

    name: str
    slugs: tuple[str, ...]


def of_origin(origin: Origin | None, _: PublicationNames) -> str:
    if origin is None:
        return ""
    return " of collections" if origin.name == COLLECTIONS else " of newspapers"


def of_crawl(number: int | None, _: PublicationNames) -> str:
    return "" if number is None else f" that crawl {number} found"


@dataclass(frozen=True, slots=True)
class OwnColumns:
    """Columns with their values that were asked for, and the texts that have them."""

    pairs: tuple[tuple[str, str], ...]
    texts: DocumentSet


def of_own_columns(columns: OwnColumns | None, _: PublicationNames) -> str:
    if columns is None:
        return ""
    return f"; only {_list([f'{name} “{value}”' for name, value in columns.pairs])}"


def of_names(before: str) -> Callable[[Sequence[str], PublicationNames], str]:
    """Say names of a column behind a word such as “by”."""

    def words(values: Sequence[str], _: PublicationNames) -> str:
        kept, left_out = ([f"“{name}”" for name in part] for part in kept_and_left_out(values))
        words = f" {before} {_list(kept)}" if kept else ""
        return words + (f" not {before} {_list(left_out)}" if left_out else "")

    return words


def of_languages(codes: Sequence[str], _: PublicationNames) -> str:
    return f" in {_list([language_name(code) for code in codes])}" if codes else ""


def of_day(before: str) -> Callable[[date | None, PublicationNames], str]:
    """Say a day behind “from” or “to”."""
    return lambda moment, _: f" {before} {day(moment)}" if moment else ""


def of_undated(is_undated: bool | None, _: PublicationNames) -> str:
    if is_undated is None:
        return ""
    return " without a date" if is_undated else " with a date"


def of_changed(is_changed: bool | None, _: PublicationNames) -> str:
    if is_changed is None:
        return ""
    return " that were changed since" if is_changed else " that stand as they were first seen"


def of_rights(rights: DocumentRights | None, _: PublicationNames) -> str:
    return "" if rights is None else _RIGHTS_WORDS[rights]


def of_copies(copies: Copies, _: PublicationNames) -> str:
    return f", {_COPIES_WORDS[copies]}"


def of_stories(stories: Stories, _: PublicationNames) -> str:
    return ", each story once" if stories is Stories.ONCE else ""


def of_newcomers(generation: int | None, _: PublicationNames) -> str:
    if generation is None:
        return ""
    return f", only what came in after generation {grouped(generation)}"


def of_slices(slices: Sequence[Slice], publications: PublicationNames) -> str:
    return "".join(f"; only {slice_words(str(one), publications)}" for one in slices)


def _list(words: Sequence[str]) -> str:
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
