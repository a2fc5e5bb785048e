"""`/feeds/<pk>/` and what an editor changes there: `/feeds/<pk>/address|schedule|delete/`."""

from collections.abc import Callable
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import permission_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from feeds import status
from feeds.acts import Act, ActRefusedError
from feeds.crawler.timing.schedules import (
    DAY_NAMES,
    LEAST_MINUTES,
    MOST_MINUTES,
    BadScheduleError,
    Schedule,
    read_times,
)
from feeds.forms import ReasonForm
from feeds.hubs import subscriptions
from feeds.models import Feed
from feeds.sources import feed_changes
from feeds.sources.feed_changes import time_zone
from feeds.visiting.timelines import place_words
from feeds.watching import feed_history

CHANGES_SHOWN = 50  # the latest
BY_MINUTES, BY_TIMES, LEARNT = "minutes", "times", "learnt"


class FeedAddressForm(ReasonForm):
    """Where a feed is from now on."""

    address = forms.CharField(
        label="New address",
        max_length=2048,
        error_messages={
            "required": "Give the new address.",
            "max_length": "The address is longer than %(limit_value)s characters.",
        },
        widget=forms.TextInput(
            attrs={"inputmode": "url", "autocapitalize": "none", "spellcheck": "false"}
        ),
    )
    field_order = ("address", "reason")


class ScheduleForm(ReasonForm):
    """Every so many minutes, or times of the day, on some days; or as is learnt."""

    plan = forms.ChoiceField(
        choices=[(name, name) for name in (BY_MINUTES, BY_TIMES, LEARNT)],
        error_messages={"required": "Choose a plan.", "invalid_choice": "Choose a plan."},
    )
    every_minutes = forms.IntegerField(
        required=False,
        error_messages={"invalid": "Minutes are a whole number."},
        widget=forms.NumberInput(
            attrs={
                "min": LEAST_MINUTES,
                "max": MOST_MINUTES,
                "aria-label": "Minutes between two visits",
            }
        ),
    )
    times = forms.CharField(
        max_length=500,
        required=False,
        widget=forms.TextInput(
            attrs={"placeholder": "06:00 18:30", "size": 14, "aria-label": "Times of the day"}
        ),
    )
    days = forms.TypedMultipleChoiceField(
        choices=list(enumerate(DAY_NAMES)),
        coerce=int,
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )
    field_order = ("plan", "every_minutes", "times", "days", "reason")

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = super().clean() or {}
        try:
            values["schedule"] = self._schedule(values)
        except BadScheduleError as problem:
            field = "every_minutes" if values["plan"] == BY_MINUTES else "times"
            self.add_error(field, str(problem))
        return values

    def _schedule(self, values: dict[str, Any]) -> Schedule | None:
        plan, days = values.get("plan"), frozenset(values.get("days") or ())
        if plan == BY_MINUTES and "every_minutes" in values:
            return Schedule(every_minutes=values["every_minutes"], days=days)
        if plan == BY_TIMES and "times" in values:
            return Schedule(times=read_times(values["times"]), days=days)
        return None


@require_safe
def feed_page(request: HttpRequest, pk: int) -> HttpResponse:
    return _page(request, pk)


@permission_required("feeds.change_feed", raise_exception=True)
@require_POST
def change_address(request: HttpRequest, pk: int) -> HttpResponse:
    form = FeedAddressForm(request.POST, auto_id="address-%s")

    def do(feed: Feed, act: Act) -> str:
        return feed_changes.change_address(feed, form.cleaned_data["address"], act)

    is_done = _change(request, _feed(pk), form, do)
    return redirect("feed", pk=pk) if is_done else _page(request, pk, address_form=form)


@permission_required("feeds.change_feed", raise_exception=True)
@require_POST
def set_schedule(request: HttpRequest, pk: int) -> HttpResponse:
    form = ScheduleForm(request.POST, auto_id="schedule-%s")

    def do(feed: Feed, act: Act) -> str:
        return feed_changes.set_schedule(feed, form.cleaned_data["schedule"], act)

    is_done = _change(request, _feed(pk), form, do)
    return redirect("feed", pk=pk) if is_done else _page(request, pk, schedule_form=form)


@permission_required("feeds.delete_feed", raise_exception=True)
@require_POST
def delete_feed(request: HttpRequest, pk: int) -> HttpResponse:
    feed = _feed(pk)
    form = ReasonForm(request.POST, auto_id="delete-%s")
    if _change(request, feed, form, feed_changes.delete_feed):
        return redirect("source", slug=feed.publication.slug)
    return _page(request, pk, delete_form=form)


def _feed(pk: int) -> Feed:
    return get_object_or_404(Feed.objects.select_related("publication", "page"), pk=pk)


def _change(
    request: HttpRequest, feed: Feed, form: ReasonForm, do: Callable[[Feed, Act], str]
) -> bool:
    """Do it and say so if the form is right, else leave its errors; returns whether it was done."""
    if form.is_valid():
        act = Act(request.user.pk, timezone.now(), form.cleaned_data["reason"])
        try:
            messages.success(request, do(feed, act))
        except ActRefusedError as refusal:
            form.add_error(next(iter(form.fields)), str(refusal))
    form.focus_first_error()
    return not form.errors


def _page(request: HttpRequest, pk: int, **refused: ReasonForm) -> HttpResponse:
    """Show a feed; `refused` is a form to be mended, by its name in the template."""
    now = timezone.localtime()
    rows = status.feed_rows(Feed.objects.filter(pk=pk), now)
    if not rows:
        raise Http404
    feed = rows[0].feed
    schedule = Schedule.from_json(feed.schedule)
    context = {
        "now": now,
        "row": rows[0],
        "feed": feed,
        "here": reverse("feed", args=[pk]),
        "events": status.last_events(feed.page),
        "items": status.last_document_items(feed),
        "hours": feed_history.publishing_hours(feed),
        "honesty": feed_history.honesty(feed, now),
        "hub": subscriptions.shown(feed, now),
        "place_words": place_words(feed),
        "schedule": schedule,
        "zone": time_zone(feed.publication),
        "changes": feed.changes.select_related("made_by")[:CHANGES_SHOWN],
        "schedule_form": ScheduleForm(auto_id="schedule-%s", initial=_planned(schedule)),
        "address_form": FeedAddressForm(auto_id="address-%s", initial={"address": feed.page.url}),
        "delete_form": ReasonForm(auto_id="delete-%s"),
        **refused,
    }
    return render(request, "feeds/feed.html", context, status=400 if refused else 200)


def _planned(schedule: Schedule | None) -> dict[str, Any]:
    if schedule is None:
        return {"plan": BY_MINUTES}
    return {
        "plan": BY_TIMES if schedule.times else BY_MINUTES,
        "every_minutes": schedule.every_minutes,
        "times": " ".join(f"{at:%H:%M}" for at in schedule.times),
        "days": sorted(schedule.days),
    }
