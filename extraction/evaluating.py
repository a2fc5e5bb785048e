"""Extractors side by side on a publication's stored articles, as a run that is kept.

A run's pages are fixed when it is asked for; workers take it slice by slice, so that texts are not
held up by it. There are no texts by hand for most articles, so each answer is held against up to
three references: what is stored, what the page's JSON-LD says, and what an editor confirmed.
"""

import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Any

from django.db import transaction
from django.urls import reverse

from extraction.compared_articles import (
    ReferenceKind,
    newest_articles,
    prepare_article,
    references,
    scored,
)
from extraction.documents import DOCUMENT
from extraction.evaluation.extractor_runs import PreparedPage, run
from extraction.evaluation.field_scores import PageFields, compare_fields, count_fields
from extraction.evaluation.peers import Compared, parse_compared
from extraction.evaluation.row_json import row_as_json, row_of_json, summary_as_json
from extraction.evaluation.summaries import PageRow, summarize
from extraction.html.algorithms.registry import AUTO
from extraction.html.extract_page import extract_page
from extraction.html.page import ExtractedPage
from extraction.html.site_rules.rules import SiteRules
from extraction.models import Article, EvaluatedPage, EvaluationRun, ReferenceText
from feeds.jobs import JOBS_PER_KIND, Job
from feeds.models import Publication
from feeds.work import leases
from feeds.work.batches import Report, run_each
from feeds.work.leases import Claim

# A slice keeps a worker for a second or two; its lease lasts a minute. Libraries of others take
# longer: what is begun before the time is up takes 40 s at most, five of them at their limit.
SLICE_PAGES = 10
SLICE_SECONDS = 10.0
MAX_PAGES = 500  # by the slice above a run of minutes
FIELDS = "fields"  # beside the references in scores and figures


class FieldReader(StrEnum):
    """By what title, authors and date of a page are found."""

    RULES = "rules"  # those published for the day of the page, and the general methods
    GENERAL = "general"  # without any rule


@dataclass(frozen=True, slots=True)
class RunRequest:
    """What is to be compared."""

    publication: Publication
    extractors: tuple[str, ...]
    n_pages: int


@transaction.atomic
def ask(request: RunRequest, user: Any, now: datetime) -> EvaluationRun:
    """Ask for a run over the newest archived articles of a publication.

    Raises
    ------
    ParameterError
        When an extractor or one of its parameters is unknown, or a peer not installed.
    """
    for text in request.extractors:
        parse_compared(text)
    article_ids = list(newest_articles(request.publication, request.n_pages))
    started = EvaluationRun.objects.create(
        publication=request.publication,
        extractors=list(request.extractors),
        asked_at=now,
        asked_by=user,
        n_pages=len(article_ids),
        due_at=now,
    )
    EvaluatedPage.objects.bulk_create(
        EvaluatedPage(run=started, article_id=article_id, position=position)
        for position, article_id in enumerate(article_ids)
    )
    return started


def work(limit: int, terms: Claim) -> Report:
    """Take up to `limit` runs and do a slice of each."""
    return run_each(EvaluationRun.objects.select_related("publication"), limit, terms, _do_slice)


def jobs(now: datetime) -> Iterator[Job]:
    """List the newest comparisons."""
    rows = EvaluationRun.objects.select_related("publication", "asked_by").order_by("-pk")
    for row in rows.defer("figures")[:JOBS_PER_KIND]:
        n = len(row.extractors)
        yield Job(
            kind="Comparison of extractors",
            subject=f"{row.publication.name}, {n} {'extractor' if n == 1 else 'extractors'}",
            address=reverse("evaluation-run", args=[row.pk]),
            n_done=row.n_done,
            n_all=row.n_pages,
            unit="page,pages",
            now=now,
            row=row,
            asked_by=row.asked_by,
            asked_at=row.asked_at,
            since=row.asked_at,
        )


def _do_slice(row: EvaluationRun, terms: Claim) -> Report:
    extractors = {text: parse_compared(text) for text in row.extractors}
    todo = list(
        row.pages.filter(done_at=None).select_related(
            "article__page__publication",
            "article__reference_text",
            "article__correction",
            *(f"article__{name}" for name in DOCUMENT),
        )[:SLICE_PAGES]
    )
    ends_at = time.monotonic() + SLICE_SECONDS
    done = []
    for page in todo:
        _evaluate(page, extractors)
        page.done_at = terms.now
        done.append(page)
        if time.monotonic() >= ends_at:
            break
    with transaction.atomic():
        EvaluatedPage.objects.bulk_update(done, ["scores", "problem", "done_at"])
        n_done = row.pages.exclude(done_at=None).count()
        # Not all that were asked for: pages of articles that were deleted meanwhile are gone.
        is_done = not row.pages.filter(done_at=None).exists()
        changes: dict[str, Any] = {"n_done": n_done, "due_at": None if is_done else terms.now}
        if is_done:
            changes |= {"finished_at": terms.now, "figures": figures_of(row.pages.all())}
        leases.complete_or_undo(row, terms.owner, **changes)
    return Report(done=Counter(pages=len(done)))


