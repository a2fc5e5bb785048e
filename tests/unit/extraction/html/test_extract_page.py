"""What one page gives: the COR rows about text, each by the sentence of its row."""

import gc
import json
from datetime import UTC, datetime

import pytest
from newspaper_pages import PARAGRAPHS, TITLE, article_page, paragraphs_html

from extraction.html.extract_page import (
    MAX_TEXT_CHARACTERS,
    collector_paused,
    extract_page,
    page_kind,
)
from extraction.html.markup.blocks import BlockKind
from extraction.html.page import ExtractedKind, Extractor, FeedHints, PageInput
from extraction.html.site_rules.rules import Rule, RuleField, RuleKind, SiteRules

URL = "https://www.saldanhaherald.example/news/dredging-of-the-inner-basin-nears-its-end"
COPYRIGHT = (
    "This story may not be reproduced without the written consent of the Saldanha "
    "Herald and its owners."
)


def extract(body, url=URL, **known):
    return extract_page(PageInput(body=body, url=url, **known))


def test_text_is_the_articles_paragraphs_without_frame():
    page = extract(article_page())

    assert page.text == "\n".join(PARAGRAPHS)
    assert page.title == TITLE
    assert page.kind is ExtractedKind.TEXT
    assert page.extractor is Extractor.LINE_MODEL


def test_the_headline_of_the_feed_is_no_text_however_it_is_marked_up():
    body = f"<div class='ttl'>{TITLE}</div>{paragraphs_html()}"
    page = f"<html><body><table><tr><td>{body}</td></tr></table></body></html>".encode()

    assert extract(page, feed=FeedHints(title=TITLE)).text == "\n".join(PARAGRAPHS)


def test_paragraphs_without_space_between_never_join_words():
    page = extract(article_page("<p>They all came here.</p><p>Another</p>" + paragraphs_html()))

    assert "here.Another" not in page.text
    assert page.text.splitlines()[0] == "They all came here."


def test_line_breaks_part_lines():  # the general form
    page = extract(article_page("<br><br>".join(PARAGRAPHS)))

    assert page.text == "\n".join(PARAGRAPHS)


@pytest.mark.parametrize(
    "hiding",
    [
        "style='display:none'",
        "style='color: red; DISPLAY : none;'",
        "style='display:hidden'",
        "style='visibility: hidden'",
        "hidden",
        "hidden=''",
    ],
)
def test_hidden_text_is_left_out(hiding):
    secret = (
        "This sentence was written for search engines only, and no reader of the paper "
        "has ever seen it."
    )

    page = extract(article_page(f"{paragraphs_html()}<p {hiding}>{secret}</p>"))

    assert secret not in page.text
    assert page.text == "\n".join(PARAGRAPHS)


def test_text_after_a_hidden_element_stays():
    page = extract(
        article_page(
            f"<div>{PARAGRAPHS[0]} <span hidden>gone</span>{PARAGRAPHS[1]}</div>"
            + paragraphs_html(PARAGRAPHS[2:])
        )
    )

    assert f"{PARAGRAPHS[0]} {PARAGRAPHS[1]}" in page.text
    assert "gone" not in page.text


def test_style_sheet_in_the_body_is_never_text():
    style = (
        "<style>.article { font-family: Georgia, serif; color: #333; line-height: 1.6; "
        "margin: 0 auto }</style>"
    )

    page = extract(article_page(style * 20 + paragraphs_html(PARAGRAPHS[:1])))

    assert "font-family" not in page.text
    assert page.text == PARAGRAPHS[0]


def test_short_article_survives_longer_static_text():
    body = f"<p>{PARAGRAPHS[0]}</p><div class='copywrite'>{' '.join([COPYRIGHT] * 8)}</div>"
    rule = Rule(
        RuleField.REMOVE,
        RuleKind.TAG,
        tag_type="div",
        attribute_name="class",
        attribute_value="copywrite",
    )

    page = extract(article_page(body), rules=SiteRules((rule,)))

    assert page.text == PARAGRAPHS[0]
    assert [(report.part, report.matched) for report in page.rule_reports] == [("remove 1", True)]


def test_removal_that_matches_nothing_is_reported():
    rule = Rule(
        RuleField.REMOVE, RuleKind.TEXT, selector="Wording that was changed last week by somebody."
    )

    page = extract(article_page(), rules=SiteRules((rule,)))

    assert [(report.part, report.matched) for report in page.rule_reports] == [("remove 1", False)]


