"""Publications and feeds in the database: what one call makes, and what it refuses."""

from datetime import UTC, datetime, timedelta

import pytest

from feeds.crawler.documents.feed_document import FeedKind, ParsedFeed
from feeds.frontier import NewPage, add_pages
from feeds.models import Feed, Page, PageKind, Publication, PublicationState
from feeds.sources import publications
from feeds.sources.publications import NewFeed, NewPublication, PublicationProblem

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
LATER = NOW + timedelta(hours=1)
NEWS = NewFeed("https://karoo.example/feed/news", "News", "link")
SPORT = NewFeed("https://karoo.example/feed/sport", "Sport", "link")
pytestmark = [pytest.mark.django_db, pytest.mark.sql]


def create(**changes) -> Publication:
    values = {"name": "Karoo Courier", "home_url": "https://karoo.example/", "feeds": (NEWS, SPORT)}
    return publications.create_publication(NewPublication(**(values | changes)), NOW)


def test_create_publication_makes_draft_with_feeds_that_are_not_due():
    publication = create(language="en-za", exclude_pattern=" /dating/ ")

    assert (publication.state, publication.slug, publication.exclude_pattern) == (
        PublicationState.DRAFT,
        "karoo-courier",
        "/dating/",
    )
    assert list(publication.feeds.values_list("title", "found_by", "page__url", "page__kind")) == [
        ("News", "link", "https://karoo.example/feed/news", PageKind.FEED),
        ("Sport", "link", "https://karoo.example/feed/sport", PageKind.FEED),
    ]
    assert not Page.objects.due(NOW).exists()


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"name": "  "}, "The publication needs a name."),
        ({"feeds": ()}, "Choose at least one feed."),
        ({"home_url": "ftp://karoo.example/"}, "only http and https are read"),
        ({"feeds": (NewFeed("http://"),)}, "is not a web address"),
        ({"include_pattern": "("}, "is not a pattern"),
    ],
)
def test_create_publication_refuses_with_sentence(changes, sentence):
    with pytest.raises(PublicationProblem, match=sentence):
        create(**changes)

    assert not Publication.objects.exists()


@pytest.mark.parametrize("home", ["https://karoo.example", "http://www.karoo.example/"])
def test_create_publication_names_the_one_with_the_same_home_page(home):
    known = create()

    with pytest.raises(PublicationProblem) as refused:
        create(home_url=home, feeds=(NewFeed("https://karoo.example/feed/other"),))

    assert refused.value.known == known


def test_create_publication_refuses_feed_of_another_and_keeps_nothing():
    known = create()

    with pytest.raises(PublicationProblem) as refused:
        create(name="Other", home_url="https://other.example/", feeds=(NEWS,))

    assert str(refused.value) == (
        "The feed https://karoo.example/feed/news already belongs to “Karoo Courier”."
    )
    assert list(Publication.objects.all()) == [known]


def test_slugs_are_unique_and_never_reserved():
    first = create(name="Add")
    second = create(
        name="Add!", home_url="https://b.example/", feeds=(NewFeed("https://b.example/feed"),)
    )
    third = create(
        name="日本", home_url="https://c.example/", feeds=(NewFeed("https://c.example/feed"),)
    )

    assert (first.slug, second.slug, third.slug) == ("add-2", "add-3", "publication")


def test_add_feeds_twice_adds_each_once():
    publication = create(feeds=(NEWS,))

    added = publications.add_feeds(publication, [NEWS, SPORT], LATER)
    again = publications.add_feeds(publication, [NEWS, SPORT], LATER)

    assert [feed.title for feed in added] == ["Sport"]
    assert again == ()
    assert Feed.objects.count() == 2


def test_add_feeds_of_running_publication_are_due_at_once():
    publication = create(feeds=(NEWS,))
    publications.activate(publication, NOW)

    publications.add_feeds(publication, [SPORT], LATER)

    assert Page.objects.get(url=SPORT.url).due_at == LATER


