"""The rule studio from stored pages to a published version, and back."""

import re
from datetime import timedelta

import pytest
from django.core.cache import cache
from django.utils import timezone
from factories import NOW, make_publication, make_rules
from inline_code import inline_code
from known_site import known_page
from pages import markup
from studio_articles import store_known_article

from extraction import extract
from extraction.html.site_rules.rules import Rule, RuleField, RuleKind
from extraction.models import (
    Article,
    DryRun,
    Extraction,
    RereadPage,
    RuleVersion,
    SiteRule,
    StructureAlarm,
)
from extraction.rules import dry_runs, suggestions
from extraction.rules.published import as_rule, rules_at
from extraction.views import rule_studio, rule_try
from extraction.withdrawal.erasing import empty_articles
from feeds.crawler.documents.limited_work import TOO_MUCH, Limits
from feeds.work.leases import Claim
from presentation.wording import times as date_words

pytestmark = pytest.mark.django_db

WHY = "The old texts were wrong."
STUDIO = "/sources/karoo-courier/rules/"
TRY = "/part/rule-try/karoo-courier/"
CHANGE = "/sources/karoo-courier/rules/change/"
TITLE = Rule(RuleField.TITLE, RuleKind.CSS, "h1")
BYLINE = Rule(RuleField.AUTHOR, RuleKind.CSS, ".name")
WRITTEN = {"act": "save", "field": "author", "kind": "css", "selector": ".name", "split_index": 0}
TRIED = {name: said for name, said in WRITTEN.items() if name != "act"}
HTMX = {"HX-Request": "true"}


@pytest.fixture
def paper():
    return make_publication(time_zone="UTC")


@pytest.fixture
def stored(paper):
    """Six articles whose pages are archived; titles as they are, all by the same desk."""
    return [store_known_article(paper, number) for number in range(6)]


def extract_all():
    return extract.run(100, Claim.make("tests", timezone.now()))


def numbers(draft):
    return [as_rule(row) for row in draft.rules.all()]


def test_a_sample_that_takes_too_much_says_so(editor, stored, monkeypatch):
    for module in (rule_studio, rule_try, suggestions):
        monkeypatch.setattr(module, "FOR_A_REQUEST", Limits(cpu_seconds=1, wall_seconds=0))

    page = editor.get(f"{STUDIO}?view=outline&pick=7")
    tried = editor.get(TRY, TRIED, headers=HTMX)
    proposed = editor.get("/part/rule-proposals/karoo-courier/?propose=1", headers=HTMX)

    assert TOO_MUCH in page.content.decode()
    assert TOO_MUCH in tried.content.decode()
    assert proposed.status_code == 200


def test_the_studio_shows_the_stored_page_in_a_frame_of_its_own(editor, stored):
    page = editor.get(STUDIO)
    frame = editor.get(f"{STUDIO}page/{stored[0].pk}/")

    text = page.content.decode()
    assert f'src="{STUDIO}page/{stored[0].pk}/"' in text
    assert "frame-src 'self'" in page["Content-Security-Policy"]
    assert "script-src 'self'" in page["Content-Security-Policy"]
    assert inline_code(text) == []
    assert frame["Content-Security-Policy"].startswith("sandbox allow-same-origin; default-src")
    assert "script-src" not in frame["Content-Security-Policy"]
    assert 'data-n="' in frame.content.decode()


def test_a_refused_rule_leaves_the_stored_page_in_sight(editor, stored):
    refused = editor.post(CHANGE, WRITTEN | {"selector": "h1[["})

    assert refused.status_code == 400
    assert f'src="{STUDIO}page/{stored[0].pk}/"' in refused.content.decode()
    assert "frame-src 'self'" in refused["Content-Security-Policy"]


@pytest.mark.parametrize("address", [STUDIO, f"{STUDIO}page/1/"])
def test_the_studio_is_for_editors(linguist, stored, address):
    assert linguist.get(address).status_code == 403


@pytest.mark.parametrize(
    "query",
    ["article=x", "article=99999999999999999999", "pick=-1", "pick=²", "view=no", "show=no"],
)
def test_an_unreadable_address_shows_the_newest_page(editor, stored, query):
    answer = editor.get(f"{STUDIO}?{query}")

    assert answer.context["shown"].article == stored[0]


