"""Why was this URL not collected? One answer for each way that an address may take."""

from datetime import timedelta

import pytest
from django.utils import timezone
from factories import (
    make_article,
    make_feed,
    make_fetch,
    make_host,
    make_listing,
    make_page,
    make_publication,
)

from dedup.models import Detection
from extraction.models import Extraction
from feeds.crawler.addressing.canonical import canonicalize
from feeds.crawls.pool import digest_of
from feeds.models import Crawl, CrawlAddress, Host, Page
from feeds.watching.queue_places import place_of
from search.models import IndexedArticle

pytestmark = [pytest.mark.django_db, pytest.mark.sql]

ROBOTS = "User-agent: *\nDisallow: /private/\n"


def story(client, address):
    return client.get("/status/url/", {"u": address}).context["history"]


@pytest.fixture
def publication():
    return make_publication(state="active")


def make_known(publication, address, **changes):
    known = canonicalize(address)
    return make_page(publication, url=known.url, key=known.key, **changes)


def test_an_empty_field_asks_for_an_address(linguist):
    answer = linguist.get("/status/url/")

    assert answer.status_code == 200
    assert "history" not in answer.context


def test_what_is_no_address_is_explained_at_the_field(linguist):
    answer = linguist.get("/status/url/", {"u": "not an address"})

    assert answer.status_code == 400
    assert 'value="not an address"' in answer.content.decode()


def test_an_address_of_an_unknown_host(linguist):
    told = story(linguist, "https://nobody.example/a")

    assert told.sentence == "Not known: no publication here reads feeds from this host."


def test_an_unknown_address_of_a_known_host_tells_what_robots_would_say(linguist, publication):
    make_feed(publication)
    Host.objects.update(robots_body=ROBOTS, robots_status=200, robots_fetched_at=timezone.now())

    told = story(linguist, "https://karoo-courier.example/private/x")

    assert told.sentence == (
        "Not known: no feed of Karoo Courier has listed this address. "
        "It would be forbidden by robots.txt: “Disallow: /private/”."
    )


def test_a_page_that_robots_forbid(linguist, publication):
    host = make_host("karoo-courier.example")
    Host.objects.filter(pk=host.pk).update(
        robots_body=ROBOTS, robots_status=200, robots_fetched_at=timezone.now()
    )
    page = make_known(publication, "https://karoo-courier.example/private/x", host=host)
    make_listing(make_feed(publication), page)

    told = story(linguist, "http://karoo-courier.example/private/x?utm_source=feed#top")

    assert told.tone == "bad"
    assert told.sentence.startswith(
        "Not collected: robots.txt: “Disallow: /private/” (robots.txt, "
    )
    assert [step.name for step in told.steps][:2] == ["Seen in a feed", "Queued"]


def test_a_page_whose_fetch_failed(linguist, publication):
    page = make_known(publication, "https://karoo-courier.example/a", outcome="not_found")
    make_fetch(page, outcome="not_found", status=404)

    told = story(linguist, page.url)

    assert told.sentence.startswith("Not collected: status 404, not found (Fetched, ")


def test_a_page_that_waits_for_its_visit(linguist, publication):
    page = make_known(
        publication, "https://karoo-courier.example/a", due_at=timezone.now() + timedelta(hours=1)
    )

    assert story(linguist, page.url).sentence.startswith("Not collected yet: its visit is due ")


def test_a_page_tells_its_place_in_the_queue_of_its_host(linguist, publication):
    now = timezone.now()
    host = make_host("karoo-courier.example")
    Host.objects.filter(pk=host.pk).update(delay_seconds=60, next_at=now)
    for minutes in (5, 4, 3):
        make_page(publication, due_at=now - timedelta(minutes=minutes))
    make_page(publication, due_at=now - timedelta(minutes=9), purpose="planned")
    make_page(publication, due_at=now, purpose="asked")
    page = make_known(
        publication, "https://karoo-courier.example/a", due_at=now - timedelta(minutes=1)
    )

    place = place_of(Page.objects.select_related("host").get(pk=page.pk), now)
    step = story(linguist, page.url).steps[-1]

    assert (place.n_before, place.is_more) == (4, False)
    assert place.likely_at == now + timedelta(minutes=4)
    assert (step.name, step.details[0]) == (
        "In the queue",
        "4 pages of karoo-courier.example are before it",
    )


