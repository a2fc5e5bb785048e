"""`/comments/months/`: the form begins a job, the page shows it and lets it be stopped."""

import pytest
from factories import make_publication
from pages import words

from extraction.models import CommentMonth

ADDRESS = "/comments/months/"
pytestmark = pytest.mark.django_db


def test_form_begins_a_job_that_stands_under_jobs_too(editor):
    paper = make_publication(name="Karoo Courier")

    shown = words(editor.post(ADDRESS, {"month": "2026-10", "publication": paper.pk}, follow=True))

    job = CommentMonth.objects.get()
    assert (f"{job.month}", job.publication) == ("2026-10-01", paper)
    assert job.asked_by is not None
    assert "0 threads of this month will be looked at" in shown
    assert "Oct 2026, Karoo Courier" in shown
    assert "Comments of a month Oct 2026, Karoo Courier" in words(editor.get("/status/jobs/"))


def test_job_is_stopped_and_goes_on(editor):
    editor.post(ADDRESS, {"month": "2026-10"})
    job = CommentMonth.objects.get()
    asked = {"table": "commentmonth", "pk": job.pk}

    editor.post("/status/jobs/change/", asked | {"act": "stop"})
    stopped = words(editor.get(ADDRESS))
    editor.post("/status/jobs/change/", asked | {"act": "go-on"})

    assert "Stopped" in stopped
    assert "Waits" in words(editor.get(ADDRESS))


@pytest.mark.parametrize(
    "given", [{"month": "soon"}, {"month": ""}, {"month": "2026-10", "publication": "999"}]
)
def test_what_is_no_month_or_publication_is_refused(editor, given):
    answer = editor.post(ADDRESS, given)

    assert (answer.status_code, CommentMonth.objects.count()) == (400, 0)


def test_linguist_reads_without_a_form(linguist):
    assert "Look now" not in words(linguist.get(ADDRESS))
    assert linguist.post(ADDRESS, {"month": "2026-10"}).status_code == 403