def test_a_publication_without_stored_pages_says_so(editor, paper):
    assert "No stored page can be read yet." in markup(editor.get(STUDIO))


def test_proposals_come_with_their_figures(editor, stored):
    answer = editor.get(f"{STUDIO}?propose=1&whole=1")

    best = {s.field.value: s for s in answer.context["suggested"] if s.is_best}
    assert [rule.selector for rule in best["body"].rules] == [".story", ".related"]
    assert (best["title"].n_agree, best["title"].n_known) == (6, 6)
    assert "right on 6 of 6" in markup(answer)


@pytest.mark.parametrize("asked", ["propose=1", "field=title"])
def test_proposals_follow_the_page_until_they_are_known(editor, stored, asked):
    """Finding them takes seconds on heavy sites; the studio stands before they are looked for."""
    cache.clear()
    part = f"/part/rule-proposals/karoo-courier/?{asked}"

    first = editor.get(f"{STUDIO}?{asked}")
    alone = editor.get(part)
    found = editor.get(part, headers={"HX-Request": "true"})
    again = editor.get(f"{STUDIO}?{asked}")

    assert f'hx-get="{part}"' in first.content.decode()
    assert "suggested" not in first.context
    assert (alone.status_code, found.status_code) == (400, 200)
    assert found.context["suggested"] == again.context["suggested"] != []
    assert "Use" in markup(found)


def test_fields_without_a_proposal_are_named(editor, stored):
    """No page has the desk's name, which is stored as the author of all."""
    page = markup(editor.get(f"{STUDIO}?propose=1&whole=1"))

    assert "Nothing to propose for author: click it on the page." in page


def test_a_proposal_for_a_wrong_field_is_only_as_right_as_what_is_stored(editor, stored):
    page = markup(editor.get(f"{STUDIO}?field=title&whole=1"))

    assert "as stored on 6 of 6" in page
    assert "right on" not in page


def test_a_rule_for_a_wrong_field_begins_with_that_field_and_a_selector(editor, stored):
    form = editor.get(f"{STUDIO}?field=author").context["rule_form"]

    assert (form["field"].value(), form["kind"].value()) == ("author", "css")


def test_a_picked_element_becomes_a_rule_in_two_clicks(editor, stored):
    """Pick the name on the page, then say what it is: the draft is begun and tried."""
    outline = editor.get(f"{STUDIO}?article={stored[0].pk}&view=outline&field=author")
    row = next(r for r in outline.context["outline"] if r.name == "p.byline")
    picked = editor.get(f"{STUDIO}?article={stored[0].pk}&pick={row.number + 1}").context["picked"]
    line = f"author:css:{picked.suggestions[0].rule.selector}"

    answer = editor.post(CHANGE, {"act": "take", "rule": line, "use": "author"}, follow=True)

    draft = RuleVersion.objects.get()
    assert (draft.number, draft.published_at, numbers(draft)) == (1, None, [BYLINE])
    assert next((outcome.value, n) for outcome, n in answer.context["counts"]) == ("better", 6)
    assert "“News desk” is on most pages" in markup(answer)


def test_a_rule_is_written_edited_moved_and_deleted(editor, stored):
    editor.post(CHANGE, WRITTEN)
    editor.post(CHANGE, WRITTEN | {"selector": ".byline"})
    first, second = SiteRule.objects.all()

    editor.post(CHANGE, {"act": "up", "pk": second.pk})
    editor.post(CHANGE, WRITTEN | {"edited": first.pk, "selector": ".other"})
    after_edit = list(SiteRule.objects.values_list("selector", flat=True))
    editor.post(CHANGE, {"act": "delete", "pk": second.pk})

    assert after_edit == [".byline", ".other"]
    assert [row.selector for row in SiteRule.objects.all()] == [".other"]


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"selector": ""}, "selector"),
        ({"selector": "div["}, "selector"),
        ({"kind": "xpath", "selector": "//div["}, "selector"),
        ({"kind": "tag", "tag_type": ""}, "tag_type"),
        ({"kind": "regex", "selector": "(a"}, "selector"),
        ({"kind": "tag", "tag_type": "div", "attribute_name": "span"}, "attribute_name"),
        ({"field": "body", "kind": "json", "selector": "a.b"}, "kind"),
    ],
)
def test_a_rule_that_cannot_run_is_refused_at_its_field(editor, stored, changes, field):
    answer = editor.post(CHANGE, WRITTEN | changes)

    assert answer.status_code == 400
    assert list(answer.context["rule_form"].errors) == [field]
    assert SiteRule.objects.count() == 0


