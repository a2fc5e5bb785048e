"""The message stage: hands messages over, and writes what came of it.

Each try is a row of `Delivery`, written in one transaction with the end of the lease. Who dies
between the two has handed over a message that is handed over again, under the same id: at least
once, and told apart by whoever gets it. Refusals are tried again for three days. The log has a line
when a channel begins to fail and one when it is well again; the tries between stand in the table.
"""

import logging
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction

from corpus_site.messaging.attempts import Attempt
from corpus_site.messaging.chats import hand_over_all
from corpus_site.messaging.content import Content
from corpus_site.messaging.forgetting import shown
from corpus_site.messaging.mail import MailCarrier
from corpus_site.messaging.making import hours_of
from corpus_site.messaging.models import Channel, ChannelKind, Delivery, Message
from corpus_site.messaging.timetable import MOST_TRIES, next_try
from corpus_site.messaging.webhooks import post_all
from corpus_site.running.trouble_log import TroubleLog
from feeds.work import leases
from feeds.work.batches import DISASTERS, Failures, Report
from feeds.work.leases import Claim, LeaseLostError

logger = logging.getLogger(__name__)
_mail_trouble = TroubleLog(logger)

_NO_WAY = "closed"
_CLOSED = Attempt("The channel is paused.", is_final=True)
_IN_FEED = Attempt("It stands in the feed.", is_taken=True)


def run(limit: int, terms: Claim) -> Report:
    """Hand over up to `limit` messages whose time has come."""
    lease = timedelta(seconds=settings.MESSAGE_LEASE_SECONDS)
    terms = replace(terms, lease=max(terms.lease, lease))
    claimed = leases.claim(Message.objects.all(), limit, terms)
    if not claimed:
        return Report()
    rows = Message.objects.filter(pk__in=claimed).select_related("channel__owner").order_by("pk")
    failures = Failures(terms)
    done: Counter[str] = Counter()
    for some in _by_kind(list(rows)):
        done += _hand_over(some, terms, failures)
    return Report(len(claimed), done, failures.n_quarantined)


def _by_kind(messages: Sequence[Message]) -> Iterator[list[Message]]:
    """Put what goes the same way together; what goes no way any more stands for itself."""
    ways: dict[str, list[Message]] = {}
    for message in messages:
        ways.setdefault(_way(message), []).append(message)
    yield from (ways[way] for way in _CARRIERS if way in ways)


def _way(message: Message) -> str:
    channel = message.channel
    return channel.kind if channel.is_open and channel.owner.is_active else _NO_WAY


def _hand_over(messages: list[Message], terms: Claim, failures: Failures) -> Counter[str]:
    """Hand messages over that go one way; if something breaks, each of the rest by itself."""
    left = list(messages)
    done: Counter[str] = Counter()
    try:
        for message in messages:
            message.content = shown(Content.of(message.content)).plain
        for message, attempt in _CARRIERS[_way(messages[0])](messages, terms.now):
            done[_record(message, attempt, terms)] += 1
            left.remove(message)
    except DISASTERS:
        raise
    except Exception as error:  # noqa: BLE001 (it is told of the message that it belongs to)
        if len(messages) == 1:
            failures.add(messages[0], error)
            return done
        for message in left:
            done += _hand_over([message], terms, failures)
    return done


Carrier = Callable[[Sequence[Message], datetime], Iterator[tuple[Message, Attempt]]]


def _by_mail(messages: Sequence[Message], now: datetime) -> Iterator[tuple[Message, Attempt]]:
    del now
    with MailCarrier() as carrier:
        for message in messages:
            yield message, carrier.send(message)


def _by_webhook(messages: Sequence[Message], now: datetime) -> Iterator[tuple[Message, Attempt]]:
    yield from zip(messages, post_all(messages, now), strict=True)


def _by_chat(messages: Sequence[Message], now: datetime) -> Iterator[tuple[Message, Attempt]]:
    del now
    yield from zip(messages, hand_over_all(messages), strict=True)


