"""Pages asked for once more: by an editor's buttons and by command; what pages say of visits."""

from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone
from factories import make_article, make_fetch, make_page, make_publication
from pages import markup as words

from feeds.models import Host, Page, Publication, VisitFinding

pytestmark = [pytest.mark.django_db, pytest.mark.sql]


@pytest.fixture
def now():
    return timezone.localtime()


@pytest.fixture
def paper():
    return make_publication(state="active")


def stored(paper, number=1, **changes):
    """An article whose page was visited."""
    now = timezone.now()
    page = make_page(paper, found_at=now, visited_at=now, **changes)
    page.content_fetch = make_fetch(page, digest="1")
    page.save()
    return make_article(f"The sangoma drank maas {number}.", page=page)


def purposes():
    return list(Page.objects.order_by("pk").values_list("purpose", flat=True))


def test_button_on_an_article_says_what_happens_and_when(editor, paper, now):
    article = stored(paper)
    Host.objects.update(next_at=now + timedelta(hours=1), next_reason="The server asked for 1 h.")

    answer = editor.post(f"/articles/{article.pk}/fetch-again/", follow=True)

    page = Page.objects.get()
    assert (page.purpose, page.due_at <= timezone.now()) == ("asked", True)
    assert page.due_reason.startswith("asked for by user")
    assert "due at its host’s turn at" in words(answer)
    assert "The server asked for 1 h" in words(answer)


def test_button_of_a_paused_publication_says_that_the_page_waits(editor):
    article = stored(make_publication(state="paused"))

    answer = editor.post(f"/articles/{article.pk}/fetch-again/", follow=True)

    assert "it waits until Karoo Courier is active again" in words(answer)


def test_ticked_articles_are_asked_for(editor, paper):
    ticked, other = stored(paper), stored(paper, 2)

    answer = editor.post("/articles/fetch-again/", {"article": [ticked.pk, "x"]}, follow=True)

    assert purposes() == ["asked", ""]
    assert "1 page is due now" in words(answer)
    assert other.page.due_at is None


def test_all_articles_of_a_filter_are_asked_for(editor, paper):
    stored(paper), stored(paper, 2), stored(make_publication("vaal-voice", state="active"), 3)
    listed = editor.get("/articles/?pub=karoo-courier")

    answer = editor.post("/articles/fetch-again/", {"pub": "karoo-courier", "all": "1"})

    assert "All 2 of this filter:" in words(listed)
    assert "Fetch all again" in words(listed)
    assert answer.url == "/articles/?pub=karoo-courier"
    assert purposes() == ["asked", "asked", ""]


def test_nothing_ticked_asks_for_nothing(editor, paper):
    stored(paper)

    answer = editor.post("/articles/fetch-again/", {"pub": "karoo-courier"}, follow=True)

    assert purposes() == [""]
    assert "Tick the articles" in words(answer)


def test_publication_says_the_count_before_its_articles_are_asked_for(editor, paper, now):
    stored(paper)
    make_page(paper, found_at=now, visited_at=now, quarantined_at=now)
    make_page(paper, found_at=now - timedelta(days=5), visited_at=now)
    Host.objects.update(delay_seconds=60)

    asked = editor.get("/sources/karoo-courier/fetch-again/")
    answer = editor.post("/sources/karoo-courier/fetch-again/", {"days": "3"}, follow=True)

    choices = [(item.days, item.n_pages, item.takes) for item in asked.context["choices"]]
    assert choices == [(1, 2, "4 min"), (3, 2, "4 min"), (7, 3, "6 min"), (30, 3, "6 min")]
    assert "2 pages are due now" in words(answer)
    assert purposes() == ["asked", "asked", ""]
    assert Page.objects.quarantined().count() == 0


def test_publication_without_a_choice_is_asked_again(editor, paper):
    stored(paper)

    assert editor.post("/sources/karoo-courier/fetch-again/", {"days": "8"}).status_code == 400
    assert purposes() == [""]


@pytest.mark.parametrize("role", ["reader", "linguist"])
def test_only_editors_ask_for_pages(browse, paper, role):
    article = stored(paper)
    client = browse(role)

    client.post(f"/articles/{article.pk}/fetch-again/")
    client.post("/articles/fetch-again/", {"article": article.pk})
    client.post("/sources/karoo-courier/fetch-again/", {"days": "3"})

    assert purposes() == [""]
    assert "Fetch again" not in words(client.get(f"/articles/{article.pk}/"))


def test_command_asks_for_addresses(paper, capsys):
    article = stored(paper)

    call_command("fetch_again", f"{article.page.url}?utm_source=x")

    assert purposes() == ["asked"]
    assert capsys.readouterr().out == f"{article.page.url}?utm_source=x: due now\n"


