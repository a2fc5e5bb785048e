"""Sources → file → an empty instance: equal sources, and pages that are read as before."""

import io
import json
from datetime import timedelta

import pytest
from django.core.management import call_command
from factories import NOW, make_feed, make_publication, make_rules
from hypothesis import given
from hypothesis import strategies as st
from studio_articles import store_known_article

from extraction.html.extract_page import extract_page
from extraction.html.site_rules.rules import Rule, RuleField, RuleKind
from extraction.models import Article, ExtractorSetting, RuleVersion
from extraction.page_inputs import page_input
from extraction.rules.published import rules_at
from extraction.source_files.bundle_json import read_bundle, write_bundle
from extraction.source_files.bundle_opml import read_source_list, write_source_list
from extraction.source_files.definitions import FeedDefinition, SourceDefinition
from extraction.source_files.stored_sources import stored_sources
from feeds.archive.fetches import read_exchange
from feeds.models import Account, Feed, Page, Publication
from feeds.sources.tags import add_tags

EVENING = {"every_minutes": None, "times": ["18:30"], "days": [0, 4]}
pytestmark = [pytest.mark.django_db, pytest.mark.sql]

BODY = Rule(RuleField.BODY, RuleKind.CSS, "div.story")
AD = Rule(
    RuleField.REMOVE, RuleKind.TAG, tag_type="div", attribute_name="class", attribute_value="ad"
)
AUTHOR = Rule(
    RuleField.AUTHOR, RuleKind.XPATH, "//*[@class='by']", split_string="|", split_index=-1
)


def make_sources():
    courier = make_publication(
        language="af",
        expected_languages="af, en",
        time_zone="Africa/Windhoek",
        state="active",
        min_delay_seconds=2.5,
        include_pattern="/news/",
        exclude_pattern="/sponsored/",
        visit_share=0.25,
        min_characters=300,
        taken_kinds=["gallery"],
        rights_policy="no_export",
        comments_keep_days=9,
        note="By agreement of 3 May.\nAsk for Anna.",
    )
    make_feed(courier, title="News", kind="rss", schedule=EVENING)
    make_feed(courier, title="", kind="index", is_active=False, found_by="anchor")
    make_rules(courier, BODY, valid_from=None, note="The old layout")
    make_rules(courier, BODY, AD, number=2, valid_from=NOW - timedelta(days=3))
    make_rules(courier, BODY, AUTHOR, number=3, published_at=None)
    ExtractorSetting.objects.create(
        publication=courier, extractor="tag_ratio", parameters={}, changed_at=NOW
    )
    Account.objects.create(publication=courier, kind="basic", user_name="us", secret="s3cr3t-word")
    lantern = make_publication("lantern", name="Lantern & Sons, <b>Ltd</b>", state="paused")
    make_feed(lantern, title="All, “really”")
    make_publication("without-feeds")
    add_tags({courier.pk: ["Daily", "Cape"], lantern.pk: ["Cape"]})


def sources():
    return list(stored_sources(Publication.objects.order_by("slug")))


def empty():
    Article.objects.all().delete()
    Page.objects.all().delete()
    Publication.objects.all().delete()


@pytest.mark.parametrize("name", ["sources.json", "sources.opml"])
def test_sources_come_back_equal(tmp_path, name):
    make_sources()
    before, file = sources(), tmp_path / name
    call_command("export_sources", str(file), stdout=io.StringIO())
    empty()

    call_command("import_sources", str(file), stdout=io.StringIO(), stderr=io.StringIO())

    assert sources() == before
    assert Publication.objects.get(slug="karoo-courier").feeds.count() == 2


@pytest.mark.parametrize("name", ["sources.json", "sources.opml"])
def test_accounts_are_in_no_file(tmp_path, name):
    make_sources()

    call_command("export_sources", str(tmp_path / name), stdout=io.StringIO())

    assert "s3cr3t-word" not in (tmp_path / name).read_text()


def test_second_import_changes_nothing(tmp_path):
    make_sources()
    file = tmp_path / "sources.json"
    call_command("export_sources", str(file), stdout=io.StringIO())
    before, out = sources(), io.StringIO()

    call_command("import_sources", str(file), stdout=out, stderr=io.StringIO())

    assert out.getvalue() == "0 new, 0 changed, 3 the same; 0 new feeds.\n"
    assert sources() == before


def test_only_feeds_of_running_publications_that_are_on_become_due(tmp_path):
    make_sources()
    file = tmp_path / "sources.json"
    call_command("export_sources", str(file), stdout=io.StringIO())
    empty()

    call_command("import_sources", str(file), stdout=io.StringIO(), stderr=io.StringIO())

    due = Feed.objects.exclude(page__due_at=None)
    assert list(due.values_list("title", flat=True)) == ["News"]


def test_stored_pages_are_read_as_where_the_rules_were_made(tmp_path):
    paper = make_publication()
    store_known_article(paper, 1, NOW - timedelta(days=9))
    store_known_article(paper, 2, NOW)
    make_rules(paper, BODY)
    make_rules(
        paper,
        Rule(RuleField.AUTHOR, RuleKind.CSS, "p"),
        Rule(RuleField.REMOVE, RuleKind.CSS, "h2"),
        number=2,
        valid_from=NOW - timedelta(days=2),
    )
    before = [read(page) for page in articles()]
    text = write_bundle(sources(), NOW)
    RuleVersion.objects.all().delete()
    without = [read(page) for page in articles()]

    (tmp_path / "b.json").write_text(text)
    call_command(
        "import_sources", str(tmp_path / "b.json"), stdout=io.StringIO(), stderr=io.StringIO()
    )

    assert [read(page) for page in articles()] == before
    assert before != without
    assert all(page.extraction.due_at for page in articles())


def articles():
    return list(Page.objects.filter(kind="article").select_related("content_fetch").order_by("pk"))


def read(page):
    rules = rules_at(page.publication_id, page.content_fetch.started_at).rules
    found = extract_page(page_input(page, read_exchange(page.content_fetch), rules))
    return found.title, found.authors, found.text


def test_opml_says_the_newest_selectors_as_freshrss_reads_them():
    make_sources()

    text = write_source_list("Papers", sources()).decode()

    assert 'frss:cssFullContent="div.story"' in text
    assert 'category="Cape,Daily"' in text
    assert '<outline text="Cape">' in text


names = st.text(
    st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=40
).filter(lambda text: text.strip() and text == " ".join(text.split()))


@given(
    st.lists(
        st.tuples(
            names,
            st.lists(names, max_size=2),
            st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=30),
        ),
        max_size=3,
    )
)
def test_any_source_comes_back_from_both_formats(items):
    written = tuple(
        SourceDefinition(
            name=name,
            home_url=f"https://p{number}.example/",
            slug=f"p{number}",
            settings={"note": note},
            feeds=tuple(
                FeedDefinition(f"https://p{number}.example/{place}", title, {"is_active": False})
                for place, title in enumerate(titles)
            ),
        )
        for number, (name, titles, note) in enumerate(items)
    )

    assert read_bundle(write_bundle(written, NOW)).sources == written
    assert not written or sorted_sources(read_source_list(write_source_list("x", written))) == list(
        written
    )


def sorted_sources(file):
    assert file.problems == ()
    return sorted(file.sources, key=lambda source: source.slug)


def test_bundle_is_of_the_version_that_it_says():
    document = json.loads(write_bundle([], NOW))

    assert (document["format"], document["version"]) == ("broadsheet-sources", 1)
