"""`/status/report/`: what the crawl did, half hour by half hour, and what each publication took."""

from datetime import timedelta

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from corpus_site.crawl_report import crawl_report

HOURS = (6, 24, 168)
DEFAULT_HOURS = 24


@require_safe
def report(request: HttpRequest) -> HttpResponse:
    now = timezone.localtime()
    wanted = request.GET.get("hours", "")
    hours = int(wanted) if wanted in {str(number) for number in HOURS} else DEFAULT_HOURS
    context = {
        "now": now,
        "hours": hours,
        "choices": HOURS,
        "report": crawl_report(now - timedelta(hours=hours), now),
    }
    return render(request, "corpus_site/report.html", context)
