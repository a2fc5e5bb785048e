"""The papers' sites as values: what is asked for at a moment, and what is answered."""

import json
import re
from datetime import UTC, datetime, timedelta

import feedparser
import lxml.html
import pytest

from corpus_site.newsstand.edition import FIRST_WORDS, RESERVE_EVERY, Edition
from corpus_site.newsstand.exchange import PaperRequest, finish
from corpus_site.newsstand.pages import Roots
from corpus_site.newsstand.papers import PAPER_KEYS
from corpus_site.newsstand.site import Site
from extraction.html.extract_page import extract_page
from extraction.html.markup.blocks import BlockKind
from extraction.html.page import PageInput

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
ROOT, TALK = "http://paper.test", "http://talk.test"
SITES = {key: Site(Edition(key, NOW), Roots(ROOT, TALK)) for key in PAPER_KEYS}
BROWSER = {"user-agent": "Mozilla/5.0 (X11; Linux x86_64)"}


def get(key, target, now=NOW, **headers):
    return SITES[key].answer(PaperRequest(target, headers), now)


def article(key, slug, now=NOW):
    return next(item for item in SITES[key].edition.out(now) if item.piece.slug == slug)


def document(key, slug):
    answer = get(key, article(key, slug).path)
    return lxml.html.document_fromstring(answer.body)


@pytest.mark.parametrize("key", PAPER_KEYS)
def test_feed_lists_what_is_out_newest_first(key):
    paper = SITES[key].edition.paper
    body = get(key, paper.feed_path).body
    out = [(ROOT + item.path, item.piece.title) for item in SITES[key].edition.out(NOW)]

    if paper.feed == "json":
        listed = [(item["url"], item["title"]) for item in json.loads(body)["items"]]
    else:
        listed = [(entry.link, entry.title) for entry in feedparser.parse(body).entries]

    assert listed == out


def test_feeds_give_dates_and_authors():
    first = article("karoo-courier", "load-shedding-returns")
    entry = feedparser.parse(get("karoo-courier", "/rss.xml").body).entries[0]

    assert entry.author == "Thandi Mokoena"
    assert datetime(*entry.published_parsed[:6], tzinfo=UTC) == first.published_at
    assert entry.id == f"karoo-courier-{first.number}"
    assert not entry.guidislink


def test_home_page_of_the_courier_declares_its_feed():
    page = lxml.html.document_fromstring(get("karoo-courier", "/").body)

    assert page.xpath("//link[@rel='alternate']/@href") == ["/rss.xml"]


def test_home_page_of_vlaktenuus_has_only_an_anchor_to_its_feed():
    page = lxml.html.document_fromstring(get("die-vlaktenuus", "/").body)

    assert page.xpath("//link[@rel='alternate']") == []
    assert page.xpath("//a[contains(@href,'nuusvoer')]/@href") == ["/nuusvoer/atom"]


def test_home_page_of_isibani_says_nothing_of_its_feed():
    assert b"feed" not in get("isibani", "/").body


def test_courier_has_json_ld():
    [block] = document("karoo-courier", "snoek-braai-record").xpath(
        "//script[@type='application/ld+json']/text()"
    )

    values = json.loads(block)
    assert values["headline"].startswith("Four hundred snoek")
    assert values["author"] == [{"@type": "Person", "name": "Sannie Jacobs"}]
    assert values["datePublished"] == "2026-11-20T09:00:00+02:00"


def test_vlaktenuus_has_open_graph_and_no_white_space_between_paragraphs():
    page = document("die-vlaktenuus", "beurtkrag-bakkery")
    body = get("die-vlaktenuus", article("die-vlaktenuus", "beurtkrag-bakkery").path).body

    assert page.xpath("//meta[@property='article:published_time']/@content") == [
        "2026-11-20T12:00:00+02:00"
    ]
    assert b".</p><p>" in body
    assert not re.search(rb"</p>\s+<p>", body.split(b'id="kant"')[0])


def test_isibani_has_no_metadata_but_plain_words():
    page = document("isibani", "amanzi-ayanqamuka")

    assert page.xpath("//meta[@property or @name] | //script") == []
    assert page.xpath("string(//*[@class='who'])") == "NguMbhali: Thandeka Zulu"
    assert page.xpath("string(//*[@class='when'])") == "Kushicilelwe: 20 Novemba 2026 ngo-10:00"


def test_gallery_is_captions_under_a_telling_address():
    item = article("karoo-courier", "gallery-agricultural-show")

    assert item.path.startswith("/gallery/gallery-agricultural-show-")
    assert len(document("karoo-courier", item.piece.slug).xpath("//figure")) == 4


def test_hidden_text_stands_in_one_page():
    marked = document("karoo-courier", "clinic-night-nurse").xpath("//*[@style='display:none']")
    plain = document("karoo-courier", "snoek-braai-record").xpath("//*[@style]")

    assert (len(marked), len(plain)) == (1, 0)