def test_the_same_rule_twice_is_refused(editor, stored):
    editor.post(CHANGE, WRITTEN)

    answer = editor.post(CHANGE, WRITTEN)

    assert (answer.status_code, SiteRule.objects.count()) == (400, 1)
    assert "This rule is there already." in markup(answer)


@pytest.mark.parametrize("act", ["", "drop tables"])
def test_an_unknown_change_is_refused(editor, paper, act):
    assert editor.post(CHANGE, {"act": act}).status_code == 400


def test_publishing_reads_the_pages_again_and_reports(editor, stored):
    draft = make_rules(stored[0].publication, BYLINE, published_at=None)

    editor.post(CHANGE, {"act": "publish", "reread": "1"})
    n_due = Extraction.objects.exclude(due_at=None).count()
    extract_all()

    draft.refresh_from_db()
    report = editor.get(STUDIO).context["reread"]
    assert (n_due, RereadPage.objects.count()) == (6, 6)
    assert (report.n_pages, report.n_left, report.n_emptied) == (6, 0, 0)
    assert set(Extraction.objects.values_list("rule_version", flat=True)) == {1}
    assert [known_page(0).authors[0]] == Article.objects.get(pk=stored[0].pk).authors
    assert Extraction.objects.first().rule_reports[0] == ["author 1", True, ""]


def test_the_report_of_an_author_rule_names_each_page_from_what_to_what(editor, stored):
    make_rules(stored[0].publication, BYLINE, published_at=None)

    editor.post(CHANGE, {"act": "publish", "reread": "1"})
    extract_all()

    answer = editor.get(STUDIO)
    report = answer.context["reread"]
    (change, *_) = (c for c in report.pages[0].changes if c.name == "author")
    assert (report.n_changed, report.fields["author"]) == (6, 6)
    assert "text" not in report.fields
    assert report.pages[0].article_id == stored[0].pk
    assert (change.before, change.after) == ("News desk", known_page(0).authors[0])
    assert "6 pages that changed" in markup(answer)


def test_a_report_of_a_version_that_kept_texts_alone_counts_texts_alone(editor, stored):
    make_rules(stored[0].publication, BYLINE, published_at=None)
    editor.post(CHANGE, {"act": "publish", "reread": "1"})
    RereadPage.objects.update(authors=None, title="", section="", published_at=None)
    extract_all()

    assert editor.get(STUDIO).context["reread"].n_changed == 0


def test_what_is_erased_leaves_no_report(editor, stored):
    make_rules(stored[0].publication, BYLINE, published_at=None)
    editor.post(CHANGE, {"act": "publish", "reread": "1"})
    extract_all()

    empty_articles([stored[0].pk], timezone.now())

    report = editor.get(STUDIO).context["reread"]
    assert stored[0].pk not in {page.article_id for page in report.pages}
    assert not RereadPage.objects.filter(page=stored[0].page).exists()


def test_a_rule_that_takes_another_author_is_no_rule_without_effect(editor, stored):
    """Nobody but the page names an author: nothing tells which is right, and it differs."""
    for number, article in enumerate(stored):
        Article.objects.filter(pk=article.pk).update(authors=[f"Writer {number}"])
    make_rules(stored[0].publication, BYLINE, published_at=None)

    answer = editor.get(STUDIO)
    editor.post(CHANGE, {"act": "dry-run"})
    dry_runs.run(1, Claim.make("tests", timezone.now()))

    run = DryRun.objects.get()
    assert {outcome.value: n for outcome, n in answer.context["counts"]}["changed"] == 6
    assert (run.counts["changed"], run.counts["same"], run.changes["author"]) == (6, 0, 6)
    assert f"author: Writer 0 → {known_page(0).authors[0]}" in str(run.examples)


