"""`/sources/<slug>/months/`: what is there of each month, and what a web archive may fill."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from extraction.article_months import FIRST_YEAR, YEARS_SHOWN, calendar_of
from feeds.models import Publication

# Stories of a month of a large daily; the page limit of a crawl that fills one.
BACKFILL_LIMIT = 2_000


@require_safe
def months(request: HttpRequest, slug: str) -> HttpResponse:
    now = timezone.localtime()
    publication = get_object_or_404(Publication.sites, slug=slug)
    wanted = request.GET.get("since", "")
    since = int(wanted) if wanted.isascii() and wanted.isdigit() and len(wanted) == 4 else None
    calendar = calendar_of(publication.pk, now, since)
    first = calendar.first_year
    asked: dict[str, str | int] = {
        "pub": publication.slug,
        "kind": "archive",
        "limit": BACKFILL_LIMIT,
    }
    context = {
        "now": now,
        "publication": publication,
        "calendar": calendar,
        "earlier": max(first - YEARS_SHOWN, FIRST_YEAR) if first > FIRST_YEAR else None,
        "fill": f"{reverse('crawl-new')}?{urlencode(asked)}",
    }
    return render(request, "extraction/months.html", context)