def test_windows_bytes_are_declared_as_latin_1():
    answer = get("die-vlaktenuus", article("die-vlaktenuus", "robotte-kerkstraat").path)

    assert answer.content_type == "text/html"
    assert b'<meta charset="iso-8859-1">' in answer.body
    assert "Nuwe robotte in Kerkstraat “dink” self" in answer.body.decode("cp1252")


def test_premium_story_is_forbidden_to_unknown_agents():
    path = article("karoo-courier", "night-sky-hotel").path

    assert get("karoo-courier", path, **{"user-agent": "Broadsheet/0.1"}).status == 403
    assert get("karoo-courier", path, **BROWSER).status == 200


def test_moved_story_leads_to_its_section():
    answer = get("die-vlaktenuus", article("die-vlaktenuus", "atletiek-baan").path)

    assert (answer.status, answer.headers) == (302, {"Location": "/sport/"})


def test_robots_forbid_what_pages_link_to():
    assert get("karoo-courier", "/robots.txt").body == (
        b"User-agent: *\nDisallow: /print/\nDisallow: /search\n"
    )
    assert b"Crawl-delay: 1" in get("die-vlaktenuus", "/robots.txt").body
    item = article("karoo-courier", "snoek-braai-record")
    assert f"/print{item.path}".encode() in get("karoo-courier", item.path).body
    assert get("karoo-courier", f"/print{item.path}").status == 200


def test_reserve_appears_one_by_one():
    def n_out(seconds):
        moment = NOW + timedelta(seconds=seconds)
        return sum(len(site.edition.out(moment)) for site in SITES.values())

    every = RESERVE_EVERY.total_seconds()
    at_start = n_out(0)
    assert [n_out(every * k) - at_start for k in (0.9, 1, 5, 14, 99)] == [0, 1, 5, 14, 14]


def test_story_of_the_reserve_is_not_found_before_it_is_out():
    later = NOW + timedelta(minutes=1)
    path = article("karoo-courier", "train-returns", later).path

    assert get("karoo-courier", path).status == 404
    assert get("karoo-courier", path, later).status == 200


def test_page_stays_as_it_is_when_new_stories_appear():
    path = article("karoo-courier", "snoek-braai-record").path

    assert get("karoo-courier", path).body == (
        get("karoo-courier", path, NOW + timedelta(hours=1)).body
    )


def test_newsstand_opened_again_with_the_same_moment_shows_the_same_pages():
    again = Edition("karoo-courier", NOW)

    assert [item.path for item in again.out(NOW)] == [
        item.path for item in SITES["karoo-courier"].edition.out(NOW)
    ]


@pytest.mark.parametrize("key", PAPER_KEYS)
def test_every_address_is_there_once(key):
    out = SITES[key].edition.out(NOW + timedelta(days=1))

    assert len({item.path for item in out}) == len(out)
    assert len({item.number for item in out}) == len(out)


@pytest.mark.parametrize("target", ["/nothing", "/news", "/sport/x-1", "/print/", "/%00"])
def test_unknown_address_is_404(target):
    assert get("karoo-courier", target).status == 404


def test_answer_is_304_for_its_own_etag_or_date():
    request = PaperRequest(article("karoo-courier", "snoek-braai-record").path)
    first = finish(SITES["karoo-courier"].answer(request, NOW), request)

    for name, value in (
        ("if-none-match", f'W/{first.headers["ETag"]}, "x"'),
        ("if-modified-since", first.headers["Last-Modified"]),
    ):
        again = PaperRequest(request.target, {name: value})
        answer = finish(SITES["karoo-courier"].answer(again, NOW), again)
        assert (answer.status, answer.body) == (304, b"")


def test_one_story_has_caption_quotation_and_comments_in_its_page():
    path = article("karoo-courier", "windmill-museum").path
    page = extract_page(PageInput(get("karoo-courier", path).body, ROOT + path, "text/html"))

    kinds = [block.kind for block in page.blocks]
    assert kinds.count(BlockKind.CAPTION) == 1
    assert kinds.count(BlockKind.QUOTE) == 1
    by_id = {comment.id: comment for comment in page.comments}
    answers = [(c.author, by_id[c.parent].author) for c in page.comments if c.parent]
    assert [comment.author for comment in page.comments] == [
        *("Oom Hennie", "NomsaM", "Trudie B", "Visser from Calvinia", "Sannie J"),
    ]
    assert answers == [("NomsaM", "Oom Hennie"), ("Sannie J", "Visser from Calvinia")]
    assert page.comment_thread is None
    assert "the tennis court was mine" not in page.text


