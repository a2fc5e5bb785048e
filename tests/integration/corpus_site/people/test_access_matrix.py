"""Every address × method × role against the table of rights, `tests/data/rights.tsv`.

Addresses come from the URL configuration, those of each table of the admin included: a new one
fails until somebody has written into the table who may use it. A right is the least of the roles
that are let in; what is answered then (a form with faults, nothing found) is other tests' matter.
FOUND_RIGHTS names a file for what was found: read it before it becomes the table.
"""

import logging
import os
import re
from http.cookies import SimpleCookie
from pathlib import Path
from types import SimpleNamespace

import pytest
from all_addresses import ADMIN, address, make_rows, routes
from django.db import transaction
from django.http import HttpResponse
from django.template import Template
from django.test import Client
from django.urls import Resolver404, re_path, resolve

from corpus_site.api.limits import buckets
from corpus_site.middleware.bounds import spending

pytestmark = pytest.mark.django_db

TABLE = Path(__file__).resolve().parents[3] / "data" / "rights.tsv"
METHODS = ("GET", "POST", "DELETE")
# Django serves HEAD by the code of GET, and its own forms of signing in take PUT as POST.
TAKES_PUT = {"sign-in/", "sign-in/password/<uidb64>/<token>/"}
# From nobody with READING_WITHOUT_SIGN_IN off, and on, to the role that may most.
ROLES = ("everybody", "reader", "linguist", "editor", "admin")
NOBODY, NO_SUCH_METHOD = "nobody", "-"
BROKEN = 500
# Django's own pages of the tables know no DELETE.
ADMIN_METHODS = ("GET", "POST")


@pytest.fixture
def rows():
    return make_rows()


@pytest.fixture(autouse=True)
def unseen(monkeypatch, caplog):
    """Draw no page and log no refusal: both take longer than to decide who is let in."""
    monkeypatch.setattr(Template, "_render", lambda *_: "")
    caplog.set_level(logging.CRITICAL, logger="django.request")


def is_page(path: str) -> bool:
    try:
        resolve(path)
    except Resolver404:
        return False
    return True


def asked(client: Client, method: str, path: str) -> int:
    """Ask, and leave neither rows nor another session behind; sent to sign in counts as 401."""
    cookies = client.cookies.output()
    buckets.clear()
    spending.clear()  # how often one may ask is no matter of rights
    with transaction.atomic():
        answer = client.generic(method, path)
        transaction.set_rollback(True)
    client.cookies = SimpleCookie()
    client.cookies.load(cookies.replace("Set-Cookie: ", ""))
    place = answer.headers.get("Location", "")
    is_sent = place.startswith(("/sign-in/?next=", "/admin/login/"))
    return 401 if answer.status_code == 302 and is_sent else answer.status_code


def right(statuses: dict[str, int]) -> str:
    """Name the least role that is let in, or all of them where a higher one is not."""
    let_in = [role for role in ROLES if statuses[role] not in {401, 403}]
    if not let_in:
        return NOBODY
    if all(statuses[role] == 405 for role in let_in):
        return NO_SUCH_METHOD
    is_upwards = let_in == list(ROLES[ROLES.index(let_in[0]) :])
    return let_in[0] if is_upwards else " ".join(let_in)


def statuses_of(client: Client, paths: dict[str, str]) -> dict[tuple[str, str], int]:
    """Give what each route says to each method."""
    return {
        (route, method): asked(client, method, path)
        for route, path in paths.items()
        for method in (ADMIN_METHODS if route.startswith(ADMIN) else METHODS)
    }


def found_rights(browse, settings, paths: dict[str, str]) -> list[str]:
    """One line a route: who may use it by each method, as the table has it."""
    answers = {role: statuses_of(browse(role), paths) for role in ROLES[2:]}
    answers["everybody"] = statuses_of(browse("reader"), paths)
    settings.READING_WITHOUT_SIGN_IN = True
    answers["reader"] = statuses_of(browse("reader"), paths)
    broken = [
        (route, method, role)
        for role, said in answers.items()
        for (route, method), status in said.items()
        if status >= BROKEN
    ]
    assert broken == []
    lines: dict[str, dict[str, list[str]]] = {}
    for route, method in answers["reader"]:
        statuses = {role: answers[role][route, method] for role in ROLES}
        lines.setdefault(route, {}).setdefault(right(statuses), []).append(method)
    return [
        "\t".join((route, *(f"{word}: {' '.join(methods)}" for word, methods in rights.items())))
        for route, rights in lines.items()
    ]


@pytest.mark.parametrize("is_of_tables", [False, True], ids=["pages", "tables of the admin"])
def test_every_address_is_for_whom_the_table_names(browse, settings, rows, is_of_tables):
    known = {row for row in TABLE.read_text().splitlines() if row.startswith(ADMIN) == is_of_tables}
    paths = {
        route: address(route, rows)
        for route in dict.fromkeys(routes())
        if route.startswith(ADMIN) == is_of_tables
    }

    found = set(found_rights(browse, settings, paths))
    if os.environ.get("FOUND_RIGHTS"):
        with Path(os.environ["FOUND_RIGHTS"]).open("a", encoding="utf-8") as file:
            file.writelines(f"{row}\n" for row in sorted(found))

    assert (found - known, known - found) == (set(), set())


def test_other_methods_let_nobody_in_whom_the_table_does_not(browse, rows):
    """HEAD is as GET for who has not signed in; PUT and PATCH are no method for who may most."""
    known = dict(row.split("\t", 1) for row in TABLE.read_text().splitlines())
    paths = {
        route: address(route, rows)
        for route in dict.fromkeys(routes())
        if not route.startswith(ADMIN)
    }
    everybody, admin = browse("reader"), browse("admin")

    heads = {route: asked(everybody, "HEAD", path) for route, path in paths.items()}
    rest = {
        (route, method): asked(admin, method, path)
        for route, path in paths.items()
        for method in ("PUT", "PATCH")
    }

    is_open = re.compile(r"(everybody|-): [^\t]*\bGET\b")
    let_in = {route for route, status in heads.items() if status not in {401, 403}}
    assert {route for route in let_in if not is_open.search(known[route])} == set()
    taken = {route for (route, _), status in rest.items() if not 400 <= status < BROKEN}
    assert taken <= TAKES_PUT, {key: rest[key] for key in rest if key[0] in taken}


@pytest.mark.parametrize("apps", ["feeds|axes|dedup", "axes|dedup|feeds"])
def test_a_route_is_the_same_whatever_was_imported_first(apps):
    tables = SimpleNamespace(url_patterns=[re_path(rf"^(?P<app_label>{apps})/$", HttpResponse)])

    assert list(routes(tables)) == ["^(?P<app_label>axes|dedup|feeds)/$"]


def test_every_address_that_is_asked_leads_to_a_page(rows):
    paths = [address(route, rows) for route in routes()]

    assert [path for path in paths if not is_page(path)] == []
