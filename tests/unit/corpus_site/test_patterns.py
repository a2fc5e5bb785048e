"""What patterns let in of the addresses that a look-up found, and which of them are slips."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus_site.adding.patterns import preview
from corpus_site.drafts import DraftFeed
from feeds.crawler.addressing.links import LinkFilter

NEWS, SPORT = "https://a.example/news/rain", "https://a.example/sport/cup"


def feed(*urls, kind="rss", links=()):
    return DraftFeed(
        "https://a.example/feed", "News", "link", kind, len(urls), None, "good",
        is_good=True, addresses=urls, links=links,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("include", "exclude", "remark"),
    [
        ("/nothing/", "", "None of the addresses found matches “/nothing/”"),
        ("a.example", "", "“a.example” lets in every address found"),
        ("", "/nothing/", "“/nothing/” leaves out none"),
        ("/news/", "rain", "“rain” leaves out all that would come in"),
        ("^/news/", "", "“^/news/” begins with ^, and addresses begin with https://"),
    ],
)
def test_a_pattern_that_does_nothing_or_everything_is_named(include, exclude, remark):
    found = preview([feed(NEWS, SPORT)], include, exclude)

    assert any(sentence.startswith(remark) for sentence in found.remarks)


@pytest.mark.parametrize(("include", "exclude"), [("/news/", ""), ("", "/sport/"), ("", "")])
def test_a_pattern_that_divides_the_addresses_is_no_slip(include, exclude):
    assert preview([feed(NEWS, SPORT)], include, exclude).remarks == ()


@pytest.mark.parametrize(
    ("pattern", "words"),
    [
        ("*/news/*", "A star is no wildcard here"),
        ("(", "is not a pattern"),
        ("x" * 501, "longer than 500 characters"),
        (r"(a)\1", "is not a pattern"),
    ],
)
def test_a_pattern_that_cannot_be_read_is_said_at_its_field_and_decides_nothing(pattern, words):
    found = preview([feed(NEWS)], "", pattern)

    ((field, sentence),) = found.problems
    assert (field, found.taken, found.left_out) == ("exclude", (), ())
    assert words in sentence


def test_an_address_that_two_feeds_list_counts_once():
    assert preview([feed(NEWS, SPORT), feed(NEWS)], "", "").n_found == 2


def test_links_of_an_index_page_count_with_an_including_pattern_alone():
    page = feed(NEWS, kind="index", links=(SPORT,))

    assert [preview([page], include, "").n_found for include in ("", "/sport/")] == [1, 2]


def test_folders_are_offered_as_patterns():
    urls = [f"https://a.example/{name}/story-{n}" for name in ("news", "sport") for n in (1, 2, 3)]

    found = preview([feed(*urls, "https://a.example/about")], "", "")

    assert [(one.pattern, one.n_addresses) for one in found.sections] == [
        ("/news/", 3),
        ("/sport/", 3),
    ]


@given(
    st.lists(st.sampled_from(["news", "sport", "rain", "7"]), max_size=8),
    st.sampled_from(["", "news", "r.in", "^https", "[0-9]"]),
    st.sampled_from(["", "sport", "7$", "x"]),
)
def test_the_preview_decides_as_the_crawler_does_and_loses_no_address(names, include, exclude):
    urls = [f"https://a.example/{name}/{n}" for n, name in enumerate(names)]
    links = LinkFilter.compile([include], [exclude])

    found = preview([feed(*urls)], include, exclude)

    assert [one.url for one in found.taken] == [url for url in urls if links.decide(url).accepted]
    assert sorted(one.url for one in (*found.taken, *found.left_out)) == sorted(urls)