def test_a_correction_by_hand_stays_whatever_the_draft_reads(editor, stored):
    Article.objects.update(authors=["By Hand"], sources={"authors": "editor"})
    make_rules(stored[0].publication, BYLINE, published_at=None)

    trials = editor.get(STUDIO).context["trials"]

    assert {row.trial.draft.authors for row in trials} == {("By Hand",)}


def test_what_gets_worse_is_listed_in_the_publish_step(editor, stored):
    make_rules(stored[0].publication, Rule(RuleField.BODY, RuleKind.CSS, ".no"), published_at=None)

    answer = editor.get(STUDIO)
    losses = answer.context["losses"]

    assert losses.n == 6
    assert {loss.article_id for loss in losses.listed} == {article.pk for article in stored}
    assert (losses.n_unmatched, {loss.outcome for loss in losses.listed}) == (6, {"unmatched"})
    said = "no rule for the body matches, the text is read without one"
    assert {loss.reasons.rpartition("; ")[2] for loss in losses.listed} == {said}
    assert f'href="?article={stored[3].pk}#trial-{stored[3].pk}"' in markup(answer)
    assert 'name="accepted"' in markup(answer)


def test_a_dry_run_of_these_rules_and_pages_counts_in_the_publish_step(editor, stored):
    draft = make_rules(stored[0].publication, BYLINE, published_at=None)
    editor.post(CHANGE, {"act": "dry-run"})
    dry_runs.run(1, Claim.make("tests", timezone.now()))
    examples = [[stored[5].pk, "worse", "date lost"]]
    DryRun.objects.update(counts={"worse": 30}, examples=examples)

    losses = editor.get(STUDIO).context["losses"]
    assert (losses.n, losses.n_unlisted) == (30, 29)
    assert losses.listed[0].title == stored[5].title

    RuleVersion.objects.filter(pk=draft.pk).update(valid_from=NOW)
    assert editor.get(STUDIO).context["losses"].n == 0


def test_a_version_is_valid_from_a_moment_of_its_day(editor, paper):
    """The redesign came at noon: what was fetched in the morning keeps the older rules."""
    morning = store_known_article(paper, 1, fetched_at=NOW - timedelta(hours=2))
    evening = store_known_article(paper, 2, fetched_at=NOW + timedelta(hours=2))
    make_rules(paper, TITLE)
    make_rules(paper, BYLINE, number=2, published_at=None)
    moment = f"{timezone.localtime(NOW):%Y-%m-%dT%H:%M:%S}"

    shown = editor.post(CHANGE, {"act": "since", "valid_from": moment}, follow=True)
    tried = [row.trial.article for row in shown.context["trials"]]
    editor.post(CHANGE, {"act": "publish", "reread": "1", "valid_from": moment})

    version = RuleVersion.objects.get(number=2)
    assert tried == [evening]
    assert f'value="{moment}"' in markup(shown)
    assert version.valid_from == NOW
    assert list(RereadPage.objects.values_list("page", flat=True)) == [evening.page_id]
    assert rules_at(paper.pk, morning.fetch.started_at).number == 1
    assert rules_at(paper.pk, evening.fetch.started_at).number == 2


def test_what_gets_worse_is_asked_for_the_very_moment_that_is_published(editor, paper):
    """A page of before is none of the draft's business; without the moment it would be."""
    store_known_article(paper, 1, fetched_at=NOW - timedelta(hours=2))
    store_known_article(paper, 2, has_desk=False)
    rule = Rule(RuleField.BODY, RuleKind.XPATH, "//*[@id='post-21234']/p")
    make_rules(paper, rule, published_at=None)

    refused = editor.post(CHANGE, {"act": "publish"}, follow=True)
    moment = f"{timezone.localtime(NOW):%Y-%m-%dT%H:%M:%S}"
    editor.post(CHANGE, {"act": "publish", "valid_from": moment})

    said = "1 article is read without a rule for the body, for none matches"
    assert f"{said}: say why it is right." in markup(refused)
    assert RuleVersion.objects.get().valid_from == NOW


