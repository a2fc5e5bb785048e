"""Home: start a search in one keystroke, and see that the corpus lives."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.http import require_safe

from corpus_site.alarms.keeping import alarms_in
from corpus_site.counts.corpus_counts import N_DAYS, corpus_counts
from corpus_site.help_pages.examples import OF_AN_EMPTY_CORPUS, home_examples
from corpus_site.pages.home_words import keyness_address
from corpus_site.templatetags.shell import address_of, may_act
from dedup.status import TwinNote, twin_notes
from extraction.models import Article
from extraction.status import (
    comments_by_article,
    just_in,
    stored_since,
)
from feeds.models import Feed, Publication
from presentation.charts.bars import Bar, BarChart
from presentation.charts.svg import Mark
from presentation.fragments import part_of
from presentation.wording.figures import counted, grouped
from presentation.wording.times import day as day_words
from presentation.wording.times import day_of_year
from presentation.wording.times import days as stretch_of_days
from search.articles.stories import told_by_several

N_JUST_IN = 6
N_STORIES = 5
N_ALARMS = 3  # the costliest; the badge at Status counts them all


@dataclass(frozen=True, slots=True)
class JustIn:
    """A newly stored article and the one note that stands under its headline."""

    article: Article
    note: str
    is_today: bool


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    now = timezone.localtime()
    counts = corpus_counts(now)
    totals = counts.totals
    context: dict[str, Any] = {
        "now": now,
        "totals": totals,
        "n_publications": Publication.kept.count(),
        "search_address": address_of("search") or "/search/",
        "examples": home_examples() if counts.tokens.articles else OF_AN_EMPTY_CORPUS,
        "alarms": list(alarms_in("open", now)[:N_ALARMS]) if may_act(request.user) else [],
    }
    if totals.articles:
        context |= {
            "tokens": counts.tokens,
            "counted_at": counts.counted_at,
            "n_feeds": Feed.objects.count(),
            "n_copies": counts.n_copies,
            "chart": per_day_chart(counts.days, address_of("articles")),
            "n_days": N_DAYS,
            "keyness_address": keyness_address(),
            "stories": told_by_several(N_STORIES),
        } | _just_in(now)
    return render(request, "corpus_site/home.html", context)


@require_safe
@part_of("home")
def just_in_part(request: HttpRequest) -> HttpResponse:
    now = timezone.localtime()
    return render(request, "corpus_site/_just_in.html", {"now": now} | _just_in(now))


def _just_in(now: datetime) -> dict[str, Any]:
    articles = just_in(N_JUST_IN)
    ids = [article.pk for article in articles]
    notes, comments = twin_notes(ids), comments_by_article(ids)
    rows = [
        JustIn(
            article,
            _note(notes[article.pk], comments.get(article.pk, 0)),
            timezone.localdate(article.created_at) == now.date(),
        )
        for article in articles
    ]
    return {"just_in": rows, "n_last_hour": stored_since(now - timedelta(hours=1))}


def _note(twins: TwinNote, n_comments: int) -> str:
    if twins.is_copy:
        return "same text as an earlier one"
    if twins.n_similar:
        return f"similar to {counted(twins.n_similar, 'earlier text')}"
    if n_comments:
        return f"{counted(n_comments, 'comment')} so far"
    return ""


def per_day_chart(days: Sequence[tuple[date, int]], articles_address: str) -> SafeString:
    """Bars of articles by day; each links to its articles where the list exists."""
    bars = tuple(
        Bar(
            "today" if day == days[-1][0] else day_of_year(day),
            (
                Mark(
                    n,
                    f"{day_words(day)}: {counted(n, 'article')}",
                    f"{articles_address}?day={day}" if articles_address and n else "",
                ),
            ),
        )
        for day, n in days
    )
    sentence = (
        f"Articles by day of publication, {stretch_of_days(days[0][0], days[-1][0])}: "
        f"{grouped(sum(n for _, n in days))} in all"
    )
    return mark_safe(BarChart(sentence, bars).draw())
