"""A publication that has changed its pages: told on the status page and on its own page."""

from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone
from factories import make_article, make_publication
from pages import links, markup, texts, values

from extraction.models import StructureAlarm

pytestmark = pytest.mark.django_db
SENTENCE = "pages are built differently, the rule for body matches nothing, authors are missing"


@pytest.fixture
def publication():
    return make_publication(name="The Herald", slug="herald", state="active")


@pytest.fixture
def alarm(publication):
    before, after = (make_article(publication=publication) for _ in range(2))
    return StructureAlarm.objects.create(
        publication=publication,
        since=datetime(2026, 3, 4, 12, tzinfo=UTC),
        signals=[["template", "places", 5], ["rule", "body", 4], ["coverage", "authors", 4]],
        page_before=before.page,
        page_after=after.page,
        opened_at=timezone.now(),
    )


def test_open_alarm_needs_a_person(linguist, alarm):
    page = markup(linguist.get("/status/"))

    assert "▲ Structure" in page
    assert '<a href="/sources/herald/#structure">The Herald</a></b> has changed: since' in page
    assert SENTENCE in page


def test_source_shows_the_alarm_with_a_page_before_and_after(linguist, alarm):
    page = markup(linguist.get("/sources/herald/"))

    assert SENTENCE in page
    for changed in (alarm.page_before, alarm.page_after):
        assert f'href="/articles/{changed.article.pk}/page/"' in page


def test_list_of_sources_marks_a_changed_publication(linguist, alarm):
    mark = ("▲ Structure since 4 Mar 2026", "/sources/herald/#structure")
    assert mark in links(linguist.get("/sources/"))

    StructureAlarm.objects.update(closed_at=timezone.now())
    assert "▲ Structure" not in markup(linguist.get("/sources/"))


def test_editor_is_led_to_the_rules_of_a_changed_page(editor, linguist, alarm):
    link = f'href="/sources/herald/rules/?article={alarm.page_after.article.pk}"'

    assert link in markup(editor.get("/sources/herald/"))
    assert link not in markup(linguist.get("/sources/herald/"))


def test_closed_alarm_is_told_once_and_then_forgotten(linguist, alarm):
    StructureAlarm.objects.update(closed_at=timezone.now())
    assert "Structure well again" in markup(linguist.get("/sources/herald/"))
    assert "▲ Structure" not in markup(linguist.get("/status/"))

    StructureAlarm.objects.update(closed_at=timezone.now() - timedelta(days=8))
    assert "Structure well again" not in markup(linguist.get("/sources/herald/"))


def test_alarm_outlives_its_pages(linguist, alarm):
    StructureAlarm.objects.update(page_before=None, page_after=None)

    assert SENTENCE in markup(linguist.get("/sources/herald/"))


def test_alarms_are_listed_with_signals_pages_and_the_way_to_the_rules(editor, linguist, alarm):
    listed = linguist.get("/status/alarms/")
    page = markup(listed)

    assert ("The Herald", "/sources/herald/#structure") in links(listed)
    assert texts(listed, 'td[data-k="Since"]')[0].startswith("4 Mar 2026")
    for sentence, n_pages in [
        ("Pages are built differently", 5),
        ("The rule for body matches nothing", 4),
        ("Authors are missing", 4),
    ]:
        assert f'{sentence} <span class="small muted">{n_pages} pages in a row</span>' in page
    assert f'<a href="/articles/{alarm.page_before.article.pk}/page/">before</a>' in page
    assert f'<a href="/articles/{alarm.page_after.article.pk}/page/">after</a>' in page
    mend = f'href="/sources/herald/rules/?article={alarm.page_after.article.pk}&amp;propose=1"'
    assert mend not in page
    assert mend in markup(editor.get("/status/alarms/"))


def test_closed_alarms_have_their_own_list(linguist, alarm):
    StructureAlarm.objects.update(closed_at=timezone.now())

    page, closed = (markup(linguist.get(f"/status/alarms/?state={s}")) for s in ("open", "closed"))

    assert "Nothing needs you." in page
    assert "● Closed" in closed
    assert "<b>The Herald</b>" in closed
    assert "Mend its rules" not in closed


def test_alarms_of_lost_pages_and_odd_addresses_are_shown(editor, alarm):
    StructureAlarm.objects.update(page_before=None, page_after=None)

    for query in ("", "?state=x&p=x", "?p=99"):
        listed = editor.get(f"/status/alarms/{query}")
        assert "–" in texts(listed, 'td[data-k="Pages"]')
        assert "/sources/herald/rules/?propose=1" in values(listed, "a[href]", "href")


def test_status_leads_to_the_alarms(linguist):
    assert 'href="/status/alarms/"' in markup(linguist.get("/status/"))
    assert "Nothing needs you." in markup(linguist.get("/status/alarms/"))
    assert "No alarm has been closed yet." in markup(linguist.get("/status/alarms/?state=closed"))
