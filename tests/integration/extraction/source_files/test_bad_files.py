"""Files that are broken: each fault with its place, and nothing written."""

import io
import json

import pytest
from django.core.management import CommandError, call_command
from factories import make_feed, make_publication, make_rules

from extraction.html.site_rules.rules import Rule, RuleField, RuleKind
from extraction.models import RuleVersion
from extraction.source_files.reading_files import read_source_file
from feeds.models import Feed, Publication

pytestmark = [pytest.mark.django_db, pytest.mark.sql]

PAPER = {"name": "Courier", "home_url": "https://a.example/"}


def bundle(*publications, **changes):
    document = {"format": "broadsheet-sources", "version": 1, "publications": list(publications)}
    return json.dumps(document | changes).encode()


def rules(*rules, **changes):
    version = {"number": 1, "published_at": "2026-11-01T00:00:00Z", "rules": list(rules)}
    return PAPER | {"rules": {"published": [version | changes]}}


CSS = {"field": "body", "kind": "css", "selector": "div.story"}


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        (b"", "The file is empty."),
        (b'{"format": "broadsheet-sources",\n "version" 1}',
         "line 2, column 12: This is no JSON: Expecting ':' delimiter."),
        (b"\xff\xfe{}", "line 1, byte 0: This is no text in UTF-8."),
        (b"[" * 200_000, "It is nested too deeply."),
        (b'{"a": 1, "a": 2}', "The field “a” stands twice in one object."),
        (b'{"a": NaN}', "NaN is no number of JSON."),
        (b"{}", "$.format: This is no bundle of sources: “broadsheet-sources” is missing."),
        (bundle(version=2), ("$.version: It was written by a newer Broadsheet: schema 2, and this "
         "one reads 1. Update this installation first.")),
        (bundle(version=0), "$.version: 1 was expected."),
        (bundle(PAPER | {"colour": "red"}), "$.publications[0]: Unknown field: “colour”."),
        (bundle({"name": "A"}), "$.publications[0]: A field is missing: 'home_url'."),
        (bundle(PAPER | {"home_url": "ftp://x/"}),
         ("$.publications[0].home_url: The address starts "
         "with “ftp:”; only http and https are read.")),
        (bundle(PAPER | {"name": "\0"}),
         "$.publications[0].name: It holds a character that is none."),
        (bundle(PAPER | {"name": "x\ud800"}),
         "$.publications[0].name: It holds a character that is none."),
        (bundle(PAPER | {"visit_share": 2}),
         ("$.publications[0].visit_share: 2 is greater than the "
         "maximum of 0.9.")),
        (bundle(PAPER | {"state": "on"}),
         "$.publications[0].state: “on” is none of draft, active, paused."),
        (bundle(PAPER | {"include_pattern": "("}), "$.publications[0].include_pattern: "),
        (bundle(PAPER | {"time_zone": "Mars"}),
         "$.publications[0].time_zone: “Mars” is no zone of the IANA database."),
        (bundle(PAPER, PAPER | {"home_url": "http://www.a.example"}),
         ("$.publications[1].home_url: "
         "The same address stands at $.publications[0].home_url already.")),
        (bundle(PAPER | {"feeds": [{"url": "https://a.example/f"}, {"url": "http://a.example/f"}]}),
         ("$.publications[0].feeds[1].url: The same address stands at "
         "$.publications[0].feeds[0].url already.")),
        (bundle(rules(CSS | {"selector": "div["})),
         "$.publications[0].rules.published[0].rules[0].selector: The CSS selector cannot be read"),
        (bundle(rules(CSS, CSS)), ("$.publications[0].rules.published[0].rules[1]: The same rule "
         "stands at $.publications[0].rules.published[0].rules[0].")),
        (bundle(rules(CSS, published_at="soon")), ("$.publications[0].rules.published[0].published_"
         "at: It is no moment such as 2026-11-20T10:30:00+02:00.")),
        (bundle(PAPER | {"extractor": {"name": "qread", "parameters": {"psi": 1}}}),
         "$.publications[0].extractor.parameters: "),
        (b"<rss/>", "This is a document of type “rss”, not OPML."),
        ((b"<opml xmlns:b='urn:broadsheet:sources:7'><body>\n"
         b"<outline b:source='{}' text='x'/></body></opml>"),
         ("line 2: It was written by a newer Broadsheet: schema 7, and this one reads 1. Update "
         "this installation first.")),
        ((b"<opml xmlns:b='urn:broadsheet:sources:1'><body>\n\n"
         b"<outline b:source='{' text='x'/></body></opml>"),
         "line 3: The attribute “source” is no JSON: "),
        ((b"<opml xmlns:b='urn:broadsheet:sources:1'><body>\n<outline text='x' b:source="
         b"'{&quot;name&quot;: &quot;A&quot;, &quot;home_url&quot;: &quot;https://a.example&quot;, "
         b"&quot;colour&quot;: 1}'/></body></opml>"),
         "line 2, $: Unknown field: “colour”."),
    ],
)  # fmt: skip
def test_fault_is_said_with_its_place(body, problem):
    found = read_source_file(body)

    assert found.sources == ()
    assert str(found.problems[0]).startswith(problem)


