"""Pages for whoever has their address: end messages, agree to them, read a feed of them.

Mail programs open addresses by themselves, so nothing happens before a button is pressed; the one
press that a mail program itself offers is a POST (RFC 8058), which can carry no token of a form.
"""

from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.feedgenerator import Atom1Feed
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_safe

from corpus_site.messaging import channels
from corpus_site.messaging.addresses import Wish, unsigned
from corpus_site.messaging.content import Content, absolute
from corpus_site.messaging.forgetting import shown
from corpus_site.messaging.models import Channel, Message, Subscription
from presentation.xml_text import clean

ENTRIES = 50


@login_not_required
@csrf_exempt
@never_cache
@require_http_methods(["GET", "POST"])
def end(request: HttpRequest, key: str) -> HttpResponse:
    """End a subscription."""
    rows = Subscription.objects.select_related("query")
    row = rows.filter(pk=unsigned(Wish.END, key)).first()
    if row is None:
        raise Http404
    if request.method == "POST":
        channels.end(row.pk, timezone.now())
    return _asked(request, str(row), "Tell me of this no more", "You are told of this no more.")


@login_not_required
@csrf_exempt
@never_cache
@require_http_methods(["GET", "POST"])
def leave(request: HttpRequest, key: str) -> HttpResponse:
    """End all of a channel."""
    channel = _channel(Wish.LEAVE, key)
    if request.method == "POST":
        channels.leave(channel, timezone.now())
    return _asked(request, channel.name, "Send nothing here any more", "Nothing is sent here.")


@login_not_required
@never_cache
@require_http_methods(["GET", "POST"])
def confirm(request: HttpRequest, key: str) -> HttpResponse:
    """Agree to messages."""
    channel = _channel(Wish.CONFIRM, key)
    if request.method == "POST":
        channels.confirm(channel.pk, timezone.now())
    return _asked(request, channel.address, "Send me messages", "Messages come to this address.")


def _channel(wish: Wish, key: str) -> Channel:
    channel = Channel.objects.filter(pk=unsigned(wish, key)).first()
    if channel is None:
        raise Http404
    return channel


def _asked(request: HttpRequest, about: str, act: str, done: str) -> HttpResponse:
    context = {"about": about, "act": act, "done": done if request.method == "POST" else ""}
    return render(request, "messaging/asked.html", context)


@login_not_required
@require_safe
def feed(request: HttpRequest, key: str) -> HttpResponse:
    """Give the newest messages of a feed as Atom."""
    channel = channels.feed_channel(key)
    if channel is None:
        raise Http404
    made = Atom1Feed(
        title=clean(f"Broadsheet: {channel.name}"),
        link=absolute("/"),
        description="",
        feed_url=absolute(request.path),
        feed_guid=f"{absolute('/')}messages/feed/{channel.pk}",
    )
    rows = Message.objects.filter(channel=channel, sent_at__isnull=False)
    for row in rows.order_by("-pk")[:ENTRIES] if channel.paused_at is None else ():
        content = shown(Content.of(row.content))
        made.add_item(
            title=clean(content.title),
            link=content.address,
            description=clean(content.html(is_whole=False)),
            unique_id=f"{absolute('/')}messages/{row.key}",
            pubdate=row.made_at,
            updateddate=row.made_at,
        )
    return HttpResponse(
        made.writeString("utf-8"), content_type="application/atom+xml; charset=utf-8"
    )
