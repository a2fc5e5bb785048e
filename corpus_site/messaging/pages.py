"""`/settings/messages/`: a reader's channels, subscriptions, hours, and what was sent."""

from collections.abc import Callable
from copy import copy
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from zoneinfo import available_timezones

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from corpus_site.accounts.mails import can_send
from corpus_site.accounts.models import User
from corpus_site.messaging import channels, mail
from corpus_site.messaging.addresses import feed_address
from corpus_site.messaging.channels import NewChannel
from corpus_site.messaging.delivering import send_again
from corpus_site.messaging.forms import ChannelForm, HabitsForm, SubscriptionForm
from corpus_site.messaging.models import Channel, ChannelKind, Habits, Message, Subscription, Topic
from feeds.secrets_at_rest import SealBrokenError

_LATEST = 10
PER_PAGE = 50


@dataclass(frozen=True, slots=True)
class ChannelRow:
    """A channel with its state in words, and the address of its feed."""

    row: Channel
    tone: str
    state: str
    feed: str


def _user(request: HttpRequest) -> User:
    """Return who has signed in; the views let nobody else in."""
    assert isinstance(request.user, User)  # noqa: S101 (for the type checker)
    return request.user


@login_required
@never_cache
@require_safe
def own_messages(request: HttpRequest) -> HttpResponse:
    return _page(request, {})


@login_required
@never_cache
@require_POST
def add_channel(request: HttpRequest) -> HttpResponse:
    """Make a channel; the secret of a webhook is shown in this answer alone."""
    form = ChannelForm(_user(request), request.POST)
    if not form.is_valid():
        return _page(request, {"channel_form": form})
    now = timezone.now()
    made = channels.add_channel(form.to_row(), form.cleaned_data["address"], now)
    if made.secret:
        return _page(request, {"made": made})
    if made.row.confirmed_at is None:
        _say_test(request, made.row, now)
    else:
        messages.success(request, f"“{made.row.name}” is added. Now choose what it is told of.")
    return redirect("messages")


@login_required
@never_cache
@require_POST
def change_channel(request: HttpRequest, pk: int, action: str) -> HttpResponse:
    channel = get_object_or_404(Channel, pk=pk, owner=_user(request))
    if action == "renew":
        return _renewed(request, channel)
    if action not in _CHANNEL_ACTS:
        raise Http404
    _CHANNEL_ACTS[action](request, channel, timezone.now())
    return redirect("messages")


def _renewed(request: HttpRequest, channel: Channel) -> HttpResponse:
    if channel.kind not in {ChannelKind.WEBHOOK, ChannelKind.FEED}:
        raise Http404
    made = channels.renew(channel)
    if made.secret:
        return _page(request, {"made": made})
    messages.success(request, f"“{channel.name}” has another address; the old one opens nothing.")
    return redirect("messages")


def _test(request: HttpRequest, channel: Channel, now: datetime) -> None:
    _say_test(request, channel, now)


def _say_test(request: HttpRequest, channel: Channel, now: datetime) -> None:
    """Send a test, or what asks a mail's reader to agree, and say what happened."""
    if channel.paused_at is not None:
        messages.error(request, f"“{channel.name}” is paused: let it go on first.")
        return
    if not channels.take_test(channel.owner, now):
        words = f"You sent {channels.TESTS_AN_HOUR} tests within an hour. Try again later."
        messages.error(request, words)
        return
    is_asking = channel.confirmed_at is None
    attempt = channels.send_test(channel, now)
    code = f" ({attempt.code})" if attempt.code else ""
    words = f"“{channel.name}”: {attempt.sentence}{code} {attempt.elapsed_ms} ms."
    if not attempt.is_taken:
        messages.error(request, f"Nothing arrived. {words}")
    elif is_asking:
        messages.success(request, f"{words} Open the link in that mail to agree to messages.")
    else:
        messages.success(request, f"The test was sent. {words}")


def _pause(request: HttpRequest, channel: Channel, now: datetime) -> None:
    channels.pause(channel, now)
    messages.success(request, f"Nothing is sent over “{channel.name}”.")


def _resume(request: HttpRequest, channel: Channel, now: datetime) -> None:
    del now
    channels.pause(channel, None)
    messages.success(request, f"“{channel.name}” gets messages again.")


def _remove(request: HttpRequest, channel: Channel, now: datetime) -> None:
    del now
    channels.remove(channel)
    messages.success(request, f"“{channel.name}” is removed, with all that was told over it.")


_CHANNEL_ACTS: dict[str, Callable[[HttpRequest, Channel, datetime], None]] = {
    "test": _test,
    "pause": _pause,
    "resume": _resume,
    "remove": _remove,
}