def test_command_says_each_fault_and_writes_nothing(tmp_path):
    file, err = tmp_path / "bad.json", io.StringIO()
    good = {"name": "Good", "home_url": "https://good.example/"}
    file.write_bytes(bundle(good, PAPER | {"a": 1}, PAPER | {"b": 2}))

    with pytest.raises(CommandError, match=r"Nothing was imported\."):
        call_command("import_sources", str(file), stdout=io.StringIO(), stderr=err)

    assert err.getvalue().splitlines() == [
        "$.publications[1]: Unknown field: “a”.",
        "$.publications[2]: Unknown field: “b”.",
    ]
    assert not Publication.objects.exists()


def test_dry_run_says_what_would_change_and_writes_nothing(tmp_path):
    paper = make_publication(
        "courier", name="Courier", home_url="https://a.example/", language="en"
    )
    feed = make_feed(paper)
    file, out = tmp_path / "b.json", io.StringIO()
    others = make_feed(make_publication("lantern", name="Lantern"))
    file.write_bytes(bundle(
        PAPER | {"language": "af", "tags": ["Cape"], "feeds": [
            {"url": feed.page.url, "is_active": False}, {"url": others.page.url},
            {"url": "https://a.example/new"}]},
        {"name": "lantern", "home_url": "https://b.example/", "feeds": [
            {"url": "https://b.example/f"}]},
    ))  # fmt: skip

    call_command("import_sources", str(file), "--dry-run", stdout=out)

    assert out.getvalue().splitlines() == [
        "~ Courier (https://a.example/): changed",
        "    ~ language: en → af",
        "    + feed: https://a.example/new",
        f"    ~ {feed.page.url}: on → off",
        "    + tag: Cape",
        f"    ! {others.page.url} stays where it is: it is a feed of “Lantern”.",
        "+ lantern (https://b.example/): new",
        "    + feed: https://b.example/f",
        "    ! “lantern” is the name of https://lantern.example/ already.",
        "Nothing was written.",
    ]
    assert (Publication.objects.count(), Feed.objects.count()) == (2, 2)


def test_rules_of_a_source_that_has_some_come_as_a_draft(tmp_path):
    paper = make_publication("courier", home_url="https://a.example/")
    make_rules(paper, Rule(RuleField.BODY, RuleKind.CSS, "main"))
    file = tmp_path / "b.json"
    file.write_bytes(bundle(rules(CSS)))

    call_command("import_sources", str(file), stdout=io.StringIO(), stderr=io.StringIO())

    draft = RuleVersion.objects.get(published_at=None)
    assert [rule.selector for rule in draft.rules.all()] == ["div.story"]
    assert RuleVersion.objects.exclude(published_at=None).count() == 1


def test_list_of_another_program_is_drafts_of_sites_with_groups_as_tags(tmp_path):
    file = tmp_path / "freshrss.opml"
    file.write_text(
        "<opml xmlns:frss='https://freshrss.org/opml'><body><outline text='Cape'>"
        "<outline text='News' xmlUrl='https://a.example/n' htmlUrl='https://www.a.example/' "
        "frss:cssFullContent='div.story'/>"
        "<outline text='Sport' xmlUrl='https://feeds.a.example/s' category='/Sport'/>"
        "</outline></body></opml>"
    )

    call_command("import_sources", str(file), stdout=io.StringIO(), stderr=io.StringIO())

    paper = Publication.objects.get()
    assert (paper.name, paper.state, paper.feeds.count()) == ("a.example", "draft", 2)
    assert [tag.name for tag in paper.tags.all()] == ["Cape", "Sport"]
    assert [rule.selector for rule in RuleVersion.objects.get(published_at=None).rules.all()] == [
        "div.story"
    ]


def test_ten_thousand_feeds_are_written_in_few_statements_with_progress(
    tmp_path, django_assert_max_num_queries
):
    file, err = tmp_path / "many.json", io.StringIO()
    file.write_bytes(bundle(*(
        {"name": f"Paper {n}", "home_url": f"https://p{n}.example/",
         "feeds": [{"url": f"https://p{n}.example/{place}"} for place in range(10)]}
        for n in range(1_000)
    )))  # fmt: skip

    with django_assert_max_num_queries(800):
        call_command("import_sources", str(file), stdout=io.StringIO(), stderr=err)

    assert Feed.objects.count() == 10_000
    assert err.getvalue().splitlines()[::9] == [
        "100 of 1000 publications", "1000 of 1000 publications",
    ]  # fmt: skip
