"""`manage.py add_source`: lists and OPML without a request, a line each, exit code 1 for none."""

import io

import pytest
from django.core.management import CommandError, call_command
from integration.feeds.origin import Origin, page

from feeds.models import Feed, Publication, PublicationState

pytestmark = pytest.mark.django_db


def add(*arguments) -> list[str]:
    out = io.StringIO()
    call_command("add_source", *arguments, stdout=out)
    return out.getvalue().splitlines()


def test_list_of_feeds_is_added_unverified(tmp_path):
    listing = tmp_path / "feeds.txt"
    listing.write_text("# papers\nhttps://a.example/feed.rss\n\nhttps://b.example/atom.xml\n")

    lines = add(str(listing), "--activate")

    assert lines == [
        "https://a.example/feed.rss: added. Feed of “a.example”, its first visit is due.",
        "https://b.example/atom.xml: added. Feed of “b.example”, its first visit is due.",
    ]
    assert set(Publication.objects.values_list("state", flat=True)) == {PublicationState.ACTIVE}


def test_opml_is_added_as_drafts_without_activation(tmp_path):
    listing = tmp_path / "feeds.opml"
    listing.write_text(
        "<opml><body><outline text='A' xmlUrl='https://a.example/x'/>"
        "<outline text='B' xmlUrl='ftp://x.example/'/></body></opml>"
    )

    lines = add(str(listing))

    assert lines == [
        "ftp://x.example/: refused. The address starts with “ftp:”; only http and https are read.",
        "https://a.example/x: added. Feed of “a.example”, which is draft.",
    ]


def test_same_list_again_adds_nothing_and_fails(tmp_path):
    add("https://a.example/feed.rss", "--activate")
    out = io.StringIO()

    with pytest.raises(CommandError) as failed:
        call_command("add_source", "https://a.example/feed.rss", "--activate", stdout=out)

    assert failed.value.returncode == 1
    assert out.getvalue() == ("https://a.example/feed.rss: known. Already a feed of “a.example”.\n")
    assert Feed.objects.count() == 1


def test_address_that_is_none_is_refused_with_its_sentence():
    out = io.StringIO()

    with pytest.raises(CommandError, match=r"No source was added\."):
        call_command("add_source", "not a url", stdout=out)

    assert out.getvalue().startswith("not a url: refused. “not a url” is a name, not a web addr")


def test_front_page_of_a_paper_without_a_feed_is_added_as_one(settings):
    stories = "".join(f"<a href='/story-{letter}-of-the-karoo'>x</a>" for letter in "abc")
    with Origin({"/": page(stories)}) as web:
        settings.CRAWL_PROXY_URL = web.url
        lines = add("http://karoo.example/")

    assert lines == [
        "http://karoo.example/: added. “karoo.example”, draft; feeds: http://karoo.example/"
    ]
    assert Feed.objects.get().kind == "index"


def test_broken_opml_says_so(tmp_path):
    listing = tmp_path / "feeds.opml"
    listing.write_text("<rss/>")
    out = io.StringIO()

    with pytest.raises(CommandError):
        call_command("add_source", str(listing), stdout=out)

    assert out.getvalue() == f"{listing}: This is a document of type “rss”, not OPML.\n"


@pytest.mark.parametrize("name", ["./papers.txt", "/no/such/feeds.opml"])
def test_file_that_is_not_there_says_so(name):
    out = io.StringIO()

    with pytest.raises(CommandError, match="No source was added"):
        call_command("add_source", name, stdout=out)

    assert out.getvalue() == f"{name}: there is no such file.\n"
