"""Sources: list, publication, feed, host, actions, settings, rules."""

from datetime import timedelta

import pytest
from django.utils import timezone
from factories import (
    make_article,
    make_feed,
    make_fetch,
    make_publication,
    make_rules,
)
from pages import markup

from extraction.html.site_rules.rules import Rule, RuleField, RuleKind
from feeds.models import Feed, Host, Page, Publication

pytestmark = pytest.mark.django_db


@pytest.fixture
def publication():
    return make_publication(state="active", started_at=timezone.now() - timedelta(days=3))


@pytest.fixture
def feed(publication):
    return make_feed(publication)


def test_no_sources_offer_the_first_step_to_editors_only(editor, linguist):
    assert "Add a publication</a>" in markup(editor.get("/sources/"))
    assert "Ask an editor" in markup(linguist.get("/sources/"))


def test_sources_stand_in_one_table_with_states(linguist, publication, feed):
    make_feed(make_publication("zulu-times", state="paused"), title="Izindaba")

    page = markup(linguist.get("/sources/"))

    assert page.index("Karoo Courier") < page.index("Zulu Times")
    assert page.count("<table") == 1
    assert "+ New" in page
    assert "‖ Paused" in page


def test_sources_can_be_filtered_by_state(linguist, feed):
    make_feed(make_publication("zulu-times", state="paused"), title="Izindaba")

    page = markup(linguist.get("/sources/?state=paused"))

    assert "Zulu Times" in page
    assert "Karoo Courier" not in page


@pytest.mark.parametrize(
    "address", ["/sources/", "/status/", "/sources/karoo-courier/", "/status/stages/fetch/"]
)
def test_lists_ask_the_same_number_of_queries_for_1_and_3_rows(
    address, editor, publication, feed, django_assert_max_num_queries
):
    make_fetch(feed.page)
    make_article(publication=publication)
    editor.get(address)
    with django_assert_max_num_queries(60) as first:
        editor.get(address)

    for number in range(2):
        owner = make_publication(f"paper-{number}", state="active")
        make_fetch(make_feed(owner).page)
        make_fetch(make_feed(publication, title=f"Feed {number}").page)
        make_article(publication=publication)
    with django_assert_max_num_queries(60) as third:
        editor.get(address)

    assert len(third) == len(first)


def test_a_publication_shows_facts_feeds_hosts_articles_and_rules(linguist, publication, feed):
    make_article(publication=publication, title="Rain at last", extractor="text_density")
    make_rules(publication, Rule(RuleField.TITLE, RuleKind.CSS, "h1.head"))

    page = markup(linguist.get("/sources/karoo-courier/"))

    for part in ("Rain at last", "text density", "h1.head", "karoo-courier.example", "News"):
        assert part in page


def test_the_first_visit_is_shown_live_after_the_start(linguist, publication, feed):
    Publication.objects.update(started_at=timezone.now())

    page = markup(linguist.get("/sources/karoo-courier/"))
    part = linguist.get("/part/first-visit/karoo-courier/", headers={"HX-Request": "true"})

    assert 'data-live="2"' in page
    assert "0 of 1 feed read" in markup(part)


def test_buttons_of_the_live_part_lead_back_to_the_page(editor, publication, feed):
    part = editor.get("/part/first-visit/karoo-courier/", headers={"HX-Request": "true"})

    assert 'name="next" value="/sources/karoo-courier/"' in markup(part)
    assert 'value="/part/' not in markup(part)


def test_pause_and_resume_of_a_publication(editor, publication, feed):
    editor.post("/sources/karoo-courier/do/pause/")
    paused = Publication.objects.get().state
    answer = editor.post("/sources/karoo-courier/do/resume/", {"next": "/status/"})

    assert (paused, Publication.objects.get().state) == ("paused", "active")
    assert answer["Location"] == "/status/"


def test_an_action_never_leads_to_another_site(editor, publication):
    answer = editor.post("/sources/karoo-courier/do/pause/", {"next": "https://evil.example/"})

    assert answer["Location"] == "/sources/karoo-courier/"