def test_a_long_queue_is_not_counted_to_its_end(publication, monkeypatch):
    monkeypatch.setattr("feeds.watching.queue_places.MOST_COUNTED", 3)
    now = timezone.now()
    for _ in range(6):
        make_page(publication, due_at=now - timedelta(minutes=5))
    last = make_page(publication, due_at=now)

    place = place_of(last, now)

    assert (place.n_before, place.is_more) == (3, True)


def test_an_address_that_the_pattern_of_its_publication_leaves_out(linguist, publication):
    make_feed(publication)
    type(publication).objects.update(exclude_pattern="/video/")

    told = story(linguist, "https://karoo-courier.example/video/x")

    assert told.sentence == (
        "Not collected: Karoo Courier takes no such address: left out by the pattern “/video/”."
    )


def test_a_page_that_is_read_for_its_links(linguist, publication):
    page = make_known(publication, "https://karoo-courier.example/news", kind="index")

    assert story(linguist, page.url).sentence.startswith("This page is read for its links")


def test_another_address_of_an_article_leads_to_it(linguist, publication):
    article = make_article(publication=publication)
    make_known(
        publication,
        "https://m.karoo-courier.example/a/amp",
        kind="alias",
        parent=article.page,
    )

    told = story(linguist, "http://m.karoo-courier.example/a/amp/?utm_source=x")

    assert told.article == article
    assert told.steps[0].details == (f"another address of {article.page.url}",)


def test_a_spelling_that_was_never_met_leads_to_the_like_page(linguist, publication):
    article = make_article(publication=publication)

    told = story(linguist, article.page.url.replace("https://", "https://www."))

    assert told.article == article
    assert told.steps[0].name == "Like address"


def test_an_article_left_out_as_a_twin_names_the_earlier_one(linguist, publication):
    first = make_article(publication=publication)
    twin = make_article(
        publication=publication, slug_twin=first, in_corpus=False, reason="It is known already."
    )

    told = story(linguist, twin.page.url)

    assert told.sentence == "Collected, but not in the corpus: It is known already."
    assert first in [step.article for step in told.steps]


def test_a_page_without_text(linguist, publication):
    page = make_known(publication, "https://karoo-courier.example/a", content_digest="d")
    make_fetch(page)
    Extraction.objects.create(
        page=page, outcome="empty", outcome_detail="No text was found.", extracted_at=timezone.now()
    )

    told = story(linguist, page.url)

    assert told.sentence.startswith("Not collected: empty, No text was found (Extracted, ")


def test_a_page_of_a_paused_publication(linguist, publication):
    type(publication).objects.update(state="paused")
    page = make_known(publication, "https://karoo-courier.example/a")

    assert "Karoo Courier is paused" in story(linguist, page.url).sentence


def test_a_feed_is_no_article(linguist, publication):
    feed = make_feed(publication)

    assert story(linguist, feed.page.url).sentence.startswith("This is a feed")


def test_an_article_that_is_searchable(linguist, publication):
    article = make_article(publication=publication)
    IndexedArticle.objects.create(
        article=article, n_tokens=5, generation=1, indexed_at=timezone.now()
    )

    told = story(linguist, article.page.url)

    assert told.sentence == "Collected and searchable."
    assert told.article == article


def test_an_article_outside_the_corpus(linguist, publication):
    article = make_article(publication=publication, in_corpus=False, reason="gallery page")

    told = story(linguist, article.page.url)

    assert told.sentence == "Collected, but not in the corpus: gallery page."


