"""Commands find an article by any of the addresses under which it is known."""

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from factories import make_article, make_page

from extraction.known_addresses import article_at
from feeds.crawler.addressing.canonical import canonicalize
from feeds.models import Page

pytestmark = [pytest.mark.django_db, pytest.mark.sql]

LISTED = "https://karoo.example/r/8812"
SHOWN = "https://www.karoo.example/news/fire-in-the-old-harbour-2000123"
CANONICAL = "https://www.karoo.example/2026/fire-in-the-old-harbour"


@pytest.fixture
def article():
    page = make_page(url=LISTED, key=canonicalize(LISTED).key)
    words = "fire-in-the-old-harbour"
    make_article()
    return make_article(page=page, url=SHOWN, canonical_url=CANONICAL, slug=words)


@pytest.mark.parametrize(
    "typed",
    [
        LISTED,
        f"{LISTED}/?utm_source=mail#top",
        "http://www.karoo.example/r/8812",
        SHOWN,
        f"{SHOWN}?fbclid=1",
        SHOWN.replace("www.", "amp."),
        f"{SHOWN}/amp",
        CANONICAL,
        CANONICAL.replace("https://www.", "http://"),
    ],
)
def test_article_is_found_by_each_of_its_addresses(article, typed):
    assert article_at(typed) == article


def test_address_without_words_is_found_where_a_redirect_led_to_it(article):
    article.url, article.slug = "https://www.karoo.example/n/7", ""
    article.save()

    assert article_at("http://karoo.example/n/7/") == article


@pytest.mark.parametrize("typed", ["", "nonsense: none", f"{SHOWN}-2", "https://karoo.example/n/8"])
def test_no_article_is_found_by_another_address(article, typed):
    assert article_at(typed) is None


def test_own_address_is_worth_more_than_where_another_leads(article):
    own = make_article(page=make_page(url=SHOWN, key=canonicalize(SHOWN).key))

    assert article_at(SHOWN) == own


def test_commands_take_where_a_redirect_led_to(article):
    said = StringIO()

    call_command("fetch_again", f"{SHOWN}?utm_source=x", stdout=said)
    call_command("versions", CANONICAL, "--json", stdout=said)
    call_command("withdraw", SHOWN, "--reason", "They ask for it.", stdout=said)
    call_command("put_back", CANONICAL, stdout=said)

    asked, versions, out, back = said.getvalue().splitlines()
    assert asked.startswith(f"{SHOWN}?utm_source=x: ")
    assert [one["title"] for one in json.loads(versions)] == [article.title]
    assert (out, back) == (f"{SHOWN}: withdrawn", f"{CANONICAL}: put back")
    assert Page.objects.get(pk=article.page_id).purpose == "asked"


def test_command_says_that_an_address_is_not_known(article):
    with pytest.raises(CommandError, match="1 of 1 addresses are not known here"):
        call_command("fetch_again", f"{SHOWN}-2", stdout=StringIO())
