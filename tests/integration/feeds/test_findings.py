"""What visits find is counted by publication and age, and stands on the visit."""

from datetime import timedelta

import pytest
from factories import NOW, make_fetch, make_page, make_publication

from feeds import revisits
from feeds.crawler.timing.page_visits import Found
from feeds.models import Fetch, VisitFinding
from feeds.planning.findings import found_by_publication

pytestmark = [pytest.mark.django_db, pytest.mark.sql]


def visited_page(age, publication=None):
    """A page with a document that came at an age."""
    page = make_page(publication, visited_at=NOW + age)
    page.content_fetch = make_fetch(page, started_at=NOW + age)
    page.save()
    return page


def counts():
    rows = VisitFinding.objects.order_by("publication__slug", "age_hours")
    return list(rows.values_list("publication__slug", "age_hours", "n_visits", "n_changed"))


def test_findings_are_counted_by_publication_and_age():
    other = make_publication("vaal-voice")
    pages = [visited_page(timedelta(hours=5)), visited_page(timedelta(hours=4))]
    pages += [visited_page(timedelta(hours=30)), visited_page(timedelta(hours=4), other)]

    revisits.record_findings({page.pk: page in pages[:2] for page in pages}, NOW)
    revisits.record_findings({pages[0].pk: False}, NOW)

    assert counts() == [
        ("karoo-courier", 4, 3, 2),
        ("karoo-courier", 24, 1, 0),
        ("vaal-voice", 4, 1, 0),
    ]


def test_newer_findings_weigh_more_than_older_ones():
    page = visited_page(timedelta(hours=4))

    revisits.record_findings({page.pk: True}, NOW)
    revisits.record_findings({page.pk: False}, NOW)

    found = found_by_publication([page.publication_id])
    assert found == {page.publication_id: {4: Found(1.995, 0.995)}}


def test_finding_stands_on_the_visit_that_brought_the_document():
    changed, same = visited_page(timedelta(hours=4)), visited_page(timedelta(hours=4))

    revisits.record_findings({changed.pk: True, same.pk: False}, NOW)

    found = dict(Fetch.objects.values_list("page", "found"))
    assert found == {changed.pk: "changed", same.pk: "same_text"}


def test_visit_long_after_the_last_age_teaches_nothing():
    revisits.record_findings({visited_page(timedelta(days=300)).pk: True}, NOW)

    assert counts() == []