def _by_feed(messages: Sequence[Message], now: datetime) -> Iterator[tuple[Message, Attempt]]:
    del now
    for message in messages:
        yield message, _IN_FEED


def _by_no_way(messages: Sequence[Message], now: datetime) -> Iterator[tuple[Message, Attempt]]:
    del now
    for message in messages:
        yield message, _CLOSED


_CARRIERS: dict[str, Carrier] = {
    _NO_WAY: _by_no_way,
    ChannelKind.FEED: _by_feed,
    ChannelKind.MAIL: _by_mail,
    ChannelKind.WEBHOOK: _by_webhook,
    ChannelKind.CHAT: _by_chat,
}


def _record(message: Message, attempt: Attempt, terms: Claim) -> str:
    """Write what came of a try, unless somebody else holds the message by now; says which."""
    now = terms.now
    n_tries = message.tries + 1
    again = None if attempt.is_taken or attempt.is_final else _again(message, n_tries, now)
    changes = {
        "tries": n_tries,
        "sent_at": now if attempt.is_taken else message.sent_at,
        "given_up_at": None if attempt.is_taken or again else now,
        "due_at": again,
    }
    try:
        with transaction.atomic():
            note_delivery(message, attempt, now)
            leases.complete_or_undo(message, terms.owner, **changes)
    except LeaseLostError:
        logger.info("message %s is somebody else's by now", message.key)
        return "lost"
    _tell_of_trouble(message.channel, attempt, now)
    return "taken" if attempt.is_taken else "refused"


def _again(message: Message, n_tries: int, now: datetime) -> datetime | None:
    """Say when to try again: outside of the reader's quiet hours where it would ring."""
    moment = next_try(n_tries, now)
    if moment is None or not message.channel.keeps_quiet:
        return moment
    return hours_of(message.channel.owner_id).quiet_end(moment) or moment


def note_delivery(message: Message, attempt: Attempt, now: datetime) -> Delivery:
    """Write one try into the log of deliveries."""
    return Delivery.objects.create(
        message=message,
        at=now,
        is_taken=attempt.is_taken,
        code=attempt.code,
        sentence=attempt.sentence,
        elapsed_ms=attempt.elapsed_ms,
    )


def _tell_of_trouble(channel: Channel, attempt: Attempt, now: datetime) -> None:
    """Log the beginning and end of a channel's trouble; that of the mail server once for all."""
    if attempt is _CLOSED:
        return
    if attempt.is_taken:
        _tell_of_end(channel)
        return
    is_first = Channel.objects.filter(pk=channel.pk, failing_since=None).update(failing_since=now)
    if attempt.is_ours:
        if _mail_trouble.began_at is None:
            _mail_trouble.note(f"mail does not leave: {attempt.sentence}")
    elif is_first:
        logger.warning(
            "channel %d (%s) does not take messages, up to %d tries: %s",
            channel.pk,
            channel.kind,
            MOST_TRIES,
            attempt.sentence,
        )


def _tell_of_end(channel: Channel) -> None:
    was_failing = Channel.objects.filter(pk=channel.pk, failing_since__isnull=False)
    if channel.kind == ChannelKind.MAIL:
        _mail_trouble.over("mail leaves again")
    if was_failing.update(failing_since=None) and channel.kind != ChannelKind.MAIL:
        logger.info("channel %d (%s) takes messages again", channel.pk, channel.kind)


def send_again(message: Message, now: datetime) -> None:
    """Make a message due that was taken or given up, with all its tries."""
    Message.objects.filter(pk=message.pk).reschedule(
        now, given_up_at=None, quarantined_at=None, tries=0, attempts=0
    )


def try_now(message: Message, now: datetime) -> Attempt:
    """Hand over a message that no stage knows of, at once, and log it: a test.

    It goes out although nobody has agreed yet, for it is what asks them to.
    """
    [(_, attempt)] = _CARRIERS[message.channel.kind]([message], now)
    note_delivery(message, attempt, now)
    changes = {"sent_at": now} if attempt.is_taken else {"given_up_at": now}
    Message.objects.filter(pk=message.pk).update(tries=1, **changes)
    return attempt
