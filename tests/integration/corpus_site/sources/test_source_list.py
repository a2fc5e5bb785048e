"""The list of sources: sought, filtered, sorted, and changed many at a time."""

from datetime import timedelta

import pytest
from django.utils import timezone
from factories import make_article, make_feed, make_fetch, make_page, make_publication
from pages import markup

from corpus_site.source_list import SourceFilter, source_list
from extraction.models import Article, Withdrawal
from feeds.models import Feed, Page, Publication
from feeds.sources.tags import add_tags
from feeds.watching.states import feed_finding

pytestmark = [pytest.mark.django_db, pytest.mark.sql]

SELECTED = "/sources-selected/"


@pytest.fixture
def papers():
    now = timezone.now()
    herald = make_publication("herald", state="active", language="en-ZA")
    zulu = make_publication(
        "zulu-times", state="paused", language="zu", expected_languages="zu, en"
    )
    draft = make_publication("bote", language="de", home_url="https://www.bote.example/")
    add_tags({herald.pk: ["Cape", "Daily"], zulu.pk: ["Daily"]})
    make_feed(herald)
    blocked = make_feed(zulu).page
    Page.objects.filter(pk=blocked.pk).update(outcome="forbidden", visited_at=now)
    for days in (1, 2, 30):
        make_article(publication=herald, dated_at=now - timedelta(days=days))
    make_article(publication=zulu, dated_at=now - timedelta(hours=3))
    return herald, zulu, draft


def shown(**wanted):
    return [row.slug for row in source_list(SourceFilter(**wanted), timezone.now()).shown]


@pytest.mark.parametrize(
    ("wanted", "slugs"),
    [
        ({}, ["bote", "herald", "zulu-times"]),
        ({"words": "TIME zulu"}, ["zulu-times"]),
        ({"words": "bote.example"}, ["bote"]),
        ({"words": "cape"}, ["herald"]),
        ({"state": "draft"}, ["bote"]),
        ({"language": "en"}, ["herald"]),
        ({"tag": "Daily"}, ["herald", "zulu-times"]),
        ({"tag": "-"}, ["bote"]),
        ({"outcome": "none"}, ["bote"]),
        ({"outcome": "new"}, ["herald"]),
        ({"sort": "-name"}, ["zulu-times", "herald", "bote"]),
        ({"sort": "day"}, ["herald", "zulu-times", "bote"]),
        ({"sort": "-day"}, ["bote", "zulu-times", "herald"]),
        ({"sort": "article"}, ["zulu-times", "herald", "bote"]),
        ({"state": "no such"}, []),
    ],
)
def test_list_is_narrowed_and_sorted(papers, wanted, slugs):
    assert shown(**wanted) == slugs


def test_articles_a_day_are_those_of_the_last_week(papers):
    rows = {row.slug: row for row in source_list(SourceFilter(), timezone.now()).rows}

    assert [rows[slug].per_day for slug in ("herald", "zulu-times", "bote")] == [2 / 7, 1 / 7, 0]
    assert rows["bote"].language_name == "German"


def test_page_names_what_can_be_chosen(linguist, papers):
    page = markup(linguist.get("/sources/?tag=Daily&sort=-day"))

    assert "German (1)" in page
    assert "Daily (2)" in page
    assert 'aria-sort="descending"' in page
    assert "2 of 3" in page
    assert SELECTED not in page


def test_ticked_publications_are_paused_and_resumed(editor, papers):
    herald, zulu, draft = papers

    editor.post(SELECTED, {"act": "pause", "pub": [herald.pk, draft.pk]})
    paused = dict(Publication.objects.values_list("slug", "state"))
    editor.post(SELECTED, {"act": "resume", "pub": [herald.pk, zulu.pk, draft.pk]})

    assert paused == {"herald": "paused", "zulu-times": "paused", "bote": "draft"}
    assert set(Publication.objects.values_list("state", flat=True)) == {"active"}


def test_all_of_a_filter_are_tagged_and_the_filter_stays(editor, papers):
    answer = editor.post(
        SELECTED, {"act": "tag", "all": "1", "given": "tag=Daily", "tag": " Twice  told "}
    )

    assert answer["Location"] == "/sources/?tag=Daily"
    assert shown(tag="Twice told") == ["herald", "zulu-times"]
    editor.post(SELECTED, {"act": "untag", "all": "1", "tag": "Twice told"})
    assert shown(tag="Twice told") == []


