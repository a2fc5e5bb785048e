"""`/feeds/<pk>/address|schedule|delete/`: what an editor changes of a feed (POST only)."""

from collections.abc import Callable
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import permission_required
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.views.decorators.http import require_POST

from feeds.acts import MAX_REASON, Act, ActRefusedError
from feeds.crawler.timing.schedules import DAY_NAMES, BadScheduleError, Schedule, read_times
from feeds.models import Feed
from feeds.sources import feed_changes

NO_REASON = "Say why: it stands in the log with your name."
BY_MINUTES, BY_TIMES, LEARNT = "minutes", "times", "learnt"


class FeedChangeForm(forms.Form):
    """Why a feed is changed."""

    reason = forms.CharField(
        max_length=MAX_REASON,
        error_messages={
            "required": NO_REASON,
            "max_length": "The reason has at most %(limit_value)s characters.",
        },
    )


class FeedAddressForm(FeedChangeForm):
    address = forms.CharField(
        max_length=2048,
        error_messages={
            "required": "Give the new address.",
            "max_length": "The address is longer than %(limit_value)s characters.",
        },
    )


class ScheduleForm(FeedChangeForm):
    """Every so many minutes, or times of the day, on some days; or as is learnt."""

    plan = forms.ChoiceField(
        choices=[(name, name) for name in (BY_MINUTES, BY_TIMES, LEARNT)],
        error_messages={"required": "Choose a plan.", "invalid_choice": "Choose a plan."},
    )
    every_minutes = forms.IntegerField(
        required=False, error_messages={"invalid": "Minutes are a whole number."}
    )
    times = forms.CharField(max_length=500, required=False)
    days = forms.TypedMultipleChoiceField(
        choices=list(enumerate(DAY_NAMES)), coerce=int, required=False
    )

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = super().clean() or {}
        try:
            values["schedule"] = self._schedule(values)
        except BadScheduleError as problem:
            raise ValidationError(str(problem)) from problem
        return values

    def _schedule(self, values: dict[str, Any]) -> Schedule | None:
        plan, days = values.get("plan"), frozenset(values.get("days") or ())
        if plan == BY_MINUTES and "every_minutes" in values:
            return Schedule(every_minutes=values["every_minutes"], days=days)
        if plan == BY_TIMES and "times" in values:
            return Schedule(times=read_times(values["times"]), days=days)
        return None


@permission_required("feeds.change_feed", raise_exception=True)
@require_POST
def change_address(request: HttpRequest, pk: int) -> HttpResponse:
    form = FeedAddressForm(request.POST)

    def do(feed: Feed, act: Act) -> str:
        return feed_changes.change_address(feed, form.cleaned_data["address"], act)

    _change(request, _feed(pk), form, do)
    return redirect("feed", pk=pk)


@permission_required("feeds.change_feed", raise_exception=True)
@require_POST
def set_schedule(request: HttpRequest, pk: int) -> HttpResponse:
    form = ScheduleForm(request.POST)

    def do(feed: Feed, act: Act) -> str:
        return feed_changes.set_schedule(feed, form.cleaned_data["schedule"], act)

    _change(request, _feed(pk), form, do)
    return redirect("feed", pk=pk)


@permission_required("feeds.delete_feed", raise_exception=True)
@require_POST
def delete_feed(request: HttpRequest, pk: int) -> HttpResponse:
    feed = _feed(pk)
    if _change(request, feed, FeedChangeForm(request.POST), feed_changes.delete_feed):
        return redirect("source", slug=feed.publication.slug)
    return redirect("feed", pk=pk)


def _feed(pk: int) -> Feed:
    return get_object_or_404(Feed.objects.select_related("publication", "page"), pk=pk)


def _change(
    request: HttpRequest, feed: Feed, form: FeedChangeForm, do: Callable[[Feed, Act], str]
) -> bool:
    """Do it if the form is right, and say what became of it; returns whether it was done."""
    if not form.is_valid():
        words = [str(one) for errors in form.errors.values() for one in errors]
        messages.error(request, " ".join(words))
        return False
    act = Act(request.user.pk, timezone.now(), form.cleaned_data["reason"])
    try:
        messages.success(request, do(feed, act))
    except ActRefusedError as refusal:
        messages.error(request, str(refusal))
        return False
    return True
