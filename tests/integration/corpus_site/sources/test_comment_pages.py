"""What pages say of threads: a month is looked at by a job, a publication says where they are."""

import pytest
from factories import make_article, make_publication
from pages import words

from extraction.models import CommentMonth, CommentThread

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


# --- The publication's page -----------------------------------------------------------------------


def test_publication_says_where_comments_are_and_when_they_are_looked_at(editor):
    article = make_article()
    CommentThread.objects.create(article=article, system="viafoura", n_posts=134)

    shown = words(editor.get(f"/sources/{article.publication.slug}/"))

    assert "no closed thread seen yet; first look 1 d after publication" in shown
    assert "Viafoura, 134, cannot be read without a key: 1 article" in shown


def test_publication_whose_threads_close_is_looked_at_then(editor):
    article = make_article(publication=make_publication(comments_open_days=3.5))

    shown = words(editor.get(f"/sources/{article.publication.slug}/"))

    assert "learnt from closed threads; first look 3 d 12 h after publication" in shown
