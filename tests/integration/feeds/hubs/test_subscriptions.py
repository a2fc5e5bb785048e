"""Feeds and their hubs, over real sockets: from the subscription to the news, and all that fails.

The hub is the tests' own origin, asked as a proxy; our side is called through Django's client.
"""

import asyncio
import hashlib
import hmac
import re
from datetime import UTC, datetime, timedelta
from urllib.parse import parse_qsl, urlsplit

import pytest
from integration.feeds.newspapers import add_feed, crawl, make_paper
from integration.feeds.origin import Origin, answer, page, redirect

from corpus_site.management.commands.reseal_secrets import SEALED
from feeds.acts import Act
from feeds.crawler.timing.schedules import Schedule
from feeds.hubs import asking, subscriptions
from feeds.hubs.calls import NEWS
from feeds.models import Feed, HubAsked, HubSubscription, Page, PageKind
from feeds.secrets_at_rest import unseal
from feeds.sources import feed_changes, publications
from feeds.work.leases import Claim

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
FEED, HUB = "http://karoo.example/feed", "http://hub.example/post"
SITE = "https://corpus.example.org"
pytestmark = [pytest.mark.django_db, pytest.mark.sql]


@pytest.fixture(autouse=True)
def through_our_web(settings, web):
    settings.CRAWL_PROXY_URL = web.url
    settings.CRAWL_MIN_DELAY_SECONDS = 0
    settings.CRAWL_MIN_POLL_SECONDS = 600
    settings.CRAWL_MAX_POLL_SECONDS = 86_400
    settings.SITE_URL = SITE
    settings.MAX_ATTEMPTS = 3


def atom(*letters: str, hub: str = HUB):
    """Answer with a feed of stories that names a hub."""
    links = "".join(
        f"<entry><title>Story {letter}</title><link href='http://karoo.example/story-{letter}'/>"
        f"<id>guid-{letter}</id></entry>"
        for letter in letters
    )
    named = f"<link rel='hub' href='{hub}'/><link rel='self' href='{FEED}'/>" if hub else ""
    body = f"<feed xmlns='http://www.w3.org/2005/Atom'><title>News</title>{named}{links}</feed>"
    return answer(body.encode(), 200, (("Content-Type", "application/atom+xml"),))


class Desk:
    """A paper with a feed that names a hub, and what test steps ask of both sides."""

    def __init__(self, web: Origin, client, monkeypatch) -> None:
        self.web, self.client, self._patch = web, client, monkeypatch
        web.routes |= {
            "/feed": atom("a"),
            "/story-a": page("a"),
            "hub.example/post": answer(b"", 202),
        }
        self.paper = make_paper(NOW)
        self.feed = add_feed(self.paper, FEED, NOW)

    @property
    def row(self) -> HubSubscription:
        return HubSubscription.objects.get(feed=self.feed)

    @property
    def page(self) -> Page:
        return Page.objects.get(pk=self.feed.page_id)

    def ask(self, now: datetime):
        subscriptions.pending(100, now)
        return asking.run(10, Claim("tester", now, timedelta(seconds=60)))

    def forms(self) -> list[dict[str, str]]:
        """Give what the hub was asked, in order."""
        posts = (request for request in self.web.requests if request.method == "POST")
        return [dict(parse_qsl(request.body.decode())) for request in posts]

    def at(self, now: datetime) -> None:
        self._patch.setattr("django.utils.timezone.now", lambda: now)

    def call_back(self, now: datetime, **changes: str):
        """Call as the hub does to see that we meant it."""
        form = self.forms()[-1]
        said = {
            "mode": form["hub.mode"],
            "topic": FEED,
            "challenge": "c7",
            "lease_seconds": "864000",
        }
        query = {f"hub.{name}": value for name, value in (said | changes).items()}
        self.at(now)
        return self.client.get(urlsplit(form["hub.callback"]).path, query)

    def tell(self, now: datetime, method: str = "sha256", secret: str = ""):
        """Post as the hub does when there is news."""
        form = next(form for form in self.forms() if form["hub.mode"] == "subscribe")
        body = b"<feed>whatever the hub says</feed>"
        sign = hmac.new((secret or form["hub.secret"]).encode(), body, getattr(hashlib, method))
        self.at(now)
        return self.client.post(
            urlsplit(form["hub.callback"]).path,
            body,
            content_type="application/atom+xml",
            headers={"X-Hub-Signature": f"{method}={sign.hexdigest()}"},
        )

    def subscribe(self, now: datetime = NOW) -> None:
        crawl(now)
        self.ask(now)
        assert self.call_back(now).content == b"c7"


