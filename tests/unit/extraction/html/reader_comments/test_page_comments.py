from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st
from newspaper_pages import PARAGRAPHS, article_page

from extraction.html.extract_page import extract_page
from extraction.html.markup.parse import parse_html
from extraction.html.page import PageComment, PageInput
from extraction.html.reader_comments.comment_times import Clock
from extraction.html.reader_comments.page_comments import find_comments, read_page_comments

ARTICLE = (
    "<article><h1>Fire</h1><p>" + "The harbour burned through the night. " * 12 + "</p></article>"
)
AT = datetime(2024, 6, 5, 8, 30, tzinfo=UTC)

WORDPRESS = """
<div id="comments" class="comments-area"><h2 class="comments-title">2 thoughts</h2>
<ol class="comment-list">
 <li id="comment-41" class="comment even thread-even depth-1 parent">
  <article id="div-comment-41" class="comment-body">
   <footer class="comment-meta"><div class="comment-author vcard"><img class="avatar" alt="">
     <b class="fn"><a href="x" rel="nofollow">Thandi</a></b> <span class="says">says:</span></div>
    <div class="comment-metadata"><a href="#comment-41"><time datetime="2024-06-05T10:30:00+02:00">
     5 June 2024</time></a></div></footer>
   <div class="comment-content"><p>Well said.</p><p>Twice over.</p></div>
   <div class="reply"><a class="comment-reply-link">Reply</a></div>
  </article>
  <ol class="children"><li id="comment-42" class="comment odd depth-2">
   <article id="div-comment-42" class="comment-body">
    <footer class="comment-meta"><div class="comment-author vcard"><b class="fn">Piet</b></div>
    <div class="comment-metadata"><time datetime="2024-06-05T08:30:00Z">x</time></div></footer>
    <div class="comment-content"><p>No.</p></div></article></li></ol>
 </li>
</ol></div>"""
KUBRICK = """<ol class="commentlist"><li class="alt" id="comment-41"><cite>Thandi</cite> Says:<br>
<small class="commentmetadata"><a href="#comment-41">June 5th, 2024 at 8:30 am</a></small>
<p>Well said.</p><p>Twice over.</p></li></ol>"""
MICRODATA = """<div itemscope itemtype="https://schema.org/Comment" id="c41">
<span itemprop="author" itemscope itemtype="schema.org/Person"><i itemprop="name">Thandi</i>
</span>
<meta itemprop="dateCreated" content="2024-06-05T08:30Z"><span itemprop="upvoteCount">7</span>
<div itemprop="text"><p>Well said.</p><p>Twice over.</p><script>x</script></div></div>"""
DISQUS = """<div id="disqus_thread"><div id="dsq-content"><ul id="dsq-comments">
<li class="comment" id="dsq-comment-41"><div class="dsq-comment-header"><cite>
<span>Thandi</span></cite></div><div class="dsq-comment-date date">2024-06-05 08:30</div>
<div class="dsq-comment-message"><p>Well said.</p><p>Twice over.</p></div></li></ul></div></div>"""
H_ENTRY = """<div class="p-comment h-cite"><a class="p-author h-card">Thandi</a>
<time class="dt-published" datetime="2024-06-05T08:30Z">x</time>
<div class="e-content"><p>Well said.</p><p>Twice over.</p></div></div>"""
FIRST = PageComment("41", "Well said.\nTwice over.", "Thandi", AT)


def read(html, zone=UTC):
    return read_page_comments(parse_html(f"<body>{ARTICLE}{html}</body>"), Clock(zone)).comments


@pytest.mark.parametrize(
    ("html", "likes", "has_id"),
    [
        (WORDPRESS, 0, True),
        (KUBRICK, 0, True),
        (MICRODATA, 7, True),
        (DISQUS, 0, True),
        (H_ENTRY, 0, False),
    ],
    ids=["wordpress", "kubrick", "microdata", "disqus", "h-entry"],
)
def test_first_comment_in_every_markup(html, likes, has_id):
    found = read(html)[0]

    assert (found.text, found.author, found.posted_at, found.likes, found.parent) == (
        FIRST.text,
        FIRST.author,
        FIRST.posted_at,
        likes,
        "",
    )
    assert not has_id or found.id == "41"


def test_answer_names_its_parent():
    assert read(WORDPRESS) == (FIRST, PageComment("42", "No.", "Piet", AT, parent="41"))


def test_time_without_a_zone_is_that_of_the_publication():
    assert read(KUBRICK, ZoneInfo("Africa/Johannesburg"))[0].posted_at == AT.replace(hour=6)


