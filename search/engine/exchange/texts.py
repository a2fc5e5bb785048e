"""A text of a corpus file: its columns and its tokens, the same for all formats.

Input → output: attributes as files spell them ↔ ``TextColumns``; a text ↔ the index's documents.
All formats use the same names of columns:

=============  =====================================================================
id             name of the text
publication    newspaper
section        part of the newspaper
date           day of publication, ``2026-11-20``; also ``2026-11``, ``2026``, ``20261120``
author         names as printed
agency         news agencies that sign it, beside the authors or alone
kind           ``article`` or ``comment``
language       BCP 47 code
title          headline
published      moment of publication, ``2026-11-20T08:30:00Z``; without it midnight UTC of the date
ingested       moment the text came into the corpus
original       id of the text this one is a near-duplicate of
story          name of the event it reports
parent         for a comment the id of its article
changed        ``yes`` where its page had shown another text before; else left out
rights         what its site says of text mining: ``reserved``, ``granted``; else left out
=============  =====================================================================
"""

import datetime as dt
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from search.engine.exchange.errors import BadTextError
from search.engine.index.documents import UNIX_EPOCH, WORDED_COLUMNS, DocumentKind, DocumentRights
from search.engine.index.lexicon.builder import FORM_LIMIT

COLUMNS = ("word", "lemma", "pos")  # of a token
MAX_TOKEN_CHARACTERS = 10_000  # of one column; above FORM_LIMIT the index cuts
MAX_TEXT_TOKENS = 1 << 25  # of one text, which is held in memory: about 4 GB
DAY_SECONDS = 86_400
COLUMN_NAMES = (
    "id", "publication", "section", "date", "author", "agency", "kind", "language", "title",
    "published", "ingested", "original", "story", "parent", "changed", "rights",
)  # fmt: skip
PLAIN_COLUMNS = (
    "publication", "section", "author", "agency", "language", "title", "original", "story",
    "parent",
)  # fmt: skip
KINDS = {kind.label: kind for kind in DocumentKind}
RIGHTS = {rights.label: rights for rights in DocumentRights}
PARTIAL_DATE = re.compile(r"(\d{4})(?:-(\d\d)(?:-(\d\d))?)?")

Token = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class TextColumns:
    """What is known of a text; empty or None where nothing is.

    ``published_seconds`` and ``ingested_seconds`` count from 1970-01-01 UTC.
    """

    name: str = ""
    kind: DocumentKind = DocumentKind.ARTICLE
    publication: str = ""
    section: str = ""
    author: str = ""
    agency: str = ""
    language: str = ""
    title: str = ""
    day: dt.date | None = None
    published_seconds: int | None = None
    ingested_seconds: int | None = None
    original: str = ""
    story: str = ""
    parent: str = ""
    is_changed: bool = False
    rights: DocumentRights = DocumentRights.NONE


@dataclass(frozen=True, slots=True)
class CorpusText:
    """A text with tokens.

    Parameters
    ----------
    tokens : sequence of (word, lemma, tag)
        Lemma and tag are empty where the file has none.
    sentence_starts : sequence of int
        Token numbers, ascending.
    space_before : sequence of bool or None
        Per token, did white space stand before it; False for the first. None if unknown.
    """

    columns: TextColumns
    tokens: Sequence[Token]
    sentence_starts: Sequence[int]
    space_before: Sequence[bool] | None = None

    @property
    def sentences(self) -> list[tuple[int, int]]:
        """Half-open spans of tokens; a text with tokens starts a sentence at its first."""
        n = len(self.tokens)
        edges = [*sorted({0, *(start for start in self.sentence_starts if start < n)}), n]
        return list(pairwise(edges)) if n else []


@dataclass(slots=True)
class ReadingReport:
    """What a reader met and did not keep, for the user to see; sets of names."""

    tags: set[str] = field(default_factory=set)
    attributes: set[str] = field(default_factory=set)
    remarks: set[str] = field(default_factory=set)

    def sentences(self) -> list[str]:
        """Return the report as sentences."""
        said = sorted(self.remarks)
        if self.attributes:
            said.append(f"Attributes that are not kept: {', '.join(sorted(self.attributes))}.")
        if self.tags:
            said.append(f"Tags that are not kept: {', '.join(sorted(self.tags))}.")
        return said