@pytest.fixture
def desk(web, client, monkeypatch):
    return Desk(web, client, monkeypatch)


def stories() -> set[str]:
    pages = Page.objects.filter(kind=PageKind.ARTICLE)
    return {url[-1] for url in pages.values_list("url", flat=True)}


def test_news_comes_in_when_the_hub_tells_of_it(desk, web):
    crawl(NOW)
    desk.ask(NOW)

    form = desk.forms()[-1]
    assert (form["hub.mode"], form["hub.topic"]) == ("subscribe", FEED)
    assert form["hub.callback"] == f"{SITE}/hub/{desk.row.key}/"
    assert form["hub.secret"] == unseal(desk.row.sealed) != desk.row.sealed
    assert "/robots.txt" not in web.asked("hub.example")
    assert not desk.row.tells(NOW)

    answered = desk.call_back(NOW)

    assert (answered.status_code, answered.content) == (200, b"c7")
    assert not answered.cookies
    assert desk.row.ends_at == NOW + timedelta(days=10)
    assert desk.row.due_at == NOW + timedelta(days=9)

    web.routes |= {"/feed": atom("a", "b"), "/story-b": page("b")}
    later = NOW + timedelta(minutes=5)
    assert desk.page.due_at > later
    assert desk.tell(later).status_code == 202
    assert (desk.page.due_at, desk.page.due_reason) == (later, NEWS)

    crawl(later)

    assert stories() == {"a", "b"}
    assert (desk.row.told_at, desk.row.n_told) == (later, 1)
    fetched = Page.objects.get(kind=PageKind.ARTICLE, url__endswith="b")
    assert fetched.content_fetch is not None


def test_feed_is_visited_less_often_while_its_hub_tells(desk, web):
    desk.subscribe()
    usual = desk.page.due_at
    assert usual - NOW < HOUR

    told_at = NOW + timedelta(minutes=5)
    web.routes["/feed"] = atom("a", "b")
    desk.tell(told_at)
    crawl(told_at)

    # Half an hour is learnt so far.
    assert 2 * HOUR <= desk.page.due_at - told_at <= 2.2 * HOUR
    assert desk.page.due_reason == "hub: 2 h, its hub tells of news meanwhile"
    assert Feed.objects.get().interval_seconds is None


def test_visit_that_finds_untold_news_makes_visits_usual_until_the_hub_tells(desk, web):
    desk.subscribe()
    desk.tell(NOW + timedelta(minutes=5))
    crawl(NOW + timedelta(minutes=5))
    rare = desk.page.due_at

    web.routes["/feed"] = atom("a", "b")
    crawl(rare)

    assert stories() == {"a", "b"}
    assert desk.row.untold_at == Feed.objects.get().polled_at
    assert desk.page.due_at - rare < HOUR

    web.routes["/feed"] = atom("a", "b", "c")
    told_at = rare + timedelta(minutes=5)
    desk.tell(told_at)
    crawl(told_at)

    assert desk.page.due_at - told_at >= 2 * HOUR


@pytest.mark.parametrize("method", ["sha1", "sha256", "sha384", "sha512"])
def test_all_signatures_of_the_recommendation_count(desk, method):
    desk.subscribe()

    desk.tell(NOW + HOUR, method)

    assert desk.row.n_told == 1


@pytest.mark.parametrize(("method", "secret"), [("sha256", "guessed"), ("md5", "")])
def test_post_with_a_wrong_signature_is_taken_and_changes_nothing(desk, method, secret):
    desk.subscribe()
    before = Page.objects.values().get(pk=desk.page.pk), HubSubscription.objects.values().get()

    assert desk.tell(NOW + timedelta(minutes=5), method, secret).status_code == 202

    after = Page.objects.values().get(pk=desk.page.pk), HubSubscription.objects.values().get()
    assert after == before


def test_post_that_is_too_long_proves_nothing_and_is_not_kept(desk, monkeypatch):
    desk.subscribe()
    monkeypatch.setattr("feeds.views.hub.MOST_POSTED_BYTES", 10)
    monkeypatch.setattr("feeds.views.hub._CHUNK_BYTES", 10)

    assert desk.tell(NOW + timedelta(minutes=5)).status_code == 202

    assert desk.row.n_told == 0