def test_an_older_page_is_shown_with_its_own_rules(editor, paper):
    older = store_known_article(paper, 1, fetched_at=NOW - timedelta(days=1))
    newer = store_known_article(paper, 2)
    make_rules(paper, Rule(RuleField.REMOVE, RuleKind.CSS, ".story"), published_at=None)
    RuleVersion.objects.update(valid_from=NOW)

    pages = [editor.get(f"{STUDIO}page/{row.pk}/").content.decode() for row in (older, newer)]

    removed = "removed by a rule of this publication"
    assert [removed in page for page in pages] == [False, True]


def test_warnings_stand_beside_the_rule_and_in_the_publish_step(editor, stored):
    dead = Rule(RuleField.AUTHOR, RuleKind.CSS, ".nobody")
    make_rules(stored[0].publication, TITLE, dead, published_at=None)

    answer = editor.get(STUDIO)

    said = {row.row.selector: row.warnings for row in answer.context["rules"]}
    assert said == {"h1": (), ".nobody": ("Matches nothing: nothing on 6 pages.",)}
    assert markup(answer).count("Matches nothing: nothing on 6 pages.") == 2
    assert "1 warning about the rules" in markup(answer)


def test_a_body_is_cut_out_between_two_pieces_of_the_source(editor, stored):
    empty = editor.post(CHANGE, {"act": "between", "start": "x", "end": " "}, follow=True)
    editor.post(CHANGE, {"act": "between", "start": "1234'>", "end": "</div></main>"})

    (rule,) = numbers(RuleVersion.objects.get())
    trials = editor.get(STUDIO).context["trials"]
    assert "Write both pieces" in markup(empty)
    assert (rule.field, rule.kind, rule.selector) == (
        RuleField.BODY,
        RuleKind.REGEX,
        "1234'>(.*?)</div></main>",
    )
    assert {row.trial.draft.body_rule_matched for row in trials} == {True}


def test_a_repeated_box_is_removed_by_one_click(editor, stored):
    offered = editor.get(STUDIO)
    line = "remove:css:div.related"
    editor.post(CHANGE, {"act": "take", "rule": line})

    assert f'value="{line}"' in markup(offered)
    assert numbers(RuleVersion.objects.get()) == [
        Rule(RuleField.REMOVE, RuleKind.CSS, "div.related")
    ]
    assert "div.related" not in {box.rule.selector for box in editor.get(STUDIO).context["boxes"]}


def test_a_rule_is_tried_while_it_is_written(editor, stored):
    pattern = {"field": "body", "kind": "regex", "split_index": 0}
    pattern["selector"] = "<h4>Read (.*?)</h4>"

    found = editor.get(TRY, pattern | {"article": stored[2].pk}, headers=HTMX)
    name = editor.get(TRY, WRITTEN | {"article": stored[2].pk}, headers=HTMX)
    broken = editor.get(TRY, pattern | {"selector": "(a"}, headers=HTMX)

    assert found.context["tried"].values == ("also",)
    assert "Matches on 6 of 6 pages." in markup(found)
    assert name.context["tried"].values == (known_page(2).authors[0],)
    assert "The pattern cannot be read" in markup(broken)
    assert SiteRule.objects.count() == 0


@pytest.mark.parametrize(
    ("selector", "said"),
    [
        (".no", "6 articles are read without a rule for the body, for none matches"),
        ("h1", "6 articles get worse or fail"),
    ],
)
def test_publishing_what_is_worse_needs_a_reason(editor, stored, selector, said):
    rule = Rule(RuleField.BODY, RuleKind.CSS, selector)
    make_rules(stored[0].publication, rule, published_at=None)

    refused = editor.post(CHANGE, {"act": "publish"}, follow=True)
    n_published = RuleVersion.objects.exclude(published_at=None).count()
    unconfirmed = editor.post(CHANGE, {"act": "publish", "reason": WHY}, follow=True)
    too_few = editor.post(CHANGE, {"act": "publish", "reason": WHY, "accepted": 5}, follow=True)
    n_published += RuleVersion.objects.exclude(published_at=None).count()
    editor.post(CHANGE, {"act": "publish", "reason": WHY, "accepted": 6})

    assert f'name="reason" maxlength="1000" value="{WHY}"' in " ".join(markup(too_few).split())
    for answer in (unconfirmed, too_few):
        assert f"{said}: look at them above the button" in markup(answer)
    bar = markup(refused).split('id="publish-form"')[1]
    assert f'<p class="error" role="alert">{said}: say why it is right.</p>' in bar
    assert markup(refused).count("say why it is right") == 1
    assert n_published == 0
    assert RuleVersion.objects.get().reason == WHY


