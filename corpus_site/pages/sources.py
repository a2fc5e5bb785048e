"""Sources: the list of publications with their feeds, and one publication."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from extraction.comment_status import threads_by_system
from extraction.extractors import setting_of
from extraction.models import Article, StructureAlarm
from extraction.rights_status import source_rights
from extraction.rules.versions import draft_of, newest_published
from extraction.sites.alarms import last_alarm, open_alarms, sentence
from extraction.sites.publication_languages import language_counts, suggested_languages
from extraction.status import NO_TEXTS, PublicationTexts, latest_of, texts_by_publication
from extraction.withdrawal.register import entry_of_publication, withdrawn_publications
from feeds.models import Feed, Host, Publication, PublicationState
from feeds.status import (
    FeedRow,
    feed_rows,
    first_visit,
    host_rows,
    judged_feeds,
    state_counts,
    with_counts,
)
from feeds.threads.look_times import first_look_words
from feeds.watching.states import FeedState
from feeds.watching.visited_ages import visited_ages
from presentation.fragments import part_of
from search.status import indexed_of, tokens_by_publication

PUBLICATIONS_PER_PAGE = 25
LATEST_ARTICLES = 20
# The first visit is shown live for this long after the start.
FIRST_VISIT = timedelta(minutes=10)


@dataclass(frozen=True, slots=True)
class PublicationRow:
    """A publication in the list: its texts, its tokens, its feeds, its open alarm."""

    publication: Publication
    texts: PublicationTexts
    n_tokens: int
    feeds: tuple[FeedRow, ...]
    alarm: StructureAlarm | None

    @property
    def n_working(self) -> int:
        return sum(row.state is FeedState.WORKING for row in self.feeds)

    @property
    def state(self) -> tuple[str, str]:
        """Tone and words of the publication's own state."""
        return publication_state(self.publication)


def publication_state(publication: Publication) -> tuple[str, str]:
    """Tone of the style sheet, and shape with word."""
    return {
        PublicationState.ACTIVE.value: ("ok", "● Active"),
        PublicationState.PAUSED.value: ("", "‖ Paused"),
        PublicationState.DRAFT.value: ("info", "+ Draft"),
    }[publication.state]


@require_safe
def sources(request: HttpRequest) -> HttpResponse:
    now = timezone.localtime()
    wanted = request.GET.get("state", "")
    rows = judged_feeds(Feed.objects.all(), now)
    counts = state_counts(rows)
    known = {state.key: state for state, _ in counts}
    if wanted in known:
        rows = [row for row in rows if row.state is known[wanted]]
    publications = Publication.objects.all()
    if wanted in known:
        publications = publications.filter(pk__in={row.feed.publication_id for row in rows})
    page = Paginator(publications, PUBLICATIONS_PER_PAGE).get_page(request.GET.get("p"))
    wanted = wanted if wanted in known else ""
    context = {
        "now": now,
        "page": page,
        "address": f"?state={wanted}&p=" if wanted else "?p=",
        "rows": _publication_rows(list(page), _of(list(page), rows, now)),
        "counts": counts,
        "n_feeds": sum(n for _, n in counts),
        "wanted": wanted,
        "withdrawn_ids": withdrawn_publications(publication.pk for publication in page),
    }
    return render(request, "corpus_site/sources.html", context)


def _of(
    publications: Sequence[Publication], rows: Sequence[FeedRow], now: datetime
) -> list[FeedRow]:
    """Choose the feeds of these publications, with their counts."""
    ids = {publication.pk for publication in publications}
    return with_counts([row for row in rows if row.feed.publication_id in ids], now)


def _publication_rows(
    publications: Sequence[Publication], feeds: Sequence[FeedRow]
) -> list[PublicationRow]:
    ids = [publication.pk for publication in publications]
    texts, tokens = texts_by_publication(ids), tokens_by_publication(ids)
    alarms = {alarm.publication_id: alarm for alarm in open_alarms()}
    return [
        PublicationRow(
            publication,
            texts.get(publication.pk, NO_TEXTS),
            tokens.get(publication.pk, 0),
            tuple(row for row in feeds if row.feed.publication_id == publication.pk),
            alarms.get(publication.pk),
        )
        for publication in publications
    ]


@require_safe
def source(request: HttpRequest, slug: str) -> HttpResponse:
    publication = get_object_or_404(Publication, slug=slug)
    return render(request, "corpus_site/source.html", source_context(publication))


def source_context(publication: Publication) -> dict[str, Any]:
    """Everything the publication's page shows."""
    now = timezone.localtime()
    feeds = feed_rows(Feed.objects.filter(publication=publication), now)
    row = _publication_rows([publication], feeds)[0]
    hosts = Host.objects.filter(pages__feed__publication=publication).distinct()
    version = newest_published(publication.pk)
    alarm = last_alarm(publication.pk, now)
    counts = language_counts(publication.pk)
    suggested = suggested_languages(counts)
    return {
        "now": now,
        "language_counts": counts,
        "suggested_languages": "" if suggested == publication.prior_languages else suggested,
        "publication": publication,
        "withdrawal": entry_of_publication(publication),
        "here": reverse("source", args=[publication.slug]),
        "row": row,
        "hosts": host_rows(hosts, now),
        "alarm": alarm,
        "alarm_sentence": sentence(alarm) if alarm else "",
        "articles": latest_of(publication.pk, LATEST_ARTICLES),
        "version": version,
        "rules": list(version.rules.all()) if version else [],
        "draft": draft_of(publication.pk),
        "setting": setting_of(publication),
        "visited_ages": visited_ages(publication),
        "hurry": round(settings.CRAWL_VISIT_HURRY),
        "rights": source_rights(publication),
        "threads": threads_by_system(publication),
        "first_look": first_look_words(publication),
    } | _first_visit(publication, now)


@require_safe
@part_of("source")
def first_visit_part(request: HttpRequest, slug: str) -> HttpResponse:
    publication = get_object_or_404(Publication, slug=slug)
    return render(request, "corpus_site/_source_body.html", source_context(publication))


def _first_visit(publication: Publication, now: datetime) -> dict[str, Any]:
    """Progress of a publication that was started a moment ago; nothing for older ones."""
    started = publication.started_at
    if started is None or now - started > FIRST_VISIT:
        return {"first_visit": None}
    stored = Article.shown.filter(publication=publication).count()
    return {
        "first_visit": first_visit(publication),
        "n_stored": stored,
        "n_indexed": indexed_of(publication.pk),
    }
