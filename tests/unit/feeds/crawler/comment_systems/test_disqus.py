import pytest

from feeds.crawler.comment_systems.disqus import (
    embed_url,
    next_page_url,
    posts_url,
    thread_of_embed_url,
)
from feeds.crawler.comment_systems.systems import find_thread
from feeds.crawler.comment_systems.threads import ThreadReference

URL = "https://www.example.co.za/a"
ROOT = "https://disqus.com"
EMBED = "<script>s.src='https://courier.disqus.com/embed.js';</script>"
THREAD = ThreadReference("disqus", "courier", "17", URL, ROOT)


CONFIGURED = f"""<div id=disqus_thread></div><script>var disqus_config = function () {{
this.page.url = "{URL}?x=1"; this.page.identifier = "17"; }};</script>{EMBED}"""
OF_VARIABLE = """<script>var disqus_shortname = 'courier'; var disqus_identifier='za 17';
(function(){d.src = '//' + disqus_shortname + '.disqus.com/embed.js';})()</script>"""
OF_WORDPRESS = r"""<script>var embedVars = {"disqusConfig":{},
"disqusIdentifier":"17 http:\/\/x\/?p=17","disqusShortname":"courier",
"disqusUrl":"https:\/\/www.example.co.za\/b\/"};</script>"""
OF_ATTRIBUTE = f'<div id="disqus_thread" data-disqus-identifier="17&amp;a"></div>{EMBED}'
OF_SCRIPT = f"<script>disqus_config = 1; this.page.identifier = PAGE_ID;</script>{EMBED}"
OF_OWN_SERVER = """<script>var disqus_shortname = 'courier'; var disqus_config = 1;
s.src = 'https://127.0.0.1:9000/embed.js';</script>"""


@pytest.mark.parametrize(
    ("page", "thread"),
    [
        (CONFIGURED, ThreadReference("disqus", "courier", "17", URL + "?x=1", ROOT)),
        (OF_VARIABLE, ThreadReference("disqus", "courier", "za 17", URL, ROOT)),
        (
            OF_WORDPRESS,
            ThreadReference(
                "disqus", "courier", "17 http://x/?p=17", "https://www.example.co.za/b/", ROOT
            ),
        ),
        (OF_ATTRIBUTE, ThreadReference("disqus", "courier", "17&a", URL, ROOT)),
        (OF_SCRIPT, ThreadReference("disqus", "courier", "", URL, ROOT)),
        (OF_OWN_SERVER, ThreadReference("disqus", "courier", "", URL, "https://127.0.0.1:9000")),
    ],
)
def test_thread_is_found_on_page(page, thread):
    assert find_thread(page.encode(), URL) == thread


@pytest.mark.parametrize(
    "page",
    [
        "<p>no comments</p>",
        "<p>We moved our comments from Disqus.</p>",
        '<script src="https://disqus.com/count.js"></script>',
        "<script>var disqus_shortname = '{{ shortname }}';</script>",
        "<script>var disqus_shortname = 'bad name';</script>",
    ],
)
def test_page_without_thread_gives_none(page):
    assert find_thread(page.encode(), URL) is None


def test_thread_keeps_scheme_of_page():
    page = f"<div id=disqus_thread></div>{EMBED}"

    assert find_thread(page.encode(), "http://x.example/a").root == "http://disqus.com"


def test_addresses_of_thread():
    assert embed_url(THREAD) == (
        "https://disqus.com/embed/comments/?base=default&f=courier&t_i=17"
        "&t_u=https%3A%2F%2Fwww.example.co.za%2Fa"
    )
    assert posts_url(ThreadReference("disqus", "courier", "", URL, ROOT)) == (
        "https://disqus.com/api/3.0/threads/listPosts.json?forum=courier"
        "&thread=link%3Ahttps%3A%2F%2Fwww.example.co.za%2Fa&order=asc&limit=100"
    )


def test_embed_address_is_read_back():
    assert thread_of_embed_url(embed_url(THREAD)) == THREAD
    assert thread_of_embed_url(posts_url(THREAD)) is None


def test_next_page_replaces_cursor():
    url = next_page_url(posts_url(THREAD, "1:0:0"), "2:0:0")

    assert url == posts_url(THREAD, "2:0:0")
