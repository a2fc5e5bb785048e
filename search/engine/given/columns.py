"""Columns of tables, keys of objects and attributes of texts, by the names that people give them.

Input → output: a name → the field of a text it stands for; values by their names → a text.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from search.engine.given.texts import MAX_FIELD_CHARACTERS, FileProblem, GivenText, Understood

TEXT = "text"
# What each field is called in files, in lower case without spaces and signs.
NAMES = {
    TEXT: "text body content fulltext articletext maintext storytext",
    "name": "id name key textid docid documentid identifier",
    "title": "title headline heading",
    "standfirst": "standfirst description subtitle summary abstract lead",
    "authors": "author authors byline writer creator",
    "section": "section category desk rubric topic genre",
    "tags": "tags keywords",
    "language": "language lang",
    "url": "url link address uri sourceurl permalink",
    "date": "date published publishedat publicationdate pubdate datepublished day time datetime "
    "year",
}
FIELDS = tuple(NAMES)
# Of names and of authors: a report shows a hundred names, an anthology has as many authors.
MAX_NOTED = 1_000
# Columns that are none of ours: as many as a table can be looked through by, in words as long as a
# choice of a list may be.
MAX_OWN = 30
MAX_OWN_NAME, MAX_OWN_VALUE = 60, 200
MAX_VALUES = 1_000
_FIELD_OF = {name: field for field, names in NAMES.items() for name in names.split()}
_SIGNS = re.compile(r"[\W_]+")


def field_of(name: str, chosen: Mapping[str, str]) -> str:
    """Say which field a column stands for; "" for none. `chosen` is field → column.

    Examples
    --------
    >>> field_of("Publication date", {}), field_of("Inhalt", {"text": "Inhalt"})
    ('date', 'text')
    """
    for field, column in chosen.items():
        if column.strip().casefold() == name.strip().casefold():
            return field
    found = _FIELD_OF.get(_SIGNS.sub("", name.casefold()), "")
    return "" if found in chosen else found


def chosen_columns(words: str) -> dict[str, str]:
    """Read which columns somebody names: "text=Inhalt, title=Titel".

    Raises
    ------
    ValueError
        With a sentence.
    """
    chosen = {}
    for part in filter(str.strip, words.split(",")):
        field, sign, column = (one.strip() for one in part.partition("="))
        if not sign or not column or field not in FIELDS:
            known = ", ".join(FIELDS)
            raise ValueError(
                f"“{part.strip()}” names no column: write field=column. Fields: {known}."
            )
        chosen[field] = column
    return chosen


def fields_of(names: Iterable[str], chosen: Mapping[str, str], told: Understood) -> list[str]:
    """Say for each column which field it is, "" for others; the first of a field counts.

    Raises
    ------
    FileProblem
        Where no column holds the text.
    """
    columns = list(names)
    taken: dict[str, None] = {}
    fields = []
    for column in columns:
        field = field_of(column, chosen)
        fields.append("" if field in taken else field)
        taken[field] = None
        note(told, column, fields[-1])
    if TEXT not in fields:
        listed = ", ".join(column[:40] for column in columns[:20] if column.strip())
        words = "Name it among the columns: text=…"
        raise FileProblem(
            f"no column is known as that of the text; there are: {listed}. {words}", 1
        )
    return fields


def note(told: Understood, column: str, field: str) -> None:
    """Keep what became of a column, for the report; a file may name millions."""
    if field and len(told.columns) < MAX_NOTED:
        told.columns[column[:80]] = field
    elif column and not field and own_name(column):
        if own_name(column) in told.own or len(told.own) < MAX_OWN:
            told.own[own_name(column)] = None
        elif len(told.not_kept) < MAX_NOTED:
            told.not_kept[column[:80]] = None


def own_name(column: str) -> str:
    """Name a column that is none of ours; a colon stands between name and value elsewhere.

    Examples
    --------
    >>> own_name(" Place: of  birth ")
    'Place of birth'
    """
    return " ".join(column.replace(":", " ").split())[:MAX_OWN_NAME].strip()


def own_values(values: Iterable[tuple[str, Any]], told: Understood) -> tuple[tuple[str, str], ...]:
    """Keep the values of columns that are none of ours, as one line each; the first of a name."""
    found: dict[str, str] = {}
    for column, value in values:
        name = own_name(column)
        if name not in told.own or not isinstance(value, str | int | float):
            continue
        if words := " ".join(str(value).split())[:MAX_OWN_VALUE].strip():
            found.setdefault(name, words)
    return tuple(found.items())


def text_of(
    values: Mapping[str, Any], line: int, own_columns: tuple[tuple[str, str], ...] = ()
) -> GivenText:
    """Make a text of values by field; lists become several authors or tags."""
    own = {field: value for field, value in values.items() if value is not None}
    return GivenText(
        text=str(own.get(TEXT, "")),
        line=line,
        own=own_columns,
        authors=several(own.get("authors", ())),
        tags=several(own.get("tags", ())),
        **{
            field: " ".join(str(own.get(field, "")).split())[:MAX_FIELD_CHARACTERS]
            for field in ("name", "title", "standfirst", "section", "language", "url", "date")
        },
    )


def several(value: Any) -> tuple[str, ...]:
    """Give the parts of a list, or of words with semicolons between them; not more than 1,000."""
    parts = value if isinstance(value, list | tuple) else str(value).split(";", MAX_VALUES)
    words = (" ".join(str(part).split())[:MAX_FIELD_CHARACTERS] for part in parts[:MAX_VALUES])
    return tuple(dict.fromkeys(filter(None, words)))
