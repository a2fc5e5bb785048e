"""All tables: which fields are open, each with what makes it safe, and what may be taken out."""

import pytest
from django.contrib import admin
from django.db.models import JSONField
from django.test import RequestFactory
from django.utils import timezone
from factories import (
    make_article,
    make_comment,
    make_feed,
    make_fetch,
    make_listing,
    make_page,
    make_publication,
    make_rules,
    make_user,
)

import corpus_site.urls  # noqa: F401 (finds the admin of every app)
from dedup.models import SentenceHash
from extraction.html.site_rules.rules import Rule, RuleField, RuleKind
from extraction.models import Extraction, RuleVersion, SiteRule, StructureAlarm
from feeds.models import Lock, Page
from search.models import IndexedArticle, Subcorpus, WordList

pytestmark = [pytest.mark.django_db, pytest.mark.sql]

RESCHEDULED = {"due_at": "goes through `reschedule`, which reaches a held row"}
BY_FORM = "checked by the form of its own page"
BY_HAND = "becomes a correction by hand, as on the article's page"
CHOICE = "one of its choices; no other table holds it"
# What may be written where, and why nothing can break by it. A new field is thought about first.
OPEN = {
    "accounts.User": {
        "username": "Django's own form: unique, of allowed letters",
        "password": "shown as a digest; changed on a page of its own",
        "usable_password": "Django's own form",
        "password1": "Django's own form: validated, stored as a digest",
        "password2": "as password1",
        "first_name": "free words",
        "last_name": "free words",
        "email": "an address; nothing is sent to it",
        "role": "`roles.set_role` gives its rights; the last admin stays",
        "is_active": "the last admin stays active",
        "theme": CHOICE,
        "single_keys": "yes or no, of the user alone",
    },
    "accounts.ApiToken": {"expires_at": "ends or prolongs it; the token itself is kept nowhere"},
    "feeds.Publication": dict.fromkeys(
        [
            "name",
            "home_url",
            "language",
            "expected_languages",
            "time_zone",
            "min_delay_seconds",
            "allow_browser_agent",
            "allow_proxy",
            "render_pages",
            "include_pattern",
            "exclude_pattern",
            "note",
        ],
        BY_FORM,
    )
    | {
        "comments_keep_days": "a number of days; read at each look at a thread",
        "min_characters": "the placing stage takes its texts in or out",
        "quiet_after_days": "a number of days; read at each look for alarms",
        "taken_kinds": "of a fixed list; the placing stage follows",
        "visit_share": "a number from 0 to 0.9, checked by model and database",
        "rights_policy": CHOICE,
        "slug": "unique, not reserved; the placing stage labels its texts anew",
    },
    "feeds.Feed": {
        "publication": "only with a new feed, by `publications.add_feeds`",
        "address": "only with a new feed, by `publications.add_feeds`",
        "title": "free words, shown only",
        "is_active": "by `publications.set_feed_active`",
    },
    "feeds.Page": RESCHEDULED,
    "feeds.Proxy": {"name": "free words", "url": "canonical, or refused", "is_active": "a switch"},
    "feeds.Account": {
        "publication": CHOICE,
        "host": "a host's name, or refused",
        "kind": CHOICE,
        "user_name": "free words, sent as a header or a field of a form",
        "secret": "printable ASCII where it is a header; sealed, never shown",
        "log_in_address": "an address of the newspaper's own site, or refused",
        **dict.fromkeys(
            ["user_field", "password_field", "success_cookie", "absent_text"],
            "free words, compared with what the site shows",
        ),
        "is_active": "a switch",
    },
    "extraction.Article": dict.fromkeys(
        ["title", "authors", "agencies", "published_at", "section"], BY_HAND
    ),
    "extraction.Comment": {"text": "by `comment_texts.rewrite`: digest, words, language, index"},
    "extraction.SiteRule": dict.fromkeys(
        [
            "field",
            "kind",
            "selector",
            "tag_type",
            "attribute_name",
            "attribute_value",
            "value_is_regex",
            "split_string",
            "split_index",
            "note",
        ],
        "of drafts alone, checked as in the studio",
    ),
    "extraction.ExtractorSetting": {
        "publication": "only with a new setting",
        "extractor": "by `extractors.choose_extractor`",
        "parameters": "checked against the algorithm's own; by `extractors.choose_extractor`",
    },
    **dict.fromkeys(
        [
            "extraction.Capture",
            "extraction.Extraction",
            "extraction.DryRun",
            "extraction.EvaluationRun",
            "extraction.Placing",
            "dedup.Detection",
            "dedup.StoryPass",
            "dedup.ThresholdTrial",
            "search.IndexedArticle",
            "search.IndexedComment",
            "search.Retagging",
            "search.UseCount",
        ],
        RESCHEDULED,
    ),
    "search.LexiconEntry": dict.fromkeys(
        ["word", "tag", "lemma", "language_of_origin", "note", "source"],
        "by the lexicon's form and service",
    ),
    "search.Subcorpus": {"is_shared": "who sees it in lists; its filters stay"},
    "search.WordList": dict.fromkeys(["name", "words"], "only with a new list; its page's form"),
    "search.Macro": dict.fromkeys(["name", "text"], "only with a new macro; its page's form"),
}
REMOVED = {
    "extraction.Article": "it is withdrawn",
    "extraction.Comment": "it is withdrawn",
    "accounts.User": "but for the last admin",
    "accounts.ApiToken": "it ends",
    "feeds.Publication": "a draft goes; else it is paused and its texts are withdrawn",
    "feeds.Proxy": "nothing rests on it",
    "feeds.Account": "nothing rests on it",
    "extraction.ExtractorSetting": "pages are read with the default again",
    "search.LexiconEntry": "with history, and a job that tags again",
    "search.IgnoredWord": "it is among the new words again",
    "search.Subcorpus": "but where saved queries use it",
    "search.WordList": "but where saved queries use it",
    "search.Macro": "but where saved queries use it",
    "search.SavedQuery": "its short address ends",
    "search.Marking": "with its lines and all marks",
    "search.IndexFollower": "a machine that is no more; one that follows is there again",
}
# Tables of some thousand rows at most.
SMALL = [
    'FROM "feeds_publication"',
    'FROM "search_lexiconentry"',
    'FROM "feeds_worker"',
    'FROM "alarms_alarm"',
]
OURS = {"accounts", "alarms", "feeds", "extraction", "dedup", "search"}
ADMINS = {
    model._meta.label: model_admin
    for model, model_admin in admin.site._registry.items()
    if model._meta.app_label in OURS
}
EXAMPLES = {"extraction.SiteRule": lambda: SiteRule(version=RuleVersion())}