def test_comment_without_an_id_keeps_its_own_through_visits():
    assert read(H_ENTRY)[0].id == read(H_ENTRY)[0].id
    assert read(H_ENTRY)[0].id != read(H_ENTRY.replace("Twice", "Once"))[0].id


@pytest.mark.parametrize(
    "html",
    [
        "",
        "<div class='comments'>No comments yet.</div>",
        "<div class='comment'>Nobody signed this.</div>",
        "<form id='commentform'><p class='comment-form-comment'>Your name</p></form>",
        "<div class='comment'><b class='fn'>Thandi</b></div>",
    ],
)
def test_what_is_no_comment(html):
    assert read(html) == ()


@pytest.mark.parametrize(
    "html",
    [
        "<div class='comment'><h1>Fire</h1><b class='fn'>Thandi</b><p>Text.</p></div>",
        "<div id='comment-1'><div itemprop='articleBody'>Text.</div><b class='fn'>T</b></div>",
        "<div class='comment'><b class='fn'>Thandi</b><p>A forum's first post.</p></div>",
    ],
    ids=["holds the headline", "holds the body", "would leave no text"],
)
def test_article_is_never_taken_for_a_comment(html):
    assert read_page_comments(parse_html(f"<body>{html}</body>")).comments == ()


def test_comments_are_no_part_of_the_text_wherever_they_stand():
    long = (
        "A reader who writes a comment that is as long as a paragraph of the article itself. " * 9
    )
    inside = WORDPRESS.replace('id="comments" class="comments-area"', "").replace(
        "Well said.", long
    )

    page = extract_page(PageInput(body=article_page(after=inside)))

    assert page.text == "\n".join(PARAGRAPHS)
    assert [comment.id for comment in page.comments] == ["41", "42"]


def test_json_ld_serves_where_it_tells_of_more():
    described = {
        "@type": "Comment",
        "@id": "https://x.example/fire#comment-41",
        "text": "<p>Well said.</p><p>Twice over.</p>",
        "author": {"@type": "Person", "name": "Thandi"},
        "dateCreated": "2024-06-05T10:30:00+02:00",
        "upvoteCount": 7,
        "comment": {
            "text": "No.",
            "author": "Piet",
            "dateCreated": "2024-06-05T08:30Z",
            "@id": "42",
        },
    }

    found = find_comments(
        parse_html(f"<body>{ARTICLE}</body>"), (described, {"text": 7}, {})
    ).comments

    assert found == (
        PageComment("41", "Well said.\nTwice over.", "Thandi", AT, likes=7),
        PageComment("42", "No.", "Piet", AT, parent="41"),
    )


def test_what_no_database_takes_is_left_out_of_described_comments():
    described = {"text": "a\x00b\ud800c", "author": "Th\x00andi"}

    found = find_comments(parse_html("<p>x</p>"), (described,)).comments

    assert [(one.text, one.author) for one in found] == [("abc", "Thandi")]


NAMES = st.sampled_from(["comment", "comment-body", "fn", "comment-content", "children", "h-cite"])
TREES = st.recursive(
    st.text(alphabet="ab <&", max_size=8),
    lambda inner: st.tuples(NAMES, st.lists(inner, max_size=3)).map(
        lambda pair: f"<div class='{pair[0]}' id='comment-{len(pair[1])}'>{''.join(pair[1])}</div>"
    ),
    max_leaves=20,
)


@given(TREES)
def test_reading_never_fails_and_repeats_itself(html):
    once, again = read(html), read(html)

    assert once == again
    assert len({comment.id for comment in once}) == len(once)


def test_wide_and_deep_trees_are_read_in_bounded_time():
    for html in (
        "<div class=comment>" * 20_000,
        "<div id=comment-1 class=comment><div class=comment-content>" * 10_000,
        "<li class=comment><cite>A</cite><p>Hello</p></li>" * 5_000,
    ):
        assert len(read(html)) <= 2_000


@pytest.mark.parametrize("caption", ["<p>likenliken</p>", '<a href="#">liken</a><i>liken</i>'])
def test_a_caption_without_a_name_of_its_own_is_known_by_standing_below_every_comment(caption):
    said = ("Well said.", "I was there, and saw it.", "Not at all!")
    items = "".join(
        f'<li class="comment" id="comment-{n}"><b class="fn">Piet {n}</b>'
        f'<time datetime="2024-06-05T08:30:00Z">x</time><p>{words}</p>{caption}</li>'
        for n, words in enumerate(said)
    )

    found = read(f'<ol class="comment-list">{items}</ol>')

    assert tuple(comment.text for comment in found) == said
