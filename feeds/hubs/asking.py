"""The hub stage: asks hubs to tell of feeds' news, again before their leases end, or no more.

A batch asks hubs side by side, and each hub one question after the other. Nothing that a hub
answers is believed but that it took the question: it agrees by calling back (`calls`).

robots.txt is not asked. It is for pages that a crawler finds by itself (RFC 9309, 1); the hub is
an endpoint of a protocol, named by the publisher so that readers of the feed post to it. All checks
of addresses hold, for where it leads as well: a feed may name any address as its hub.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from urllib.parse import urlencode, urljoin, urlsplit

from django.conf import settings
from django.urls import reverse

from feeds.crawler.fetching.exchange import REPEATING_REDIRECTS, FetchRequest, FetchResult
from feeds.crawler.fetching.http import Fetcher
from feeds.crawler.fetching.hub_requests import subscription, unsubscription
from feeds.crawler.timing.conditional import header, retry_after_seconds
from feeds.hubs.subscriptions import LONGEST_WAIT, new_secret, wait_after, wanted
from feeds.models import HubAsked, HubSubscription
from feeds.network import PROXY_LOOKUP, network_policy
from feeds.secrets_at_rest import SealBrokenError, unseal
from feeds.work import leases
from feeds.work.batches import Failures, Report, each
from feeds.work.leases import Claim

logger = logging.getLogger(__name__)

# Who does not take "no more" by then is left alone: its lease ends by itself.
MOST_GOODBYES = 4
_SECONDS = 10.0  # of patience for one answer, as with webhooks
# A batch of ten questions to one slow hub takes 100 s at most.
_LEASE = timedelta(seconds=180)
_MOST_ANSWER_BYTES = 65_536  # nothing of it is read
_ACCEPTED = range(200, 300)  # section 5.3 says 202; hubs that call back first answer 204
_MOST_REDIRECTS = 2  # to where a hub has moved
_MOST_PROBLEM = 200  # what the column holds


@dataclass(frozen=True, slots=True)
class _Question:
    """What a hub is asked, as the form that it gets."""

    row: HubSubscription
    asked: HubAsked
    form: bytes


def run(limit: int, terms: Claim) -> Report:
    """Ask the hubs whose time has come, and close rows for which there is nothing to ask."""
    terms = replace(terms, lease=max(terms.lease, _LEASE))
    claimed = leases.claim(HubSubscription.objects.all(), limit, terms)
    if not claimed:
        return Report()
    rows = HubSubscription.objects.filter(pk__in=claimed)
    news_wanted = set(wanted(rows).values_list("pk", flat=True))
    done: Counter[str] = Counter()
    questions = []
    for row in rows.order_by("pk"):
        question = _question(row, terms.now, is_wanted=row.pk in news_wanted)
        if question is None:
            done[_close(row, terms)] += 1
        else:
            questions.append(question)
    questions = [question for question in questions if _prepare(question, terms)]
    answers = asyncio.run(_ask_all(questions))
    failures = Failures(terms)
    done.update(
        each(
            list(zip(questions, answers, strict=True)),
            lambda pair: _record(*pair, terms),
            lambda pair, error: failures.add(pair[0].row, error),
        )
    )
    return Report(len(claimed), done, failures.n_quarantined)


def _question(row: HubSubscription, now: datetime, *, is_wanted: bool) -> _Question | None:
    """Make what is to be asked; None where the hub need not hear of us (any more)."""
    callback = f"{settings.SITE_URL}{reverse('hub', args=[row.key])}"
    if is_wanted:
        form = subscription(row.topic, callback, _secret(row))
        return _Question(row, HubAsked.SUBSCRIBE, urlencode(form).encode())
    if row.tells(now) and row.tries < MOST_GOODBYES:
        form = unsubscription(row.topic, callback)
        return _Question(row, HubAsked.UNSUBSCRIBE, urlencode(form).encode())
    return None


def _secret(row: HubSubscription) -> str:
    """Open the row's secret; where its key is gone, give it another one."""
    try:
        return unseal(row.sealed)
    except SealBrokenError:
        row.sealed = new_secret()
        return unseal(row.sealed)