def test_command_fails_where_an_address_is_not_known(paper, capsys):
    article = stored(paper)

    with pytest.raises(CommandError, match="1 of 2 addresses"):
        call_command("fetch_again", "https://nowhere.example/x", article.page.url)

    assert purposes() == ["asked"]
    assert capsys.readouterr().out.splitlines() == [
        "https://nowhere.example/x: not known here",
        f"{article.page.url}: due now",
    ]


def test_timeline_tells_why_a_page_was_visited_and_what_that_found(browse, paper, now):
    article = stored(paper)
    first = article.page.content_fetch
    later = {"started_at": first.started_at + timedelta(hours=4)}
    make_fetch(
        article.page,
        outcome="not_modified",
        status=304,
        found="not_modified",
        visit_reason="planned: four hours after publication",
        **later,
    )
    last = {"started_at": first.started_at + timedelta(hours=24)}
    make_fetch(article.page, digest="2", found="changed", visit_reason="asked for by Gogo", **last)
    due = {"due_at": now + timedelta(days=6), "due_reason": "planned: a week after publication"}
    Page.objects.update(purpose="planned", **due)

    steps = browse("linguist").get(f"/articles/{article.pk}/timeline/").context["steps"]

    told = [(step.name, step.details) for step in steps if "isit" in step.name]
    assert told == [
        (
            "Visited again",
            ("status 304", "not modified", "planned: four hours after publication"),
        ),
        ("Visited again", ("status 200", "a version: another text", "asked for by Gogo")),
        ("Next visit", ("planned: a week after publication",)),
    ]


def test_api_tells_the_next_visit_of_an_article(browse, paper, now):
    article = stored(paper)
    reader = browse("linguist")
    assert reader.get(f"/api/articles/{article.pk}/").json()["next_visit"] is None
    Page.objects.update(purpose="planned", due_at=now, due_reason="planned: a day")

    told = reader.get(f"/api/articles/{article.pk}/").json()["next_visit"]

    assert (told["purpose"], told["reason"]) == ("planned", "planned: a day")
    assert told["at"]


def test_page_of_a_source_says_what_visits_find(browse, paper):
    counts = {"publication": paper, "recent_visits": 80, "recent_changed": 0}
    VisitFinding.objects.create(age_hours=168, n_visits=400, n_changed=3, **counts)
    counts |= {"recent_changed": 30}
    VisitFinding.objects.create(age_hours=24, n_visits=80, n_changed=30, **counts)

    rows = browse("linguist").get("/sources/karoo-courier/").context["visited_ages"]

    assert [(row.words, row.n_visits, row.n_changed, row.plan[:12]) for row in rows] == [
        ("four hours", 0, 0, "each page is"),
        ("half a day", 0, 0, "each page is"),
        ("a day", 80, 30, "each page is"),
        ("a week", 400, 3, "one page in "),
        ("a month", 0, 0, "each page is"),
    ]


def test_page_of_a_source_says_that_the_plan_is_hurried(browse, paper, settings):
    words = "pages grow old 3\u202f600 times as fast here"
    assert words not in browse("linguist").get("/sources/karoo-courier/").content.decode()

    settings.CRAWL_VISIT_HURRY = 3600

    assert words in browse("linguist").get("/sources/karoo-courier/").content.decode()


def test_share_of_visits_is_a_setting(editor, paper):
    form = editor.get("/sources/karoo-courier/settings/").context["form"]
    values = {name: value for name, value in form.initial.items() if value is not None}

    editor.post("/sources/karoo-courier/settings/", values | {"visit_share": "0.2"})
    wrong = editor.post("/sources/karoo-courier/settings/", values | {"visit_share": "0.95"})

    assert Publication.objects.get().visit_share == 0.2
    assert wrong.status_code == 400


def test_plan_tells_purposes_and_what_is_postponed(linguist, paper, now):
    make_page(paper, due_at=now + timedelta(hours=2))
    make_page(paper, due_at=now + timedelta(hours=2), purpose="planned")
    make_page(paper, due_at=now - timedelta(hours=2), purpose="planned")
    Host.objects.update(visits_from=now + timedelta(hours=5), n_requests=100, n_visits=50)

    page = linguist.get("/status/plan/")
    planned = linguist.get("/status/plan/?purpose=planned")

    assert [(value, n) for value, _, n, _ in page.context["purposes"]] == [
        ("new", 1),
        ("planned", 2),
    ]
    assert planned.context["plan"].n_planned == 1
    assert [(host.n_waiting, host.n_visits) for host in page.context["held"]] == [(1, 50)]
    assert "of its 100 requests today 50 went to pages that are known" in words(page)
