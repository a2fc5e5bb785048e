import json

import pytest

from extraction.html.extract_page import extract_page
from extraction.html.live_posts import live_posts, with_posts
from extraction.html.page import Extractor, PageInput

MINUTES = ("Kick-off", "18 minutes", "Half-time", "72 minutes", "Full time")
POST = "Villa press on through the middle and win another corner, the ninth of this half. " * 3
BLOG = {
    "@type": "LiveBlogPosting",
    "headline": "Luton v Villa: as it happened",
    "coverageStartTime": "2024-03-02T16:00:00Z",
    "liveBlogUpdate": [
        {
            "@type": "BlogPosting",
            "headline": minute,
            "articleBody": POST.strip(),
            "author": {"name": "Ann Lee"},
            "datePublished": f"2024-03-02T17:0{number}:00Z",
        }
        for number, minute in enumerate(MINUTES)
    ],
}


@pytest.mark.parametrize(
    "value", [None, "", 3, [], ["text"], [None]], ids=["none", "text", "number", "0", "str", "null"]
)
def test_what_is_no_list_of_posts_is_none(value):
    assert live_posts({"liveBlogUpdate": value}) == []


def test_single_post_needs_no_list():
    assert live_posts({"liveBlogUpdate": {"headline": "Goal"}}) == [{"headline": "Goal"}]


def test_body_does_not_say_a_post_twice():
    posts = [("Goal", "Luton lead."), ("", "No goal."), ("Photo", "")]

    assert with_posts("Report. Luton lead.", posts) == "Report. Luton lead.\nNo goal."
    assert with_posts("", posts) == "Goal\nLuton lead.\nNo goal."


def test_live_blog_whose_posts_a_script_would_load_is_read_from_its_json_ld():
    body = (
        "<html><head><title>Luton v Villa: as it happened</title>"
        f"<script type='application/ld+json'>{json.dumps(BLOG)}</script></head><body>"
        "<h1>Luton v Villa: as it happened</h1><p>Loading posts</p></body></html>"
    )

    page = extract_page(PageInput(body=body.encode(), url="https://herald.example/live/1"))

    assert (page.title, page.extractor) == ("Luton v Villa: as it happened", Extractor.JSON_LD)
    assert page.text.split("\n") == [part for minute in MINUTES for part in (minute, POST.strip())]
