"""Every address of the site, by the URL configuration: with rows that are there to stand for."""

import re
from collections.abc import Iterator
from typing import Any

from django.urls import URLPattern, URLResolver, get_resolver
from factories import (
    NOW,
    make_article,
    make_comment,
    make_feed,
    make_fetch,
    make_publication,
    make_user,
)

from corpus_site.messaging.models import Channel, ChannelKind
from feeds.models import Page
from search.models import Marking, PastQuery, SavedQuery

# Where the admin's pages of the tables begin.
ADMIN = "admin/"
# Whose rows a number stands for, by the beginning of the address; 1 for all others.
_ROWS = {
    "articles/": "article",
    "comments/": "comment",
    "feeds/": "feed",
    "part/frame/": "fetch",
    "people/": "user",
    "settings/messages/channels/": "channel",
    "saved/": "query",
    "markings/": "marking",
    "history/": "past",
}
_WORDS = {
    "slug": "karoo-courier",
    "name": "karoo-courier.example",
    "form": "rain",
    "word": "rain",
    "short": "rain",
}
_STAGES, _STAGE = "status/stages/", {"name": "fetch"}
_APPS = re.compile(r"(\(\?P<app_label>)([^()]*)(\))")
_GROUP = re.compile(r"\(\?P<(\w+)>.*?\)(?=/|\\\.|\$|\\Z|$)")


def make_rows() -> dict[str, int]:
    """Make a row of each kind that addresses name by number; returns their keys."""
    paper = make_publication()
    article = make_article("Rain fell on the Karoo.", paper)
    owner = make_user("editor", username="thandi")
    channel = Channel.objects.create(
        owner=owner, kind=ChannelKind.FEED, name="Feed", created_at=NOW
    )
    query = SavedQuery.objects.create(
        owner=owner, short="rain", parameters="q=rain", generation=1, n_hits=1
    )
    marking = Marking.objects.create(
        owner=owner, name="Rain", categories=["verb"], parameters="q=rain&asof=1", generation=1,
        drawn_at=1, n_hits=1, base_tokens=5, n_lines=1, is_shared=True, created_at=NOW,
    )  # fmt: skip
    past = PastQuery.objects.create(
        owner=owner, digest="a", view="search", parameters="q=rain", text="rain", n_hits=1,
        generation=1, asked_at=NOW,
    )  # fmt: skip
    return {
        "past": past.pk,
        "article": article.pk,
        "comment": make_comment(article).pk,
        "feed": make_feed(paper).pk,
        "fetch": make_fetch(Page.objects.get(pk=article.page_id)).pk,
        "user": owner.pk,
        "channel": channel.pk,
        "query": query.pk,
        "marking": marking.pk,
    }


def routes(resolver: Any = None, before: str = "") -> Iterator[str]:
    """Give all routes, regular expressions among them; some come twice.

    The admin names its apps in the order in which they were imported: here they are sorted.
    """
    for item in (resolver or get_resolver()).url_patterns:
        route = before + _APPS.sub(_sorted, str(item.pattern))
        if isinstance(item, URLResolver):
            yield from routes(item, route)
        elif isinstance(item, URLPattern):
            yield route


def _sorted(apps: re.Match[str]) -> str:
    return apps[1] + "|".join(sorted(apps[2].split("|"))) + apps[3]


def address(route: str, rows: dict[str, int]) -> str:
    """Fill a route: numbers of rows that are there, words that lead somewhere."""
    kind = next((kind for start, kind in _ROWS.items() if route.startswith(start)), "")
    number = str(rows.get(kind, 1))
    words = _WORDS | (_STAGE if route.startswith(_STAGES) else {})

    def value(match: re.Match[str]) -> str:
        converter, _, name = match[1].rpartition(":")
        return number if converter == "int" else words.get(name, "do")

    plain = re.sub(r"<([^>]+)>", value, _GROUP.sub(number, route))
    return "/" + re.sub(r"[\^$]|\\Z|/\?(?=$)", "", plain.replace("/?$", "/")).replace("\\.", ".")