def _evaluate(page: EvaluatedPage, extractors: Mapping[str, Compared]) -> None:
    prepared = prepare_article(page.article, extractors.values())
    if prepared is None:
        page.problem = "The archived page cannot be read."
        return
    answers = {name: run(choice, prepared) for name, choice in extractors.items()}
    page.scores = {
        kind.value: {
            name: row_as_json(row) for name, row in scored(prepared, answers, text).items()
        }
        for kind, text in references(page.article, prepared.read).items()
    }
    page.scores[FIELDS] = _fields_scored(page.article, prepared)


def _fields_scored(article: Article, prepared: PreparedPage) -> dict[str, Any]:
    """Hold title, authors and date against the article's, which an editor may have corrected."""
    wanted = PageFields(article.title, tuple(article.authors), article.published_at)
    by_rules = replace(prepared.given, extractor=AUTO)
    given = {FieldReader.RULES: by_rules} if by_rules.rules != SiteRules() else {}
    given[FieldReader.GENERAL] = replace(by_rules, rules=SiteRules())
    correction = getattr(article, "correction", None)
    return {
        "by_hand": list(correction.corrected) if correction else [],
        **{
            reader.value: compare_fields(wanted, _fields_of(extract_page(page)))
            for reader, page in given.items()
        },
    }


def _fields_of(page: ExtractedPage) -> PageFields:
    return PageFields(page.title, page.authors, page.published_at)


def compare_newest(
    publication: Publication, extractors: Mapping[str, Compared], n_pages: int
) -> tuple[dict[str, dict[str, list[PageRow]]], int]:
    """Compare on the newest articles without keeping a run.

    Returns rows of scores (reference → extractor → one a page) and the number of archived pages
    that could not be read.
    """
    pages = [
        EvaluatedPage(article=article)
        for article in Article.objects.filter(
            pk__in=list(newest_articles(publication, n_pages))
        ).select_related("page__publication", "reference_text", *DOCUMENT)
    ]
    for page in pages:
        _evaluate(page, extractors)
    return rows_of(pages), sum(bool(page.problem) for page in pages)


def figures_of(pages: Iterable[EvaluatedPage]) -> dict[str, dict[str, Any]]:
    """Sum up the pages of a run: reference → extractor → pages and figures."""
    seen = list(pages)
    figures = {
        kind: {name: summary_as_json(summarize(own)) for name, own in by_name.items()}
        for kind, by_name in rows_of(seen).items()
    }
    fields = _field_figures([page.scores.get(FIELDS, {}) for page in seen])
    return figures | {FIELDS: fields} if fields else figures


def _field_figures(scored: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Sum up fields: reader → field → counts; no reader that no page was read by."""
    found = {}
    for reader in FieldReader:
        pages = [(one[reader.value], one["by_hand"]) for one in scored if reader.value in one]
        if pages:
            found[reader.value] = {
                name: asdict(counts) for name, counts in count_fields(pages).items()
            }
    return found


def rows_of(pages: Iterable[EvaluatedPage]) -> dict[str, dict[str, list[PageRow]]]:
    """Rows of scores: reference → extractor → one a page that has the reference."""
    found: dict[str, dict[str, list[PageRow]]] = {}
    seen = list(pages)
    for kind in ReferenceKind:
        for page in seen:
            for name, row in page.scores.get(kind.value, {}).items():
                found.setdefault(kind.value, {}).setdefault(name, []).append(row_of_json(row))
    return found


def confirm(article: Article, text: str, user: Any, now: datetime) -> ReferenceText:
    """Keep a text as what a perfect extractor would give; an empty one is a ValueError."""
    if not text.strip():
        raise ValueError("A reference text needs words.")
    reference, _ = ReferenceText.objects.update_or_create(
        article=article,
        defaults={"text": text.strip(), "confirmed_at": now, "confirmed_by": user},
    )
    return reference


def n_references() -> int:
    return ReferenceText.objects.count()


def withdraw(article: Article) -> bool:
    """Forget the reference text of an article; False where there was none."""
    deleted, _ = ReferenceText.objects.filter(article=article).delete()
    return bool(deleted)
