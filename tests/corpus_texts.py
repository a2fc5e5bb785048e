"""Texts of corpus files for tests: by hand, by chance, and as bytes in a source."""

import datetime as dt
import io

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from search.engine.exchange.source import Source, decompressed
from search.engine.exchange.texts import PLAIN_COLUMNS, CorpusText, ReadingReport, TextColumns
from search.engine.index.documents import DocumentKind

# Machines are busy; how long an example takes is no property of the code.
SETTINGS = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
MAX_SECONDS = 4_000_000_000


def source_of(data: bytes | str, name: str = "corpus.vrt") -> Source:
    """Make a source of what a file holds."""
    raw = data.encode() if isinstance(data, str) else data
    return Source(name, decompressed(io.BufferedReader(io.BytesIO(raw))))


def plain(text: CorpusText) -> tuple:
    """All of a text in values that compare by content."""
    spaces = None if text.space_before is None else list(text.space_before)
    return text.columns, [tuple(token) for token in text.tokens], text.sentences, spaces


def read_all(reader, data, *arguments) -> tuple[list[tuple], ReadingReport]:
    """Read a file with one of the readers."""
    report = ReadingReport()
    texts = reader(source_of(data), *arguments, report)
    return [plain(text) for text in texts], report


def columns(characters) -> st.SearchStrategy[TextColumns]:
    """Columns of texts; a text with a moment has the day it lies in."""
    words = st.text(characters, max_size=8).map(str.strip)
    moments = st.one_of(st.none(), st.integers(-MAX_SECONDS, MAX_SECONDS))

    def with_day(values: dict) -> TextColumns:
        seconds = values["published_seconds"]
        day = None if seconds is None else dt.date(1970, 1, 1) + dt.timedelta(seconds=seconds)
        return TextColumns(day=day, **values)

    return st.fixed_dictionaries(
        {
            "name": words.filter(bool),
            "kind": st.sampled_from(DocumentKind),
            "published_seconds": moments,
            "ingested_seconds": moments,
        }
        | dict.fromkeys(PLAIN_COLUMNS, words)
    ).map(with_day)


@st.composite
def texts(draw, characters, *, has_spaces: bool | None = None) -> CorpusText:
    """Texts with sentences; ``has_spaces`` None draws whether white space is known."""
    words = st.text(characters, min_size=1, max_size=6).map(str.strip).filter(bool)
    tokens = draw(st.lists(st.tuples(words, words, words), max_size=12))
    starts = draw(st.sets(st.integers(0, 12), max_size=4))
    starts = sorted({0, *starts} & set(range(len(tokens))))
    known = draw(st.booleans()) if has_spaces is None else has_spaces
    spaces = None
    if known:
        spaces = draw(st.lists(st.booleans(), min_size=len(tokens), max_size=len(tokens)))
        spaces = [False, *spaces[1:]] if spaces else []
    return CorpusText(draw(columns(characters)), tokens, starts, spaces)
