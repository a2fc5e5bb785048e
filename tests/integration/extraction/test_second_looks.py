"""Pages visited again for what their reading said: too little text, an early date, comments."""

from datetime import UTC, datetime, timedelta

import pytest
from integration.feeds.newspapers import add_page, crawl, make_paper
from integration.feeds.origin import answer
from killed_work import is_killed_at
from newspaper_pages import PARAGRAPHS, article_page, paragraphs_html

from extraction import extract
from extraction.models import Article, Extraction
from feeds import revisits
from feeds.models import Fetch, Page
from feeds.work.leases import Claim

NOW = datetime(2026, 11, 20, 6, 0, tzinfo=UTC)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
SITE = "http://karoo.example"
SHELL = b"<html><head><title>News</title><script>app()</script></head><body></body></html>"
LATER = [*PARAGRAPHS[:-1], "On Friday the divers came, and found the wall as whole as in March."]
pytestmark = [pytest.mark.django_db, pytest.mark.sql]


@pytest.fixture
def paper():
    return make_paper(NOW)


def story(number):
    """A page with a text of its own."""
    body = paragraphs_html([*PARAGRAPHS, f"Rain fell on farm {number} of the Karoo at last."])
    return article_page(body)


def comments_html(n_comments):
    """A list of readers' comments as WordPress writes it."""
    items = "".join(
        f"<li class='comment' id='comment-{n}'><b class='fn'>Thandi</b>"
        f"<time datetime='2026-11-20T1{n}:00:00+02:00'>x</time>"
        f"<div class='comment-content'><p>Remark number {n} on the rain.</p></div></li>"
        for n in range(n_comments)
    )
    return f"<ol class='comment-list'>{items}</ol>"


def serve(web, path, body):
    web.routes[path] = answer(body, 200, (("Content-Type", "text/html; charset=utf-8"),))


def work(now):
    """Fetch and extract what is due, as the stages do with their sweeps."""
    revisits.pending(100, now)
    extract.pending(100, now)
    extract.register(crawl(now).next_ids["pages"], now)
    while extract.run(20, Claim("tester", now, timedelta(seconds=60))).n_claimed:
        pass


def outcomes():
    return dict(Extraction.objects.values_list("page__url", "outcome"))


def test_pages_of_a_site_that_was_drawn_by_scripts_come_back_with_their_texts(web, paper):
    paths = [f"/broken-story-number-{n}" for n in range(8)]
    for minute, path in enumerate(paths):
        serve(web, path, SHELL)
        add_page(paper, SITE + path, NOW)
        work(NOW + timedelta(minutes=minute))
    assert set(outcomes().values()) == {"empty"}

    for number, path in enumerate(paths):
        serve(web, path, story(number))
    for number in range(3):
        serve(web, f"/later-story-number-{number}", story(f"later {number}"))
        add_page(paper, f"{SITE}/later-story-number-{number}", NOW + HOUR)
        work(NOW + HOUR + timedelta(minutes=number))
    work(NOW + HOUR + timedelta(minutes=5))

    assert set(outcomes().values()) == {"stored"}
    assert Article.objects.count() == 11


def test_pages_visited_in_vain_while_their_site_was_broken_come_back_with_it(web, paper):
    paths = [f"/broken-story-number-{n}" for n in range(3)]
    for minute, path in enumerate(paths):
        serve(web, path, SHELL)
        add_page(paper, SITE + path, NOW)
        work(NOW + timedelta(minutes=minute))
    for minute in range(3):
        work(NOW + 5 * HOUR + timedelta(minutes=minute))
    assert {web.paths.count(path) for path in paths} == {2}

    for number, path in enumerate(paths):
        serve(web, path, story(number))
        serve(web, f"/later-story-number-{number}", story(f"later {number}"))
        add_page(paper, f"{SITE}/later-story-number-{number}", NOW + 6 * HOUR)
        work(NOW + 6 * HOUR + timedelta(minutes=number))
    for minute in range(4, 7):
        work(NOW + 6 * HOUR + timedelta(minutes=minute))

    assert set(outcomes().values()) == {"stored"}


def test_single_page_without_a_text_is_left_to_the_plan(web, paper):
    serve(web, "/one-picture-of-the-day", SHELL)
    page = add_page(paper, f"{SITE}/one-picture-of-the-day", NOW)
    work(NOW)
    for number in range(4):
        serve(web, f"/later-story-number-{number}", story(number))
        add_page(paper, f"{SITE}/later-story-number-{number}", NOW)
        work(NOW + timedelta(minutes=5 + number))

    page.refresh_from_db()
    assert page.due_reason.startswith("planned: four hours after publication")
    assert Extraction.objects.get(page=page).thin_at is None


