"""Columns of a text in the header of TEI, read and written.

===================================  ==============================================
titleStmt/title, titleStmt/author    title; author (several joined by ``; ``)
publicationStmt/publisher            publication
publicationStmt/date/@when           date, and published where it has a time
publicationStmt/idno                 id
notesStmt/note[@type]                agency, ingested, original, story, parent, changed, rights
profileDesc/langUsage/language       language, from ``@ident``
profileDesc/textClass/classCode      kind, section: ``@scheme`` is ``#kind``, ``#section``
===================================  ==============================================

References
----------
TEI Consortium, *TEI P5: Guidelines for Electronic Text Encoding and Interchange*, chapter 2.
"""

from collections.abc import Iterator

from lxml import etree

from search.engine.exchange.tei_text import element, plain_text, written_text
from search.engine.exchange.texts import TextColumns, attributes_of

NOTES = ("agency", "ingested", "original", "story", "parent", "changed", "rights")
CLASSES = ("kind", "section")
AUTHOR_SIGN = "; "


def read_header(header: etree._Element) -> dict[str, str]:
    """Return the columns of a ``teiHeader`` as attributes.

    Raises
    ------
    BadTextError
        If a value holds an entity.
    """
    found = {
        "title": _first(header, "fileDesc", "titleStmt", "title"),
        "author": AUTHOR_SIGN.join(_values(header, "fileDesc", "titleStmt", "author")),
        "publication": _first(header, "fileDesc", "publicationStmt", "publisher"),
        "id": _first(header, "fileDesc", "publicationStmt", "idno"),
    }
    for date in _children(header, "fileDesc", "publicationStmt", "date"):
        found |= _date(date)
    for note in _children(header, "fileDesc", "notesStmt", "note"):
        if note.get("type") in NOTES:
            found[note.get("type", "")] = plain_text(note)
    for language in _children(header, "profileDesc", "langUsage", "language")[:1]:
        found["language"] = language.get("ident", "")
    for code in _children(header, "profileDesc", "textClass", "classCode"):
        scheme = code.get("scheme", "").removeprefix("#")
        if scheme in CLASSES:
            found[scheme] = plain_text(code)
    return {name: value for name, value in found.items() if value}


def _date(date: etree._Element) -> dict[str, str]:
    """Read ``<date when="…">``; what else a date element may say is prose."""
    when = date.get("when", "")
    name = "published" if date.get("type") == "published" else "date"
    return {name: when} if when else {}


def _children(parent: etree._Element, *path: str) -> list[etree._Element]:
    found = [parent]
    for name in path:
        found = [child for one in found for child in one if _is(child, name)]
    return found


def _is(child: etree._Element, name: str) -> bool:
    return isinstance(child.tag, str) and child.tag.rpartition("}")[2] == name


def _values(parent: etree._Element, *path: str) -> list[str]:
    return [text for child in _children(parent, *path) if (text := plain_text(child))]


def _first(parent: etree._Element, *path: str) -> str:
    return next(iter(_values(parent, *path)), "")


# Writing


def header_lines(columns: TextColumns) -> Iterator[str]:
    """Write the header of a text."""
    values = attributes_of(columns)
    yield "<teiHeader>\n<fileDesc>\n"
    yield f"<titleStmt>{element('title', values.get('title') or values.get('id', ''))}"
    yield f"{element('author', values['author']) if 'author' in values else ''}</titleStmt>\n"
    yield "<publicationStmt>"
    yield element("publisher", values.get("publication", ""))
    if "date" in values:
        yield element("date", values["date"], when=values["date"])
    if "published" in values:
        yield element("date", values["published"], type="published", when=values["published"])
    if "id" in values:
        yield element("idno", values["id"])
    yield "</publicationStmt>\n"
    notes = [element("note", values[name], type=name) for name in NOTES if name in values]
    if notes:
        yield f"<notesStmt>{''.join(notes)}</notesStmt>\n"
    yield "<sourceDesc><p>A corpus of tokens.</p></sourceDesc>\n</fileDesc>\n<profileDesc>\n"
    if "language" in values:
        language = element("language", values["language"], ident=values["language"])
        yield f"<langUsage>{language}</langUsage>\n"
    codes = [element("classCode", values[n], scheme=f"#{n}") for n in CLASSES if n in values]
    yield f"<textClass>{''.join(codes)}</textClass>\n</profileDesc>\n</teiHeader>\n"


CORPUS_HEADER = (
    "<teiHeader>\n<fileDesc>\n"
    f"<titleStmt>{element('title', 'Corpus')}</titleStmt>\n"
    f"<publicationStmt><p>{written_text('Exported for exchange.')}</p></publicationStmt>\n"
    "<sourceDesc><p>See the header of each text.</p></sourceDesc>\n</fileDesc>\n</teiHeader>\n"
)
