"""Tells a watcher outside that the sweep goes on: asks for `HEARTBEAT_URL` once a minute.

healthchecks.io, Uptime Kuma and others raise an alarm when an address was not asked for in time:
the only one of our alarms that is told although the whole machine is off. By the crawler's fetcher.
"""

import asyncio
import logging
from dataclasses import replace
from datetime import datetime, timedelta

from django.conf import settings

from corpus_site.running.trouble_log import TroubleLog
from feeds.crawler.fetching.exchange import FetchRequest, FetchResult
from feeds.crawler.fetching.http import Fetcher
from feeds.models import Lock
from feeds.network import PROXY_LOOKUP, network_policy
from feeds.work.leases import Claim, release_lock, take_lock

LOCK = "heartbeat"
EVERY = timedelta(minutes=1)
SECONDS = 5.0  # the sweep waits for it
_MOST_ANSWER_BYTES = 65_536
_trouble = TroubleLog(logging.getLogger(__name__))


def beat_if_due(owner: str, now: datetime) -> bool:
    """Ask for the address, but once a minute in all processes together."""
    if not settings.HEARTBEAT_URL:
        return False
    last = Lock.objects.filter(name=LOCK).values_list("last_run_at", flat=True).first()
    is_early = last is not None and now - last < EVERY
    if is_early or not take_lock(LOCK, Claim(owner, now, EVERY)):
        return False
    result = asyncio.run(_ask())
    if result.outcome.is_answer:
        _trouble.over("the heartbeat address answers again")
    elif _trouble.began_at is None:
        _trouble.note(f"the heartbeat address does not answer: {result.error}")
    release_lock(LOCK, owner, now)
    return result.outcome.is_answer


async def _ask() -> FetchResult:
    policy = replace(network_policy(), total_seconds=SECONDS)
    async with Fetcher(policy, lookup=PROXY_LOOKUP) as fetcher:
        return await fetcher.fetch(
            FetchRequest(
                settings.HEARTBEAT_URL,
                max_bytes=_MOST_ANSWER_BYTES,
                user_agent=settings.CRAWL_USER_AGENT,
            )
        )