def test_studio_publishing_and_alarm_tell_the_same_of_a_rule_that_never_matches(editor, stored):
    """Another extractor stands in: the texts stay, so nothing fails."""
    paper = stored[0].publication
    make_rules(paper, Rule(RuleField.BODY, RuleKind.CSS, ".no"), published_at=None)

    tried = {outcome.value: n for outcome, n in editor.get(STUDIO).context["counts"]}
    editor.post(CHANGE, {"act": "dry-run"})
    dry_runs.run(1, Claim.make("tests", timezone.now()))
    counted = DryRun.objects.get().counts
    asked = {"act": "publish", "reread": "1", "reason": WHY, "accepted": 6}
    editor.post(CHANGE, asked)
    extract_all()

    assert (tried["fails"], tried["unmatched"]) == (0, 6)
    assert (counted["fails"], counted["unmatched"]) == (0, 6)
    report = editor.get(STUDIO).context["reread"]
    assert (report.n_left, report.fields.get("text", 0), report.n_shorter) == (0, 0, 0)


def test_a_draft_without_rules_is_only_published_over_rules(editor, stored):
    make_rules(stored[0].publication, published_at=None)

    refused = editor.post(CHANGE, {"act": "publish"}, follow=True)
    RuleVersion.objects.update(number=2)
    make_rules(stored[0].publication, TITLE)
    editor.post(CHANGE, {"act": "publish"})

    assert "The draft has no rules: there is nothing to publish." in markup(refused)
    assert not RuleVersion.objects.filter(published_at=None).exists()


def test_an_old_version_goes_on_serving_the_pages_of_its_layout(paper):
    make_rules(paper, TITLE)
    make_rules(paper, BYLINE, number=2, valid_from=NOW)

    before = rules_at(paper.pk, NOW - timedelta(days=1))
    after = rules_at(paper.pk, NOW)

    assert (before.number, before.rules.rules) == (1, (TITLE,))
    assert (after.number, after.rules.rules) == (2, (BYLINE,))


def test_a_version_is_only_read_by_pages_fetched_since_its_day(editor, paper):
    store_known_article(paper, 1, fetched_at=NOW - timedelta(days=30))
    store_known_article(paper, 2)
    make_rules(paper, BYLINE, published_at=None)

    editor.post(CHANGE, {"act": "publish", "reread": "1", "valid_from": f"{NOW:%Y-%m-%d}"})

    assert Extraction.objects.exclude(due_at=None).count() == 1


def test_undoing_publishes_the_former_rules_again(editor, stored):
    paper = stored[0].publication
    make_rules(paper, TITLE, published_at=timezone.now())
    second = make_rules(paper, BYLINE, number=2, published_at=timezone.now())
    draft = make_rules(paper, number=3, published_at=None)

    editor.post(CHANGE, {"act": "undo", "version": second.pk})

    draft.refresh_from_db()
    newest = RuleVersion.objects.exclude(published_at=None).order_by("-number").first()
    assert (newest.number, newest.note, numbers(newest)) == (3, "Undoes version 2.", [TITLE])
    assert draft.number == 4
    assert Extraction.objects.exclude(due_at=None).count() == 6


def test_a_version_can_be_undone_for_thirty_days(editor, stored):
    month_ago = timezone.now() - timedelta(days=31)
    version = make_rules(stored[0].publication, BYLINE, published_at=month_ago)

    answer = editor.post(CHANGE, {"act": "undo", "version": version.pk}, follow=True)

    assert "too old to be undone" in markup(answer)
    assert RuleVersion.objects.count() == 1


def test_trials_after_a_layout_change_say_which_pages_they_leave_out(editor, stored):
    StructureAlarm.objects.create(
        publication=stored[0].publication, since=NOW, signals=[], opened_at=timezone.now()
    )

    assert f"of pages fetched since {timezone.localtime(NOW):%-d %b %Y, %H:%M:%S}" in markup(
        editor.get(STUDIO)
    )


