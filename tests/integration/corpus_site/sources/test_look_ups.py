"""Look-ups of the wizard as a stage: progress, stopping, killed workers, known sources."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from ipaddress import ip_network

import pytest
from django.utils import timezone
from factories import make_page, make_publication
from pages import markup

from corpus_site import pipeline
from corpus_site.accounts.models import User
from corpus_site.adding import look_ups
from corpus_site.drafts import Draft, forget_samples
from corpus_site.newsstand.server import start
from extraction.html.site_rules.rules import Rule, RuleField, RuleKind
from extraction.rules.versions import add_rules, open_draft, publish
from feeds.crawler.addressing.canonical import canonicalize
from feeds.crawler.documents.feed_document import FeedKind
from feeds.models import DraftPage, Feed, Host, Page, Publication, SourceDraft
from feeds.sources.publications import NewFeed, add_feeds
from feeds.sources.site_search import Progress
from feeds.work.leases import Claim

pytestmark = [pytest.mark.django_db, pytest.mark.sql]
HTMX = {"HX-Request": "true"}


@pytest.fixture(scope="module")
def newsstand():
    running = start(lambda: datetime.now(UTC))
    yield running
    running.stop()


@pytest.fixture
def home(newsstand, settings):
    settings.CRAWL_ALLOWED_PRIVATE_NETWORKS = [ip_network("127.0.0.0/8")]
    settings.CRAWL_MIN_DELAY_SECONDS = 0.0
    return newsstand.home_urls[0]


def look_up(owner="test"):
    return pipeline.BY_NAME["look-up"].run(Claim.make(owner, timezone.now()))


def ask(editor, address="https://karoo.example/"):
    return editor.post("/sources/add/", {"address": address})["Location"]


def test_a_look_up_waits_for_a_worker_and_its_page_refreshes_without_script(editor):
    page = markup(editor.get(ask(editor)))

    assert "for a worker of this installation" in page
    assert '<noscript><meta http-equiv="refresh" content="2"></noscript>' in page
    assert '<a href="?draft=' in markup(editor.get("/sources/add/"))


def test_the_part_says_what_is_asked_and_leads_on_when_the_look_up_has_ended(editor):
    address = ask(editor)
    row = SourceDraft.objects.get()
    progress = {"step": "Its feeds", "asking": ["https://karoo.example/feed"], "n_all": 14}
    SourceDraft.objects.update(
        progress=progress | {"n_done": 5, "tried": ["https://karoo.example/: answered (200)."]}
    )

    running = markup(editor.get(f"/part/look-up/{row.pk}/", headers=HTMX))
    SourceDraft.objects.update(due_at=None)
    ended = editor.get(f"/part/look-up/{row.pk}/", headers=HTMX)

    assert "Its feeds" in running
    assert "5 of 14 addresses asked" in running
    assert "◇ https://karoo.example/feed" in running
    assert ended["HX-Redirect"] == address


def test_a_part_that_is_opened_by_itself_leads_to_its_page(editor):
    ask(editor)
    row = SourceDraft.objects.get()

    for part in ("look-up", "draft-patterns"):
        answer = editor.get(f"/part/{part}/{row.pk}/")
        assert (answer.status_code, f"?draft={row.pk}" in markup(answer)) == (404, True)


def test_parts_and_progress_of_somebody_else_are_not_shown(editor, browse):
    ask(editor)
    row, other = SourceDraft.objects.get(), browse("editor")

    assert other.get(f"/sources/add/?draft={row.pk}").status_code == 404
    assert other.get(f"/part/draft-patterns/{row.pk}/", headers=HTMX).status_code == 404
    assert "asked" not in markup(other.get(f"/part/look-up/{row.pk}/", headers=HTMX))


def test_progress_is_written_as_the_look_up_goes(home, editor, monkeypatch):
    ask(editor, home)
    seen = []
    watch = look_ups._Watch.__call__

    def spy(self, progress):
        watch(self, progress)
        seen.append(SourceDraft.objects.get().progress)

    monkeypatch.setattr(look_ups._Watch, "__call__", spy)
    look_up()

    assert [found["n_done"] for found in seen] == sorted(found["n_done"] for found in seen)
    assert {found["step"] for found in seen} >= {"The address", "Its feeds", "Some articles"}
    assert SourceDraft.objects.get().progress == {}


def test_stopping_drops_the_draft_and_the_search_gives_its_hosts_back(home, editor, monkeypatch):
    address = ask(editor, home)
    watch = look_ups._Watch.__call__

    def stop(self, progress: Progress):
        if progress.tried and SourceDraft.objects.exists():
            answer = editor.post(address, {"act": "stop"})
            assert answer["Location"].startswith("/sources/add/?address=")
        watch(self, progress)

    monkeypatch.setattr(look_ups._Watch, "__call__", stop)
    report = look_up()

    assert (report.n_claimed, report.quarantined) == (1, 0)
    assert SourceDraft.objects.count() == 0
    assert set(Host.objects.values_list("lease_owner", flat=True)) == {""}


def test_a_look_up_whose_worker_was_killed_is_done_again(home, editor, settings):
    ask(editor, home)
    long_ago = timezone.now() - timedelta(seconds=settings.LEASE_SECONDS + 1)
    SourceDraft.objects.update(due_at=long_ago, lease_owner="dead", lease_until=long_ago)

    look_up()

    row = SourceDraft.objects.get()
    assert (row.due_at, row.lease_owner) == (None, "")
    assert len(Draft.from_json(row.findings).samples) == 3
    assert row.pages.count() == 3


def test_a_look_up_that_fails_each_time_says_so_and_can_be_asked_for_again(editor):
    address = ask(editor)
    SourceDraft.objects.update(quarantined_at=timezone.now(), attempts=3)

    page = markup(editor.get(address))
    editor.post(address, {"act": "again"})
    row = SourceDraft.objects.get()

    assert "The look-up failed three times" in page
    assert (row.quarantined_at, row.attempts, row.due_at is not None) == (None, 0, True)


def test_looking_again_replaces_findings_and_keeps_choices(home, editor):
    address = ask(editor, home)
    look_up()
    draft = Draft.from_json(SourceDraft.objects.get().findings)

    editor.post(address, {"name": "Another", "feeds": [draft.feeds[0].url], "act": "again"})
    look_up()
    row = SourceDraft.objects.get()

    assert row.choices["name"] == "Another"
    assert Draft.from_json(row.findings).feeds[0].url == draft.feeds[0].url
    assert row.pages.count() == 3


def test_a_publication_is_looked_at_again_with_its_feeds_rules_and_patterns(home, editor):
    known = make_publication("known", home_url=home, name="Known", exclude_pattern="/sport/")
    rules = open_draft(known.pk, timezone.now())
    add_rules(rules, [Rule(RuleField.TITLE, RuleKind.CSS, "h1")])
    publish(rules, None, timezone.now())

    address = editor.post("/sources/add/", {"change_of": "known"})["Location"]
    look_up()
    page = editor.get(address)
    form, draft = page.context["form"], page.context["draft"]
    answer = editor.post(
        address, {"name": "x", "feeds": form["feeds"].value(), "exclude_pattern": "/old/"}
    )
    known.refresh_from_db()

    assert (draft.joins, draft.name) == ("known", "Known")
    assert form["exclude_pattern"].value() == "/sport/"
    assert all(sample.sources["title"] == "rule" for sample in draft.samples)
    assert answer["Location"] == "/sources/known/"
    assert (known.exclude_pattern, Feed.objects.filter(publication=known).count()) == ("/old/", 1)
    assert [(one.field, one.before, one.after) for one in known.changes.all()] == [
        ("exclude_pattern", "/sport/", "/old/")
    ]


def test_followed_feeds_are_shown_and_not_chosen_again(home, editor):
    address = ask(editor, home)
    look_up()
    url = Draft.from_json(SourceDraft.objects.get().findings).feeds[0].url
    known = make_publication("known", home_url=home)
    add_feeds(known, [NewFeed(url)], timezone.now())
    SourceDraft.objects.all().delete()

    address = editor.post("/sources/add/", {"change_of": "known"})["Location"]
    look_up()
    page = editor.get(address)
    answer = editor.post(address, {"name": "x"})

    assert page.context["draft"].feeds[0].is_followed
    assert f'value="{url}"' not in markup(page)
    assert answer["Location"] == "/sources/known/"
    assert Feed.objects.count() == 1


def with_addresses(editor, *urls, links=(), kind=FeedKind.RSS):
    """Make a draft whose one feed lists these addresses."""
    feed = {
        "url": "https://karoo.example/feed", "title": "News", "how": "link", "kind": kind,
        "n_items": len(urls), "newest": None, "verdict": "good", "is_good": True,
        "addresses": list(urls), "links": list(links),
    }  # fmt: skip
    draft = Draft("karoo.example", "Karoo", "https://karoo.example/", "en", (), ())
    return SourceDraft.objects.create(
        address="karoo.example",
        owner=User.objects.get(),
        findings=draft.to_json() | {"feeds": [feed]},
        created_at=timezone.now(),
    )


def test_patterns_say_while_they_are_typed_what_they_let_in(editor):
    row = with_addresses(editor, "https://karoo.example/news/rain", "https://karoo.example/sport/x")
    given = {"feeds": "https://karoo.example/feed", "exclude_pattern": "/sport/"}

    part = markup(editor.get(f"/part/draft-patterns/{row.pk}/", given, headers=HTMX))
    none = markup(editor.get(f"/part/draft-patterns/{row.pk}/", headers=HTMX))

    assert "1 of 2 addresses comes in, 1 stays out." in part
    assert "left out by the pattern “/sport/”" in part
    assert "No address was found yet." in none


def test_a_wrong_pattern_is_refused_at_its_field_and_kept(editor):
    row = with_addresses(editor, "https://karoo.example/news/rain")
    typed = {"name": "Karoo", "feeds": ["https://karoo.example/feed"], "include_pattern": "*news"}

    answer = editor.post(f"/sources/add/?draft={row.pk}", typed)

    assert answer.status_code == 400
    assert "A star is no wildcard here" in markup(answer)
    assert answer.context["form"]["include_pattern"].value() == "*news"
    assert Publication.objects.count() == 0


def test_patterns_that_let_in_nothing_found_start_only_when_that_is_meant(editor):
    row = with_addresses(editor, "https://karoo.example/news/rain")
    typed = {"name": "Karoo", "feeds": ["https://karoo.example/feed"], "include_pattern": "/sport/"}

    asked = editor.post(f"/sources/add/?draft={row.pk}", typed)
    started = editor.post(f"/sources/add/?draft={row.pk}", typed | {"takes_none": "on"})
    before = markup(editor.get(started["Location"]))
    Page.objects.update(visited_at=timezone.now())
    after = markup(editor.get(started["Location"]))

    assert asked.status_code == 400
    assert "let in none of the 1 address found" in markup(asked)
    assert Publication.objects.get().include_pattern == "/sport/"
    assert "Its patterns decide what comes in" not in before
    assert "Its patterns decide what comes in, only <code>/sport/</code>: <a" in " ".join(
        after.split()
    )


def test_patterns_are_saved_with_the_source(editor):
    row = with_addresses(editor, "https://karoo.example/news/rain")
    typed = {"name": "Karoo", "feeds": ["https://karoo.example/feed"]}

    editor.post(
        f"/sources/add/?draft={row.pk}",
        typed | {"include_pattern": " /news/ ", "exclude_pattern": "/sport/"},
    )

    found = Publication.objects.get()
    assert (found.include_pattern, found.exclude_pattern) == ("/news/", "/sport/")


def test_finishing_later_keeps_what_was_typed_even_where_it_is_wrong(editor):
    row = with_addresses(editor, "https://karoo.example/news/rain")
    typed = {"name": "", "include_pattern": "(", "min_delay_seconds": "soon", "act": "later"}

    answer = editor.post(f"/sources/add/?draft={row.pk}", typed)
    form = editor.get(f"/sources/add/?draft={row.pk}").context["form"]

    assert answer["Location"] == "/sources/"
    assert [form[name].value() for name in ("name", "include_pattern", "feeds")] == ["", "(", []]


def test_links_of_an_index_page_count_where_a_pattern_names_stories(editor):
    row = with_addresses(
        editor,
        "https://karoo.example/2026/11/20/rain",
        links=["https://karoo.example/x?story=7"],
        kind=FeedKind.INDEX,
    )
    given = {"feeds": "https://karoo.example/feed", "include_pattern": "story="}

    part = markup(editor.get(f"/part/draft-patterns/{row.pk}/", given, headers=HTMX))

    assert "1 of 2 addresses comes in" in part


def test_erased_pages_leave_no_sample_page(home, editor):
    ask(editor, home)
    look_up()
    kept = DraftPage.objects.first()
    page = make_page(make_publication(), url=kept.url, key=canonicalize(kept.url).key)

    forget_samples([page.pk])

    assert not DraftPage.objects.filter(url=kept.url).exists()
    assert DraftPage.objects.count() == 2


def test_pages_of_forgotten_drafts_are_dropped_after_a_month(home, editor):
    ask(editor, home)
    look_up()
    now = SourceDraft.objects.get().created_at

    counts = []
    for days in (29, 31):
        look_ups.pending(1000, now + timedelta(days=days))
        counts.append(DraftPage.objects.count())

    assert counts == [3, 0]


def test_a_draft_of_the_version_before_is_read(home, editor):
    ask(editor, home)
    look_up()
    found = SourceDraft.objects.get().findings
    now = Draft.from_json(found)
    for feed in found["feeds"]:
        for name in ("addresses", "links", "is_followed"):
            del feed[name]
    for sample in found["samples"]:
        del sample["section"]

    before = Draft.from_json(found)

    bare = tuple(replace(feed, addresses=(), links=()) for feed in now.feeds)
    samples = tuple(replace(sample, section="") for sample in now.samples)
    assert before == replace(now, feeds=bare, samples=samples)
