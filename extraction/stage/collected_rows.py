"""Article rows of texts that somebody gave to a collection; the writer of `CollectedText`.

A text is known again by its name, or by all that is said of it where it has none. What is the same
changes nothing; other words under a known name are a version. Of two texts that one import names
alike, the second is known by all that is said of it.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import NamedTuple

from django.utils.functional import cached_property

from extraction.models import Article, CollectedField, CollectedText
from extraction.models.article import SECTION_CHARACTERS
from extraction.stage import corrections, versioning
from extraction.stage.article_rows import place_rows, set_languages
from extraction.text.digest import text_digest
from extraction.text.language import NAMES
from extraction.text.paragraph_languages import TextLanguages, text_languages
from feeds.models import Publication
from feeds.tombstones import buried
from feeds.work.row_updates import update_rows

# Where a field was found, for the article's page.
SOURCE = "the given file"
LANGUAGE_GIVEN = "As the file or its import says."
_MAX_NAME = 500  # what the columns hold
_MAX_URL = 2_048
_KEY_BYTES = 32
_UPDATED = [
    "url", "title", "standfirst", "authors", "section", "tags", "published_at", "published_offset",
    "dated_at", "text", "text_digest", "n_words", "kind", "in_corpus", "reason", "language",
    "language_reason", "unknown_share", "running_unknown_share", "other_languages", "sources",
    "disagreements", "n_versions", "changed_at", "updated_at", "withdrawn_at",
]  # fmt: skip


@dataclass(frozen=True)
class TextToCollect:
    """A text in its stored form, a paragraph a line, with what its file says of it.

    `language` is a code that was given, `expected` what a collection is in: a prior. Moments have
    a zone. `own` are columns of the file that are none of ours, each once, with their values.
    """

    text: str
    file_name: str = ""
    name: str = ""
    title: str = ""
    standfirst: str = ""
    authors: tuple[str, ...] = ()
    section: str = ""
    tags: tuple[str, ...] = ()
    language: str = ""
    expected: tuple[str, ...] = ()
    url: str = ""
    published_at: datetime | None = None
    own: tuple[tuple[str, str], ...] = ()

    @cached_property
    def languages(self) -> TextLanguages:
        """Judge its language; dear, so it is asked for before rows are held."""
        expected = (self.language,) if self.language else self.expected
        return text_languages(self.text, expected, self.language)

    @cached_property
    def digest(self) -> str:
        """Digest of all that was given but its file and what is expected."""
        return _digest(f"{self._said}{json.dumps(self.own)}") if self.own else _digest(self._said)

    @property
    def _said(self) -> str:
        said = asdict(replace(self, file_name="", expected=(), own=()))
        del said["own"]  # texts were known by all else before there were such columns
        return json.dumps(said, sort_keys=True, default=str)

    def keys_in(self, collection: Publication) -> "TextKeys":
        """Give the keys by which it may be known."""
        place = collection.name.casefold()
        return TextKeys(
            by_name=_digest(f"{place}\0name\0{self.name}") if self.name else "",
            by_all=_digest(f"{place}\0all\0{_digest(self._said)}"),
            by_columns=_digest(f"{place}\0columns\0{self.digest}"),
        )


class TextKeys(NamedTuple):
    """Keys of a text: by its name, "" without one; by all of it; by that and its other columns.

    The last one is that of a text whose words another text of the same import has as well.
    """

    by_name: str
    by_all: str
    by_columns: str


@dataclass(slots=True)
class Collected:
    """What became of texts: the keys of articles that are new or changed, and how many are not."""

    new: list[int]
    changed: list[int]
    n_known: int = 0
    n_erased: int = 0  # may not come back


def prepare(collection: Publication, texts: Sequence[TextToCollect]) -> None:
    """Judge the languages of the texts that are not known as they are, before any row is held."""
    keys = {key for text in texts for key in text.keys_in(collection) if key}
    rows = CollectedText.objects.filter(collection=collection, key__in=keys)
    known = set(rows.values_list("given_digest", flat=True))
    for text in texts:
        if text.digest not in known:
            _ = text.languages


def store(
    collection: Publication, texts: Iterable[TextToCollect], import_number: int, now: datetime
) -> Collected:
    """Write the texts of a slice of an import. Needs a transaction.

    The collection's row is held meanwhile: of two imports into one, the second waits.
    """
    Publication.objects.select_for_update().get(pk=collection.pk)
    given = list(texts)
    keys = [text.keys_in(collection) for text in given]
    wanted = {key for pair in keys for key in pair if key}
    gone = buried(wanted)
    rows = CollectedText.objects.filter(collection=collection, key__in=wanted)
    known = {row.key: row for row in rows.select_related("article")}
    written = _Written(collection, import_number, now)
    result = Collected([], [])
    for text, of_text in zip(given, keys, strict=True):
        if gone.intersection(of_text):
            result.n_erased += 1
        elif not written.take(text, of_text, known):
            result.n_known += 1
    written.write()
    result.new = [row.pk for row in written.new]
    result.changed = [row.pk for row in written.changed]
    return result


class _Written:
    """Rows that are to be written, in the order of their texts."""

    def __init__(self, collection: Publication, import_number: int, now: datetime) -> None:
        self._collection = collection
        self._number = import_number
        self._now = now
        self.new: list[Article] = []
        self.changed: list[Article] = []
        self._collected: list[CollectedText] = []  # of the new ones, in their order
        self._seen: dict[int, CollectedText] = {}
        self._own: list[tuple[Article, tuple[tuple[str, str], ...]]] = []

    def take(self, text: TextToCollect, keys: TextKeys, known: dict[str, CollectedText]) -> bool:
        """Plan what a text changes; False where it changes nothing."""
        by_name, by_all, by_columns = keys
        row = known.get(by_columns) or known.get(by_all) or known.get(by_name)
        if row is None:
            known[by_name or by_all] = self._begin(text, by_name or by_all)
            return True
        if row.given_digest == text.digest:
            self._see(row)
            return False
        if row.seen_in == self._number:  # another text of this import has this name, or these words
            key = by_all if row.key == by_name else by_columns
            known[key] = self._begin(text, key)
            return True
        self._change(row, text)
        return True

    def _begin(self, text: TextToCollect, key: str) -> CollectedText:
        article = Article(
            publication=self._collection, created_at=self._now, dated_at=self._now, n_versions=1
        )
        _fill(article, text, self._now)
        self._own.append((article, text.own))
        row = CollectedText(collection=self._collection, key=key)
        self._describe(row, text)
        self.new.append(article)
        self._collected.append(row)
        return row

    def _change(self, row: CollectedText, text: TextToCollect) -> None:
        article = row.article
        if article.text != text.text:
            fields: Mapping[str, object] = {
                "title": text.title,
                "standfirst": text.standfirst,
                "authors": list(text.authors),
                "section": text.section[:SECTION_CHARACTERS],
                "published_at": text.published_at,
            }
            versioning.keep_given(article, text.text, fields, self._now)
        _fill(article, text, self._now)
        self._own.append((article, text.own))
        self._describe(row, text)
        self._see(row)
        self.changed.append(article)

    def _describe(self, row: CollectedText, text: TextToCollect) -> None:
        row.name, row.file_name = text.name[:_MAX_NAME], text.file_name[-_MAX_NAME:]
        row.given_digest, row.seen_in = text.digest, self._number

    def _see(self, row: CollectedText) -> None:
        row.seen_in = self._number
        if row.pk is not None:
            self._seen[row.pk] = row

    def write(self) -> None:
        words = corrections.of_articles(self.changed)
        for article in self.changed:
            if article.pk in words:
                corrections.apply(article, words[article.pk])
        place_rows([*self.new, *self.changed], words, self._now)
        Article.objects.bulk_create(self.new)
        for article, row in zip(self.new, self._collected, strict=True):
            row.article = article
        CollectedText.objects.bulk_create(self._collected)
        self._write_own()
        update_rows(self.changed, _UPDATED)
        seen = list(self._seen.values())
        update_rows(seen, ["name", "file_name", "given_digest", "seen_in"])

    def _write_own(self) -> None:
        """Put the columns of the texts in the place of those they had; the last of a text count."""
        CollectedField.objects.filter(article__in=self.changed).delete()
        last = {article.pk: (article, own) for article, own in self._own}
        CollectedField.objects.bulk_create(
            CollectedField(article=article, name=name, value=value)
            for article, own in last.values()
            for name, value in own
        )


def _fill(row: Article, text: TextToCollect, now: datetime) -> None:
    row.url = text.url if len(text.url) <= _MAX_URL else ""
    row.title, row.standfirst = text.title, text.standfirst
    row.authors, row.tags = list(text.authors), list(text.tags)
    row.section = text.section[:SECTION_CHARACTERS]
    row.published_at = text.published_at
    row.published_offset = corrections.offset_minutes(text.published_at)
    row.dated_at = text.published_at or row.created_at
    row.text = text.text
    row.text_digest = text_digest(text.text)
    row.n_words = len(text.text.split())
    said = ("title", "standfirst", "authors", "section", "published_at", "language")
    row.sources = {name: SOURCE for name in said if getattr(text, name)} | {"text": SOURCE}
    row.disagreements = {}
    row.updated_at = now
    _set_language(row, text)


def _set_language(row: Article, text: TextToCollect) -> None:
    """Take the language that was given, where it is one that is told apart here."""
    set_languages(row, text.languages)
    if text.language in NAMES and row.language != text.language:
        row.language, row.language_reason, row.other_languages = text.language, LANGUAGE_GIVEN, []


def _digest(words: str) -> str:
    return hashlib.blake2b(words.encode(errors="surrogatepass"), digest_size=_KEY_BYTES).hexdigest()
