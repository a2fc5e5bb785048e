"""Rules picked while a source is added: tried on all samples at once, undone, published."""

from dataclasses import replace
from datetime import timedelta

import pytest
from django.utils import timezone
from factories import make_feed, make_publication
from pages import markup

from corpus_site.accounts.models import User
from corpus_site.adding import samples
from corpus_site.adding.draft_rules import picked_rules, try_samples
from corpus_site.adding.samples import keep_pages, kept_pages, make_draft, sample_pages
from corpus_site.drafts import Draft
from extraction.html.markup.parse import parse_html
from extraction.html.proposals.candidates import candidates
from extraction.html.site_rules.rules import Rule, RuleField, RuleKind
from extraction.models import RuleVersion
from extraction.rules.published import rules_in
from extraction.rules.versions import draft_of
from extraction.views import rule_studio
from feeds.crawler.documents.feed_document import FeedEntry, FeedKind
from feeds.crawler.documents.found_feeds import FoundFeed
from feeds.crawler.documents.limited_work import TOO_MUCH, Limits
from feeds.crawler.fetching.exchange import FetchResult
from feeds.crawler.outcomes import Outcome
from feeds.models import DraftPage, Publication, SourceDraft
from feeds.sources.discovery import Investigation

pytestmark = [pytest.mark.django_db, pytest.mark.sql]

STORY = "<p>The sangoma of the valley drank maas with her guests until the rain came again.</p>" * 9
NAMES = ("Thandi Naidoo", "Pieter Botha", "Sipho Dube")
FEED = "https://karoo.example/feed"


def page_of(n, name):
    return (
        f"<html><head><title>Rain {n}</title><meta name='author' content='Ann Fox'></head><body>"
        f"<h1>Rain {n} has come</h1><p class='penned'>{name}</p>"
        f"<div class='story'>{STORY}<p>Story {n}.</p></div><p class='day'>2026-11-0{n} 10:00</p>"
        "</body></html>"
    )


def investigation():
    results = tuple(
        FetchResult(
            f"https://karoo.example/news/rain-{n}", Outcome.OK, "", timezone.now(), 1,
            exchanges=(), body=page_of(n, name).encode(),
        )
        for n, name in enumerate(NAMES, start=1)
    )  # fmt: skip
    entries = tuple(FeedEntry(result.url) for result in results)
    feed = FoundFeed(FEED, "News", "link", FeedKind.RSS, 3, None, "good", True, entries)  # noqa: FBT003 (in the order of its columns)
    return Investigation(
        "karoo.example",
        name="The Karoo",
        home_url="https://karoo.example/",
        feeds=(feed,),
        samples=results,
    )


@pytest.fixture
def draft(editor):
    found = investigation()
    row = SourceDraft.objects.create(
        address=found.address,
        owner=User.objects.get(),
        findings=make_draft(found, timezone.now()).to_json(),
        created_at=timezone.now(),
    )
    keep_pages(row, found)
    return row


def here(draft, end=""):
    return f"/sources/add/{draft.pk}/samples/{end}"


def take(client, draft, rule="author:css:p.penned", **values):
    return client.post(here(draft, "change/"), {"act": "take", "rule": rule} | values)


def authors(draft):
    draft.refresh_from_db()
    return [sample.authors for sample in Draft.from_json(draft.findings).samples]


def test_the_button_beside_a_field_keeps_the_choices_and_opens_its_page(draft, editor):
    page = draft.pages.first()
    typed = {"name": "Karoo Times", "feeds": [FEED], "exclude_pattern": "/sport/"}

    answer = editor.post(
        f"/sources/add/?draft={draft.pk}", typed | {"act": f"judge:{page.pk}:author"}
    )
    form = editor.get(f"/sources/add/?draft={draft.pk}").context["form"]

    assert answer["Location"] == here(draft, f"?article={page.pk}&field=author")
    assert [form[name].value() for name in typed] == list(typed.values())
    assert Publication.objects.count() == 0


