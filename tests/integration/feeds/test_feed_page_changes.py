"""The feed's page: schedule, address, deletion with a reason; "Visit now" says what happens."""

from datetime import timedelta

import pytest
from django.utils import timezone
from factories import make_feed, make_publication
from pages import error_beside, filled, is_whole, markup, open_forms

from feeds.acts import Act, ActRefusedError
from feeds.crawler.timing.schedules import Schedule
from feeds.models import Feed, FeedChange, Host
from feeds.sources import feed_changes

pytestmark = pytest.mark.django_db
WHY = {"reason": "They rang."}


@pytest.fixture
def feed():
    return make_feed(make_publication(state="active", time_zone="Africa/Johannesburg"))


def post(editor, feed, action, **values):
    return markup(editor.post(f"/feeds/{feed.pk}/{action}/", WHY | values, follow=True))


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"plan": "minutes", "every_minutes": "15"}, "is visited every 15 min (Africa/Johannes"),
        ({"plan": "times", "times": "18:30 6:00"}, "is visited at 06:00 and 18:30 (Africa"),
        ({"plan": "times", "times": "6:00", "days": ["0", "4"]}, "at 06:00, on Mon and Fri"),
        ({"plan": "times", "times": "noon"}, "“noon” is no time of the day"),
        ({"plan": "times", "times": ""}, "Give either minutes or times of the day."),
        ({"plan": "minutes", "every_minutes": ""}, "Give either minutes or times of the day."),
        ({"plan": "minutes", "every_minutes": "0"}, "Between 1 and 10080 minutes."),
        ({"plan": "minutes", "every_minutes": "x"}, "Minutes are a whole number."),
        ({"plan": "learnt"}, "That is its plan already."),
        ({}, "Choose a plan."),
    ],
)
def test_schedule_is_set_or_refused_in_words(editor, feed, values, words):
    assert words in post(editor, feed, "schedule", **values)


@pytest.mark.parametrize(
    ("action", "typed", "field", "words"),
    [
        (
            "schedule",
            {"plan": "times", "times": "6:00 noon", "days": ["0", "4"], "reason": "They rang."},
            "schedule-times",
            "“noon” is no time",
        ),
        (
            "schedule",
            {"plan": "minutes", "every_minutes": "0", "times": "7:30", "reason": "They rang."},
            "schedule-every_minutes",
            "Between 1 and 10080",
        ),
        (
            "schedule",
            {"plan": "times", "times": "7:30", "days": ["6"], "reason": ""},
            "schedule-reason",
            "Say why",
        ),
        ("schedule", {"plan": "learnt", "reason": "Why"}, "schedule-plan", "its plan already"),
        ("address", {"address": "ftp://x", "reason": "They rang."}, "address-address", "http"),
        (
            "address",
            {"address": "https://new.example/rss", "reason": ""},
            "address-reason",
            "Say why",
        ),
        ("delete", {"reason": "x" * 201}, "delete-reason", "at most 200 characters"),
    ],
)
def test_refused_change_keeps_what_was_typed(editor, feed, action, typed, field, words):
    answer = editor.post(f"/feeds/{feed.pk}/{action}/", typed)

    assert answer.status_code == 400
    assert is_whole(answer)
    assert words in error_beside(answer, field)
    assert filled(answer, f"/feeds/{feed.pk}/{action}/").items() >= typed.items()
    assert open_forms(answer) == [f"/feeds/{feed.pk}/{action}/"]
    assert filled(answer, f"/feeds/{feed.pk}/visit/")["next"] == f"/feeds/{feed.pk}/"
    assert FeedChange.objects.count() == 0


def test_form_of_the_schedule_shows_what_holds(editor, feed):
    at = {"plan": "times", "times": "06:00 18:30", "days": ["0", "4"]}
    post(editor, feed, "schedule", **at)

    given = filled(editor.get(f"/feeds/{feed.pk}/"), f"/feeds/{feed.pk}/schedule/")

    assert given.items() >= at.items()


def test_page_says_which_plan_holds(editor, linguist, feed):
    address = f"/feeds/{feed.pk}/"
    learnt = markup(linguist.get(address))
    post(editor, feed, "schedule", plan="minutes", every_minutes="15")
    by_hand = markup(linguist.get(address))
    post(editor, feed, "schedule", plan="learnt")
    again = markup(linguist.get(address))

    assert "The learnt plan holds" in learnt
    assert "Set by hand: <b>every 15 min</b>" in by_hand
    assert "The learnt plan holds" in again
    assert "Change this feed" in by_hand
    assert "Delete the feed" not in by_hand


def test_plan_page_says_what_is_set_by_hand(editor, feed):
    post(editor, feed, "schedule", plan="minutes", every_minutes="90")
    feed.page.refresh_from_db()
    hour = timezone.localtime(feed.page.due_at).replace(minute=0, second=0, microsecond=0)

    page = markup(editor.get("/status/plan/", {"at": hour.isoformat()}))

    assert "by hand: every 1 h 30 min (Africa/Johannesburg)" in page


def test_address_is_changed_and_logged(editor, feed):
    told = post(editor, feed, "address", address="https://new.example/rss")

    assert "is visited at https://new.example/rss from now on" in told
    assert "They rang." in told
    assert Feed.objects.get().page.host.name == "new.example"


def test_deletion_leads_to_the_publication_and_needs_a_reason(editor, feed):
    request = {"path": f"/feeds/{feed.pk}/delete/", "data": {"reason": ""}}
    refused = editor.post(**request, headers={"HX-Request": "true"})
    n_after_refusal = Feed.objects.count()
    told = post(editor, feed, "delete")

    assert "Say why" in error_beside(refused, "delete-reason")
    assert n_after_refusal == 1
    assert "The feed News is deleted; its articles stay." in told
    assert "<h1>Karoo Courier" in told
    assert (Feed.objects.count(), FeedChange.objects.count()) == (0, 1)


def test_visit_now_says_what_really_happens(editor, feed):
    Host.objects.update(
        next_at=timezone.now() + timedelta(minutes=28, seconds=5),
        next_reason="The server asked for 30 min (Retry-After).",
    )

    one = markup(editor.post(f"/feeds/{feed.pk}/visit/", follow=True))
    all_of_it = markup(editor.post("/sources/karoo-courier/do/visit/", follow=True))

    words = "in 28 min: The server asked for 30 min (Retry-After). “Try now” on the page of"
    assert f"News is visited {words}" in one
    assert f"Their host is asked {words}" in all_of_it


def test_visit_now_of_a_free_host_is_now(editor, feed):
    Host.objects.update(next_at=timezone.now() - timedelta(minutes=1))

    told = markup(editor.post(f"/feeds/{feed.pk}/visit/", follow=True))

    assert "News is visited now, with the next free worker." in told


@pytest.mark.parametrize(
    "change",
    [
        feed_changes.delete_feed,
        lambda feed, act: feed_changes.set_schedule(feed, Schedule(every_minutes=15), act),
        lambda feed, act: feed_changes.change_address(feed, "https://other.example/rss", act),
    ],
)
def test_a_feed_that_somebody_deleted_beside_is_changed_no_more(feed, change):
    seen = Feed.objects.select_related("publication", "page").get()
    Feed.objects.all().delete()

    with pytest.raises(ActRefusedError, match="It was deleted just now"):
        change(seen, Act(None, timezone.now(), "They rang."))

    assert FeedChange.objects.count() == 0