def test_page_that_stays_empty_is_visited_ever_more_rarely(web, paper):
    paths = [f"/broken-story-number-{n}" for n in range(4)]
    for path in paths:
        serve(web, path, SHELL)
        add_page(paper, SITE + path, NOW)
    work(NOW)
    for number in range(2 * 20):
        moment = NOW + HOUR * 12 * (number + 1)
        serve(web, f"/later-story-number-{number}", story(number))
        add_page(paper, f"{SITE}/later-story-number-{number}", moment)
        work(moment)

    assert max(web.paths.count(path) for path in paths) <= 13


def test_breaking_news_grows_into_the_corpus_by_the_plan(web, paper):
    path = "/fire-on-the-mountain-more-to-follow"
    serve(web, path, article_page("<p>A fire has broken out on the mountain. More to follow.</p>"))
    page = add_page(paper, SITE + path, NOW)
    work(NOW)
    assert not Article.objects.filter(in_corpus=True).exists()

    serve(web, path, story(1))
    page.refresh_from_db()
    work(page.due_at)

    assert Article.objects.get(page=page).in_corpus


def test_date_of_the_text_ends_the_visits_of_an_old_page(web, paper):
    head = "<meta property='article:published_time' content='2019-11-19T10:30:00+02:00'>"
    serve(web, "/an-old-story-of-the-karoo", article_page(head=head))
    page = add_page(paper, f"{SITE}/an-old-story-of-the-karoo", NOW)

    work(NOW)

    page.refresh_from_db()
    assert (page.due_at, page.purpose) == (None, "")


def test_page_with_comments_is_looked_at_daily_in_its_first_week(web, paper):
    path = "/a-story-that-readers-comment-on"
    serve(web, path, article_page(after=comments_html(3)))
    page = add_page(paper, SITE + path, NOW)
    work(NOW)
    visits = []
    page.refresh_from_db()
    while page.due_at and page.due_at < NOW + 9 * DAY:
        visits.append(round((page.due_at - NOW) / DAY, 1))
        work(page.due_at)
        page.refresh_from_db()

    assert visits[0] == 0.2
    assert all(0.7 <= later - earlier <= 1.1 for earlier, later in zip(visits, visits[1:]))  # noqa: B905, RUF007
    assert visits[-1] > 6.5


def test_new_comments_after_the_first_week_bring_another_look(web, paper):
    path = "/a-story-that-readers-comment-on"
    serve(web, path, article_page(after=comments_html(3)))
    page = add_page(paper, SITE + path, NOW)
    work(NOW)
    serve(web, path, article_page(after=comments_html(5)))
    moment = NOW + 10 * DAY
    Page.objects.filter(pk=page.pk).update(due_at=moment)

    work(moment)

    page.refresh_from_db()
    assert timedelta(hours=23) <= page.due_at - moment <= timedelta(hours=25)
    assert "some of them new" in page.due_reason


def test_extraction_that_was_put_aside_is_tried_on_another_document(web, paper):
    path = "/a-story-that-broke-the-extraction"
    serve(web, path, story(1))
    page = add_page(paper, SITE + path, NOW)
    work(NOW)
    Extraction.objects.update(quarantined_at=NOW, attempts=3, done_digest="")
    serve(web, path, story(2))
    page.refresh_from_db()

    work(page.due_at)

    assert Extraction.objects.get(page=page).quarantined_at is None
    assert "farm 2" in Article.objects.get().text


@pytest.mark.django_db(transaction=True)
def test_second_visit_killed_anywhere_changes_its_article_once(web, paper):
    n_killed, moment = 0, NOW
    for n_statements in range(3, 80, 9):
        path = f"/a-story-that-changes-{n_statements}"
        serve(web, path, article_page(after=comments_html(2)))
        page = add_page(paper, SITE + path, moment)
        work(moment)
        serve(web, path, article_page(paragraphs_html(LATER), after=comments_html(3)))
        page.refresh_from_db()
        due = page.due_at

        def second(due=due):
            extract.register(crawl(due, "killed").next_ids["pages"], due)
            extract.run(20, Claim("killed", due, timedelta(seconds=60)))

        n_killed += is_killed_at(n_statements, second)
        work(due + timedelta(minutes=10))
        moment = due + timedelta(minutes=20)

        article = Article.objects.get(page=page)
        assert article.text == "\n".join(LATER)
        assert article.comments.count() == 3
        page.refresh_from_db()
        assert (page.lease_owner, page.purpose) == ("", "planned")
        came = Fetch.objects.filter(page=page, outcome="ok").values_list("digest", flat=True)
        assert len(set(came)) == 2
        Page.objects.update(due_at=None, purpose="")
    assert n_killed > 4
