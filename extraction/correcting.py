"""Editors' words on single articles: correct a field by hand, undo that, take an article anyway.

Each writes the article, the words that outlive its next reading, and a line of history, in one
transaction. Whoever calls tells the followers of articles, where the answer is that one changed.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from unicodedata import category

from django.db import transaction

from extraction.models import Article, ArticleCorrection, CorrectionChange
from extraction.stage import admission, corrections

_WRITTEN = [
    *corrections.FIELDS, "published_offset", "dated_at", "sources", "disagreements", "kind",
    "in_corpus", "reason", "updated_at",
]  # fmt: skip
Kind = CorrectionChange.Kind
# Classes of characters that show: letters, marks on them, numbers, punctuation, symbols.
_SHOWN = frozenset("LMNPS")


class EmptyTitleError(ValueError):
    """A title that shows nothing was given to an article that has one."""

    def __init__(self) -> None:
        super().__init__("An article keeps a title: write one, or take the page’s again.")


@dataclass(frozen=True, slots=True)
class Editor:
    """Who changes something, and when."""

    user_id: int | None
    now: datetime


@transaction.atomic
def correct(article_id: int, values: Mapping[str, Any], editor: Editor) -> bool:
    """Put values in the place of what was read, by field; returns whether anything is new.

    What the last reading gave is no correction: it ends the one that there is.

    Raises
    ------
    Article.DoesNotExist
        When there is no such article.
    EmptyTitleError
        When an article would lose its title; nothing is written then.
    """
    article, words = _opened(article_id)
    check_title(values.get("title", article.title), article.title)
    changes = []
    for name in corrections.FIELDS:
        if name not in values or _is_same(values[name], getattr(article, name)):
            continue
        before = getattr(article, name)
        kind = _correct_field(article, words, name, values[name])
        changes.append(_change(article, kind, editor, (name, before, getattr(article, name))))
    return _close(article, words, changes, editor)


def check_title(title: str, present: str) -> None:
    """Refuse a title that shows nothing, such as blanks, in the place of one that does.

    Raises
    ------
    EmptyTitleError
    """
    if _is_shown(present) and not _is_shown(title):
        raise EmptyTitleError


def _is_shown(title: str) -> bool:
    return any(category(character)[0] in _SHOWN for character in title)


@transaction.atomic
def undo(article_id: int, fields: Collection[str], editor: Editor) -> bool:
    """Let fields be again what the page says; returns whether anything is new.

    Raises
    ------
    Article.DoesNotExist
        When there is no such article.
    """
    article, words = _opened(article_id)
    changes = []
    for name in [name for name in words.corrected if name in fields]:
        before = getattr(article, name)
        corrections.take_back(article, words, name)
        said = (name, before, getattr(article, name))
        changes.append(_change(article, Kind.UNDONE, editor, said))
    return _close(article, words, changes, editor)


@transaction.atomic
def take(article_id: int, *, is_taken: bool, editor: Editor) -> bool:
    """Keep an article in the corpus whatever its publication's rules say, or by these again.

    Returns whether anything is new.

    Raises
    ------
    Article.DoesNotExist
        When there is no such article.
    """
    article, words = _opened(article_id)
    if words.is_taken_anyway == is_taken:
        return False
    words.is_taken_anyway = is_taken
    reason = admission.reason_against(article, article.publication)
    admission.place(article, article.publication, is_taken=is_taken)
    change = _change(article, Kind.TAKEN if is_taken else Kind.LEFT_OUT, editor, ("", reason, ""))
    return _close(article, words, [change], editor)


def words_on(article: Article) -> ArticleCorrection | None:
    """Give what editors said of an article; None where nobody has said anything."""
    return ArticleCorrection.objects.select_related("changed_by").filter(article=article).first()


def left_out_because(article: Article) -> str:
    """Say what keeps an article out of the corpus without an editor's word; "" for nothing."""
    return admission.reason_against(article, article.publication)


def _opened(article_id: int) -> tuple[Article, ArticleCorrection]:
    """Hold an article against its reading, which holds it too, with what was said of it so far."""
    rows = Article.objects.select_for_update(of=("self",)).select_related("publication", "page")
    article = rows.get(pk=article_id)
    words = ArticleCorrection.objects.filter(article=article).first()
    return article, words or ArticleCorrection(article=article)


def _correct_field(article: Article, words: ArticleCorrection, name: str, value: Any) -> Kind:
    if name not in words.corrected:
        present = corrections.written(getattr(article, name))
        words.as_read = {**words.as_read, name: [article.sources.get(name, ""), present]}
        words.corrected = [*words.corrected, name]
    _, read = words.as_read[name]
    if _is_same(value, corrections.from_written(name, read)):
        corrections.take_back(article, words, name)
        return Kind.UNDONE
    setattr(words, name, value)
    corrections.put(article, words, name)
    return Kind.CORRECTED


def _is_same(one: Any, other: Any) -> bool:
    """Whether two values of a field are one; the same moment may be written in two zones."""
    if isinstance(one, datetime) or isinstance(other, datetime):
        return bool(one == other)
    return bool(corrections.written(one) == corrections.written(other))


def _change(
    article: Article, kind: Kind, editor: Editor, said: tuple[str, Any, Any]
) -> CorrectionChange:
    field, before, after = said
    return CorrectionChange(
        article=article,
        kind=kind,
        field=field,
        before=corrections.said(corrections.written(before)),
        after=corrections.said(corrections.written(after)),
        made_by_id=editor.user_id,
        made_at=editor.now,
    )


def _close(
    article: Article, words: ArticleCorrection, changes: list[CorrectionChange], editor: Editor
) -> bool:
    """Write an article with the words on it and what is new of them, if anything is."""
    if not changes:
        return False
    article.updated_at = editor.now
    article.save(update_fields=_WRITTEN)
    words.changed_by_id, words.changed_at = editor.user_id, editor.now
    words.save()
    CorrectionChange.objects.bulk_create(changes)
    return True
