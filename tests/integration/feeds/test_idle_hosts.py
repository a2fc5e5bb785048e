"""Hosts of which no page is due rest: claims look at them again when one is, and not before."""

from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from integration.feeds.newspapers import add_page, make_paper

from feeds.frontier import claim_turns, release_hosts
from feeds.host_claims import LONGEST_REST, claim_hosts
from feeds.models import Host, Page, VisitPurpose
from feeds.sources.publications import pause, resume
from feeds.visiting.host_acts import Act, ask_robots
from feeds.work.leases import Claim

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
HOUR, MINUTE = timedelta(hours=1), timedelta(minutes=1)
pytestmark = [pytest.mark.django_db, pytest.mark.sql]


@pytest.fixture
def paper():
    return make_paper(NOW)


def visited(paper, url, **columns):
    """Give a page that was visited, with columns as they are left."""
    page = add_page(paper, url, NOW)
    Page.objects.filter(pk=page.pk).update(visited_at=NOW, outcome="ok", **columns)
    return page


def claimed(now):
    """Claim at a moment, and give all back; the addresses that were claimed."""
    turns = claim_turns(10, 5, Claim("one", now, MINUTE))
    pages = [page for turn in turns for page in turn.pages]
    Page.objects.filter(pk__in=[page.pk for page in pages]).update(lease_owner="", lease_until=None)
    release_hosts([turn.host.pk for turn in turns], "one")
    return sorted(page.url for page in pages)


def idle_until():
    return dict(Host.objects.values_list("name", "idle_until"))


def test_a_host_rests_until_the_next_of_its_pages_is_due(paper):
    visited(paper, "https://a.example/1", due_at=NOW + 50 * MINUTE)
    visited(paper, "https://a.example/2", due_at=NOW + 20 * MINUTE, purpose=VisitPurpose.PLANNED)
    visited(paper, "https://b.example/1", due_at=None)
    assert claimed(NOW) == []
    assert idle_until() == {"a.example": NOW + 20 * MINUTE, "b.example": NOW + LONGEST_REST}
    assert claimed(NOW + 19 * MINUTE) == []
    assert claimed(NOW + 20 * MINUTE) == ["https://a.example/2"]
    assert idle_until()["a.example"] is None


def test_a_claim_that_has_seen_all_hosts_does_not_look_again(paper):
    add_page(paper, "https://a.example/1", NOW)
    visited(paper, "https://b.example/1", due_at=None)
    with CaptureQueriesContext(connection) as asked:
        assert len(claim_hosts(10, Claim("one", NOW, MINUTE))) == 1
    assert sum("has_work" in query["sql"] for query in asked) == 1


def test_a_host_with_work_does_not_rest(paper):
    add_page(paper, "https://a.example/1", NOW)
    assert claimed(NOW) == ["https://a.example/1"]
    assert claimed(NOW) == ["https://a.example/1"]
    assert idle_until() == {"a.example": None}


def test_a_new_page_wakes_its_host(paper):
    visited(paper, "https://a.example/1", due_at=None)
    claimed(NOW)
    add_page(paper, "https://a.example/2", NOW + MINUTE)
    assert claimed(NOW + MINUTE) == ["https://a.example/2"]


def test_a_page_that_is_made_due_wakes_its_host(paper):
    page = visited(paper, "https://a.example/1", due_at=None)
    claimed(NOW)
    Page.objects.filter(pk=page.pk).reschedule(NOW + MINUTE)
    assert claimed(NOW + MINUTE) == ["https://a.example/1"]


def test_taking_a_page_out_of_work_wakes_nobody(paper):
    page = visited(paper, "https://a.example/1", due_at=None)
    claimed(NOW)
    Page.objects.filter(pk=page.pk).reschedule(None)
    assert idle_until() == {"a.example": NOW + LONGEST_REST}


def test_a_paper_that_goes_on_wakes_its_hosts(paper):
    add_page(paper, "https://a.example/1", NOW)
    pause(paper, NOW)
    assert claimed(NOW) == []
    assert idle_until() == {"a.example": NOW + LONGEST_REST}
    resume(paper, NOW + MINUTE)
    assert claimed(NOW + MINUTE) == ["https://a.example/1"]


def test_whoever_asks_for_robots_wakes_the_host(paper):
    visited(paper, "https://a.example/1", due_at=None)
    claimed(NOW)
    ask_robots(Host.objects.get(), Act(None, NOW + MINUTE, ""))
    assert [turn.host.name for turn in claim_turns(1, 5, Claim("one", NOW + MINUTE, MINUTE))] == [
        "a.example"
    ]


def test_idle_hosts_in_front_keep_nobody_from_the_others(paper):
    for n in range(120):
        visited(paper, f"https://idle{n:03}.example/1", due_at=None)
    add_page(paper, "https://last.example/1", NOW)
    Host.objects.filter(name="last.example").update(next_at=NOW)
    turns = claim_turns(1, 5, Claim("one", NOW, MINUTE))
    assert [turn.host.name for turn in turns] == ["last.example"]
    assert Host.objects.exclude(idle_until=None).count() == 120


def test_visits_above_the_share_wait_for_the_next_day(paper):
    visited(paper, "https://a.example/1", due_at=NOW, purpose=VisitPurpose.PLANNED)
    Host.objects.update(visits_from=NOW + 30 * MINUTE)
    assert claimed(NOW) == []
    assert idle_until() == {"a.example": NOW + 30 * MINUTE}
    assert claimed(NOW + 30 * MINUTE) == ["https://a.example/1"]
