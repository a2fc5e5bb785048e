"""What articles were before a version of rules read them again: rows that may go for their age."""

from datetime import datetime
from typing import Any

from django.db.models import QuerySet

from extraction.models import Extraction, RereadPage
from feeds.removal.old_rows import OldRows


def _rereads(before: datetime) -> "QuerySet[Any]":
    waiting = Extraction.objects.waiting().values("page")
    return RereadPage.objects.filter(version__published_at__lt=before).exclude(page__in=waiting)


OLD_REREADS = OldRows(
    name="rereads",
    label="Articles as they were before new rules",
    unit="article,articles",
    goes="words, titles and dates that the report on a published version compares with",
    stays="the articles, the versions of the rules, and pages that are still to be read again",
    least_days=30,
    model=RereadPage,
    may_go=_rereads,
)
