"""Leases on real tables: who gets what, when, and what happens to work that kills its worker."""

from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection
from django.db.models.sql.compiler import SQLCompiler
from django.test.utils import CaptureQueriesContext

from feeds.frontier import NewPage, add_pages, claim_turns
from feeds.models import Crawl, Host, Page, PageKind, Publication, PublicationState
from feeds.planning.recovery import bring_back
from feeds.visiting.hosts import claim_polite_turns
from feeds.work import leases

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
pytestmark = [pytest.mark.django_db, pytest.mark.sql]


@pytest.fixture
def publication() -> Publication:
    return Publication.objects.create(
        name="Karoo Courier",
        slug="karoo-courier",
        home_url="https://karoo.example/",
        state=PublicationState.ACTIVE,
        created_at=NOW,
    )


def page(publication: Publication, path: str, host: str = "karoo.example") -> NewPage:
    return NewPage(
        url=f"https://{host}/{path}",
        key=f"{host}/{path}",
        host=host,
        kind=PageKind.ARTICLE,
        publication_id=publication.pk,
        due_at=NOW,
    )


def terms(owner: str, now: datetime = NOW) -> leases.Claim:
    return leases.Claim(owner, now, timedelta(seconds=60))


def test_add_pages_twice_adds_each_once(publication):
    first = add_pages([page(publication, "a"), page(publication, "b")], NOW)
    second = add_pages([page(publication, "b"), page(publication, "c")], NOW)

    assert first.added == {"karoo.example/a", "karoo.example/b"}
    assert second.added == {"karoo.example/c"}
    assert Page.objects.count() == 3
    assert Host.objects.count() == 1


def test_claim_hands_each_row_to_one_owner(publication):
    add_pages([page(publication, name) for name in "abc"], NOW)

    first = leases.claim(Page.objects.all(), 2, terms("one"))
    second = leases.claim(Page.objects.all(), 2, terms("two"))

    assert len(first) == 2
    assert len(second) == 1
    assert not set(first) & set(second)
    assert leases.claim(Page.objects.all(), 2, terms("three")) == []