@pytest.mark.parametrize("tag", ["", " ", "a,b", "x" * 61, "\0"])
def test_what_is_no_tag_is_refused(editor, papers, tag):
    answer = editor.post(SELECTED, {"act": "tag", "all": "1", "tag": tag}, follow=True)

    assert answer.status_code == 200
    assert shown(words="herald", tag=tag.strip() or "?") == []


def test_visit_makes_feeds_of_running_publications_due(editor, papers):
    Page.objects.update(due_at=None)

    editor.post(SELECTED, {"act": "visit", "all": "1"})

    assert list(Page.objects.exclude(due_at=None).values_list("publication__slug", flat=True)) == [
        "herald"
    ]


def test_deleting_asks_once_more_with_the_number_of_texts(editor, papers):
    herald, zulu, _ = papers

    page = markup(editor.post(SELECTED, {"act": "delete", "pub": [herald.pk, zulu.pk]}))

    assert "Delete with 4 articles" in page
    assert Publication.kept.count() == 3
    assert not Withdrawal.objects.exists()


def test_deleted_publication_is_withdrawn_and_in_no_list(editor, linguist, papers):
    herald, _, draft = papers
    make_fetch(make_page(herald))
    given = {"act": "delete-now", "pub": [herald.pk, draft.pk], "reason": "Added by mistake."}

    editor.post(SELECTED, given)

    assert not Publication.objects.filter(pk=draft.pk).exists()
    assert not Article.shown.filter(publication=herald).exists()
    assert shown() == ["zulu-times"]
    assert Withdrawal.objects.get().reason == "Added by mistake."
    assert "Deleted on" in markup(linguist.get("/sources/herald/"))


def test_deleted_publication_is_restored_with_its_texts(editor, papers):
    herald = papers[0]
    make_fetch(make_page(herald))
    editor.post(SELECTED, {"act": "delete-now", "pub": [herald.pk], "reason": "A mistake."})

    refused = editor.post("/sources/herald/do/resume/", follow=True)
    editor.post("/sources/herald/restore/")

    assert "restore it first" in markup(refused)
    assert Article.shown.filter(publication=herald).count() == 3
    assert Publication.kept.get(pk=herald.pk).state == "paused"


def test_deleting_needs_a_reason(editor, papers):
    answer = editor.post(SELECTED, {"act": "delete-now", "pub": [papers[0].pk], "reason": ""})

    assert answer.status_code == 400
    assert Publication.kept.count() == 3


def test_readers_change_nothing(linguist, papers):
    assert linguist.post(SELECTED, {"act": "pause", "all": "1"}).status_code == 403
    assert Feed.objects.count() == 2


def test_nothing_ticked_changes_nothing(editor, papers):
    answer = editor.post(SELECTED, {"act": "pause"}, follow=True)

    assert "No publication was ticked." in markup(answer)


def test_list_asks_the_same_number_of_queries_for_any_number(papers, django_assert_num_queries):
    with django_assert_num_queries(4):
        source_list(SourceFilter(), timezone.now())


def set_columns(model, changes, now):
    """Write columns of all rows; spans are so long ago."""
    for name, value in changes.items():
        moment = now - value if isinstance(value, timedelta) else value
        model.objects.update(**{name: moment})


@pytest.mark.parametrize(
    ("of_feed", "of_page", "quiet_after_days"),
    [
        ({}, {}, None),
        ({"is_active": False}, {}, None),
        ({}, {"outcome": "ok"}, None),
        ({"overlap_share": 0.0, "n_items": 9}, {"outcome": "ok"}, None),
        ({"newest_item_at": timedelta(days=40)}, {"outcome": "ok"}, None),
        ({"newest_item_at": timedelta(days=3)}, {"outcome": "ok"}, 2),
        ({"newest_item_at": timedelta(days=40)}, {"outcome": "ok"}, 60),
        ({}, {"outcome": "forbidden", "last_error": "403"}, None),
        ({}, {"outcome": "not_found"}, None),
        ({}, {"quarantined_at": timedelta(hours=1)}, None),
    ],
)
def test_feeds_are_judged_as_on_their_own_page(of_feed, of_page, quiet_after_days):
    now = timezone.now()
    feed = make_feed(make_publication(state="active", quiet_after_days=quiet_after_days))
    set_columns(Feed, of_feed, now)
    set_columns(Page, of_page, now)
    [row] = source_list(SourceFilter(), now).rows

    own = Feed.objects.select_related("page__host", "publication").get(pk=feed.pk)
    assert row.finding == feed_finding(own, now)
