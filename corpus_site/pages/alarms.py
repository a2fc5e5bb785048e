"""`/status/alarms/`: changed structures of publications, open and closed (screens.md, 6.4)."""

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from extraction.models import StructureAlarm
from extraction.site_alarms import alarm_rows, findings

ALARMS_PER_PAGE = 50
STATES = (("open", "Open"), ("closed", "Closed"))


@require_safe
def alarms(request: HttpRequest) -> HttpResponse:
    asked = request.GET.get("state", "")
    state = asked if asked in dict(STATES) else "open"
    page = Paginator(alarm_rows(is_closed=state == "closed"), ALARMS_PER_PAGE).get_page(
        request.GET.get("p")
    )
    context = {
        "now": timezone.localtime(),
        "state": state,
        "states": [(key, words, _count(key)) for key, words in STATES],
        "page": page,
        "rows": [(alarm, findings(alarm)) for alarm in page],
        "last_closed": alarm_rows(is_closed=True).first(),
    }
    return render(request, "corpus_site/alarms.html", context)


def _count(state: str) -> int:
    return StructureAlarm.objects.filter(closed_at__isnull=state == "open").count()
