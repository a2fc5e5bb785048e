"""Lists of feeds in the database: one publication a site, nothing fetched, nothing twice."""

from datetime import UTC, datetime

import pytest

from feeds.crawler.documents.opml import read_opml
from feeds.models import Feed, Host, Page, Publication, PublicationState
from feeds.sources.imports import ImportedFeed, ImportState, ListedFeed, feeds_of_opml, import_feeds

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
pytestmark = [pytest.mark.django_db, pytest.mark.sql]


def add(*urls, activate=True):
    return import_feeds([ListedFeed(url) for url in urls], NOW, activate=activate)


def test_import_makes_one_publication_a_site_and_its_feeds_are_due():
    add("http://www.a.example/rss", "https://feeds.a.example/sport", "https://b.example/feed")

    assert list(Publication.objects.values_list("name", "slug", "state", "home_url")) == [
        ("a.example", "a-example", PublicationState.ACTIVE, "http://www.a.example/"),
        ("b.example", "b-example", PublicationState.ACTIVE, "https://b.example/"),
    ]
    assert list(Feed.objects.order_by("pk").values_list("publication__name", "page__due_at")) == [
        ("a.example", NOW),
        ("a.example", NOW),
        ("b.example", NOW),
    ]


def test_import_reports_each_address_in_order():
    add("https://a.example/rss")

    reports = add(
        "nonsense address", "https://a.example/rss/", "https://b.example/f", "b.example/f"
    )

    assert reports == [
        ImportedFeed(
            "nonsense address",
            ImportState.REFUSED,
            "“https://nonsense address” is not a web address.",
        ),
        ImportedFeed(
            "https://a.example/rss/",
            ImportState.KNOWN,
            "Already a feed of “a.example”.",
            "a-example",
        ),
        ImportedFeed(
            "https://b.example/f",
            ImportState.ADDED,
            "Feed of “b.example”, its first visit is due.",
            "b-example",
        ),
        ImportedFeed("b.example/f", ImportState.KNOWN, "It stands in the list twice."),
    ]


def test_import_twice_changes_nothing():
    urls = ["https://a.example/rss", "https://b.example/rss"]
    add(*urls)

    again = add(*urls)

    assert {report.state for report in again} == {ImportState.KNOWN}
    assert (Publication.objects.count(), Feed.objects.count()) == (2, 2)


def test_import_without_activation_makes_drafts_that_are_not_due():
    reports = add("https://a.example/rss", activate=False)

    assert reports[0].sentence == "Feed of “a.example”, which is draft."
    assert Publication.objects.get().state == PublicationState.DRAFT
    assert not Page.objects.due(NOW).exists()


def test_import_joins_running_publication_of_the_site():
    add("https://a.example/rss")

    add("https://a.example/sport", activate=False)

    assert Publication.objects.count() == 1
    assert Page.objects.due(NOW).count() == 2


def test_import_of_600_feeds_takes_few_statements(django_assert_max_num_queries):
    # SQLite takes 999 values a statement, so rows go in by the hundred.
    with django_assert_max_num_queries(60):
        add(*(f"https://x{number}.example/feed.rss" for number in range(600)))

    assert (Publication.objects.count(), Feed.objects.count(), Host.objects.count()) == (600,) * 3


def test_import_goes_on_beside_a_home_page_edited_into_none():
    add("https://a.example/rss")
    Publication.objects.update(home_url="nonsense here")

    assert add("https://b.example/rss")[0].state is ImportState.ADDED


def test_import_of_opml_uses_titles_and_home_pages():
    document = read_opml(
        b"<opml><body><outline text='Courier' xmlUrl='https://feeds.host.example/c' "
        b"htmlUrl='https://www.karoo.example/'/></body></opml>"
    )

    import_feeds(feeds_of_opml(document), NOW, activate=True)

    assert Feed.objects.get().title == "Courier"
    assert (Publication.objects.get().name, Publication.objects.get().home_url) == (
        "karoo.example",
        "https://www.karoo.example/",
    )