@login_required
@require_POST
def add_subscription(request: HttpRequest) -> HttpResponse:
    form = SubscriptionForm(_user(request), request.POST)
    if not form.is_valid():
        return _page(request, {"subscription_form": form})
    publications = list(form.cleaned_data["publications"])
    row = channels.subscribe(form.to_row(), publications, timezone.now())
    messages.success(request, f"{row}: you are told over “{row.channel.name}”.")
    return redirect(f"{reverse('messages')}#subscriptions")


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def edit_subscription(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a subscription in the form, and change it in place."""
    row = _subscription(request, pk)
    before = copy(row)
    form = SubscriptionForm(_user(request), request.POST or None, instance=row)
    if request.method != "POST" or not form.is_valid():
        return _page(request, {"subscription_form": form, "edited": before})
    wanted, publications = form.to_row(), list(form.cleaned_data["publications"])
    channels.change(wanted, before, publications, timezone.now())
    messages.success(request, f"{wanted}: changed.")
    return redirect(f"{reverse('messages')}#subscriptions")


def _subscription(request: HttpRequest, pk: int) -> Subscription:
    rows = Subscription.objects.select_related("channel", "query")
    return get_object_or_404(rows, pk=pk, channel__owner=_user(request))


@login_required
@require_POST
def change_subscription(request: HttpRequest, pk: int, action: str) -> HttpResponse:
    row = _subscription(request, pk)
    now = timezone.now()
    if action == "pause":
        channels.end(row.pk, now)
    elif action == "resume":
        channels.go_on(row, now)
    elif action == "remove":
        row.delete()
        messages.success(request, f"{row}: removed.")
    else:
        raise Http404
    return redirect(f"{reverse('messages')}#subscriptions")


@login_required
@require_POST
def change_habits(request: HttpRequest) -> HttpResponse:
    row = Habits.objects.filter(user=_user(request)).first()
    form = HabitsForm(request.POST, instance=row or Habits(user=_user(request)))
    if not form.is_valid():
        return _page(request, {"habits_form": form})
    form.save()
    channels.plan_anew(_user(request), timezone.now())
    messages.success(request, "Your hours are saved.")
    return redirect("messages")


@login_required
@require_safe
def sent(request: HttpRequest) -> HttpResponse:
    """List messages with their tries; admins may see everybody's."""
    may_see_all = _user(request).is_admin
    is_all = may_see_all and request.GET.get("of") == "all"
    rows = Message.objects.select_related("channel__owner").prefetch_related("deliveries")
    rows = rows if is_all else rows.filter(channel__owner=_user(request))
    context = {
        "now": timezone.localtime(),
        "page": Paginator(rows.order_by("-pk"), PER_PAGE).get_page(request.GET.get("p")),
        "is_all": is_all,
        "may_see_all": may_see_all,
        "address": "?of=all&p=" if is_all else "?p=",
    }
    return render(request, "messaging/sent.html", context)


@login_required
@require_POST
def again(request: HttpRequest, pk: int) -> HttpResponse:
    rows = Message.objects.select_related("channel")
    if not _user(request).is_admin:
        rows = rows.filter(channel__owner=_user(request))
    message = get_object_or_404(rows, pk=pk)
    send_again(message, timezone.now())
    messages.success(request, f"“{message}” goes out again within a minute.")
    return redirect("messages-sent")


def _page(request: HttpRequest, given: dict[str, Any]) -> HttpResponse:
    user = _user(request)
    own = list(Channel.objects.filter(owner=user))
    rows = Subscription.objects.filter(channel__owner=user)
    habits = Habits.objects.filter(user=user).first()
    made: NewChannel | None = given.get("made")
    context: dict[str, Any] = {
        "now": timezone.localtime(),
        "channels": [_row(channel) for channel in own],
        "subscriptions": rows.select_related("channel", "query").prefetch_related("publications"),
        "channel_form": given.get("channel_form") or ChannelForm(user),
        "subscription_form": given.get("subscription_form")
        or SubscriptionForm(user, initial=_asked_for(request)),
        "habits_form": given.get("habits_form") or HabitsForm(instance=habits),
        "zones": sorted(available_timezones()),
        "made": made,
        "edited": given.get("edited"),
        "no_mail": "" if can_send() else mail.NO_SERVER,
        "latest": Message.objects.filter(channel__in=own)
        .select_related("channel__owner")
        .prefetch_related("deliveries")
        .order_by("-pk")[:_LATEST],
    }
    names = ("channel_form", "subscription_form", "habits_form")
    is_wrong = any(context[name].errors for name in names)
    return render(request, "messaging/messages.html", context, status=400 if is_wrong else 200)


def _asked_for(request: HttpRequest) -> dict[str, Any]:
    """Read what a link to this page is about: a saved query, or alarms."""
    query = request.GET.get("query", "")
    if query.isdecimal():
        return {"topic": Topic.QUERY, "query": int(query)}
    return {"topic": request.GET.get("topic", Topic.ALARMS)}


def _row(channel: Channel) -> ChannelRow:
    tone, state = _state(channel)
    feed = ""
    if channel.kind == ChannelKind.FEED:
        try:
            feed = feed_address(channels.key_of(channel))
        except SealBrokenError:
            tone, state = "bad", "■ Its key is lost: make a new address"
    return ChannelRow(channel, tone, state, feed)


def _state(channel: Channel) -> tuple[str, str]:
    if channel.paused_at:
        return "", "‖ Paused"
    if channel.confirmed_at is None:
        return "warn", "▲ Not confirmed yet"
    if channel.failing_since:
        return "bad", "■ Does not take messages"
    return "ok", "● Open"