def test_visit_now_makes_a_feed_due(editor, publication, feed):
    editor.post(f"/feeds/{feed.pk}/visit/")

    assert Page.objects.get(pk=feed.page_id).due_at <= timezone.now()


def test_visit_now_of_a_paused_publication_says_why_not(editor, publication, feed):
    Publication.objects.update(state="paused")

    answer = editor.post(f"/feeds/{feed.pk}/visit/", follow=True)

    assert "Start the publication and the feed first." in markup(answer)


def test_visit_now_without_feeds_says_so(editor, publication):
    answer = editor.post("/sources/karoo-courier/do/visit/", follow=True)

    assert "has no feed that is switched on: there is nothing to visit." in markup(answer)


def test_a_pause_is_dated_from_its_own_beginning(editor, publication):
    Publication.objects.update(started_at=timezone.now() - timedelta(days=400))
    editor.post("/sources/karoo-courier/do/pause/")
    row = Publication.objects.get()

    page = editor.get("/sources/karoo-courier/").content.decode()
    editor.post("/sources/karoo-courier/do/resume/")

    assert row.paused_at > timezone.now() - timedelta(hours=1)
    assert row.started_at.isoformat()[:10] not in page
    assert Publication.objects.get().paused_at is None


def test_a_feed_can_be_paused_alone(editor, publication, feed):
    editor.post(f"/feeds/{feed.pk}/pause/")

    assert Feed.objects.get().is_active is False


def test_actions_are_posted_and_known(editor, publication, feed):
    assert editor.get("/sources/karoo-courier/do/pause/").url == "/sources/karoo-courier/"
    assert editor.post("/sources/karoo-courier/do/explode/").status_code == 404


def test_a_feed_page_shows_why_the_next_visit_is_when_it_is(linguist, publication, feed):
    terms = [
        {"name": "learnt", "seconds": 600, "origin": "overlap 71 %", "decides": False},
        {"name": "Retry-After", "seconds": 1800, "origin": "asked for", "decides": True},
    ]
    Feed.objects.update(visit_terms=terms)

    page = markup(linguist.get(f"/feeds/{feed.pk}/"))

    assert "overlap 71 %" in page
    assert page.index("30 min") < page.index("◀ decides")


def test_a_host_page_shows_its_ledger_and_its_robots(linguist, publication, feed):
    make_fetch(feed.page, outcome="rate_limited", status=429)
    Host.objects.update(
        robots_body="User-agent: *\nDisallow: /private/", robots_fetched_at=timezone.now()
    )

    page = markup(linguist.get("/hosts/karoo-courier.example/"))

    assert "rate limited" in page
    assert "<li>Disallow: /private/</li>" in page


def test_unknown_feeds_and_hosts_are_not_found(linguist):
    assert linguist.get("/feeds/999999999999999999999/").status_code == 404
    assert linguist.get("/hosts/nobody.example/").status_code == 404


def settings_of(publication, **changes):
    return {"name": publication.name, "home_url": publication.home_url} | changes


def test_settings_are_saved(editor, publication):
    values = settings_of(publication, min_delay_seconds="8", include_pattern="/news/")

    answer = editor.post("/sources/karoo-courier/settings/", values)

    row = Publication.objects.get()
    assert answer["Location"] == "/sources/karoo-courier/"
    assert (row.min_delay_seconds, row.include_pattern) == (8.0, "/news/")


def test_a_wrong_setting_is_explained_at_its_field_and_kept(editor, publication):
    values = settings_of(publication, include_pattern="(news", min_delay_seconds="-1")

    answer = editor.post("/sources/karoo-courier/settings/", values)

    page = markup(answer)
    assert answer.status_code == 400
    assert 'value="(news"' in page
    assert page.count('class="error"') == 2


def test_a_button_is_named_by_what_stands_on_it(editor, publication, feed):
    page = editor.get("/sources/karoo-courier/").content.decode()

    assert 'aria-label="Visit now: all feeds of Karoo Courier"' in page
    assert f'aria-label="Visit now: {feed}"' in page
