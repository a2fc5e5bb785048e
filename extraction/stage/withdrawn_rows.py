"""Withdrawn stays withdrawn: what the register says of rows that are written anew.

A page may be visited and read again while its text is withdrawn; the row follows the page and stays
out of the corpus. Of a withdrawn publication that holds for what comes later too.
"""

from collections.abc import Collection
from datetime import datetime, timedelta

from django.db.models import QuerySet

from extraction.models import Article, Measure, Subject, Withdrawal

WITHDRAWN_REASON = "Withdrawn: "
_MAX_REASON = 300  # what the column holds
# Who stores an article while its publication is being withdrawn may miss it: a sweep looks at what
# was stored in this time.
LATE_WINDOW = timedelta(hours=1)


def reason_of(words: str) -> str:
    """Say in an article's row why it is out of the corpus."""
    return f"{WITHDRAWN_REASON}{words}"[:_MAX_REASON]


def open_entries(what: Subject, measure: Measure = Measure.WITHDRAWN) -> QuerySet[Withdrawal]:
    """Entries of the register that are in force."""
    return Withdrawal.objects.filter(what=what, measure=measure, ended_at=None)


def keep_withdrawn(rows: Collection[Article], now: datetime) -> None:
    """Leave rows that are about to be written out of the corpus where the register says so."""
    own = reasons_of_articles({row.pk for row in rows if row.withdrawn_at is not None})
    publications = reasons_of_publications({row.publication_id for row in rows})
    for row in rows:
        reason = own.get(row.pk, publications.get(row.publication_id))
        if reason is not None:
            row.withdrawn_at = row.withdrawn_at or now
            row.in_corpus, row.reason = False, reason_of(reason)


def reasons_of_articles(ids: Collection[int]) -> dict[int, str]:
    """Give the reasons of those articles that are withdrawn by themselves."""
    if not ids:
        return {}
    found = open_entries(Subject.ARTICLE).filter(article__in=ids)
    return {pk: reason for pk, reason in found.values_list("article_id", "reason") if pk}


def reasons_of_publications(ids: Collection[int]) -> dict[int, str]:
    """Give the reasons of those publications that are withdrawn."""
    found = open_entries(Subject.PUBLICATION).filter(publication__in=ids)
    return {pk: reason for pk, reason in found.values_list("publication_id", "reason") if pk}


def take_out_latecomers(now: datetime) -> tuple[int, ...]:
    """Withdraw what was stored while its publication was being withdrawn; returns the ids."""
    entries = dict(open_entries(Subject.PUBLICATION).values_list("publication_id", "reason"))
    if not entries:
        return ()
    late = Article.objects.filter(
        publication__in=entries, created_at__gte=now - LATE_WINDOW, withdrawn_at=None
    )
    found = list(late.values_list("pk", "publication_id"))
    for publication_id, reason in entries.items():
        own = [pk for pk, of in found if of == publication_id]
        Article.objects.filter(pk__in=own).update(
            withdrawn_at=now, in_corpus=False, reason=reason_of(reason), updated_at=now
        )
    return tuple(pk for pk, _ in found)