@pytest.fixture
def _nested_loops() -> None:
    """Let PostgreSQL choose the plan that runs a subquery anew for each row."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            for method in ("hashagg", "hashjoin", "mergejoin", "material", "sort"):
                cursor.execute(f"SET LOCAL enable_{method} = off")


@pytest.mark.usefixtures("_nested_loops")
def test_claim_keeps_its_limit_whatever_the_plan(publication):
    add_pages([page(publication, name) for name in "abcdef"], NOW)
    add_pages([page(publication, "g", "veld.example")], NOW)

    assert len(leases.claim(Page.objects.all(), 2, terms("one"))) == 2
    assert len(claim_turns(1, 2, terms("two"))) == 1


def test_claim_after_the_lease_ran_out_takes_the_attempt_over(publication):
    add_pages([page(publication, "a")], NOW)
    leases.claim(Page.objects.all(), 1, terms("one"))

    later = NOW + timedelta(seconds=61)
    again = leases.claim(Page.objects.all(), 1, terms("two", later))

    row = Page.objects.get()
    assert again == [row.pk]
    assert (row.attempts, row.n_claims, row.lease_owner) == (1, 2, "two")


def test_complete_by_the_former_owner_changes_nothing(publication):
    add_pages([page(publication, "a")], NOW)
    leases.claim(Page.objects.all(), 1, terms("one"))
    leases.claim(Page.objects.all(), 1, terms("two", NOW + timedelta(seconds=61)))
    row = Page.objects.get()

    assert leases.complete(row, "one", outcome="ok") is False
    assert leases.complete(row, "two", outcome="ok") is True
    row.refresh_from_db()
    assert (row.due_at, row.lease_owner, row.attempts, row.outcome) == (None, "", 0, "ok")


def test_fail_three_times_quarantines_with_the_error(publication, settings):
    settings.MAX_ATTEMPTS = 3
    add_pages([page(publication, "a")], NOW)
    now, ends = NOW, []
    for _ in range(3):
        leases.claim(Page.objects.all(), 1, terms("one", now))
        ends.append(leases.fail(Page.objects.get(), "one", "broken", now))
        now += timedelta(hours=1)

    row = Page.objects.get()
    assert ends == [False, False, True]
    assert (row.last_error, row.quarantined_at) == ("broken", NOW + timedelta(hours=2))
    assert leases.claim(Page.objects.all(), 1, terms("one", now)) == []
    assert leases.release_quarantine(Page.objects.all(), now) == 1
    assert leases.claim(Page.objects.all(), 1, terms("one", now)) == [row.pk]


def test_row_that_kills_its_worker_is_quarantined_by_the_sweep(publication, settings):
    settings.MAX_ATTEMPTS = 3
    add_pages([page(publication, "a")], NOW)
    now = NOW
    for _ in range(3):
        assert leases.claim(Page.objects.all(), 1, terms("one", now))
        now += timedelta(seconds=61)

    assert leases.claim(Page.objects.all(), 1, terms("one", now)) == []
    assert leases.with_exhausted([Crawl, Page], now) == [Page]
    assert leases.quarantine_exhausted(Page, now) == 1
    assert Page.objects.get().quarantined_at == now
    assert leases.with_exhausted([Crawl, Page], now) == []


def test_row_that_kills_its_worker_takes_no_other_along(publication, settings):
    settings.MAX_ATTEMPTS = 3
    add_pages([page(publication, name) for name in "abc"], NOW)
    deadly, now = Page.objects.order_by("pk")[1], NOW
    for _ in range(6):
        claimed = leases.claim(Page.objects.all(), 20, terms("one", now))
        if deadly.pk not in claimed:
            for row in Page.objects.filter(pk__in=claimed):
                leases.complete(row, "one")
        now += timedelta(seconds=61)

    assert leases.quarantine_exhausted(Page, now) == 1
    assert list(Page.objects.exclude(due_at=None)) == [deadly]
    assert Page.objects.get(pk=deadly.pk).quarantined_at == now


def test_death_during_the_last_attempt_after_failures_puts_nothing_aside(publication, settings):
    settings.MAX_ATTEMPTS = 3
    add_pages([page(publication, "a")], NOW)
    now = NOW
    for _ in range(2):
        leases.claim(Page.objects.all(), 1, terms("one", now))
        leases.fail(Page.objects.get(), "one", "refused", now)
        now += timedelta(hours=1)
    leases.claim(Page.objects.all(), 1, terms("dies", now))
    now += timedelta(seconds=61)

    assert leases.quarantine_exhausted(Page, now) == 0
    row = Page.objects.get()
    assert leases.claim(Page.objects.all(), 1, terms("one", now)) == [row.pk]
    assert leases.fail(row, "one", "refused", now) is True  # it has failed three times
    row.refresh_from_db()
    assert row.last_error == "refused"


def test_death_during_the_one_attempt_of_a_page_that_came_back_puts_nothing_aside(
    publication, settings
):
    settings.MAX_ATTEMPTS = 3
    add_pages([page(publication, "a")], NOW)
    Page.objects.update(quarantined_at=NOW, outcome="forbidden")
    assert bring_back(Host.objects.all(), NOW) == 1
    leases.claim(Page.objects.all(), 1, terms("dies"))
    now = NOW + timedelta(seconds=61)

    assert leases.quarantine_exhausted(Page, now) == 0
    row = Page.objects.get()
    assert leases.claim(Page.objects.all(), 1, terms("one", now)) == [row.pk]
    assert leases.fail(row, "one", "refused", now) is True  # it had one attempt


def test_row_that_fails_and_kills_by_turns_is_put_aside_in_the_end(publication, settings):
    settings.MAX_ATTEMPTS = 3
    add_pages([page(publication, "a")], NOW)
    now, n_claims, is_put_aside = NOW, 0, False
    while not is_put_aside and n_claims < 100:
        n_claims += len(leases.claim(Page.objects.all(), 1, terms("one", now)))
        if n_claims % 2:
            now += timedelta(seconds=61)
            assert leases.quarantine_exhausted(Page, now) == 0
        else:
            is_put_aside = leases.fail(Page.objects.get(), "one", "broken", now)
            now += timedelta(hours=1)

    assert (n_claims, is_put_aside) == (6, True)


def test_row_that_kills_its_worker_is_found_out_after_failures_as_well(publication, settings):
    settings.MAX_ATTEMPTS = 3
    add_pages([page(publication, name) for name in "abc"], NOW)
    deadly, now = Page.objects.order_by("pk")[1], NOW
    for _ in range(2):
        leases.claim(Page.objects.filter(pk=deadly.pk), 1, terms("one", now))
        leases.fail(deadly, "one", "refused", now)
        now += timedelta(hours=1)
    n_claims = [len(leases.claim(Page.objects.all(), 20, terms("one", now)))]
    for _ in range(2):
        now += timedelta(seconds=61)
        Page.objects.exclude(pk=deadly.pk).update(due_at=now, lease_until=None, lease_owner="")
        n_claims.append(len(leases.claim(Page.objects.all(), 20, terms("one", now))))
    now += timedelta(seconds=61)

    assert n_claims == [3, 3, 1]  # on its last claim it stands alone
    assert leases.quarantine_exhausted(Page, now) == 1
    assert "died" in Page.objects.get(quarantined_at=now).last_error


def test_lease_that_an_older_program_gave_counts_as_one_claim(publication, settings):
    settings.MAX_ATTEMPTS = 3
    add_pages([page(publication, "a")], NOW)
    leases.claim(Page.objects.all(), 1, terms("one"))
    Page.objects.update(n_claims=None, attempts=3)
    now = NOW
    for _ in range(2):
        now += timedelta(seconds=61)
        assert leases.quarantine_exhausted(Page, now) == 0
        assert leases.claim(Page.objects.all(), 1, terms("one", now))

    now += timedelta(seconds=61)
    assert leases.quarantine_exhausted(Page, now) == 1


def test_row_that_was_asked_for_while_its_worker_died_begins_anew(publication, settings):
    settings.MAX_ATTEMPTS = 3
    add_pages([page(publication, "a")], NOW)
    now = NOW
    for _ in range(3):
        leases.claim(Page.objects.all(), 1, terms("dies", now))
        now += timedelta(seconds=61)
    Page.objects.all().reschedule(now, attempts=0)  # as an editor does

    assert leases.with_exhausted([Page], now) == []
    assert leases.claim(Page.objects.all(), 1, terms("one", now))
    row = Page.objects.get()
    assert (row.attempts, row.n_claims) == (1, 1)


def test_rows_whose_worker_died_once_are_claimed_together_again(publication, settings):
    settings.MAX_ATTEMPTS = 3
    add_pages([page(publication, name) for name in "abc"], NOW)
    leases.claim(Page.objects.all(), 20, terms("one"))

    again = leases.claim(Page.objects.all(), 20, terms("two", NOW + timedelta(seconds=61)))

    assert len(again) == 3


def test_claim_turns_gives_a_host_to_one_holder(publication):
    add_pages([page(publication, name) for name in "abc"], NOW)
    add_pages([page(publication, "d", "veld.example")], NOW)

    first = claim_turns(1, 2, terms("one"))
    second = claim_turns(5, 2, terms("two"))

    assert [(turn.host.name, len(turn.pages)) for turn in first] == [("karoo.example", 2)]
    assert [(turn.host.name, len(turn.pages)) for turn in second] == [("veld.example", 1)]
    assert claim_turns(5, 2, terms("three")) == []


def test_claim_turns_leaves_hosts_alone_until_their_next_moment(publication):
    add_pages([page(publication, "a")], NOW)
    Host.objects.update(next_at=NOW + timedelta(seconds=5))

    assert claim_turns(5, 2, terms("one")) == []
    assert len(claim_turns(5, 2, terms("one", NOW + timedelta(seconds=5)))) == 1


@pytest.mark.parametrize(("delay", "free_after"), [(None, 61), (10.0, 61), (120.0, 181)])
def test_host_whose_worker_died_is_not_asked_before_its_crawl_delay_is_over(
    publication, delay, free_after
):
    add_pages([page(publication, name) for name in "ab"], NOW)
    Host.objects.update(crawl_delay_seconds=delay)
    assert len(claim_polite_turns(5, 1, terms("dies"))) == 1

    moments = [NOW + timedelta(seconds=free_after + before) for before in (-2, 0)]
    n_turns = [len(claim_polite_turns(5, 1, terms("two", moment))) for moment in moments]

    assert n_turns == [0, 1]


def test_host_that_its_feeds_publication_slows_is_kept_as_long(publication):
    publication.min_delay_seconds = 90
    publication.save()
    add_pages([page(publication, "a")], NOW)
    claim_polite_turns(5, 1, terms("dies"))

    assert claim_polite_turns(5, 1, terms("two", NOW + timedelta(seconds=149))) == []
    assert len(claim_polite_turns(5, 1, terms("two", NOW + timedelta(seconds=150)))) == 1


def test_claim_turns_of_a_paused_publication_is_empty(publication):
    add_pages([page(publication, "a")], NOW)
    Publication.objects.update(state=PublicationState.PAUSED)

    assert claim_turns(5, 2, terms("one")) == []
    assert Host.objects.get().lease_owner == ""


def test_lock_is_held_by_one_owner_until_it_runs_out():
    assert leases.take_lock("index", terms("one")) is True
    assert leases.take_lock("index", terms("two")) is False
    assert leases.take_lock("index", terms("one")) is True
    assert leases.take_lock("index", terms("two", NOW + timedelta(seconds=61))) is True
    leases.release_lock("index", "two", NOW)
    assert leases.take_lock("index", terms("one")) is True


def test_row_that_was_deleted_meanwhile_fails_without_harm(publication):
    add_pages([page(publication, "a")], NOW)
    leases.claim(Page.objects.all(), 1, terms("one"))
    row = Page.objects.get()
    Page.objects.all().delete()

    assert leases.fail(row, "one", "broken", NOW) is False


def test_wish_during_the_last_attempt_of_a_worker_that_dies_gives_the_row_new_attempts(
    publication, settings
):
    settings.MAX_ATTEMPTS = 3
    add_pages([page(publication, "a")], NOW)
    now = NOW
    for _ in range(3):
        assert leases.claim(Page.objects.all(), 1, terms("one", now))
        now += timedelta(seconds=61)
    Page.objects.all().reschedule(now)

    assert leases.quarantine_exhausted(Page, now) == 0
    row = Page.objects.get()
    assert (row.quarantined_at, row.attempts, row.due_at) == (None, 0, now)
    for _ in range(3):
        assert leases.claim(Page.objects.all(), 1, terms("one", now)) == [row.pk]
        now += timedelta(seconds=61)
    assert leases.quarantine_exhausted(Page, now) == 1


def test_claims_of_hosts_keep_the_text_of_their_statements(publication, monkeypatch):
    """To write each takes longer than its answer: only the rows themselves are asked for anew."""
    add_pages([page(publication, "a"), page(publication, "b", "veld.example")], NOW)
    claim_turns(2, 1, terms("one"))
    written = []
    write = SQLCompiler.as_sql
    monkeypatch.setattr(
        SQLCompiler, "as_sql", lambda self, *a, **k: written.append(1) or write(self, *a, **k)
    )
    later = terms("two", NOW + timedelta(minutes=2))
    with CaptureQueriesContext(connection) as asked:
        assert len(claim_turns(2, 1, later)) == 2
    assert len(written) <= 3  # pages, hosts, accounts
    assert len(asked) <= 10


def test_keys_are_claimed_as_rows_are(publication, settings):
    """One that is held or not due is left out, and what kills its workers comes alone."""
    settings.MAX_ATTEMPTS = 3
    add_pages([page(publication, name) for name in "abcd"], NOW)
    killer, held, later, free = Page.objects.order_by("pk").values_list("pk", flat=True)
    Page.objects.filter(pk=later).update(due_at=NOW + timedelta(days=1))
    now = NOW
    for _ in range(2):
        assert leases.claim_keys(Page, [killer], terms("dead", now)) == [killer]
        now += timedelta(minutes=2)
    assert leases.claim_keys(Page, [held], terms("other", now)) == [held]
    keys = [killer, held, later, free]
    assert leases.claim_keys(Page, keys, terms("one", now)) == [killer]
    assert leases.claim_keys(Page, keys, terms("two", now)) == [free]
    assert leases.claim_keys(Page, keys, terms("three", now)) == []
    assert leases.claim_keys(Page, [], terms("four", now)) == []
    row = Page.objects.get(pk=free)
    assert (row.lease_owner, row.lease_until, row.attempts) == (
        "two",
        now + timedelta(seconds=60),
        1,
    )
