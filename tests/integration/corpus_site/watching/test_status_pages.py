"""Status: overview, rows of a stage, a second chance, machines' answers."""

from datetime import timedelta

import pytest
from django.core.management import call_command
from django.utils import timezone
from factories import make_article, make_feed, make_fetch, make_page, make_publication
from pages import is_whole, links, markup

from corpus_site.counts.stage_counts import stage_counts
from corpus_site.pages.stages import STATES
from corpus_site.pipeline import BY_NAME
from extraction.models import Article, Extraction
from feeds.models import Host, Page, VisitPurpose, Worker
from feeds.status import outcome_hours
from search.models import IndexedArticle, IndexedComment

pytestmark = [pytest.mark.django_db, pytest.mark.sql]


@pytest.fixture(autouse=True)
def _running_publication(db):
    """Let the pages of these tests belong to a publication that runs."""
    make_publication(state="active", created_at=timezone.now())


def quarantine(page, error="ParserError: Document is empty"):
    Page.objects.filter(pk=page.pk).update(
        quarantined_at=timezone.now(), last_error=error, attempts=3, due_at=None
    )


def test_nothing_crawled_yet_is_said_in_words(editor):
    page = markup(editor.get("/status/"))

    assert "Nothing needs you." in page
    assert "No feed is known yet." in page
    assert "No worker has given a sign." in page


def test_stages_count_their_rows_and_link_to_them(linguist):
    now = timezone.now()
    make_page(due_at=now - timedelta(seconds=40))
    make_page(due_at=now + timedelta(hours=1))
    quarantine(make_page())

    shown = links(linguist.get("/status/"))

    for state in ("due", "planned", "quarantined"):
        assert ("1", f"/status/stages/fetch/?state={state}") in shown


@pytest.mark.parametrize(
    ("state", "n"), [("due", 1), ("planned", 2), ("done", 3), ("quarantined", 4), ("postponed", 5)]
)
def test_the_rows_of_a_stage_are_as_many_as_the_overview_says(state, n, linguist):
    now = timezone.now()
    make_page(due_at=now - timedelta(seconds=40))
    for _ in range(2):
        make_page(due_at=now + timedelta(hours=1))
    for _ in range(3):
        make_page()
    for _ in range(4):
        quarantine(make_page())
    _postponed(5, now)

    answer = linguist.get(f"/status/stages/fetch/?state={state}")

    assert answer.context["page"].paginator.count == n
    assert len(list(answer.context["page"])) == n


def _postponed(n, now):
    """Make pages that wait for their host's share, beside one of another host that does not."""
    for _ in range(n):
        make_page(due_at=now - timedelta(hours=1), purpose=VisitPurpose.PLANNED)
    Host.objects.update(visits_from=now + timedelta(hours=5))


def test_visits_beyond_their_hosts_share_are_not_due_but_postponed(linguist):
    now = timezone.now()
    make_page(due_at=now - timedelta(seconds=40))
    _postponed(3, now)

    shown = links(linguist.get("/status/"))
    count = stage_counts(now)[0]

    assert ("3", "/status/stages/fetch/?state=postponed") in shown
    assert ("1", "/status/stages/fetch/?state=due") in shown
    assert (count.due, count.postponed, count.planned) == (1, 3, 0)
    assert count.oldest_due_at == now - timedelta(seconds=40)


def test_rows_of_several_tables_stand_on_one_list(linguist):
    article = make_article()
    IndexedArticle.objects.create(article=article)
    for number in range(60):
        comment = article.comments.create(
            system="disqus",
            remote_id=str(number),
            posted_at=timezone.now(),
            created_at=timezone.now(),
            updated_at=timezone.now(),
        )
        IndexedComment.objects.create(comment=comment)

    first = linguist.get("/status/stages/index/?state=done").context["page"]
    second = linguist.get("/status/stages/index/?state=done&p=2").context["page"]

    assert [row.table for row in first][:2] == ["indexedarticle", "indexedcomment"]
    assert (len(list(first)), len(list(second))) == (50, 11)


def test_the_last_hour_is_set_against_the_week_before(linguist):
    now = timezone.now()
    stored_at = [now - timedelta(days=9), *[now - timedelta(days=2)] * 17, now]
    for place, moment in enumerate(stored_at):
        article = make_article(f"Text {place}.")
        Article.objects.filter(pk=article.pk).update(created_at=moment)
    week = markup(linguist.get("/status/"))
    Article.objects.filter(created_at__lt=now - timedelta(days=8)).delete()
    young = markup(linguist.get("/status/"))

    assert "usual 0.1 an hour, last 7 days" in week
    assert "stored, copies among them" in young


def test_unknown_stages_and_states_are_not_found(linguist):
    assert linguist.get("/status/stages/bake/").status_code == 404
    assert linguist.get("/status/stages/fetch/?state=burnt").status_code == 404


def test_a_quarantined_row_is_shown_with_its_error_and_can_be_tried_again(editor):
    page = make_page()
    other = make_page()
    quarantine(page)
    quarantine(other)

    shown = markup(editor.get("/status/stages/fetch/?state=quarantined"))
    editor.post("/status/stages/fetch/again/", {"table": "page", "pk": page.pk})

    assert "ParserError: Document is empty" in shown
    assert Page.objects.get(pk=page.pk).quarantined_at is None
    assert Page.objects.get(pk=other.pk).quarantined_at is not None