def test_related_links_are_left_out():
    links = "".join(
        f"<li><a href='/{n}'>Another story about the harbour, number {n}</a></li>" for n in range(6)
    )

    page = extract(
        article_page(after=f"<div class='related'><h3>Related links</h3><ul>{links}</ul></div>")
    )

    assert page.text == "\n".join(PARAGRAPHS)


def test_readers_comments_are_left_out():
    comments = "".join(
        (
            f"<li class='comment'><b>Piet {n}</b><p>I have fished here for thirty years and "
            "I say they will never finish this work, whatever they promise.</p></li>"
        )
        for n in range(10)
    )

    page = extract(
        article_page(
            after=(
                f"<div id='comments'><h3>Comments</h3><ol class='comment-list'>{comments}</ol>"
                "</div>"
            )
        )
    )

    assert page.text == "\n".join(PARAGRAPHS)


def test_editors_body_rule_wins():
    body = (
        f"<div class='aside-text'>{paragraphs_html(PARAGRAPHS[:2])}</div><div "
        f"class='real'>{paragraphs_html(PARAGRAPHS[2:])}</div>"
    )
    rule = Rule(RuleField.BODY, RuleKind.CSS, selector="div.real")

    page = extract(article_page(body), rules=SiteRules((rule,)))

    assert page.text == "\n".join(PARAGRAPHS[2:])
    assert (page.extractor, page.confidence) == (Extractor.RULE, 1.0)


def test_broken_rule_is_reported_and_the_page_extracted_without_it():
    rules = SiteRules(
        (
            Rule(RuleField.BODY, RuleKind.CSS, selector="div..x"),
            Rule(RuleField.TITLE, RuleKind.XPATH, selector="//h1["),
        )
    )

    page = extract(article_page(), rules=rules)

    assert page.text == "\n".join(PARAGRAPHS)
    assert [report.part for report in page.rule_reports if report.problem] == ["title 1", "body 1"]


def test_author_rule_takes_a_piece_of_the_split_html():
    byline = "<div class='byline'>June 5<br>By Thandi Nkosi<br>Saldanha</div>"
    rule = Rule(
        RuleField.AUTHOR,
        RuleKind.TAG,
        tag_type="div",
        attribute_name="class",
        attribute_value="byline",
        split_string="<br>",
        split_index=1,
    )

    page = extract(article_page(before=byline), rules=SiteRules((rule,)))

    assert page.authors == ("Thandi Nkosi",)
    assert {source.name: source.source for source in page.sources}["authors"] == "rule"


def test_json_ld_body_is_taken_where_the_page_shows_a_teaser():
    article = {"@type": "NewsArticle", "headline": TITLE, "articleBody": "\n".join(PARAGRAPHS)}
    head = f"<script type='application/ld+json'>{json.dumps(article)}</script>"

    page = extract(article_page("<p>To read on, subscribe.</p>", head=head))

    assert page.text == "\n".join(PARAGRAPHS)
    assert page.extractor is Extractor.JSON_LD


def test_feed_metadata_is_preferred_where_it_speaks():
    published = datetime(2024, 6, 5, 8, 30, tzinfo=UTC)
    head = (
        "<meta property='article:published_time' content='2024-06-05T09:00:00+02:00'>"
        "<meta name='author' content='Webmaster Team'>"
    )

    page = extract(
        article_page(head=head),
        feed=FeedHints(title=TITLE, authors=("Thandi Nkosi",), published_at=published),
    )

    assert (page.published_at, page.authors) == (published, ("Thandi Nkosi",))


def test_block_kinds_are_kept():
    body = (
        f"{paragraphs_html(PARAGRAPHS[:2])}<h2>What the council decided</h2>"
        f"<blockquote>{PARAGRAPHS[2]}</blockquote>"
        f"<ul><li>{PARAGRAPHS[3]}</li></ul>{paragraphs_html(PARAGRAPHS[4:])}"
    )

    page = extract(article_page(body))

    assert [block.kind for block in page.blocks] == [
        BlockKind.PARAGRAPH,
        BlockKind.PARAGRAPH,
        BlockKind.HEADING,
        BlockKind.QUOTE,
        BlockKind.LIST_ITEM,
        BlockKind.PARAGRAPH,
    ]
    assert page.text == "\n".join(block.text for block in page.blocks)


def test_text_is_nfc_without_invisible_characters():
    page = extract(
        article_page(
            paragraphs_html(
                [PARAGRAPHS[0].replace("basin", "ba\u00adsin") + " Cafe\u0301.", *PARAGRAPHS[1:]]
            )
        )
    )

    assert page.text.splitlines()[0] == PARAGRAPHS[0] + " Café."