def _close(row: HubSubscription, terms: Claim) -> str:
    """Let a row rest that asks nothing, and go where its feed is gone."""
    if row.feed_id is None:
        HubSubscription.objects.filter(pk=row.pk, lease_owner=terms.owner).delete()
    else:
        leases.complete(row, terms.owner, asked=HubAsked.NOTHING, ends_at=None, problem="", tries=0)
    return "ended"


def _prepare(question: _Question, terms: Claim) -> bool:
    """Write what is asked before it is asked, for some hubs call back at once; False when lost."""
    row = question.row
    row.tries += 1
    ours = HubSubscription.objects.filter(pk=row.pk, lease_owner=terms.owner)
    n_written = ours.update(
        asked=question.asked,
        asked_at=terms.now,
        sealed=row.sealed,
        tries=row.tries,
        problem="",
    )
    return n_written == 1


async def _ask_all(questions: Sequence[_Question]) -> list[FetchResult]:
    """Ask hubs side by side; gives the answers in the order of the questions."""
    by_hub: dict[str, list[_Question]] = {}
    for question in questions:
        by_hub.setdefault(urlsplit(question.row.url).netloc, []).append(question)
    policy = replace(network_policy(), total_seconds=_SECONDS)
    async with Fetcher(policy, lookup=PROXY_LOOKUP) as fetcher:
        asked = await asyncio.gather(*(_ask_one_hub(fetcher, some) for some in by_hub.values()))
    answers = {pk: answer for some in asked for pk, answer in some.items()}
    return [answers[question.row.pk] for question in questions]


async def _ask_one_hub(fetcher: Fetcher, questions: Iterable[_Question]) -> dict[int, FetchResult]:
    """Ask one question after the other; a hub that does not answer is asked no more of them."""
    answers: dict[int, FetchResult] = {}
    silent: FetchResult | None = None
    for question in questions:
        answer = silent or await _ask(fetcher, question)
        silent = answer if answer.status is None else None
        answers[question.row.pk] = answer
    return answers


async def _ask(fetcher: Fetcher, question: _Question) -> FetchResult:
    """Post a question; a hub that has moved says where by 307 or 308, and the form is repeated.

    Each address is checked anew, and what was asked over https is not repeated in the open.
    """
    url = question.row.url
    for _ in range(_MOST_REDIRECTS):
        answer = await _post(fetcher, url, question.form)
        target = urljoin(url, header(answer.headers, "location") or "")
        is_downgraded = url.startswith("https:") and not target.startswith("https:")
        if answer.status not in REPEATING_REDIRECTS or target == url or is_downgraded:
            return answer
        url = target
    return await _post(fetcher, url, question.form)


async def _post(fetcher: Fetcher, url: str, form: bytes) -> FetchResult:
    request = FetchRequest(
        url, max_bytes=_MOST_ANSWER_BYTES, user_agent=settings.CRAWL_USER_AGENT, form=form
    )
    return await fetcher.fetch(request)


def _record(question: _Question, answer: FetchResult, terms: Claim) -> str:
    """Write when to ask next, and why a hub did not take the question.

    What the hub has said meanwhile by calling back stands: it rescheduled the row.
    """
    row, is_taken = question.row, answer.status in _ACCEPTED
    wait = wait_after(row.tries)
    wished = retry_after_seconds(answer.headers, terms.now)
    if wished:
        wait = min(max(wait, timedelta(seconds=wished)), LONGEST_WAIT)
    changes = {} if is_taken else {"problem": answer.error[:_MOST_PROBLEM]}
    if not leases.complete(row, terms.owner, due_at=terms.now + wait, **changes):
        return "lost"
    return "asked" if is_taken else "refused"