@pytest.mark.parametrize(
    ("state", "sentence"),
    [
        ("running", "Not collected yet: it waits in crawl {}."),
        ("done", "Not collected: crawl {} had ended before its turn: the limit was reached."),
    ],
)
def test_an_address_in_the_pool_of_a_crawl(linguist, publication, state, sentence):
    crawl = Crawl.objects.create(
        publication=publication,
        kind="site",
        state=state,
        created_at=timezone.now(),
        end_reason="the limit was reached" if state == "done" else "",
    )
    known = canonicalize("https://karoo-courier.example/late")
    CrawlAddress.objects.create(
        crawl=crawl,
        url=known.url,
        digest=digest_of(known.key),
        role="story",
        found_at=timezone.now(),
    )

    assert story(linguist, known.url).sentence == sentence.format(crawl.pk)


def mends(client, address):
    return {
        mend.label: mend.address
        for mend in client.get("/status/url/", {"u": address}).context["mends"]
    }


def test_a_pattern_leads_to_where_it_is_changed(editor, linguist, publication):
    make_feed(publication)
    type(publication).objects.update(exclude_pattern="/video/")
    address = "https://karoo-courier.example/video/x"

    assert mends(editor, address) == {
        "Change the patterns of Karoo Courier": "/sources/karoo-courier/settings/"
    }
    assert mends(linguist, address) == {}  # who may not change it


def test_a_page_read_for_its_links_leads_to_the_patterns(editor, publication):
    page = make_known(publication, "https://karoo-courier.example/news", kind="index")

    assert mends(editor, page.url) == {
        "Change the patterns of Karoo Courier": "/sources/karoo-courier/settings/"
    }


@pytest.mark.parametrize("reason", ["It is a gallery.", "It is known already."])
def test_an_article_left_out_leads_to_taking_it(editor, publication, reason):
    article = make_article(publication=publication, in_corpus=False, reason=reason)

    assert mends(editor, article.page.url) == {
        "Take it anyway, on its page": f"/articles/{article.pk}/",
        "Change what Karoo Courier takes": "/sources/karoo-courier/settings/",
    }


def test_a_text_too_short_leads_to_the_rules_that_would_read_more_of_its_page(editor, publication):
    article = make_article(publication=publication, in_corpus=False, kind="short", reason="Short.")

    assert mends(editor, article.page.url) == {
        "Take it anyway, on its page": f"/articles/{article.pk}/",
        "Write a rule for pages of Karoo Courier": (
            f"/sources/karoo-courier/rules/?article={article.pk}&propose=1"
        ),
        "Change what Karoo Courier takes": "/sources/karoo-courier/settings/",
    }


def test_a_copy_names_the_text_it_is_counted_with(linguist, publication):
    original = make_article(publication=publication, title="The first")
    copy = make_article(publication=publication)
    Detection.objects.filter(article=copy).update(original=original)
    IndexedArticle.objects.create(article=copy, n_tokens=5, generation=1, indexed_at=timezone.now())

    told = story(linguist, copy.page.url)

    assert told.sentence == (
        "Collected and searchable, as a copy: searches that count copies once show “The first”"
        " of Karoo Courier in its place."
    )
    assert mends(linguist, copy.page.url) == {"Open the original": f"/articles/{original.pk}/"}


def test_a_page_without_text_leads_to_the_rules(editor, publication):
    page = make_known(publication, "https://karoo-courier.example/a", content_digest="d")
    make_fetch(page)
    Extraction.objects.create(page=page, outcome="empty", extracted_at=timezone.now())

    assert mends(editor, page.url) == {
        "Write a rule for pages of Karoo Courier": "/sources/karoo-courier/rules/"
    }


def test_a_page_that_waits_leads_to_its_host(linguist, publication):
    page = make_known(
        publication, "https://karoo-courier.example/a", due_at=timezone.now() + timedelta(hours=1)
    )

    assert mends(linguist, page.url) == {
        "See what karoo-courier.example is asked for": "/hosts/karoo-courier.example/"
    }


