"""Every address of the site with rubbish in every parameter: a sentence, never a broken page.

Addresses come from the URL configuration, parameters from the forms and links of the pages; on
PostgreSQL too, which takes neither NUL nor numbers of any size.
"""

import re
from collections.abc import Iterator
from urllib.parse import parse_qsl, urlsplit

import pytest
from django.db import transaction
from django.urls import URLPattern, get_resolver
from factories import (
    NOW,
    make_article,
    make_comment,
    make_feed,
    make_fetch,
    make_publication,
    make_user,
)
from lxml import html

from corpus_site.messaging.models import Channel, ChannelKind
from feeds.models import Page
from search.models import SavedQuery

pytestmark = [pytest.mark.django_db, pytest.mark.sql]

JUNK = {
    "nothing": "",
    "markup": "'\"><x>%s{{7*7}}((\\",
    "long": "ä" * 6000,
    "NUL": "a\0b",
    "number": "99999999999999999999999",
    "negative": "-1",
    "list": "1,,x;2\n3\t\r\n",
    "date": "2026-02-31",
}
N_TURNS = 2  # with all eight each address gets each kind of rubbish in each parameter
# Whose rows a number stands for, by the beginning of the address; 1 for all others.
ROWS = {
    "articles/": "article",
    "comments/": "comment",
    "feeds/": "feed",
    "part/frame/": "fetch",
    "people/": "user",
    "settings/messages/channels/": "channel",
    "saved/": "query",
}
WORDS = {
    "slug": "karoo-courier",
    "name": "karoo-courier.example",
    "form": "rain",
    "word": "rain",
    "short": "rain",
}
# Ends the session, or goes to another site.
LEFT_OUT = {"sign-out/", "sign-in/openid/", "sign-in/openid/back/"}


@pytest.fixture
def numbers():
    paper = make_publication()
    article = make_article("Rain fell on the Karoo.", paper)
    user = make_user("editor", username="thandi")
    query = SavedQuery.objects.create(
        owner=user, short="rain", parameters="q=rain", generation=1, n_hits=1
    )
    return {
        "article": article.pk,
        "comment": make_comment(article).pk,
        "feed": make_feed(paper).pk,
        "fetch": make_fetch(Page.objects.get(pk=article.page_id)).pk,
        "user": user.pk,
        "channel": Channel.objects.create(
            owner=user, kind=ChannelKind.FEED, name="Feed", created_at=NOW
        ).pk,
        "query": query.pk,
    }


def patterns(resolver=None, prefix="") -> Iterator[tuple[str, URLPattern]]:
    """Give the routes of the site's own pages with their patterns."""
    for item in (resolver or get_resolver()).url_patterns:
        route = f"{prefix}{item.pattern}"
        if isinstance(item, URLPattern):
            yield route, item
        elif not route.startswith("admin"):
            yield from patterns(item, route)


def address(route: str, numbers: dict[str, int]) -> str:
    """Fill a route: numbers of rows that are there, words that lead somewhere."""
    kind = next((kind for start, kind in ROWS.items() if route.startswith(start)), "")
    number = str(numbers.get(kind, 1))

    def value(match: re.Match[str]) -> str:
        converter, _, name = match[1].rpartition(":")
        return number if converter == "int" else WORDS.get(name, "do")

    if "^" in route:  # the API's are regular expressions
        plain = re.sub(r"\(\?P<(\w+)>.*?\)(?=/|\$)", number, route).replace("/?", "/")
        return "/" + plain.replace("^", "").replace("$", "")
    return "/" + re.sub(r"<([^>]+)>", value, route)


def addresses(numbers):
    routes = [route for route, _ in patterns() if route not in LEFT_OUT]
    return list(dict.fromkeys(address(route, numbers) for route in routes))


def parameter_names(client, paths) -> list[str]:
    """Names of all fields and of all parameters of links, on all pages."""
    names: dict[str, None] = {}
    for path in paths:
        answer = client.get(path)
        if answer.status_code != 200 or "html" not in answer["Content-Type"]:
            continue
        tree = html.fromstring(answer.content.decode() or "<p>")
        names |= dict.fromkeys(
            tree.xpath("//*[self::input or self::select or self::textarea]/@name")
        )
        queries = [urlsplit(link).query for link in tree.xpath("//a/@href")]
        names |= {name: None for query in queries for name, _ in parse_qsl(query)}
    return [name for name in names if name not in {"csrfmiddlewaretoken", "username"}]


def refused(client, method, path, values):
    """Say how a request broke, or nothing."""
    try:
        with transaction.atomic():
            answer = getattr(client, method)(path, values)
    except Exception as error:  # noqa: BLE001 (all that breaks is told at once)
        return f"{method} {path}: {type(error).__name__}: {str(error)[:200]}"
    return f"{method} {path}: {answer.status_code}" if answer.status_code >= 500 else ""


@pytest.mark.parametrize("turn", range(N_TURNS))
def test_rubbish_in_all_parameters_breaks_no_page(browse, numbers, turn):
    paths = addresses(numbers)
    names = parameter_names(browse("admin"), paths)
    client = browse("admin")

    broken = []
    for step, path in enumerate(paths):
        junk = [*JUNK.values()]
        values = {name: junk[(n + step + turn) % len(junk)] for n, name in enumerate(names)}
        broken += [refused(client, method, path, values) for method in ("get", "post")]

    assert len(paths) > 150
    assert len(names) > 100
    assert [line for line in broken if line] == []
