"""Sources: the list of publications with their feeds, and one publication."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from corpus_site.counts.corpus_counts import PublicationCounts, publication_counts
from corpus_site.source_list import SORTS, SourceFilter, publication_state, source_list
from extraction.comment_status import threads_by_system
from extraction.extractors import setting_of
from extraction.models import Article, StructureAlarm
from extraction.rights_status import source_rights
from extraction.rules.versions import draft_of, newest_published
from extraction.sites.alarms import last_alarm, open_alarms, sentence
from extraction.sites.publication_languages import suggested_languages
from extraction.status import latest_of
from extraction.withdrawal.register import entry_of_publication, is_erased, withdrawn_publications
from feeds.models import Feed, Host, Publication
from feeds.sources.naming import same_named
from feeds.status import (
    FeedRow,
    feed_rows,
    first_visit,
    host_rows,
    last_not_drawn,
)
from feeds.threads.look_times import first_look_words
from feeds.watching.states import FeedState
from feeds.watching.visited_ages import visited_ages
from presentation.fragments import part_of
from search.status import indexed_of

PUBLICATIONS_PER_PAGE = 100
# Fields of a filter, and their names in addresses.
_PARAMETERS = {
    "words": "q",
    "state": "state",
    "language": "lang",
    "tag": "tag",
    "outcome": "outcome",
    "sort": "sort",
}
_HEADS = (
    ("name", "Publication", ""),
    ("state", "State", ""),
    ("outcome", "Feeds", ""),
    ("visit", "Last visit", ""),
    ("day", "Articles a day", "num"),
    ("article", "Last article", ""),
)
LATEST_ARTICLES = 20
# The first visit is shown live for this long after the start.
FIRST_VISIT = timedelta(minutes=10)


@dataclass(frozen=True, slots=True)
class PublicationRow:
    """A publication: its texts and tokens, its feeds, its open alarm."""

    publication: Publication
    counts: PublicationCounts
    feeds: tuple[FeedRow, ...]
    alarm: StructureAlarm | None

    @property
    def n_working(self) -> int:
        return sum(row.state is FeedState.WORKING for row in self.feeds)

    @property
    def state(self) -> tuple[str, str]:
        """Tone and words of the publication's own state."""
        return publication_state(self.publication.state)


@require_safe
def sources(request: HttpRequest) -> HttpResponse:
    now = timezone.localtime()
    wanted = wanted_sources(request.GET)
    found = source_list(wanted, now)
    page = Paginator(found.shown, PUBLICATIONS_PER_PAGE).get_page(request.GET.get("p"))
    given = given_query(request.GET)
    context = {
        "now": now,
        "page": page,
        "address": f"?{given}&p=" if given else "?p=",
        "list": found,
        "wanted": wanted,
        "given": given,
        "columns": _columns(request.GET, wanted),
        "n_all": len(found.rows),
        "all_tags": [key for key, _, _ in found.tags],
        "withdrawn_ids": withdrawn_publications(row.pk for row in page),
    }
    return render(request, "corpus_site/sources.html", context)


def wanted_sources(given: QueryDict) -> SourceFilter:
    """Read the filter of an address; what cannot be is left out."""
    values = {name: given.get(parameter, "")[:200] for name, parameter in _PARAMETERS.items()}
    if values["sort"].removeprefix("-") not in SORTS:
        values["sort"] = "name"
    return SourceFilter(**values)


def given_query(given: QueryDict) -> str:
    """Write the filter of an address without its page, as forms and links carry it on."""
    return urlencode([(name, str(given[name])) for name in _PARAMETERS.values() if given.get(name)])


def _columns(given: QueryDict, wanted: SourceFilter) -> list[dict[str, str]]:
    """Give the heads of the columns: their words, their addresses, and how the list is sorted."""
    kept: list[tuple[str, str]] = [
        (name, str(given[name]))
        for name in _PARAMETERS.values()
        if name != "sort" and given.get(name)
    ]
    columns = []
    for key, words, style in _HEADS:
        is_on = wanted.sort.removeprefix("-") == key
        turned = f"-{key}" if is_on and not wanted.sort.startswith("-") else key
        columns.append(
            {
                "words": words,
                "style": style,
                "address": f"?{urlencode([*kept, ('sort', turned)])}",
                "sorted": ("descending" if wanted.sort.startswith("-") else "ascending")
                if is_on
                else "",
            }
        )
    return columns


@require_safe
def source(request: HttpRequest, slug: str) -> HttpResponse:
    publication = get_object_or_404(Publication, slug=slug)
    if publication.is_collection:
        return redirect("collection", slug=slug)
    return render(request, "corpus_site/source.html", source_context(publication))


def source_context(publication: Publication) -> dict[str, Any]:
    """Everything the publication's page shows."""
    now = timezone.localtime()
    feeds = feed_rows(Feed.objects.filter(publication=publication), now)
    counts = publication_counts(publication.pk, now)
    alarms = {alarm.publication_id: alarm for alarm in open_alarms()}
    row = PublicationRow(publication, counts, tuple(feeds), alarms.get(publication.pk))
    hosts = Host.objects.filter(pages__feed__publication=publication).distinct()
    version = newest_published(publication.pk)
    alarm = last_alarm(publication.pk, now)
    suggested = suggested_languages(counts.languages)
    return {
        "now": now,
        "language_counts": counts.languages,
        "suggested_languages": "" if suggested == publication.prior_languages else suggested,
        "publication": publication,
        "same_named": same_named(publication),
        "withdrawal": entry_of_publication(publication),
        "is_erased": is_erased(publication),
        "here": reverse("source", args=[publication.slug]),
        "row": row,
        "hosts": host_rows(hosts, now),
        "not_drawn": last_not_drawn(publication, now),
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
        "threads": threads_by_system(publication, now),
        "first_look": first_look_words(publication),
    } | _first_visit(publication, now)


@require_safe
@part_of("source")
def first_visit_part(request: HttpRequest, slug: str) -> HttpResponse:
    publication = get_object_or_404(Publication.sites, slug=slug)
    return render(request, "corpus_site/_source_body.html", source_context(publication))


def _first_visit(publication: Publication, now: datetime) -> dict[str, Any]:
    """Progress of a publication that was started a moment ago; none of older or feedless ones."""
    started = publication.started_at
    if started is None or now - started > FIRST_VISIT or not publication.feeds.exists():
        return {"first_visit": None}
    stored = Article.shown.filter(publication=publication).count()
    return {
        "first_visit": first_visit(publication),
        "n_stored": stored,
        "n_indexed": indexed_of(publication.pk),
    }