def test_content_after_the_closing_tag_of_the_body_is_read():
    page = extract(b"<html><body><h1>Home</h1></body></html>" + article_page())

    assert page.text == "\n".join(PARAGRAPHS)


def test_unclosed_button_does_not_swallow_the_page():
    page = extract(article_page().replace(b"<main>", b"<button>Menu<main>"))

    assert page.text == "\n".join(PARAGRAPHS)


def test_disqus_thread_of_the_page_is_found():
    script = (
        "<div id='disqus_thread'></div><script>var disqus_shortname = 'herald';"
        "</script><script src='https://herald.disqus.com/embed.js'></script>"
    )

    page = extract(article_page(after=script))

    assert page.comment_thread.forum == "herald"


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"   ",
        b"\x00\x01\xff",
        b"%PDF-1.4 nothing",
        b"<html><body></body></html>",
        b"<!-- only a comment -->",
    ],
)
def test_page_without_text_is_empty(body):
    page = extract(body)

    assert page.kind is ExtractedKind.EMPTY
    assert page.text == ""
    assert page.blocks == ()


def test_text_ends_where_no_article_goes_on():
    endless = "".join(f"<p>{paragraph}</p>" for paragraph in PARAGRAPHS * 900)

    page = extract(article_page(f"<p>{'a' * 3_000_000}</p>{endless}"))

    assert PARAGRAPHS[0] in page.text
    assert len(page.text) <= MAX_TEXT_CHARACTERS


def test_copyright_notice_is_not_the_text_of_a_gallery():
    notice = f"<footer><p>© 2026 The Saldanha Herald. {COPYRIGHT}</p></footer>"

    page = extract(article_page("<p>Gallery: boats.</p>", after=notice))

    assert COPYRIGHT not in page.text


def test_headline_is_not_part_of_the_text():
    page = extract(article_page(f"<h2>{TITLE}</h2>{paragraphs_html()}"))

    assert page.text == "\n".join(PARAGRAPHS)


def test_collector_is_off_inside_and_on_again():
    with collector_paused():
        assert not gc.isenabled()

    assert gc.isenabled()


def test_collector_is_on_again_after_an_error():
    with pytest.raises(ValueError, match="unreadable"), collector_paused():
        raise ValueError("unreadable")

    assert gc.isenabled()


def test_collector_that_was_off_stays_off():
    gc.disable()
    try:
        with collector_paused():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()


LONG = "The harbour was quiet. " * 30
# Paragraphs of some length make an article, and captions do not, however many.
ARTICLE = "\n".join(["The harbour was quiet, and the fire burnt. " * 5] * 5)
CAPTIONS = "\n".join(["The harbour at night, with the fire behind the cranes."] * 60)


@pytest.mark.parametrize(
    ("url", "text", "expected"),
    [
        ("https://x.example/news/fire-in-harbour", LONG, ExtractedKind.TEXT),
        ("https://x.example/gallery/fire", LONG, ExtractedKind.GALLERY),
        ("https://x.example/Gallery-of-the-fire", LONG, ExtractedKind.GALLERY),
        ("https://x.example/galleries/2024/fire", LONG, ExtractedKind.GALLERY),
        ("https://x.example/news/PICS-fire", LONG, ExtractedKind.GALLERY),
        ("https://x.example/video/fire", LONG, ExtractedKind.VIDEO),
        ("https://x.example/fire-video", LONG, ExtractedKind.VIDEO),
        ("https://x.example/videos/fire", LONG, ExtractedKind.VIDEO),
        ("https://x.example/olympics-epics-topics", LONG, ExtractedKind.TEXT),
        ("https://video.example/news/fire", LONG, ExtractedKind.TEXT),
        ("https://x.example/fire", "Gallery: the fire in pictures. " + LONG, ExtractedKind.GALLERY),
        ("https://x.example/fire", "x", ExtractedKind.TEXT),
        ("https://x.example/viral-video-shows-fire", ARTICLE, ExtractedKind.TEXT),
        ("https://x.example/best-pics-of-the-fire", ARTICLE, ExtractedKind.TEXT),
        ("https://x.example/best-pics-of-the-fire", CAPTIONS, ExtractedKind.GALLERY),
        ("https://x.example/fire", "Gallery: the fire. " + ARTICLE, ExtractedKind.GALLERY),
        ("https://x.example/gallery/fire", "  ", ExtractedKind.EMPTY),
        ("", LONG, ExtractedKind.TEXT),
    ],
)
def test_page_kind_by_url_start_and_text(url, text, expected):
    assert page_kind(url, text) is expected
