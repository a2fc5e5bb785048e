"""What holds for every page: whole answers, the content policy, no inline code, one title."""

import re

import pytest
from django.utils import timezone
from factories import (
    make_article,
    make_comment,
    make_feed,
    make_fetch,
    make_page,
    make_publication,
    make_rules,
)
from inline_code import inline_code
from pages import is_whole

from extraction.correcting import Editor, correct
from extraction.html.site_rules.rules import Rule, RuleField, RuleKind
from feeds.sources.collections import collection_of
from search.models import TextImport

pytestmark = [pytest.mark.django_db, pytest.mark.sql]

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)
# What a newspaper may write into a title or a feed's name.
HOSTILE = """<script>alert(1)</script>" onmouseover="alert(1)" style="color:red" '"""
PAGES = [
    "/",
    "/sources/",
    "/sources/karoo-courier/",
    "/sources/karoo-courier/settings/",
    "/sources/karoo-courier/months/",
    "/rights/",
]
PAGES += ["/sources/karoo-courier/fetch-again/", "/source-files/", "/web-archives/"]
PAGES += ["/collections/", "/collections/my-texts/", "/collections/give/", "/help/texts/"]
PAGES += ["/collections/my-texts/remove/", "/reference-lists/give/"]
PAGES += [
    "/sources/add/",
    "/status/",
    "/status/alarms/",
    "/status/jobs/",
    "/comments/months/",
    "/status/plan/",
    "/status/stages/fetch/",
    "/status/url/?u=karoo.example/a",
]
PAGES += ["/status/stages/fetch/?state=quarantined", "/feeds/{feed}/", "/settings/", "/nowhere/"]
PAGES += ["/hosts/karoo-courier.example/", "/articles/{article}/correct/"]
PAGES += ["/withdrawals/", "/sources/karoo-courier/withdraw/"]
PAGES += ["/sources/karoo-courier/accounts/"]
PAGES += ["/settings/messages/", "/settings/messages/sent/", "/help/messages/"]
# Its policy lets it frame the stored page; see test_rule_studio.
STUDIO = "/sources/karoo-courier/rules/"


@pytest.fixture
def rows():
    publication = make_publication(state="active", name=HOSTILE, started_at=timezone.now())
    feed = make_feed(publication, title=HOSTILE, state_text=HOSTILE)
    article = make_article(publication=publication, title=HOSTILE, authors=[HOSTILE])
    make_comment(article)
    correct(article.pk, {"section": HOSTILE}, Editor(None, timezone.now()))
    make_fetch(article.page, error=HOSTILE)
    make_page(publication, quarantined_at=timezone.now(), last_error=HOSTILE)
    collection = collection_of("My texts", timezone.now(), HOSTILE)
    TextImport.objects.create(
        collection=collection, file_name=HOSTILE, understood={HOSTILE: "text"},
        problems=[[HOSTILE, 3, HOSTILE]], created_at=timezone.now(), due_at=timezone.now(),
    )  # fmt: skip
    make_rules(publication, Rule(RuleField.TITLE, RuleKind.CSS, HOSTILE), note=HOSTILE)
    return {"feed": feed.pk, "article": article.pk}


@pytest.mark.parametrize("address", [*PAGES, STUDIO])
def test_a_page_is_whole_safe_and_titled(address, editor, rows):
    answer = editor.get(address.format(**rows), headers={"HX-Request": "true"})

    text = answer.content.decode()
    assert is_whole(text)
    assert text.count("<h1") == 1
    assert re.search(r"<title>\S.* – Broadsheet</title>", text)
    assert inline_code(text) == []


@pytest.mark.parametrize("address", PAGES)
def test_a_page_keeps_the_content_policy(address, editor, rows):
    sent = editor.get(address.format(**rows))["Content-Security-Policy"]

    assert sorted(sent.split("; ")) == sorted(POLICY.split("; "))


def test_every_id_is_used_once(editor, rows):
    for address in [*PAGES, STUDIO]:
        text = editor.get(address.format(**rows)).content.decode()
        ids = re.findall(r'\sid="([^"]+)"', text)

        assert sorted(ids) == sorted(set(ids)), address