def test_add_feeds_takes_over_page_that_was_an_article():
    publication = create(feeds=(NEWS,))
    page = NewPage(
        url=SPORT.url,
        key="karoo.example/feed/sport",
        host="karoo.example",
        kind=PageKind.ARTICLE,
        publication_id=publication.pk,
        due_at=NOW,
    )
    add_pages([page], NOW)

    publications.add_feeds(publication, [SPORT], NOW)

    assert Page.objects.get(url=SPORT.url).kind == PageKind.FEED


def test_activate_makes_feeds_due_once():
    publication = create()

    publications.activate(publication, NOW)
    Page.objects.filter(url=NEWS.url).update(due_at=None)
    publications.activate(publication, LATER)

    assert (publication.state, publication.started_at) == (PublicationState.ACTIVE, NOW)
    assert list(Page.objects.order_by("url").values_list("due_at", flat=True)) == [None, NOW]


def test_pause_and_resume_keep_what_was_due():
    publication = create()
    publications.activate(publication, NOW)

    publications.pause(publication, NOW)
    paused = publication.state
    publications.pause(publication, NOW)
    publications.resume(publication, LATER)

    assert (paused, publication.state) == (PublicationState.PAUSED, PublicationState.ACTIVE)
    assert publication.started_at == NOW
    assert set(Page.objects.values_list("due_at", flat=True)) == {NOW}


def test_pause_of_draft_is_refused():
    with pytest.raises(PublicationProblem, match="was never started"):
        publications.pause(create(), NOW)


def test_feed_switched_off_is_not_due_and_stays_so():
    publication = create()
    publications.activate(publication, NOW)
    feed = publication.feeds.get(title="News")

    publications.set_feed_active(feed, is_active=False, now=LATER)
    publications.pause(publication, NOW)
    publications.resume(publication, LATER)

    assert Page.objects.get(url=NEWS.url).due_at is None
    with pytest.raises(PublicationProblem):
        publications.visit_now(feed, LATER)


def test_visit_now_makes_feed_due():
    publication = create()
    publications.activate(publication, NOW)
    Page.objects.update(due_at=LATER + timedelta(days=1))

    publications.visit_now(publication.feeds.get(title="News"), LATER)

    assert Page.objects.get(url=NEWS.url).due_at == LATER


def test_find_feed_takes_any_spelling():
    create()

    assert publications.find_feed("HTTP://karoo.example/feed/news/").title == "News"
    assert publications.find_feed("https://karoo.example/feed") is None
    assert publications.find_feed("") is None


def test_first_poll_names_publication_that_is_called_after_its_site():
    publication = create(name="karoo.example")
    parsed = ParsedFeed(FeedKind.RSS, title="Karoo Courier", language="af-za")

    changed = publications.learn_from_feed(publication, parsed)
    again = publications.learn_from_feed(publication, ParsedFeed(FeedKind.RSS, title="Sport"))

    publication.refresh_from_db()
    assert (changed, again) == (True, False)
    assert (publication.name, publication.language) == ("Karoo Courier", "af-za")


def test_home_page_edited_into_none_stops_nothing():
    broken = create(name="karoo.example")
    Publication.objects.update(home_url="nonsense here")
    broken.refresh_from_db()

    other = create(
        name="Other", home_url="https://b.example/", feeds=(NewFeed("https://b.example/feed"),)
    )

    assert other.slug == "other"
    assert not publications.learn_from_feed(broken, ParsedFeed(FeedKind.RSS, title="Courier"))


def test_first_poll_keeps_name_without_a_title():
    publication = create(name="karoo.example")

    assert not publications.learn_from_feed(publication, ParsedFeed(FeedKind.RSS, title="RSS"))


@pytest.mark.parametrize(
    ("host", "site"),
    [
        ("www.karoo.example", "karoo.example"),
        ("feeds.karoo.example", "karoo.example"),
        ("karoo.example", "karoo.example"),
        ("www.example", "www.example"),
        ("127.0.0.1:8001", "127.0.0.1:8001"),
    ],
)
def test_site_of_host(host, site):
    assert publications.site_of(host) == site
