"""`/status/alarms/`: what needed a person, open, put to sleep and closed."""

from collections.abc import Callable
from datetime import datetime, time, timedelta
from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import permission_required
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.db.models import Count
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.views.decorators.http import require_POST, require_safe

from corpus_site.alarms import keeping
from corpus_site.alarms.drawing import let_browser_draw
from corpus_site.alarms.models import Alarm, AlarmKind
from extraction.sites.alarms import alarm_rows, findings
from feeds.crawler.addressing.seeds import DEFAULT_LIMIT, Seed
from feeds.crawler.rendering.renderer import what_is_missing
from feeds.crawls.site_crawls import CrawlProblem, NewCrawl, begin
from feeds.models import CrawlKind, Lock
from presentation.wording.figures import counted
from presentation.wording.times import day

ALARMS_PER_PAGE = 50
STATES = (("open", "Open"), ("snoozed", "Put to sleep"), ("closed", "Closed"))


class SnoozeForm(forms.Form):
    """Until which day nobody is told; today wakes nobody."""

    until = forms.DateField(
        label="Nobody is told until",
        widget=forms.DateInput(attrs={"type": "date"}),
        error_messages={
            "required": "Choose the day from which the alarm is told again.",
            "invalid": "This is no day. Write it as 2026-11-30.",
        },
    )

    def clean_until(self) -> datetime:
        until = self.cleaned_data["until"]
        today = timezone.localdate()
        last = today + keeping.LONGEST_SNOOZE
        if not today < until <= last:
            raise forms.ValidationError(f"Choose a day from tomorrow to {day(last)}.")
        return timezone.make_aware(datetime.combine(until, time.min))


@require_safe
def alarms(request: HttpRequest) -> HttpResponse:
    return _page(request, request.GET)


def _page(
    request: HttpRequest,
    place: QueryDict,
    refused: SnoozeForm | None = None,
    pk: int | None = None,
) -> HttpResponse:
    """Show a list, with what could not be done to one alarm in its form."""
    now = timezone.localtime()
    asked, kind = place.get("state", ""), place.get("kind", "")
    state = asked if asked in dict(STATES) else "open"
    kind = kind if kind in AlarmKind.values else ""
    rows = keeping.alarms_in(state, now)
    chosen = rows.filter(kind=kind) if kind else rows
    page = Paginator(chosen.prefetch_related("notes__written_by"), ALARMS_PER_PAGE).get_page(
        place.get("p")
    )
    looked_at = Lock.objects.filter(name=keeping.LOCK).values_list("last_run_at", flat=True)
    context = {
        "now": now,
        "state": state,
        "kind": kind,
        "states": [(key, words, keeping.alarms_in(key, now).count()) for key, words in STATES],
        "kinds": rows.order_by().values_list("kind").annotate(n=Count("*")),
        "kind_words": dict(AlarmKind.choices),
        "page": page,
        "address": f"?state={state}{f'&kind={kind}' if kind else ''}&p=",
        "last_closed": keeping.last_closed(now),
        "looked_at": looked_at.first(),
        "tomorrow": timezone.localdate() + timedelta(days=1),
        "refused": refused,
        "refused_pk": pk,
    }
    return render(
        request,
        "corpus_site/alarms.html",
        context | _structure(state),
        status=400 if refused else 200,
    )


def _structure(state: str) -> dict[str, Any]:
    """Find what has changed on the pages of publications, with a page before and after."""
    if state == "snoozed":
        return {}
    found = alarm_rows(is_closed=state == "closed")[:ALARMS_PER_PAGE]
    return {"rows": [(alarm, findings(alarm)) for alarm in found]}


@permission_required("alarms.add_alarmnote", raise_exception=True)
@require_POST
def change_alarm(request: HttpRequest, pk: int) -> HttpResponse:
    alarm = get_object_or_404(Alarm, pk=pk)
    act = _ACTS.get(request.POST.get("act", ""))
    if act is None:
        return HttpResponseBadRequest("This is no change of an alarm.", content_type="text/plain")
    return act(request, alarm) or _back(request)


def _back(request: HttpRequest) -> HttpResponse:
    """Lead back to the list, and to its page, where the form stood."""
    place = {name: request.POST[name] for name in ("state", "kind", "p") if request.POST.get(name)}
    if place.get("state", "open") not in dict(STATES):
        place = {}
    return redirect(f"{reverse('alarms')}?{urlencode(place)}" if place else reverse("alarms"))


def _snooze(request: HttpRequest, alarm: Alarm) -> HttpResponse | None:
    if not request.user.has_perm("alarms.change_alarm"):
        raise PermissionDenied
    form = SnoozeForm(request.POST)
    if not form.is_valid():
        return _page(request, request.POST, form, alarm.pk)
    until = form.cleaned_data["until"]
    keeping.snooze(alarm, until)
    messages.success(request, f"{alarm.subject}: nobody is told until {day(until)}.")
    return None


def _wake(request: HttpRequest, alarm: Alarm) -> None:
    if not request.user.has_perm("alarms.change_alarm"):
        raise PermissionDenied
    keeping.snooze(alarm, None)


def _take(request: HttpRequest, alarm: Alarm) -> None:
    keeping.take(alarm, request.user)


def _leave(request: HttpRequest, alarm: Alarm) -> None:  # noqa: ARG001 (acts share a signature)
    keeping.take(alarm, None)


def _note(request: HttpRequest, alarm: Alarm) -> None:
    text = request.POST.get("text", "").replace("\0", "").strip()
    if text:
        keeping.add_note(alarm, text, request.user, timezone.now())
    else:
        messages.error(request, "The note was empty; nothing was saved.")


def _look(request: HttpRequest, alarm: Alarm) -> None:
    """Begin a crawl of the sitemaps of a paper that was asked too late."""
    if not request.user.has_perm("feeds.add_crawl"):
        raise PermissionDenied
    publication = alarm.publication
    if publication is None:
        messages.error(request, "The publication is gone; there is nothing to look for.")
        return
    seed = Seed(publication.home_url, DEFAULT_LIMIT)
    new = NewCrawl(publication, CrawlKind.SITEMAP, (seed,))
    try:
        begin(new, request.user.pk, timezone.now(), settings.CRAWL_USER_AGENT)
    except CrawlProblem as problem:
        messages.error(request, str(problem))
        return
    sentence = "is looked for in the sitemaps; it comes at the host’s pace."
    messages.success(request, f"What {publication.name} has published meanwhile {sentence}")


def _draw(request: HttpRequest, alarm: Alarm) -> None:
    """Let a browser draw the articles of a paper, those too that came without their text."""
    if not request.user.has_perm("feeds.change_publication"):
        raise PermissionDenied
    publication = alarm.publication
    if publication is None:
        messages.error(request, "The publication is gone; there is nothing to draw.")
        return
    n_pages = let_browser_draw(publication, request.user, timezone.now())
    again = f"; {counted(n_pages, 'page')} without text are fetched again" if n_pages else ""
    said = f"A browser draws the articles of {publication.name} from now on{again}."
    missing = what_is_missing()
    if missing:
        messages.warning(request, f"{said} First install what it needs: {missing}")
    else:
        messages.success(request, said)


_ACTS: dict[str, Callable[[HttpRequest, Alarm], HttpResponse | None]] = {
    "snooze": _snooze,
    "wake": _wake,
    "take": _take,
    "leave": _leave,
    "note": _note,
    "look": _look,
    "draw": _draw,
}