def test_post_to_an_unknown_key_costs_one_query(desk, django_assert_num_queries):
    with django_assert_num_queries(1):
        answered = desk.client.post("/hub/nobody/", b"news", content_type="text/plain")

    assert answered.status_code == 410


def test_news_at_each_paragraph_is_one_visit_a_minute(desk):
    desk.subscribe()

    desk.tell(NOW + timedelta(seconds=10))
    desk.tell(NOW + timedelta(seconds=20))

    assert desk.page.due_at == Feed.objects.get().polled_at + timedelta(seconds=60)


@pytest.mark.parametrize(
    "changes",
    [
        {"topic": "http://karoo.example/other"},
        {"mode": "unsubscribe"},
        {"mode": ""},
        {"challenge": ""},
    ],
)
def test_only_what_was_asked_for_is_agreed_to(desk, changes):
    crawl(NOW)
    desk.ask(NOW)

    assert desk.call_back(NOW, **changes).status_code == 404

    assert desk.row.ends_at is None


def test_nothing_is_agreed_to_before_it_was_asked(desk):
    crawl(NOW)
    path = f"/hub/{desk.row.key}/"
    for mode in ("subscribe", "unsubscribe", "denied", ""):
        query = {
            "hub.mode": mode,
            "hub.topic": FEED,
            "hub.challenge": "c",
            "hub.lease_seconds": "9",
        }
        assert desk.client.get(path, query).status_code == 404


def test_lease_is_renewed_and_when_it_lapses_visits_are_as_usual(desk, web):
    desk.subscribe()
    desk.tell(NOW + timedelta(minutes=5))
    crawl(NOW + timedelta(minutes=5))
    renewing = desk.row.due_at

    desk.ask(renewing)
    desk.ask(renewing + HOUR)
    desk.ask(renewing + 3 * HOUR)

    assert len(desk.forms()) == 4
    assert {form["hub.mode"] for form in desk.forms()} == {"subscribe"}
    lapsed = desk.row.ends_at
    Page.objects.filter(pk=desk.page.pk).reschedule(lapsed)
    crawl(lapsed)
    assert desk.page.due_at - lapsed < HOUR
    assert desk.tell(lapsed).status_code == 202
    assert desk.row.n_told == 1


def test_rare_visits_end_with_the_lease(desk):
    desk.subscribe()
    HubSubscription.objects.update(ends_at=NOW + timedelta(minutes=50))
    desk.tell(NOW + timedelta(minutes=5))

    crawl(NOW + timedelta(minutes=5))

    assert NOW + timedelta(minutes=30) < desk.page.due_at <= NOW + timedelta(minutes=50)


def test_hub_that_denies_is_asked_again_later_and_says_why(desk):
    crawl(NOW)
    desk.ask(NOW)

    answered = desk.call_back(NOW, mode="denied", reason="No <b>such</b>\0 topic")

    assert answered.status_code == 200
    assert desk.row.problem == "The hub refused: No such topic"
    assert desk.row.due_at == NOW + HOUR


def test_hub_that_ends_a_lease_brings_usual_visits_back(desk):
    desk.subscribe()
    desk.tell(NOW + timedelta(minutes=5))
    crawl(NOW + timedelta(minutes=5))
    assert desk.page.due_at > NOW + HOUR

    desk.call_back(NOW + timedelta(minutes=6), mode="denied")

    assert desk.page.due_at == NOW + timedelta(minutes=36)
    assert not desk.row.tells(NOW + timedelta(minutes=6))


def test_hub_that_refuses_is_asked_ever_less_often(desk, web):
    web.routes["hub.example/post"] = answer(b"no", 400)
    crawl(NOW)
    now, waits = NOW, []
    for _ in range(10):
        report = desk.ask(now)
        waits.append((desk.row.due_at - now) / HOUR)
        now = desk.row.due_at

    assert waits == [1, 2, 4, 8, 16, 32, 64, 128, 168, 168]
    assert report.done == {"refused": 1}
    assert desk.row.problem == "The server answered 400 Status."
    assert desk.page.due_at - NOW < HOUR


def test_hub_that_asks_to_wait_is_waited_for(desk, web):
    web.routes["hub.example/post"] = answer(b"", 503, (("Retry-After", "7200"),))
    crawl(NOW)

    desk.ask(NOW)

    assert desk.row.due_at == NOW + 2 * HOUR