def test_all_rows_of_a_stage_can_be_tried_again(editor):
    for _ in range(3):
        Extraction.objects.create(page=make_page(), quarantined_at=timezone.now())

    answer = editor.post("/status/stages/extract/again/", follow=True)

    assert "3 rows are due again." in markup(answer)
    assert Extraction.objects.quarantined().count() == 0


@pytest.mark.parametrize("pk", ["x", "²", "9" * 23, "9" * 5000])
def test_a_row_that_does_not_exist_is_not_tried(pk, editor):
    answer = editor.post("/status/stages/fetch/again/", {"table": "page", "pk": pk}, follow=True)

    assert "0 rows are due again." in markup(answer)


def test_what_needs_a_person_is_said_in_sentences(linguist):
    feed = make_feed(make_publication(state="active"))
    quarantine(make_page())
    make_page(due_at=timezone.now() - timedelta(hours=1))
    Host.objects.update(blocked_since=timezone.now(), block_reason="403 on 3 of 3 tries")

    needs = linguist.get("/status/").context["needs"]

    assert [need.label for need in needs] == ["■ Stopped", "■ Blocked", "▲ Put aside"]
    assert needs[1].sentence.startswith("refuses us (403 on 3 of 3 tries) since ")
    assert feed.page.host.name == needs[1].subject


def test_pages_that_the_web_refuses_need_nobody(linguist):
    page = make_page(outcome="not_found")
    quarantine(page, "The server answered 404 Not Found.")

    assert linguist.get("/status/").context["needs"] == []


def test_workers_are_alive_while_they_give_signs(linguist):
    now = timezone.now()
    Worker.objects.create(name="one", kind="fetch", pid=1, started_at=now, beat_at=now)
    Worker.objects.create(
        name="two", kind="text", pid=2, started_at=now, beat_at=now - timedelta(minutes=5)
    )

    page = markup(linguist.get("/status/"))

    assert "1 of 2" in page
    assert page.index("● Alive") < page.index("○ Ended")


def test_outcomes_are_counted_by_the_hours_of_the_day():
    now = timezone.localtime().replace(minute=30, second=0, microsecond=0)
    page = make_page()
    make_fetch(page, started_at=now - timedelta(minutes=5))
    make_fetch(page, started_at=now - timedelta(minutes=65), outcome="timeout")
    make_fetch(page, started_at=now - timedelta(days=2))

    hours = outcome_hours(now)

    assert len(hours) == 24
    assert dict(hours[-1].counts) == {"ok": 1}
    assert dict(hours[-2].counts) == {"timeout": 1}
    assert sum(sum(hour.counts.values()) for hour in hours) == 2


def test_the_live_part_keeps_the_filter(linguist):
    make_feed(make_publication("asleep", state="paused"))

    page = markup(linguist.get("/status/?state=paused"))
    part = linguist.get("/part/status/?state=paused", headers={"HX-Request": "true"})

    assert 'hx-get="/part/status/?state=paused"' in page
    assert part.context["wanted"] == "paused"
    assert "<html" not in markup(part)


def test_pages_answer_whole_also_to_htmx(linguist):
    answer = linguist.get("/status/", headers={"HX-Request": "true"})

    assert is_whole(answer)


def test_health_is_json(client):
    answer = client.get("/healthz")

    assert answer.status_code == 200
    assert answer.json() == {"status": "ok", "workers_alive": 0, "disk": "ok"}


def test_full_disk_is_an_alarm_on_page_monitor_and_command_line(linguist, settings, capsys):
    settings.MIN_FREE_DISK_BYTES = 10**18

    page = markup(linguist.get("/status/"))
    with pytest.raises(SystemExit) as ended:
        call_command("status", "--check")

    assert "has no room: " in page
    assert linguist.get("/healthz").json()["disk"] == "short"
    assert ended.value.code == 2
    assert "Paused: The disk has no room" in capsys.readouterr().out


def test_metrics_speak_the_format_of_prometheus(client):
    make_page(due_at=timezone.now())

    text = client.get("/metrics").content.decode()

    assert 'broadsheet_stage_rows{stage="fetch",state="due"} 1.0' in text


def test_metrics_are_not_for_everybody(client, admin_reader):
    assert client.get("/metrics", REMOTE_ADDR="192.0.2.7").status_code == 403
    assert client.get("/metrics", headers={"X-Forwarded-For": "192.0.2.7"}).status_code == 403
    assert admin_reader.get("/metrics", REMOTE_ADDR="192.0.2.7").status_code == 200


def test_hosts_that_refuse_us_come_first(linguist):
    for n in range(60):
        Host.objects.create(name=f"a{n:02}.example", next_at=timezone.now())
    now = timezone.now()
    Host.objects.create(name="refusing.example", next_at=now, blocked_since=now)
    assert "refusing.example" in markup(linguist.get("/status/"))


def test_a_host_that_was_only_looked_up_is_not_said_to_work(linguist):
    now = timezone.now()
    Host.objects.create(name="looked-up.example", next_at=now, last_request_at=now)
    Host.objects.create(name="visited.example", next_at=now, last_request_at=now, latency_ms=80)

    page = markup(linguist.get("/status/"))

    looked_up, visited = page.partition("looked-up.example")[2].split("visited.example</a>")
    assert "+ New" in looked_up
    assert "no visit so far, only looked up" in looked_up
    assert "● Working" not in looked_up
    assert "● Working" in visited


@pytest.mark.parametrize("name", sorted(BY_NAME))
def test_each_stage_lists_its_rows_in_each_state(linguist, name):
    answers = [linguist.get(f"/status/stages/{name}/?state={state}") for state in STATES]

    assert [answer.status_code for answer in answers] == [200] * len(STATES)