def test_a_picked_rule_is_tried_on_all_samples_and_mends_the_doubt(draft, editor):
    before = markup(editor.get(f"/sources/add/?draft={draft.pk}"))

    answer = take(editor, draft)
    page = markup(editor.get(answer["Location"]))

    assert "Author: same words on 3 of 3 pages" in before
    assert authors(draft) == [(name,) for name in NAMES]
    assert page.count("<ins>") == 3
    for name in NAMES:
        assert f"<ins>{name}</ins>" in page
    assert "Author: " not in markup(editor.get(f"/sources/add/?draft={draft.pk}"))


def test_the_table_says_each_field_before_and_after(draft, editor):
    take(editor, draft)
    draft.refresh_from_db()

    tried = try_samples(draft, timezone.now())

    changed = [[field.name for field in sample.fields if field.is_changed] for sample in tried]
    assert changed == [["author"]] * 3
    assert [field.name for field in tried[0].fields] == [
        "title", "author", "date", "section", "body",
    ]  # fmt: skip


def test_undoing_brings_back_what_was_there(draft, editor):
    findings = draft.findings
    take(editor, draft)
    take(editor, draft, rule="title:css:p.day")

    editor.post(here(draft, "change/"), {"act": "undo"})
    one = authors(draft)
    n_rules = len(draft.rules)
    editor.post(here(draft, "change/"), {"act": "undo"})
    draft.refresh_from_db()

    assert (one, n_rules) == ([(name,) for name in NAMES], 1)
    assert (draft.findings, draft.rules) == (findings, [])


def test_a_rule_is_deleted_by_its_place(draft, editor):
    take(editor, draft)
    take(editor, draft, rule="title:css:p.day")

    editor.post(here(draft, "change/"), {"act": "delete", "pk": "1"})
    editor.post(here(draft, "change/"), {"act": "delete", "pk": "7"})
    draft.refresh_from_db()

    assert picked_rules(draft) == [Rule(RuleField.TITLE, RuleKind.CSS, "p.day")]


@pytest.mark.parametrize(
    ("rule", "sentence"),
    [
        ("nonsense", "This is no rule."),
        ("author:css:p..penned", "The CSS selector cannot be read"),
        ("author:css:", "Write the selector or the expression."),
    ],
)
def test_a_wrong_rule_is_refused_in_words(rule, sentence, draft, editor):
    page = markup(editor.get(take(editor, draft, rule=rule)["Location"]))

    assert sentence in page
    draft.refresh_from_db()
    assert draft.rules == []


def test_a_rule_written_by_hand_is_checked_in_its_form(draft, editor):
    wrong = {"act": "save", "field": "author", "kind": "css", "selector": "p..x", "split_index": 0}

    refused = editor.post(here(draft, "change/"), wrong)
    editor.post(here(draft, "change/"), wrong | {"selector": "p.penned"})

    assert refused.status_code == 400
    assert "The CSS selector cannot be read" in markup(refused)
    assert authors(draft) == [(name,) for name in NAMES]


def test_the_start_publishes_the_rules_as_the_first_version(draft, editor):
    take(editor, draft)
    take(editor, draft, rule="author:css:p.day")

    answer = editor.post(
        f"/sources/add/?draft={draft.pk}",
        {"name": "The Karoo", "feeds": [FEED], "doubts_answered": "on"},
    )

    publication = Publication.objects.get()
    version = RuleVersion.objects.get()
    assert answer["Location"] == f"/sources/{publication.slug}/"
    assert (version.number, version.published_at is not None) == (1, True)
    assert version.published_by == User.objects.get()
    assert [rule.selector for rule in rules_in(version).rules] == ["p.day", "p.penned"]
    assert DraftPage.objects.count() == 0


def test_without_picked_rules_no_version_is_published(draft, editor):
    editor.post(
        f"/sources/add/?draft={draft.pk}",
        {"name": "The Karoo", "feeds": [FEED], "doubts_answered": "on"},
    )

    assert (Publication.objects.count(), RuleVersion.objects.count()) == (1, 0)