def test_hub_that_hangs_is_asked_once_a_batch(desk, web, monkeypatch):
    async def hang(request, writer):
        await asyncio.Event().wait()

    web.routes["hub.example/post"] = hang
    monkeypatch.setattr(asking, "_SECONDS", 0.2)
    add_feed(desk.paper, "http://karoo.example/feed-2", NOW)
    web.routes["/feed-2"] = atom("c")
    crawl(NOW)

    report = desk.ask(NOW)

    assert report.done == {"refused": 2}
    assert len(desk.forms()) == 1
    assert set(HubSubscription.objects.values_list("problem", flat=True)) == {
        "No whole answer within 0.2 s."
    }


def test_hub_that_has_moved_is_asked_there(desk, web):
    web.routes["hub.example/post"] = redirect("http://moved.example/hub", 308)
    web.routes["moved.example/hub"] = answer(b"", 202)
    crawl(NOW)

    report = desk.ask(NOW)

    first, second = desk.forms()
    assert first == second
    assert report.done == {"asked": 1}


@pytest.mark.parametrize("status", [301, 302, 303])
def test_redirect_that_does_not_repeat_the_question_is_not_followed(desk, web, status):
    web.routes["hub.example/post"] = redirect("http://moved.example/hub", status)
    crawl(NOW)

    report = desk.ask(NOW)

    assert web.asked("moved.example") == []
    assert report.done == {"refused": 1}


@pytest.mark.parametrize("leads", ["at once", "by a redirect"])
def test_no_hub_at_a_forbidden_address_is_asked(desk, web, leads):
    inside = f"http://127.0.0.1:{web.port}/inside"
    if leads == "at once":
        web.routes["/feed"] = atom("a", hub=inside)
    else:
        web.routes["hub.example/post"] = redirect(inside, 307)
    crawl(NOW)

    report = desk.ask(NOW)

    assert "/inside" not in web.paths
    assert report.done == {"refused": 1}
    assert desk.row.problem == "The address 127.0.0.1 is loopback."


@pytest.mark.parametrize("act", ["pause", "switch off", "plan", "delete"])
def test_feed_that_wants_no_news_is_unsubscribed(desk, act):
    desk.subscribe()
    if act == "pause":
        publications.pause(desk.paper, NOW)
    elif act == "switch off":
        publications.set_feed_active(desk.feed, is_active=False, now=NOW)
    elif act == "plan":
        feed_changes.set_schedule(desk.feed, Schedule(every_minutes=60), Act(None, NOW, "Why not"))
    else:
        feed_changes.delete_feed(desk.feed, Act(None, NOW, "Why not"))
    visit = Page.objects.get(kind=PageKind.FEED).due_at

    assert desk.tell(NOW + timedelta(minutes=5)).status_code == 202
    assert Page.objects.get(kind=PageKind.FEED).due_at == visit

    desk.ask(NOW + HOUR)
    assert set(desk.forms()[-1]) == {"hub.mode", "hub.topic", "hub.callback"}
    assert desk.call_back(NOW + HOUR).content == b"c7"
    assert desk.ask(NOW + HOUR).done == {"ended": 1}

    if act == "delete":
        assert not HubSubscription.objects.exists()
        assert desk.tell(NOW + HOUR).status_code == 410
    else:
        assert (desk.row.asked, desk.row.due_at) == (HubAsked.NOTHING, None)
    assert subscriptions.pending(10, NOW + DAY) == 0


def test_hub_that_takes_no_goodbye_is_left_alone(desk, web):
    desk.subscribe()
    desk.feed.delete()
    web.routes["hub.example/post"] = answer(b"", 500)
    now = NOW
    while HubSubscription.objects.exists():
        desk.ask(now)
        now += 8 * HOUR

    assert [form["hub.mode"] for form in desk.forms()[1:]] == ["unsubscribe"] * 4


def test_feed_that_runs_again_is_subscribed_again(desk):
    desk.subscribe()
    publications.pause(desk.paper, NOW)
    desk.ask(NOW)
    desk.call_back(NOW)
    desk.ask(NOW)

    publications.resume(desk.paper, NOW + HOUR)
    desk.ask(NOW + HOUR)

    assert [form["hub.mode"] for form in desk.forms()] == ["subscribe", "unsubscribe", "subscribe"]


