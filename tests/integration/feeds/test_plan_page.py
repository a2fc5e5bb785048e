"""The plan of seven days and the list of jobs."""

from datetime import timedelta

import pytest
from django.utils import timezone
from factories import make_article, make_feed, make_host, make_page, make_publication, make_rules
from pages import markup as words

from corpus_site.jobs import jobs
from extraction.html.site_rules.rules import Rule, RuleField, RuleKind
from extraction.models import DryRun
from extraction.rules import dry_runs
from feeds.jobs import JobState
from feeds.models import Host
from feeds.watching.visit_plan import HOURS
from feeds.work.leases import Claim

pytestmark = [pytest.mark.django_db, pytest.mark.sql]


@pytest.fixture
def now():
    return timezone.localtime()


def test_every_planned_visit_stands_in_its_hour_and_behind_its_number(linguist, now):
    start = now.replace(minute=0, second=0, microsecond=0) + timedelta(hours=3)
    paper = make_publication(state="active")
    make_feed(paper)
    for minutes in (0, 59):
        make_page(paper, due_at=start + timedelta(minutes=minutes))
    make_page(paper, due_at=start + timedelta(hours=HOURS))
    make_page(paper, due_at=now - timedelta(minutes=1))
    make_page(make_publication("resting", state="paused"), due_at=start)

    answer = linguist.get("/status/plan/?kind=article")
    found = answer.context["plan"]
    rows = linguist.get("/status/plan/", {"kind": "article", "at": start.isoformat()})

    assert [hour.n for hour in found.hours[2:5]] == [0, 2, 0]
    assert (found.n_planned, found.n_overdue, found.n_later) == (2, 1, 1)
    assert rows.context["page"].paginator.count == 2


def test_an_hour_with_more_visits_than_the_delay_allows_is_named(linguist, now):
    start = now.replace(minute=0, second=0, microsecond=0) + timedelta(hours=2)
    paper = make_publication(state="active")
    host = make_host(f"{paper.slug}.example")
    Host.objects.filter(pk=host.pk).update(delay_seconds=1800)
    for seconds in range(3):
        make_page(paper, due_at=start + timedelta(seconds=seconds))

    page = linguist.get("/status/plan/")

    assert [hour.crowded for hour in page.context["crowded"]] == [host.name]
    assert "3 visits, more than the delay of" in words(page)


@pytest.mark.parametrize("query", ["at=x", "at=2026-11-22", "kind=odd", "host=%00", "p=x&at=1"])
def test_an_unreadable_plan_address_shows_the_plan(linguist, query):
    assert linguist.get(f"/status/plan/?{query}").status_code == 200


@pytest.fixture
def dry_run(now):
    paper = make_publication(name="Karoo Courier")
    version = make_rules(paper, Rule(RuleField.TITLE, RuleKind.CSS, "h1"), published_at=None)
    make_article(publication=paper)
    return dry_runs.start(version, now)


def test_a_stopped_job_rests_until_it_may_go_on(editor, dry_run, now):
    """Nothing of it is taken up by a worker between the two."""
    asked = {"table": "dryrun", "pk": dry_run.pk}

    waiting = jobs(now)[0]
    stopped_page = editor.post("/status/jobs/change/", asked | {"act": "stop"}, follow=True)
    stopped = jobs(now)[0]
    n_claimed = dry_runs.run(9, Claim("w", now, timedelta(seconds=9))).n_claimed
    editor.post("/status/jobs/change/", asked | {"act": "go-on"})
    going_on = jobs(timezone.now())[0]

    assert (waiting.state, stopped.state) == (JobState.WAITING, JobState.STOPPED)
    assert "The job is stopped" in words(stopped_page)
    assert (n_claimed, going_on.state) == (0, JobState.WAITING)


def test_a_job_that_failed_may_go_on(editor, dry_run, now):
    DryRun.objects.update(quarantined_at=now, last_error="Archive file is gone")

    shown = words(editor.get("/status/jobs/"))
    editor.post("/status/jobs/change/", {"table": "dryrun", "pk": dry_run.pk, "act": "go-on"})

    assert "Archive file is gone" in shown
    assert jobs(timezone.now())[0].state is JobState.WAITING


def test_a_worker_that_held_a_stopped_job_changes_nothing(editor, dry_run, now):
    DryRun.objects.update(lease_owner="w", lease_until=now + timedelta(minutes=1))
    editor.post("/status/jobs/change/", {"table": "dryrun", "pk": dry_run.pk, "act": "stop"})

    row = DryRun.objects.get()
    row.lease_owner = "w"
    dry_runs._try_slice(row, Claim("w", now, timedelta(seconds=9)))

    assert (DryRun.objects.get().finished_at, jobs(now)[0].state) == (None, JobState.STOPPED)


@pytest.mark.parametrize(
    "asked", [{}, {"table": "page", "pk": 1, "act": "stop"}, {"table": "dryrun", "pk": "x"}]
)
def test_what_is_no_job_is_refused(editor, asked):
    assert editor.post("/status/jobs/change/", asked).status_code == 400


def test_linguists_see_jobs_and_change_none(linguist, dry_run):
    asked = {"table": "dryrun", "pk": dry_run.pk, "act": "stop"}

    assert linguist.post("/status/jobs/change/", asked).status_code == 403
    assert 'value="stop"' not in linguist.get("/status/jobs/").content.decode()