def test_a_dry_run_tries_the_draft_on_all_and_writes_nothing(editor, stored):
    make_rules(stored[0].publication, BYLINE, published_at=None)

    editor.post(CHANGE, {"act": "dry-run"})
    report = dry_runs.run(1, Claim.make("tests", timezone.now()))

    run = DryRun.objects.get()
    assert (report.n_claimed, run.n_articles, run.due_at) == (1, 6, None)
    assert (run.counts["better"], run.counts["fails"], run.changes["emptied"]) == (6, 0, 0)
    assert Article.objects.filter(authors=["News desk"]).count() == 6
    assert "Dry run over all 6:" in markup(editor.get(STUDIO))


def test_a_published_rule_is_changed_in_a_draft(editor, stored):
    version = make_rules(stored[0].publication, TITLE, BYLINE)

    editor.post(CHANGE, {"act": "delete", "pk": version.rules.get(field="title").pk})

    draft = RuleVersion.objects.get(published_at=None)
    assert (numbers(version), numbers(draft)) == ([BYLINE, TITLE], [BYLINE])


def test_a_discarded_draft_leaves_what_is_published(editor, stored):
    make_rules(stored[0].publication, TITLE)
    make_rules(stored[0].publication, BYLINE, number=2, published_at=None)

    asked = markup(editor.get(STUDIO))
    editor.post(CHANGE, {"act": "discard"})

    assert "1 rule goes for good; what is published stays." in asked
    assert [version.number for version in RuleVersion.objects.all()] == [1]


SCRIPT = "<script>steal()</script>"
SHOWN = "&lt;script&gt;steal()&lt;/script&gt;"


def test_a_refused_selector_is_shown_as_text(editor, stored):
    response = editor.post(CHANGE, WRITTEN | {"selector": f"h1[{SCRIPT}"})

    page = response.content.decode()
    assert (response.status_code, SiteRule.objects.count()) == (400, 0)
    assert SCRIPT not in page
    assert f"h1[{SHOWN}" in page


def test_a_stored_rule_and_its_note_are_shown_as_text(editor, paper, stored):
    rule = Rule(RuleField.REMOVE, RuleKind.TEXT, f"Read {SCRIPT} also")
    make_rules(paper, rule, note=f"Note {SCRIPT}", valid_from=NOW)

    page = editor.get(STUDIO).content.decode()

    assert SCRIPT not in page
    assert f"Read {SHOWN} also" in page
    assert f"Note {SHOWN}" in page


def test_of_two_versions_of_one_day_the_later_reads_its_pages(editor, paper, stored):
    for number, selector in ((1, ".name"), (2, "h1")):
        make_rules(
            paper,
            Rule(RuleField.AUTHOR, RuleKind.CSS, selector),
            number=number,
            valid_from=NOW,
            published_at=NOW + timedelta(minutes=number),
        )

    (rule,) = rules_at(paper.pk, NOW).rules.rules
    assert rule.selector == "h1"
    assert rules_at(paper.pk, NOW - timedelta(seconds=1)).rules.rules == ()


def test_a_version_for_a_coming_day_reads_no_page_until_then(editor, paper, stored):
    tomorrow = NOW + timedelta(days=1)
    make_rules(paper, TITLE, valid_from=tomorrow)

    assert rules_at(paper.pk, NOW).rules.rules == ()
    assert rules_at(paper.pk, tomorrow).rules.rules == (TITLE,)


def test_dates_in_trials_are_written_as_on_every_page(editor, stored):
    Article.objects.filter(pk=stored[0].pk).update(published_at=NOW - timedelta(days=400))
    make_rules(stored[0].publication, BYLINE, published_at=None)

    trial = editor.get(STUDIO).context["trials"][0].trial
    page = markup(editor.get(STUDIO))

    day = date_words.day(known_page(0).day)
    before = date_words.day((NOW - timedelta(days=400)).date())
    assert trial.article == stored[0]
    assert f'data-k="Date">{day}<' in re.sub(r">\s+|\s+<", lambda m: m[0].strip(), page)
    assert f"date: {before} → {day}" in trial.verdict.reasons
    assert known_page(0).day.isoformat() not in re.sub(r"<iframe.*?>", "", page)