@pytest.mark.parametrize(
    ("key", "slug", "hours", "status", "words"),
    [
        ("karoo-courier", "council-water-tariff", 0, 200, "would pay R38"),
        ("karoo-courier", "council-water-tariff", 1, 200, "would pay R36"),
        ("karoo-courier", "taxi-rank-market", 1, 200, "Ma Zodwa Ntuli"),
        ("karoo-courier", "taxi-rank-market", 3, 410, "has been removed by the editor"),
        ("karoo-courier", "school-choir-invited", 11, 200, "something by Schubert"),
        ("karoo-courier", "school-choir-invited", 13, 200, "Subscribe to read on"),
        ("die-vlaktenuus", "bakkie-in-rivier", 4, 200, "deur die redaksie verwyder"),
    ],
)
def test_pages_change_in_the_course_of_time(key, slug, hours, status, words):
    answer = get(key, article(key, slug).path, NOW + timedelta(hours=hours))

    assert (answer.status, words in answer.body.decode()) == (status, True)


def test_walled_page_shows_the_first_paragraph_only():
    path = article("karoo-courier", "school-choir-invited").path

    walled = get("karoo-courier", path, NOW + timedelta(hours=13)).body.decode()

    assert "practises there, forty voices" in walled
    assert "thought that it was a swindle" not in walled


def test_headline_changes_at_the_same_address_in_page_and_feed():
    item = article("karoo-courier", "council-water-tariff")
    later = NOW + timedelta(hours=1)

    page = lxml.html.document_fromstring(get("karoo-courier", item.path, later).body)
    listed = {
        entry.link: entry.title
        for entry in feedparser.parse(get("karoo-courier", "/rss.xml", later).body).entries
    }

    assert page.xpath("string(//h1)").startswith("Council delays vote")
    assert listed[ROOT + item.path] == page.xpath("string(//h1)")


def test_what_was_removed_is_listed_no_more():
    path = article("karoo-courier", "taxi-rank-market").path
    later = NOW + timedelta(hours=3)

    assert path.encode() in get("karoo-courier", "/business/").body
    assert path.encode() not in get("karoo-courier", "/business/", later).body


def test_changed_page_answers_an_old_validator_with_the_new_text():
    item = article("karoo-courier", "council-water-tariff")
    ask = PaperRequest(item.path)
    first = finish(SITES["karoo-courier"].answer(ask, NOW), ask)
    again = PaperRequest(item.path, {"if-none-match": first.headers["ETag"]})

    statuses = [
        finish(SITES["karoo-courier"].answer(again, NOW + timedelta(minutes=minutes)), again).status
        for minutes in (0, 1, 4)
    ]

    assert statuses == [304, 304, 200]


def test_clock_page_is_another_at_every_visit_with_the_same_text():
    path = article("karoo-courier", "robots-solar-panels").path
    bodies = [get("karoo-courier", path, NOW + timedelta(seconds=n)).body for n in range(3)]

    texts = {extract_page(PageInput(body, ROOT + path), now=NOW).title for body in bodies}

    assert (len(set(bodies)), len(texts)) == (3, 1)


def test_comments_that_stand_in_the_page_grow():
    path = article("karoo-courier", "kareedorp-beat-brandvlei").path

    counts = [
        get("karoo-courier", path, NOW + timedelta(hours=hours)).body.count(b'id="comment-')
        for hours in (0, 2, 5, 40)
    ]

    assert counts == [4, 5, 6, 8]


def revised(key, hurry):
    """Moments of revisions that are still to come at the opening, in seconds after it."""
    edition = Edition(key, NOW, hurry)
    return {
        (item.piece.slug, revision.delay): (item.revised_at(revision) - NOW).total_seconds()
        for item in edition.by_number.values()
        for revision in item.piece.revisions
        if item.piece.reserve is None and item.published_at + revision.delay > NOW
    }


@pytest.mark.parametrize("key", PAPER_KEYS)
def test_hurried_revisions_come_in_minutes_and_not_before_the_first_words_were_read(key):
    plain, hurried = revised(key, 1), revised(key, 3600)

    assert plain.keys() == hurried.keys() != set()
    for piece, seconds in plain.items():
        first = FIRST_WORDS.total_seconds()
        assert hurried[piece] == pytest.approx(min(seconds, first + seconds / 3600), abs=0.001)
        assert min(seconds, first) <= hurried[piece] < 90


def test_page_of_a_hurried_paper_says_when_it_was_revised():
    edition = Edition("karoo-courier", NOW, 3600)
    [taxis] = [item for item in edition.out(NOW) if item.piece.slug == "taxi-rank-market"]

    at = taxis.revised_at(taxis.piece.revisions[0])

    assert taxis.at(at - timedelta(seconds=1)).fate.value == "shown"
    assert (taxis.at(at).fate.value, taxis.at(at).modified_at) == ("gone", at)
