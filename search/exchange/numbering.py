"""Texts of a file on their way into an index: numbers for names, clusters and parents.

Input → output: columns of texts in file order → ``IndexDocument`` values with the keys 1, 2, 3 ….
"""

from dataclasses import replace

from search.exchange.texts import CorpusText, ReadingReport, TextColumns
from search.index.documents import IndexDocument

# Above all keys: number of a cluster whose original has not come yet.
FIRST_LATER_KEY = 1 << 40


class DocumentNumbering:
    """Gives keys to texts and keeps their names.

    ``original`` and ``parent`` name texts that came earlier in the file. Copies of a text that
    comes later, or never, still form one cluster; the report says so.
    """

    def __init__(self, report: ReadingReport) -> None:
        self.names: list[str] = []
        self.report = report
        self._keys: dict[str, int] = {}
        self._later: dict[str, int] = {}
        self._stories: dict[str, int] = {}

    def columns(self, columns: TextColumns) -> IndexDocument:
        """Return the document of the next text without its tokens."""
        key = len(self.names) + 1
        name = columns.name or str(key)
        self.names.append(name)
        if self._keys.setdefault(name, key) != key:
            self.report.remarks.add("Some texts have the id of an earlier one.")
        if name in self._later:
            self.report.remarks.add("Some texts come before the one they are a copy of.")
        return IndexDocument(
            key=key,
            kind=columns.kind,
            tokens=(),
            publication=columns.publication,
            section=columns.section,
            author=columns.author,
            language=columns.language,
            published_seconds=columns.published_seconds or 0,
            ingested_seconds=columns.ingested_seconds or 0,
            day=columns.day,
            duplicate_cluster=self._cluster(columns.original, name),
            story_cluster=self._story(columns.story),
            parent_key=self._keys.get(columns.parent, 0),
        )

    def document(self, text: CorpusText) -> IndexDocument:
        """Return the document of the next text."""
        empty = self.columns(text.columns)
        return replace(
            empty,
            tokens=text.tokens,
            sentence_starts=text.sentence_starts,
            space_before=text.space_before,
        )

    def _cluster(self, original: str, own: str) -> int:
        if not original or original == own:
            return 0
        known = self._keys.get(original)
        if known is not None:
            return known
        return self._later.setdefault(original, FIRST_LATER_KEY + len(self._later))

    def _story(self, name: str) -> int:
        return self._stories.setdefault(name, len(self._stories) + 1) if name else 0
