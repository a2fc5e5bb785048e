"""A month's threads looked at now: which, at what pace, told as a job, and stopped."""

import io
from datetime import UTC, date, datetime, timedelta

import pytest
from django.core.management import CommandError, call_command
from factories import make_article

from extraction import comment_months
from extraction.comment_months import MonthOfThreads
from extraction.models import CommentMonth, CommentThread
from feeds.jobs import JobState
from feeds.models import Page, PageKind
from feeds.work import leases
from feeds.work.leases import Claim

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
NOVEMBER = MonthOfThreads(date(2026, 11, 1))
pytestmark = [pytest.mark.django_db, pytest.mark.sql]


def make_thread(number: int, **changes) -> CommentThread:
    article = make_article(f"Story {number}.", dated_at=NOW - timedelta(hours=number))
    address = f"https://disqus.com/embed/comments/?f=karoo&t_i={number}"
    page = Page.objects.create(
        url=address,
        key=address.removeprefix("https://"),
        kind=PageKind.COMMENTS,
        host=article.page.host,
        publication=article.publication,
        parent=article.page,
        found_at=NOW,
    )
    values = {"article": article, "page": page, "system": "disqus", "forum": "karoo"} | changes
    return CommentThread.objects.create(**values)


def run(now: datetime = NOW):
    return comment_months.run(1, Claim("tester", now, timedelta(seconds=60)))


def due_pages() -> set[int]:
    return set(
        Page.objects.filter(due_at__isnull=False, kind=PageKind.COMMENTS).values_list(
            "pk", flat=True
        )
    )


def test_open_threads_of_the_month_are_looked_at_now_and_closed_ones_are_done():
    open_thread, _closed = make_thread(1), make_thread(2, is_closed=True)
    make_thread(3, page=None, system="coral")
    Page.objects.filter(pk=open_thread.page_id).update(quarantined_at=NOW)

    assert comment_months.look_now(NOVEMBER, NOW) == 1

    assert due_pages() == {open_thread.page_id}
    assert not Page.objects.filter(quarantined_at__isnull=False).exists()
    assert comment_months.look_now(MonthOfThreads(date(2026, 10, 1)), NOW) == 0


def test_cut_thread_is_completed_with_its_month_once_a_key_is_set(settings):
    thread = make_thread(1, is_closed=True, is_cut=True, n_posts=312)

    without = comment_months.look_now(NOVEMBER, NOW)
    settings.CRAWL_DISQUS_API_KEY = "key"
    n_asked = comment_months.look_now(NOVEMBER, NOW)

    thread.refresh_from_db()
    assert (without, n_asked, thread.is_cut) == (0, 1, False)
    assert Page.objects.get(url__contains="listPosts").due_at == NOW


def test_job_asks_for_as_many_as_may_wait_and_goes_on_when_they_were_looked_at(monkeypatch):
    monkeypatch.setattr(comment_months, "UNDER_WAY", 2)
    threads = [make_thread(number) for number in range(1, 4)]
    job = comment_months.start(NOVEMBER, None, NOW)

    run()
    first, waiting = due_pages(), comment_months.PAUSE
    run(NOW + waiting)
    still = due_pages()
    Page.objects.filter(pk__in=first).reschedule(NOW + timedelta(days=9))
    run(NOW + 2 * waiting)
    (told,) = comment_months.jobs(NOW)
    Page.objects.filter(pk=threads[2].page_id).reschedule(NOW + timedelta(days=9))
    run(NOW + 3 * waiting)

    job.refresh_from_db()
    assert (first, still) == ({thread.page_id for thread in threads[:2]}, first)
    assert (told.n_done, told.n_all, told.subject) == (2, 3, "Nov 2026, all publications")
    assert (job.finished_at, job.n_asked, job.due_at) == (NOW + 3 * waiting, 3, None)


def test_job_that_is_stopped_asks_for_no_more():
    make_thread(1)
    comment_months.start(NOVEMBER, None, NOW)

    leases.stop(CommentMonth.objects.all())
    run()

    assert due_pages() == set()
    assert [job.state for job in comment_months.jobs(NOW)] == [JobState.STOPPED]


def test_command_makes_the_threads_of_a_month_due():
    thread = make_thread(1)

    texts = [look_at("2026-10"), look_at("2026-11", publication=thread.article.publication.slug)]

    assert [text.split()[0] for text in texts] == ["0", "1"]


def look_at(month, **options):
    out = io.StringIO()
    call_command("comments", month=month, stdout=out, **options)
    return out.getvalue()


@pytest.mark.parametrize("options", [{"month": "2026-13"}, {"month": "x"}, {"publication": "no"}])
def test_month_or_publication_that_is_none_is_refused(options):
    with pytest.raises(CommandError):
        call_command("comments", **{"month": "2026-11"} | options)
