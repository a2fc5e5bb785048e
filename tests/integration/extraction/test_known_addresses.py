"""Commands find an article by any of the addresses under which it is known."""

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from factories import NOW, make_article, make_page

from extraction.known_addresses import article_at
from extraction.models import Article
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


@pytest.mark.parametrize("column", ["url", "canonical_url"])
def test_long_address_without_words_is_told_from_one_that_begins_as_it_does(article, column):
    long = f"https://www.karoo.example/n/7?part={'1' * 300}"
    values = {"slug": "", "url": SHOWN, "canonical_url": ""}
    make_article(**values | {column: f"{long}0"})
    made = make_article(**values | {column: long})

    assert article_at(long.replace("https://www.", "http://")) == made


def add_wordless(n):
    """Store articles of one newspaper whose addresses are numbers."""
    like = make_article()
    pages = Page.objects.bulk_create(
        Page(
            url=f"https://karoo.example/r/{number}", key=f"karoo.example/r/{number}",
            kind="article", host_id=like.page.host_id, publication_id=like.publication_id,
            found_at=NOW,
        )
        for number in range(n)
    )  # fmt: skip
    Article.objects.bulk_create(
        Article(
            page=page, publication_id=like.publication_id, dated_at=NOW, created_at=NOW,
            updated_at=NOW, url=f"https://www.karoo.example/n/{number}",
            canonical_url=f"https://www.karoo.example/c/{number}",
        )
        for number, page in enumerate(pages)
    )  # fmt: skip
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


@pytest.mark.parametrize("typed", ["http://karoo.example/n/7", "https://karoo.example/c/7/"])
def test_address_without_words_is_looked_up_in_an_index(typed):
    """Asked with its values bound, as it is always asked."""
    add_wordless(10_000)
    explain = "EXPLAIN" if connection.vendor == "postgresql" else "EXPLAIN QUERY PLAN"
    plans = []

    def explained(execute, sql, params, many, context):
        if "SUBSTR" in sql:
            execute(f"{explain} {sql}", params, many, context)
            plans.append(" ".join(str(row) for row in context["cursor"].fetchall()))
        return execute(sql, params, many, context)

    with connection.execute_wrapper(explained):
        found = article_at(typed)

    (plan,) = plans
    assert found.url == "https://www.karoo.example/n/7"
    assert "article_wordless_url" in plan
    assert "article_wordless_canonical" in plan
    assert "Seq Scan" not in plan


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
