"""The fields of an article with where each came from, and who disagrees."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone
from django.utils.dateparse import parse_datetime

from extraction.models import Article
from presentation.wording.times import stamp

# Field of `Article.sources`, its words, and the name under which the rule studio knows it.
_FIELDS = (
    ("title", "Title", "title"),
    ("authors", "Author", "author"),
    ("agencies", "Agency", "author"),
    ("published_at", "Date", "date"),
    ("modified_at", "Changed", ""),
    ("section", "Section", "section"),
    ("tags", "Tags", ""),
    ("description", "Standfirst", ""),
    ("canonical_url", "Canonical address", ""),
    ("declared_language", "Language it declares", ""),
    ("is_paywalled", "Paywall", ""),
)
FIELD_WORDS = {name: words for name, words, _ in _FIELDS}
_ALWAYS = frozenset({"title", "authors", "published_at"})
_MOMENTS = frozenset({"published_at", "modified_at"})


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
        "agencies": ", ".join(map(str, article.agencies)),
        "published_at": _moment(article.published_at),
        "modified_at": _moment(article.modified_at),
        "section": article.section,
        "tags": ", ".join(str(tag) for tag in article.tags),
        "description": article.standfirst,
        "canonical_url": article.canonical_url,
        "declared_language": article.declared_language,
        "is_paywalled": "only for subscribers" if article.is_paywalled else "",
    }
    for name, words, rule_field in _FIELDS:
        source = str(article.sources.get(name, ""))
        others = tuple(other_values(article, name))
        if values[name] or others or name in _ALWAYS:
            yield FieldRow(words, values[name], source, rule_field, others)


def other_values(article: Article, name: str) -> Iterator[OtherValue]:
    """Give what sources say of a field that did not win."""
    for source, value in article.disagreements.get(name, ()):
        words = str(value)
        if name in _MOMENTS:
            words = _moment(parse_datetime(words)) or words
        yield OtherValue(str(source), words)


def _moment(moment: datetime | None) -> str:
    if moment is None:
        return ""
    local = timezone.localtime(moment) if timezone.is_aware(moment) else moment
    return stamp(local)
