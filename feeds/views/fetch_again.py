"""`/sources/<slug>/fetch-again/`: articles of the last days are visited once more."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.contrib import messages
from django.contrib.auth.decorators import permission_required
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from feeds.models import Host, Page, PageKind, Publication
from feeds.network import min_delay_seconds
from feeds.revisits import fetch_again
from presentation.wording.figures import counted
from presentation.wording.times import span

DAYS = (1, 3, 7, 30)


@dataclass(frozen=True, slots=True)
class DaysChoice:
    """Pages of the last days: how many, and how long their hosts take for them."""

    days: int
    n_pages: int
    takes: str


@permission_required("feeds.change_publication", raise_exception=True)
@require_http_methods(["GET", "HEAD", "POST"])
def fetch_publication_again(request: HttpRequest, slug: str) -> HttpResponse:
    publication = get_object_or_404(Publication.sites, slug=slug)
    now = timezone.localtime()
    days = request.POST.get("days", "")
    is_chosen = days in {str(choice) for choice in DAYS}
    if request.method == "POST" and is_chosen:
        ids = list(_pages(publication, int(days), now).values_list("pk", flat=True))
        n = fetch_again(ids, now, f"asked for by {request.user}, with {publication.name}")
        words = counted(n, "page is", "pages are")
        messages.success(request, f"{words} due now, at the pace of their hosts.")
        return redirect("source", slug=slug)
    choices = [_choice(publication, choice, now) for choice in DAYS]
    context = {
        "publication": publication,
        "choices": choices,
        "chosen_days": next((choice.days for choice in choices if choice.n_pages), 0),
        "is_wrong": request.method == "POST",
    }
    status = 400 if request.method == "POST" else 200
    return render(request, "feeds/fetch_again.html", context, status=status)


def _pages(publication: Publication, days: int, now: datetime) -> QuerySet[Page]:
    """Articles that were found in the last days and visited, those put aside too."""
    return Page.objects.filter(
        publication=publication,
        kind=PageKind.ARTICLE,
        found_at__gte=now - timedelta(days=days),
        visited_at__isnull=False,
    )


def _choice(publication: Publication, days: int, now: datetime) -> DaysChoice:
    pages = _pages(publication, days, now)
    n_pages = pages.count()
    hosts = Host.objects.filter(pk__in=pages.values("host").distinct())
    delays = [host.delay_seconds or min_delay_seconds(publication) for host in hosts]
    # The slowest host decides: as if all pages were its own, every other turn.
    seconds = n_pages * 2 * max(delays, default=0.0)
    return DaysChoice(days, n_pages, span(seconds) if seconds >= 1 else "")
