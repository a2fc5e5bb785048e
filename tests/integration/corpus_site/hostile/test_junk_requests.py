"""Every address of the site with rubbish in every parameter: a sentence, never a broken page.

Addresses come from the URL configuration, parameters from the forms and links of the pages; on
PostgreSQL too, which takes neither NUL nor numbers of any size.
"""

from urllib.parse import parse_qsl, urlsplit

import pytest
from all_addresses import ADMIN, address, make_rows, routes
from django.db import transaction
from lxml import html

pytestmark = [pytest.mark.django_db, pytest.mark.sql]

JUNK = {
    "nothing": "",
    "markup": "'\"><ä>%s{{7*7}}((\\",
    "long": "a" * 6000,
    "NUL": "a\0b",
    "number": "99999999999999999999999",
    "negative": "-1",
    "list": "1,,x;2\n3\t\r\n",
    "date": "2026-02-31",
}
N_TURNS = 2  # with all eight each address gets each kind of rubbish in each parameter
# Ends the session, or goes to another site.
LEFT_OUT = {"sign-out/", "sign-in/openid/", "sign-in/openid/back/"}


def addresses(rows):
    own = (one for one in routes() if one not in LEFT_OUT and not one.startswith(ADMIN))
    return list(dict.fromkeys(address(route, rows) for route in own))


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
def test_rubbish_in_all_parameters_breaks_no_page(browse, turn):
    paths = addresses(make_rows())
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