def checked_token(token: Token, report: ReadingReport) -> Token:
    """Return a token if it can be kept.

    Raises
    ------
    BadTextError
        With the reason, if its word is empty or a column too long.
    """
    longest = max(map(len, token))
    if longest > MAX_TOKEN_CHARACTERS:
        raise BadTextError(
            f"a token of {longest:,} characters; {MAX_TOKEN_CHARACTERS:,} are allowed"
        )
    if longest > FORM_LIMIT:
        report.remarks.add(f"Tokens of more than {FORM_LIMIT} characters are cut in the index.")
    if not token[0]:
        raise BadTextError("the word is empty")
    if "\0" in token[0] or "\0" in token[1] or "\0" in token[2]:
        raise BadTextError("a NUL byte")
    return token


def columns_of(attributes: Mapping[str, str], report: ReadingReport) -> TextColumns:
    """Read the columns of a text from attributes; unknown names go to the report.

    Raises
    ------
    BadTextError
        With the reason, if a date or moment cannot be read, or a column has a NUL in it.
    """
    for name in COLUMN_NAMES:
        if "\0" in attributes.get(name, ""):
            raise BadTextError(f"“{name}” has a NUL byte in it")
    report.attributes.update(name for name in attributes if name not in COLUMN_NAMES)
    kind = attributes.get("kind", "")
    if kind and kind not in KINDS:
        report.remarks.add(f"Texts of the kind “{kind}” count as articles.")
    day = _read_day(attributes.get("date", ""))
    published = _read_moment(attributes.get("published", ""))
    if day is None and published is not None:
        day = UNIX_EPOCH + dt.timedelta(seconds=published)
    if published is None and day is not None:
        published = (day - UNIX_EPOCH).days * DAY_SECONDS
    if day is None:
        report.remarks.add("Texts without a date are in no filter or count by time.")
    return TextColumns(
        name=attributes.get("id", ""),
        kind=KINDS.get(kind, DocumentKind.ARTICLE),
        day=day,
        published_seconds=published,
        ingested_seconds=_read_moment(attributes.get("ingested", "")),
        is_changed=_known(attributes, "changed", report) == "yes",
        rights=RIGHTS[_known(attributes, "rights", report) or DocumentRights.NONE.label],
        **{name: attributes.get(name, "") for name in PLAIN_COLUMNS},
    )


def attributes_of(columns: TextColumns) -> dict[str, str]:
    """Write the columns of a text as attributes, in a fixed order, without empty ones."""
    values = {name: getattr(columns, name) for name in PLAIN_COLUMNS}
    values |= {"id": columns.name, "kind": columns.kind.label}
    values["changed"] = "yes" if columns.is_changed else ""
    values["rights"] = columns.rights.label if columns.rights else ""
    if columns.day is not None:
        values["date"] = columns.day.isoformat()
        midnight = (columns.day - UNIX_EPOCH).days * DAY_SECONDS
        if columns.published_seconds not in (None, midnight):
            values["published"] = _write_moment(columns.published_seconds)
    if columns.ingested_seconds is not None:
        values["ingested"] = _write_moment(columns.ingested_seconds)
    return {name: values[name] for name in COLUMN_NAMES if values.get(name)}


def _known(attributes: Mapping[str, str], name: str, report: ReadingReport) -> str:
    """Return a value of a column that has few; another one goes to the report, as if not said."""
    value = attributes.get(name, "")
    if value and value not in WORDED_COLUMNS[name].values():
        report.remarks.add(f"“{name}” is not known as “{value[:40]}”; it is left out.")
        return ""
    return value


def _read_day(text: str) -> dt.date | None:
    """Read a date; of a partial one the first day; of a moment the day it names."""
    if not text:
        return None
    partial = PARTIAL_DATE.fullmatch(text)
    try:
        if partial:
            year, month, day = partial.groups(default="1")
            return dt.date(int(year), int(month), int(day))
        return dt.datetime.fromisoformat(text).date()
    except ValueError:
        raise BadTextError(f"the date {text[:40]!r} is not like 2026-11-20") from None


def _read_moment(text: str) -> int | None:
    """Read a moment as seconds since 1970-01-01; without a zone it is UTC."""
    if not text:
        return None
    try:
        moment = dt.datetime.fromisoformat(text)
    except ValueError:
        message = f"the moment {text[:40]!r} is not like 2026-11-20T08:30:00Z"
        raise BadTextError(message) from None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=dt.UTC)
    return int((moment - dt.datetime(1970, 1, 1, tzinfo=dt.UTC)).total_seconds() // 1)


def _write_moment(seconds: int | None) -> str:
    moment = dt.datetime(1970, 1, 1, tzinfo=dt.UTC) + dt.timedelta(seconds=seconds or 0)
    return moment.isoformat().replace("+00:00", "Z")
