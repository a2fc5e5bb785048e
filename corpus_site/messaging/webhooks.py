"""Messages to programs: JSON by POST, signed as the Standard Webhooks say.

The headers `webhook-id`, `webhook-timestamp` and `webhook-signature` (v1, HMAC-SHA256 over id,
timestamp and body, in base64) are those of https://www.standardwebhooks.com, so that receivers
find a library in their language. Sent by the crawler's fetcher, with all its checks of addresses;
a redirect is followed only where it repeats the request (307, 308), and the signature stays with
the host that was asked for.
"""

import asyncio
import base64
import hashlib
import hmac
import json
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.conf import settings

from corpus_site.messaging.attempts import Attempt
from corpus_site.messaging.content import Content
from corpus_site.messaging.models import Message
from feeds.crawler.fetching.connections import check_target, parse_target
from feeds.crawler.fetching.exchange import FetchRequest, FetchResult, FetchStoppedError
from feeds.crawler.fetching.http import Fetcher
from feeds.network import PROXY_LOOKUP, network_policy
from feeds.secrets_at_rest import SealBrokenError, unseal

# Who has not answered by then is tried again later; nobody else waits for them longer.
SECONDS = 10.0
_MOST_ANSWER_BYTES = 65_536  # nothing of it is read
SECRET_MARK = "whsec_"  # noqa: S105 (how secrets of the standard begin)
_SECRET_BYTES = 32
_TAKEN = range(200, 300)
_GONE = 410  # the receiver wants no more (as WebSub and the standard say)

# What the help page shows; a test holds it against what is sent.
EXAMPLE = """POST /hook HTTP/1.1
Content-Type: application/json
webhook-id: s12-n345
webhook-timestamp: 1795170720
webhook-signature: v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=

{
  "type": "broadsheet.alarms",
  "timestamp": "2026-11-20T10:32:00+00:00",
  "data": {
    "id": "s12-n345",
    "site": "https://corpus.example.org",
    "title": "■ Failing: Karoo Courier, News",
    "summary": "An alarm has changed.",
    "address": "https://corpus.example.org/status/alarms/",
    "items": [
      {
        "subject": "Karoo Courier, News",
        "sentence": "answers 503.",
        "address": "https://corpus.example.org/feeds/7/",
        "label": "■ Failing",
        "source": "",
        "at": "2026-11-20T10:30:00+00:00",
        "host": "karoo-courier.example",
        "since": "2026-11-20T09:15:00+00:00",
        "articles_a_day": 12.5
      }
    ],
    "more": 0,
    "figures": {}
  }
}"""


@dataclass(frozen=True, slots=True)
class Parcel:
    """What is posted, and where: made in one transaction's sight, sent without the database."""

    url: str
    body: bytes
    headers: tuple[tuple[str, str], ...]


def new_secret() -> str:
    return SECRET_MARK + base64.b64encode(secrets.token_bytes(_SECRET_BYTES)).decode()


def refusal(url: str) -> str:
    """Say why nothing may be posted to an address, as far as its spelling tells, else nothing."""
    try:
        check_target(parse_target(url), network_policy())
    except FetchStoppedError as error:
        return str(error)
    return ""


def body_of(message: Message) -> bytes:
    """Write the body: `docs/running.md` and the help page show an example."""
    content = Content.of(message.content)
    plain = {
        "type": f"broadsheet.{content.kind}",
        "timestamp": message.made_at.isoformat(),
        "data": {
            "id": message.key,
            "site": settings.SITE_URL,
            "title": content.title,
            "summary": content.lead,
            "address": content.address,
            "items": [item.plain for item in content.items],
            "more": content.n_more,
            "figures": dict(content.figures),
        },
    }
    return json.dumps(plain, ensure_ascii=False, separators=(",", ":")).encode()


def signature(secret: str, key: str, moment: int, body: bytes) -> str:
    """Sign a body: base64 of HMAC-SHA256 over `key.moment.body`, in seconds since 1970."""
    raw = base64.b64decode(secret.removeprefix(SECRET_MARK))
    digest = hmac.new(raw, f"{key}.{moment}.".encode() + body, hashlib.sha256).digest()
    return f"v1,{base64.b64encode(digest).decode()}"


def parcel_of(message: Message, now: datetime) -> Parcel:
    """Make what is posted for a message.

    Raises
    ------
    SealBrokenError
        If the channel's secret cannot be read any more.
    """
    body, moment = body_of(message), int(now.timestamp())
    secret = unseal(message.channel.sealed)
    headers = (
        ("webhook-id", message.key),
        ("webhook-timestamp", str(moment)),
        ("webhook-signature", signature(secret, message.key, moment, body)),
    )
    return Parcel(message.channel.address, body, headers)


def post_all(messages: Sequence[Message], now: datetime) -> list[Attempt]:
    """Post messages side by side; one attempt for each, in their order."""
    made: list[Parcel | Attempt] = []
    for message in messages:
        try:
            made.append(parcel_of(message, now))
        except SealBrokenError as error:
            made.append(Attempt(str(error), is_final=True))
    results = iter(asyncio.run(_post([one for one in made if isinstance(one, Parcel)])))
    return [one if isinstance(one, Attempt) else next(results) for one in made]


async def _post(parcels: Sequence[Parcel]) -> list[Attempt]:
    policy = replace(network_policy(), total_seconds=SECONDS)
    async with Fetcher(policy, lookup=PROXY_LOOKUP) as fetcher:
        results = await asyncio.gather(*(fetcher.fetch(_request(one)) for one in parcels))
    return [_judged(result) for result in results]


def _request(parcel: Parcel) -> FetchRequest:
    return FetchRequest(
        parcel.url,
        max_bytes=_MOST_ANSWER_BYTES,
        user_agent=settings.CRAWL_USER_AGENT,
        credentials=parcel.headers,
        payload=parcel.body,
    )


def _judged(result: FetchResult) -> Attempt:
    """Take a status of success for an answer, whatever its body is or does."""
    code = result.status
    if code in _TAKEN:
        return Attempt("Taken.", code, result.elapsed_ms, is_taken=True)
    sentence = result.error or f"The server answered {code}."
    return Attempt(sentence, code, result.elapsed_ms, is_final=code == _GONE)