def test_what_is_switched_off_leads_to_the_switch(linguist, publication):
    page = make_known(publication, "https://karoo-courier.example/a")
    Host.objects.update(blocked_since=timezone.now(), block_reason="asked to")
    blocked = mends(linguist, page.url)
    Host.objects.update(blocked_since=None)
    type(publication).objects.update(state="paused")

    assert blocked == {"Open karoo-courier.example to release it": "/hosts/karoo-courier.example/"}
    assert mends(linguist, page.url) == {
        "Open Karoo Courier to resume it": "/sources/karoo-courier/"
    }


def test_what_robots_forbid_leads_to_what_they_say(linguist, publication):
    make_feed(publication)
    Host.objects.update(robots_body=ROBOTS, robots_status=200, robots_fetched_at=timezone.now())

    assert mends(linguist, "https://karoo-courier.example/private/x") == {
        "Read the robots.txt of karoo-courier.example": "/hosts/karoo-courier.example/"
    }


def test_a_page_put_aside_leads_to_a_second_try(linguist, publication):
    page = make_known(publication, "https://karoo-courier.example/a", quarantined_at=timezone.now())
    make_fetch(page, outcome="timeout", status=None)

    assert mends(linguist, page.url) == {
        "Try it again among what was put aside": "/status/stages/fetch/?state=quarantined"
    }


def test_what_nobody_lists_leads_to_a_crawl_or_the_wizard(editor, publication):
    make_feed(publication)
    nowhere = "https://nobody.example/a"

    assert mends(editor, "https://karoo-courier.example/rare") == {
        "Crawl Karoo Courier for what feeds do not list": "/crawls/new/?pub=karoo-courier"
    }
    assert mends(editor, nowhere) == {
        "Add its publication": "/sources/add/?address=https%3A%2F%2Fnobody.example%2Fa"
    }


def test_an_address_in_a_crawls_pool_leads_to_the_crawl(linguist, publication):
    crawl = Crawl.objects.create(
        publication=publication, kind="site", state="running", created_at=timezone.now()
    )
    known = canonicalize("https://karoo-courier.example/late")
    CrawlAddress.objects.create(
        crawl=crawl,
        url=known.url,
        digest=digest_of(known.key),
        role="story",
        found_at=timezone.now(),
    )

    assert mends(linguist, known.url) == {f"Open crawl {crawl.pk}": f"/crawls/{crawl.pk}/"}


def test_every_link_that_mends_opens(editor, publication):
    make_feed(publication)
    type(publication).objects.update(exclude_pattern="/video/")
    left_out = make_article(publication=publication, in_corpus=False, reason="It is a gallery.")
    addresses = (
        left_out.page.url,
        "https://karoo-courier.example/video/x",
        "https://karoo-courier.example/b",
        "https://nobody.example/a",
    )

    opened = {
        place: editor.get(place).status_code
        for address in addresses
        for place in mends(editor, address).values()
    }

    assert set(opened.values()) == {200}
    assert len(opened) == 4


def test_articles_beside_the_host_of_their_feeds_are_of_their_publication(editor, publication):
    elsewhere = make_host("feeds.example")
    feed_page = make_known(publication, "https://feeds.example/a", kind="feed", host=elsewhere)
    make_feed(publication, page=feed_page)
    make_known(publication, "https://karoo-courier.example/known")

    told = story(editor, "https://karoo-courier.example/rare")

    assert told.sentence == "Not known: no feed of Karoo Courier has listed this address."


def test_the_pattern_of_a_crawl_is_named(linguist, publication):
    make_feed(publication)
    crawl = Crawl.objects.create(
        publication=publication,
        kind="site",
        state="done",
        created_at=timezone.now(),
        exclude_pattern="/private/",
    )
    address = "https://karoo-courier.example/private/x"

    assert story(linguist, address).sentence == (
        f"Not known: no feed of Karoo Courier has listed this address. Crawl {crawl.pk} took no"
        " such address: left out by the pattern “/private/”."
    )
    assert mends(linguist, address) == {f"Open crawl {crawl.pk}": f"/crawls/{crawl.pk}/"}
    assert "Crawl" not in story(linguist, "https://karoo-courier.example/b").sentence
