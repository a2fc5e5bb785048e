"""Add a publication: the wizard against the demo newspapers on the loopback interface."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from ipaddress import ip_network

import pytest
from django.utils import timezone
from factories import make_publication
from pages import markup

from corpus_site import pipeline
from corpus_site.accounts.models import User
from corpus_site.adding import look_ups
from corpus_site.adding.samples import make_draft
from corpus_site.drafts import Draft
from corpus_site.newsstand.server import start
from feeds.crawler.documents.feed_document import FeedKind
from feeds.crawler.documents.found_feeds import FoundFeed
from feeds.crawler.fetching.exchange import Exchange, FetchResult
from feeds.crawler.outcomes import Outcome
from feeds.models import Feed, Page, Publication, SourceDraft
from feeds.sources.discovery import Investigation
from feeds.work.leases import Claim

pytestmark = [pytest.mark.django_db, pytest.mark.sql]


@pytest.fixture(scope="module")
def newsstand():
    running = start(lambda: datetime.now(UTC))
    yield running
    running.stop()


@pytest.fixture
def home(newsstand, settings):
    """Home page of the first demo paper, which is on this machine and allowed."""
    settings.CRAWL_ALLOWED_PRIVATE_NETWORKS = [ip_network("127.0.0.0/8")]
    settings.CRAWL_MIN_DELAY_SECONDS = 0.0
    return newsstand.home_urls[0]


def investigate(client, address):
    """Ask for an address, and let the look-up have its turn."""
    asked = client.post("/sources/add/", {"address": address})
    look_up()
    return asked


def look_up():
    return pipeline.BY_NAME["look-up"].run(Claim.make("test", timezone.now()))


def test_the_first_step_asks_for_an_address_and_lists_own_drafts(editor):
    page = markup(editor.get("/sources/add/"))

    assert "Where is the newspaper?" in page
    assert "Not finished yet" not in page


@pytest.mark.parametrize(
    ("address", "sentence"),
    [
        ("", "Paste the address of the newspaper."),
        ("no address at all", "is a name, not a web address"),
    ],
)
def test_a_wrong_address_is_explained_at_its_field_and_kept(address, sentence, editor):
    answer = investigate(editor, address)

    assert answer.status_code == 400
    assert sentence in markup(answer)
    assert markup(answer).count(" data-focus") == 1
    assert answer.context["form"]["address"].value() == address
    assert SourceDraft.objects.count() == 0


@pytest.mark.parametrize("address", ["http://10.0.0.1/", "http://127.0.0.1:9/"])
def test_a_private_address_is_not_visited(address, editor):
    page = editor.get(investigate(editor, address)["Location"])

    assert "The address is private and is not visited." in markup(page)
    assert page.context["form"]["address"].value() == address


def test_an_address_that_answers_nothing_is_explained(home, editor):
    address = f"{home}no/such/page/"

    page = editor.get(investigate(editor, address)["Location"])
    investigate(editor, home)

    assert "There is no such page (404)." in markup(page)
    assert page.context["form"]["address"].value() == address
    assert "Not finished yet" not in markup(page)
    assert SourceDraft.objects.count() == 1


def test_four_clicks_from_the_address_to_the_first_visit(home, editor):
    found = investigate(editor, home)
    page = editor.get(found["Location"])
    form = page.context["form"]
    started = editor.post(
        found["Location"], {"name": form["name"].value(), "feeds": form["feeds"].value()}
    )

    publication = Publication.objects.get()
    feed_page = Page.objects.get(feed__publication=publication)
    assert found["Location"].startswith("/sources/add/?draft=")
    assert started["Location"] == f"/sources/{publication.slug}/"
    assert (publication.state, publication.started_at is not None) == ("active", True)
    assert feed_page.due_at <= timezone.now()
    assert "First visit." in markup(editor.get(started["Location"]))


def test_samples_are_shown_as_they_will_be_stored(home, editor):
    draft = _draft(editor, home)
    page = markup(editor.get(f"/sources/add/?draft={draft.pk}"))

    samples = Draft.from_json(draft.findings).samples
    assert len(samples) == 3
    for sample in samples:
        assert sample.problem == ""
        assert sample.title in page.replace("&#x27;", "'").replace("&amp;", "&")
        assert sample.published_at is not None
        assert sample.n_words > 30
        assert sample.language == "en"


def _draft(editor, home):
    investigate(editor, home)
    return SourceDraft.objects.get()


def test_a_draft_is_written_and_read_back_unchanged(home, editor):
    draft = Draft.from_json(_draft(editor, home).findings)

    assert Draft.from_json(draft.to_json()) == draft


def test_an_unfinished_draft_is_offered_again(home, editor):
    draft = _draft(editor, home)

    assert f'href="?draft={draft.pk}"' in markup(editor.get("/sources/add/"))


def test_a_draft_is_forgotten_and_that_of_a_followed_paper_is_not_offered(editor):
    found = {"home_url": "https://karoo-courier.example/", "joins": ""}
    other = {"home_url": "https://cape-meridian.example/", "joins": ""}
    owner = User.objects.get()
    rows = [
        SourceDraft.objects.create(
            address=values["home_url"], owner=owner, findings=values, created_at=timezone.now()
        )
        for values in (found, other)
    ]
    make_publication(home_url=found["home_url"])

    page = markup(editor.get("/sources/add/"))
    n_left = SourceDraft.objects.count()
    answer = editor.post("/sources/add/", {"forget": rows[1].pk}, follow=True)

    assert [f'href="?draft={row.pk}"' in page for row in rows] == [False, True]
    assert (n_left, SourceDraft.objects.get()) == (2, rows[0])
    assert "Not finished yet" not in markup(answer)


@pytest.mark.parametrize(("role", "status"), [("editor", 404), ("admin", 200)])
def test_a_draft_of_somebody_else_is_opened_and_started_by_admins_alone(
    role, status, home, editor, browse
):
    row, other = _draft(editor, home), browse(role)
    draft = Draft.from_json(row.findings)
    address = f"/sources/add/?draft={row.pk}"

    shown = other.get(address)
    started = other.post(address, {"name": draft.name, "feeds": [draft.feeds[0].url]})

    assert shown.status_code == status
    assert (started.status_code, Publication.objects.count()) == (
        (404, 0) if status == 404 else (302, 1)
    )


@pytest.mark.parametrize(("role", "n_left"), [("editor", 1), ("admin", 0)])
def test_a_draft_of_somebody_else_is_dropped_by_admins_alone(role, n_left, editor, browse):
    owner = User.objects.get()
    row = SourceDraft.objects.create(address="x", owner=owner, created_at=timezone.now())

    browse(role).post("/sources/add/", {"forget": row.pk})

    assert SourceDraft.objects.count() == n_left


def test_a_started_draft_leads_to_its_publication(home, editor):
    draft = _draft(editor, home)
    publication = make_publication()
    SourceDraft.objects.update(publication=publication)

    answer = editor.get(f"/sources/add/?draft={draft.pk}")

    assert answer["Location"] == "/sources/karoo-courier/"


def test_a_known_publication_is_opened_instead(home, editor):
    _start_as_found(editor, home)
    slug = Publication.objects.get().slug

    answer = editor.get(investigate(editor, home)["Location"], follow=True)

    assert answer.redirect_chain[-1][0] == f"/sources/{slug}/"
    assert "This publication is known already" in markup(answer)


def _start_as_found(editor, home):
    draft = Draft.from_json(_draft(editor, home).findings)
    address = f"/sources/add/?draft={SourceDraft.objects.get().pk}"
    return editor.post(address, {"name": draft.name, "feeds": [feed.url for feed in draft.feeds]})


def test_a_further_feed_joins_the_publication_that_is_known(home, editor):
    make_publication("known", home_url=home, name="Known")

    answer = _start_as_found(editor, home)

    assert answer["Location"] == "/sources/known/"
    assert [feed.publication.slug for feed in Feed.objects.all()] == ["known"]
    assert Publication.objects.get().name == "Known"


def test_the_name_of_a_known_publication_leads_to_it(editor):
    make_publication("known", name="The Karoo Courier")

    assert 'href="/sources/known/">The Karoo Courier' in markup(
        investigate(editor, "karoo courier")
    )


def test_the_address_that_was_meant_is_one_click_away(editor):
    page = markup(investigate(editor, "news@karoo.example"))

    assert 'name="address" value="https://karoo.example/"' in page


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"name": ""}, "The publication needs a name."),
        ({"feeds": []}, "Tick at least one feed."),
        ({"feeds": ["https://elsewhere.example/feed"]}, "is not one of the feeds found."),
        ({"min_delay_seconds": "-4"}, "greater than or equal to 0"),
    ],
)
def test_wrong_choices_are_explained_and_nothing_is_started(changes, sentence, home, editor):
    draft = Draft.from_json(_draft(editor, home).findings)
    address = f"/sources/add/?draft={SourceDraft.objects.get().pk}"
    right = {"name": draft.name, "feeds": [feed.url for feed in draft.feeds]}

    answer = editor.post(address, right | changes)

    assert answer.status_code == 400
    assert sentence in markup(answer)
    assert (Publication.objects.count(), Feed.objects.count()) == (0, 0)


@pytest.mark.parametrize("key", ["", "x", "²", "9" * 24, "9" * 5000])
def test_a_draft_that_does_not_exist_is_not_found(key, editor):
    assert editor.get(f"/sources/add/?draft={key}").status_code == 404


def test_the_investigation_keeps_to_its_time(home, editor, settings):
    before = timezone.now()

    investigate(editor, home)

    assert timezone.now() - before < timedelta(seconds=20)


def test_address_field_has_the_focus(editor):
    assert "autofocus" in editor.get("/sources/add/").content.decode()


def test_feeds_of_a_known_publication_that_are_not_followed_are_named():
    feed = FoundFeed(
        "https://karoo.example/old", "Old", "link", FeedKind.RSS, 5, None, "stale since Mar 2024",
        is_good=False,
    )  # fmt: skip

    one = look_ups.known_sentence(Investigation("karoo.example", feeds=(feed,)))
    none = look_ups.known_sentence(Investigation("karoo.example"))

    assert "1 feed is not followed: https://karoo.example/old (stale since Mar 2024)." in one
    assert none == "This publication is known already, with all of its feeds; here it is."


def with_doubts(editor, home, **doubts):
    """Make a draft whose samples all have these doubts; give its address and what Start sends."""
    row = _draft(editor, home)
    draft = Draft.from_json(row.findings)
    samples = tuple(replace(sample, doubts=doubts) for sample in draft.samples)
    SourceDraft.objects.update(findings=replace(draft, samples=samples).to_json())
    values = {"name": draft.name, "feeds": [feed.url for feed in draft.feeds if feed.is_good]}
    return f"/sources/add/?draft={row.pk}", values


def test_doubts_are_answered_before_the_start(home, editor):
    address, values = with_doubts(editor, home, author="words of a button or a form, no name")

    shown = markup(editor.get(address))
    refused = editor.post(address, values)
    n_before = Publication.objects.count()
    editor.post(address, values | {"doubts_answered": "on"})

    assert "Author: words of a button or a form, no name" in shown
    assert (refused.status_code, n_before) == (400, 0)
    assert "Look at the doubts" in markup(refused)
    assert Publication.objects.count() == 1


def test_without_doubts_nothing_is_asked(home, editor):
    address, values = with_doubts(editor, home)

    assert "Doubts about these articles" not in markup(editor.get(address))
    editor.post(address, values)
    assert Publication.objects.count() == 1


STORY = "<p>The sangoma of the valley drank maas with her guests until the rain came again.</p>" * 9


@pytest.mark.parametrize(
    ("byline", "doubt"),
    [
        ("", "no author found"),
        ("Sign up", "no author found"),
        ("Register Here", "words of a button or a form, no name"),
        ("Thandi Naidoo", None),
    ],
)
def test_author_that_is_missing_or_no_name_is_doubted(byline, doubt):
    meta = f'<meta name="author" content="{byline}">' if byline else ""
    body = f"<html><head>{meta}<title>Rain</title></head><body><h1>Rain</h1>{STORY}</body></html>"
    url = "https://karoo.example/rain-has-come-to-the-valley"
    result = FetchResult(url, Outcome.OK, "", timezone.now(), 1, exchanges=(), body=body.encode())

    draft = make_draft(Investigation("karoo.example", samples=(result,)), timezone.now())

    assert (draft.samples[0].doubts or {}).get("author") == doubt


def test_sample_that_is_led_away_is_not_shown_as_an_article():
    story, log_in = "https://karoo.example/rain-has-come-to-the-valley", "https://karoo.example/in"
    html = (("Content-Type", "text/html"),)
    hops = (
        Exchange(story, (), 302, "Found", (("Location", log_in),), b"", timezone.now()),
        Exchange(log_in, (), 200, "OK", html, b"", timezone.now()),
    )
    form = b"<h1>Sign in</h1><form><input name=user><input type=password name=word></form>"
    result = FetchResult(story, Outcome.OK, "", timezone.now(), 1, exchanges=hops, body=form)

    draft = make_draft(Investigation("karoo.example", samples=(result,)), timezone.now())

    said = f"The address leads to {log_in}, which is no article. It asks for a name and a password"
    assert draft.samples[0].problem.startswith(said)
    assert (draft.samples[0].url, draft.samples[0].title) == (story, "")