def test_rules_of_a_known_source_become_its_draft_in_the_studio(draft, editor):
    known = make_publication("known", home_url="https://karoo.example/", state="active")
    make_feed(known)
    SourceDraft.objects.update(
        findings=draft.findings | {"joins": "known"}, is_change=True, choices={}
    )
    take(editor, draft)

    answer = editor.post(
        f"/sources/add/?draft={draft.pk}", {"name": "x", "exclude_pattern": "/sport/"}
    )
    known.refresh_from_db()

    assert answer["Location"] == "/sources/known/rules/"
    assert [rule.selector for rule in rules_in(draft_of(known.pk)).rules] == ["p.penned"]
    assert known.exclude_pattern == "/sport/"
    assert known.changes.get().after == "/sport/"


def test_candidates_are_chosen_from_a_list_without_script(draft, editor):
    page = draft.pages.first()

    shown = markup(editor.get(here(draft, f"?article={page.pk}&field=author")))

    assert "May be the author" in shown
    assert "Thandi Naidoo" in shown


@pytest.mark.parametrize(
    ("field", "first"),
    [
        (RuleField.TITLE, "h1"),
        (RuleField.AUTHOR, "p.penned"),
        (RuleField.BODY, "div.story"),
        (RuleField.REMOVE, None),
    ],
)
def test_candidates_of_a_field(field, first):
    found = candidates(parse_html(page_of(1, NAMES[0])), field)

    assert (found[0].name if found else None) == first


def test_the_stored_page_is_shown_in_a_frame_that_runs_nothing(draft, editor):
    page = draft.pages.first()

    answer = editor.get(here(draft, f"{page.pk}/"))

    assert "Rain 1 has come" in answer.content.decode()
    assert answer["Content-Security-Policy"].startswith("sandbox")


@pytest.mark.parametrize("end", ["", "1/", "change/"])
def test_samples_of_somebody_else_are_not_found(end, draft, browse):
    page = draft.pages.first()
    other = browse("editor")
    address = here(draft, end.replace("1", str(page.pk)))

    answer = other.post(address, {"act": "undo"}) if end == "change/" else other.get(address)

    assert answer.status_code == 404


def test_samples_of_an_ended_draft_lead_back_to_it(draft, editor):
    draft.pages.all().delete()

    assert editor.get(here(draft))["Location"] == f"/sources/add/?draft={draft.pk}"


def test_a_sample_is_kept_as_it_came(draft):
    found = investigation()

    assert [page for _, page in kept_pages(draft)] == sample_pages(found)


def test_the_entry_of_a_kept_sample_keeps_its_moment(draft):
    at = timezone.now() - timedelta(days=1)
    found = investigation()
    entries = tuple(replace(entry, published_at=at) for entry in found.feeds[0].entries)
    keep_pages(draft, replace(found, feeds=(replace(found.feeds[0], entries=entries),)))

    assert {page.entry.published_at for _, page in kept_pages(draft)} == {at}


NO_TIME = Limits(cpu_seconds=1, wall_seconds=0)


def test_a_sample_that_takes_too_much_says_so_and_the_draft_is_made(monkeypatch):
    monkeypatch.setattr(samples, "FOR_A_REQUEST", NO_TIME)

    made = make_draft(investigation(), timezone.now())

    assert {sample.problem for sample in made.samples} == {TOO_MUCH}
    assert made.feeds


def test_a_samples_page_that_takes_too_much_says_so(draft, editor, monkeypatch):
    monkeypatch.setattr(rule_studio, "FOR_A_REQUEST", NO_TIME)
    page = draft.pages.first()

    shown = editor.get(f"/sources/add/{draft.pk}/samples/{page.pk}/")

    assert (shown.status_code, TOO_MUCH in shown.content.decode()) == (200, True)
