"""Add a publication: the wizard against the demo newspapers on the loopback interface."""

from datetime import UTC, datetime, timedelta
from ipaddress import ip_network

import pytest
from django.utils import timezone
from factories import make_publication
from pages import markup

from corpus_site.accounts.models import User
from corpus_site.drafts import Draft
from corpus_site.newsstand.server import start
from feeds.models import Feed, Page, Publication, SourceDraft

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
    return newsstand.home_urls[0]


def investigate(client, address):
    return client.post("/sources/add/", {"address": address})


def test_the_first_step_asks_for_an_address_and_lists_own_drafts(editor):
    page = markup(editor.get("/sources/add/"))

    assert "Where is the newspaper?" in page
    assert "Not finished yet" not in page


@pytest.mark.parametrize(
    ("address", "sentence"),
    [
        ("", "Paste the address of the newspaper."),
        ("no address at all", "is a name, not a web address"),
        ("http://10.0.0.1/", "The address is private and is not visited."),
        ("http://127.0.0.1:9/", "The address is private and is not visited."),
    ],
)
def test_a_wrong_address_is_explained_at_its_field_and_kept(address, sentence, editor):
    answer = investigate(editor, address)

    assert answer.status_code == 400
    assert sentence in markup(answer)
    assert markup(answer).count(" data-focus") == 1
    assert answer.context["form"]["address"].value() == address
    assert SourceDraft.objects.count() == 0


def test_an_address_that_answers_nothing_is_explained(home, editor):
    answer = investigate(editor, f"{home}no/such/page/")

    assert answer.status_code == 400
    assert "There is no such page (404)." in markup(answer)


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


def test_a_draft_is_forgotten_and_that_of_a_followed_paper_is_not_offered(editor, browse):
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
    browse("admin").post("/sources/add/", {"forget": rows[1].pk})
    n_left = SourceDraft.objects.count()
    answer = editor.post("/sources/add/", {"forget": rows[1].pk}, follow=True)

    assert [f'href="?draft={row.pk}"' in page for row in rows] == [False, True]
    assert (n_left, SourceDraft.objects.get()) == (2, rows[0])
    assert "Not finished yet" not in markup(answer)


def test_a_started_draft_leads_to_its_publication(home, editor):
    draft = _draft(editor, home)
    publication = make_publication()
    SourceDraft.objects.update(publication=publication)

    answer = editor.get(f"/sources/add/?draft={draft.pk}")

    assert answer["Location"] == "/sources/karoo-courier/"


def test_a_known_publication_is_opened_instead(home, editor):
    _start_as_found(editor, home)
    slug = Publication.objects.get().slug

    answer = investigate(editor, home)

    assert answer["Location"] == f"/sources/{slug}/"
    assert SourceDraft.objects.count() == 1


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