@pytest.fixture
def request_of_admin():
    request = RequestFactory().get("/admin/")
    request.user = make_user("admin")
    return request


@pytest.fixture
def rows():
    """One row at least of most tables."""
    publication = make_publication(state="active", started_at=timezone.now())
    article = make_article(publication=publication)
    make_comment(article)
    make_fetch(article.page)
    make_listing(make_feed(publication), article.page)
    make_rules(publication, Rule(RuleField.TITLE, RuleKind.CSS, "h1"))
    Extraction.objects.create(page=article.page)
    IndexedArticle.objects.create(article=article)
    SentenceHash.objects.create(hash=7, article=article, position=0)
    Lock.objects.create(name="sweep", lease_owner="w", lease_until=timezone.now())
    StructureAlarm.objects.create(
        publication=publication, since=timezone.now(), opened_at=timezone.now(), signals=[]
    )
    WordList.objects.create(name="fires", words="fire")
    Subcorpus.objects.create(
        owner=make_user(), name="Karoo", slug="karoo", filters="pub=karoo-courier"
    )
    make_page(publication)


def open_fields(model_admin, request):
    """Fields that a form of this table takes, with a new row and with one that is there."""
    label = model_admin.model._meta.label
    example = EXAMPLES.get(label, model_admin.model)()
    changed = model_admin.get_form(request, example, change=True).base_fields
    found = set(changed) if model_admin.has_change_permission(request, example) else set()
    if model_admin.has_add_permission(request):
        found |= set(model_admin.get_form(request, None).base_fields)
    return found


def test_every_open_field_was_thought_about(request_of_admin):
    found = {
        label: fields
        for label, model_admin in ADMINS.items()
        if (fields := open_fields(model_admin, request_of_admin))
    }

    assert found == {label: set(fields) for label, fields in OPEN.items()}


def test_what_may_be_taken_out_was_thought_about(request_of_admin):
    found = {
        label
        for label, model_admin in ADMINS.items()
        if model_admin.has_delete_permission(request_of_admin)
    }

    assert found == set(REMOVED)


def test_no_field_is_free_json():
    free = {
        (label, field.name)
        for label, model_admin in ADMINS.items()
        for field in model_admin.model._meta.fields
        if isinstance(field, JSONField) and field.name in OPEN.get(label, ())
    }

    assert free == {
        ("feeds.Publication", "taken_kinds"),  # a list of choices
        ("extraction.Article", "authors"),  # a name a line
        ("extraction.Article", "agencies"),  # the same
        ("extraction.ExtractorSetting", "parameters"),  # checked against the algorithm's own
    }


def test_rows_within_the_page_of_another_table_are_only_shown(request_of_admin):
    for model_admin in ADMINS.values():
        for inline in model_admin.get_inline_instances(request_of_admin):
            assert not inline.has_add_permission(request_of_admin, None)
            assert not inline.has_change_permission(request_of_admin, None)
            assert not inline.can_delete


@pytest.mark.parametrize("label", sorted(set(ADMINS) - set(OPEN)))
def test_a_table_without_open_fields_takes_nothing(label, admin_reader, rows):
    model = ADMINS[label].model
    row = model.objects.first()
    address = f"/admin/{model._meta.app_label}/{model._meta.model_name}/"
    before = list(model.objects.values())

    answers = [admin_reader.post(f"{address}add/", {})]
    if row is not None:
        answers.append(admin_reader.post(f"{address}{row.pk}/change/", {}))
    if row is not None and label not in REMOVED:
        answers.append(admin_reader.post(f"{address}{row.pk}/delete/", {"post": "yes"}))
        chosen = {"action": "delete_selected", "_selected_action": [row.pk], "post": "yes"}
        admin_reader.post(address, chosen)

    assert {answer.status_code for answer in answers} == {403}
    assert list(model.objects.values()) == before


@pytest.mark.parametrize("label", sorted(ADMINS))
def test_a_list_reads_no_whole_column_for_its_filters(
    label, admin_reader, rows, django_assert_max_num_queries
):
    model = ADMINS[label].model
    with django_assert_max_num_queries(40) as asked:
        admin_reader.get(f"/admin/{model._meta.app_label}/{model._meta.model_name}/")

    distinct = [
        query["sql"]
        for query in asked.captured_queries
        if "DISTINCT" in query["sql"] and not any(name in query["sql"] for name in SMALL)
    ]
    assert distinct == []


def test_lists_count_no_more_rows_than_they_show(admin_reader, rows, monkeypatch):
    monkeypatch.setattr("feeds.table_admin.MOST_LISTED", 3)
    publication = make_publication()
    for _ in range(5):
        make_page(publication)

    page = admin_reader.get("/admin/feeds/page/")

    assert page.context["cl"].result_count == 3
    assert Page.objects.count() > 5
