"""The fields of an article with where each came from, and who disagrees."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone

from extraction.models import Article

# Field of `Article.sources`, its words, and the name under which the rule studio knows it.
_FIELDS = (
    ("title", "Title", "title"),
    ("authors", "Author", "author"),
    ("published_at", "Date", "date"),
    ("modified_at", "Changed", ""),
    ("section", "Section", "section"),
    ("description", "Standfirst", ""),
)


@dataclass(frozen=True, slots=True)
class OtherValue:
    """What a source said that did not win."""

    source: str
    value: str


@dataclass(frozen=True, slots=True)
class FieldRow:
    """One field: its value in words, the source that won, the field's name in the rule studio."""

    words: str
    value: str
    source: str = ""
    rule_field: str = ""
    others: tuple[OtherValue, ...] = ()


def article_fields(article: Article) -> list[FieldRow]:
    """Fields that have a value or a source; title, author and date always."""
    return list(_rows(article))


def _rows(article: Article) -> Iterator[FieldRow]:
    values = {
        "title": article.title,
        "authors": ", ".join(str(author) for author in article.authors),
        "published_at": _moment(article.published_at),
        "modified_at": _moment(article.modified_at),
        "section": article.section,
        "description": article.standfirst,
    }
    for name, words, rule_field in _FIELDS:
        source = str(article.sources.get(name, ""))
        if values[name] or source or rule_field in {"title", "author", "date"}:
            yield FieldRow(words, values[name], source, rule_field)


def _moment(moment: datetime | None) -> str:
    if moment is None:
        return ""
    local = timezone.localtime(moment)
    return f"{local.day} {local:%b %Y, %H:%M}"