def test_feed_that_names_another_hub_leaves_the_one_before(desk, web):
    desk.subscribe()
    web.routes |= {
        "/feed": atom("a", hub="http://other.example/"),
        "other.example/": answer(b"", 202),
    }
    Page.objects.filter(pk=desk.page.pk).reschedule(NOW + HOUR)
    crawl(NOW + HOUR)

    desk.ask(NOW + HOUR)

    assert desk.row.url == "http://other.example/"
    assert sorted(form["hub.mode"] for form in desk.forms()[1:]) == ["subscribe", "unsubscribe"]


def test_feed_that_names_no_hub_any_more_is_unsubscribed(desk, web):
    desk.subscribe()
    web.routes["/feed"] = atom("a", hub="")
    Page.objects.filter(pk=desk.page.pk).reschedule(NOW + HOUR)
    crawl(NOW + HOUR)

    desk.ask(NOW + HOUR)

    assert desk.forms()[-1]["hub.mode"] == "unsubscribe"
    assert not HubSubscription.objects.filter(feed=desk.feed).exists()


def test_header_of_the_answer_names_the_hub_first(desk, web):
    headers = (("Link", f'<{HUB}/header>; rel="hub", <{FEED}?self>; rel="self"'),)
    body = b"<rss version='2.0'><channel><title>News</title></channel></rss>"
    web.routes["/feed"] = answer(body, 200, headers)

    crawl(NOW)

    assert (desk.row.url, desk.row.topic) == (f"{HUB}/header", f"{FEED}?self")


@pytest.mark.parametrize(
    "site", ["http://localhost:8000", "http://127.0.0.1", "https://10.0.0.7", "http://corpus"]
)
def test_site_that_no_hub_can_reach_subscribes_nothing(desk, web, settings, site):
    settings.SITE_URL = site
    crawl(NOW)

    assert desk.ask(NOW).n_claimed == 0
    assert desk.row.due_at is None

    settings.SITE_URL = SITE
    assert desk.ask(NOW + HOUR).done == {"asked": 1}


def test_secret_whose_key_is_gone_is_made_anew(desk):
    desk.subscribe()
    HubSubscription.objects.update(sealed="lost")
    assert desk.tell(NOW + HOUR).status_code == 202
    assert desk.row.n_told == 0

    HubSubscription.objects.reschedule(NOW + HOUR)
    desk.ask(NOW + HOUR)

    assert desk.forms()[-1]["hub.secret"] == unseal(desk.row.sealed)


def test_call_back_during_the_question_stands(desk, monkeypatch):
    """Some hubs call back before they answer."""
    crawl(NOW)
    ask = asyncio.run

    def ask_and_be_called(questions):
        answers = ask(questions)
        desk.call_back(NOW)
        return answers

    monkeypatch.setattr(asyncio, "run", ask_and_be_called)
    desk.ask(NOW)

    assert (desk.row.due_at, desk.row.lease_owner) == (NOW + timedelta(days=9), "")
    assert (desk.row.ends_at, desk.row.tries) == (NOW + timedelta(days=10), 0)


def test_known_secrets_are_sealed_anew():
    assert (HubSubscription, ("sealed",)) in SEALED


@pytest.mark.parametrize(
    ("site", "changes", "words"),
    [
        ("http://localhost:8000", {}, "It is not subscribed to: no hub can reach this site"),
        (SITE, {"asked": ""}, "Names the hub hub.example. It is not subscribed to."),
        (SITE, {}, "Names the hub hub.example: asked 5 min ago to tell of news, no answer yet."),
        (SITE, {"problem": "The hub refused."}, "take the subscription: The hub refused. Asked"),
        (SITE, {"ends_at": NOW + DAY}, "subscribed until 21 Nov 2026, 14:00, nothing told yet."),
        (SITE, {"ends_at": NOW + DAY, "told_at": NOW}, "last told 5 min ago. Visits are rarer"),
        (
            SITE,
            {"ends_at": NOW + DAY, "told_at": NOW - DAY, "untold_at": NOW},
            "A visit found news 5 min ago that the hub had not told of",
        ),
    ],
)
def test_page_of_the_feed_says_how_it_stands_with_its_hub(
    desk, editor, settings, site, changes, words
):
    settings.SITE_URL = site
    values = {"asked": "subscribe", "asked_at": NOW, "due_at": NOW + HOUR} | changes
    HubSubscription.objects.create(
        feed=desk.feed, url=HUB, topic=FEED, key="k", created_at=NOW, **values
    )
    desk.at(NOW + timedelta(minutes=5))

    shown = re.sub(r"<[^>]+>", "", editor.get(f"/feeds/{desk.feed.pk}/").content.decode())

    assert words in " ".join(shown.split())
