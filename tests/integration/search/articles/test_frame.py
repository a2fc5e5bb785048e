"""A stored page in its frame: from a WARC record to inert markup under its own policy."""

import re

import pytest
from django.conf import settings
from factories import index_all, make_article, make_fetch, make_page
from pages import texts, words
from stored_pages import store_page

from feeds.crawler.documents.limited_work import TOO_MUCH, Limits
from search.articles import archived

pytestmark = pytest.mark.django_db

POLICY = (
    "sandbox allow-same-origin; default-src 'none'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self'; frame-ancestors 'self'"
)
NASTY = """<!doctype html><html><head><title>T</title><base href="https://evil.example/">
<meta http-equiv="refresh" content="0;url=https://evil.example/"><script src="//evil.example/x.js">
</script><link rel="stylesheet" href="//evil.example/x.css"></head>
<body onload="steal()"><p style="background:url(//evil.example/p);color:red">Caf\xe9 maas</p>
<form action="//evil.example/"><input name="password"></form><iframe src="/admin/"></iframe>
<img src="//evil.example/i.png" alt="A pot" width="300" height="200">
<a href="https://evil.example/">out</a><a href="/sign-out/" onclick="x()">in</a>
<svg><script>steal()</script></svg></body></html>"""


def stored(body, content_type="text/html; charset=iso-8859-1", article=True):
    """Archive a page and give its fetch."""
    fetch = store_page(body, content_type)
    if article:
        make_article(page=fetch.page, fetch=fetch)
    return fetch


def test_a_stored_page_is_shown_inert_under_its_own_policy(reader):
    fetch = stored(NASTY.encode("latin-1"))

    response = reader.get(f"/part/frame/{fetch.pk}/", headers={"Sec-Fetch-Dest": "iframe"})

    page = response.content.decode()
    assert response["Content-Security-Policy"] == POLICY
    assert response["X-Frame-Options"] == "SAMEORIGIN"
    assert response["Referrer-Policy"] == "no-referrer"
    assert re.search('<p style="color:red"[^>]*>(<span[^>]*>)?Café maas', page)
    assert '<img alt="A pot" width="300" height="200">' in page
    assert '<a title="https://evil.example/">' in page
    body = page.partition("<body>")[2]
    for nasty in ("<script", "<form", "<iframe", "<meta", "<base", "<link", "<svg", "onload",
                  "onclick", "href=", "src=", "url(", "steal"):  # fmt: skip
        assert nasty not in body


def test_the_page_with_the_frame_may_frame_itself_and_nothing_more(reader):
    fetch = stored(b"<p>maas</p>")
    article = fetch.page.article

    response = reader.get(f"/articles/{article.pk}/page/")

    policy = response["Content-Security-Policy"]
    assert "frame-src 'self'" in policy
    assert "default-src 'none'" in policy
    assert (
        f'sandbox="allow-same-origin" src="/part/frame/{fetch.pk}/?show=both"'
        in response.content.decode()
    )


def test_a_frame_visited_directly_links_to_its_page(reader):
    fetch = stored(b"<p>maas</p>")

    response = reader.get(f"/part/frame/{fetch.pk}/", headers={"Sec-Fetch-Dest": "document"})

    assert response.status_code == 404
    assert f'href="/articles/{fetch.page.article.pk}/page/"' in response.content.decode()
    assert "maas</p>" not in response.content.decode()


def test_a_frame_without_an_article_links_to_the_list(reader):
    fetch = stored(b"<p>maas</p>", article=False)

    response = reader.get(f"/part/frame/{fetch.pk}/", headers={"Sec-Fetch-Dest": "document"})

    assert 'href="/articles/"' in response.content.decode()


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (b"", "shows nothing without its scripts"),
        (b"<script>all()</script>", "shows nothing without its scripts"),
        (b"\x00\x01\x02\xff\xfe", None),
        (b"<div>" * 100_000, None),
    ],
)
def test_a_page_that_shows_nothing_says_so(reader, body, words):
    fetch = stored(body)

    response = reader.get(f"/part/frame/{fetch.pk}/")

    assert response.status_code == 200
    if words:
        assert words in response.content.decode()


def test_a_fetch_that_was_not_archived_says_so(reader):
    fetch = make_fetch(make_page())

    assert "was not archived" in reader.get(f"/part/frame/{fetch.pk}/").content.decode()


def test_a_record_that_is_gone_says_so_without_naming_folders(reader):
    fetch = make_fetch(make_page(), archive_file="gone.warc.gz", archive_offset=7, archive_length=9)

    page = reader.get(f"/part/frame/{fetch.pk}/").content.decode()

    assert "The record in gone.warc.gz cannot be read back" in page
    assert str(settings.ARCHIVE_DIR) not in page


@pytest.mark.parametrize("name", ["../secret_key", "/etc/passwd", "a/../../b.warc.gz"])
def test_a_file_outside_the_archive_is_not_read(reader, name):
    fetch = make_fetch(make_page(), archive_file=name, archive_offset=0, archive_length=9)

    assert "cannot be read back" in reader.get(f"/part/frame/{fetch.pk}/").content.decode()


def test_frames_need_a_sign_in_like_every_page(client):
    fetch = stored(b"<p>maas</p>")

    assert client.get(f"/part/frame/{fetch.pk}/").status_code == 302


def test_an_article_without_a_stored_page_says_so(reader):
    article = make_article()

    page = reader.get(f"/articles/{article.pk}/page/").content.decode()

    assert "is not in the archive" in page
    assert "<iframe" not in page


def test_parts_of_the_page_are_listed_with_what_became_of_them(reader):
    fetch = stored(TOLD.encode(), article=False)
    article = make_article(page=fetch.page, fetch=fetch, text=MAAS, title="Maas")

    page = " ".join(reader.get(f"/articles/{article.pk}/page/").content.decode().split())

    assert "1 block kept, 2 parts dropped" in page
    assert f"<p>{MAAS}</p>" in page
    assert "/html/body/article/p[1]" in page
    assert 'href="/part/frame/1/?show=both#n' in page.replace(str(fetch.pk), "1")
    assert "navigation: nav" in page
    assert "left out when the text was read, would be kept now" in page
    assert "was read by an earlier version" in page


@pytest.mark.parametrize(
    ("show", "kept", "dropped"), [("both", 1, 1), ("kept", 1, 0), ("dropped", 0, 1), ("x", 1, 1)]
)
def test_only_the_marks_asked_for_are_shown(reader, show, kept, dropped):
    fetch = stored(TOLD.encode(), article=False)
    article = make_article(page=fetch.page, fetch=fetch, text=MAAS)

    page = reader.get(f"/articles/{article.pk}/page/?show={show}").content.decode()
    frame = reader.get(f"/part/frame/{fetch.pk}/?show={show}").content.decode()

    assert page.count(f"<p>{MAAS}</p>") == kept
    assert ("navigation: nav" in page) == dropped
    assert f'<body data-show="{show if show != "x" else "both"}">' in frame


def test_the_list_alone_needs_no_frame(reader):
    fetch = stored(TOLD.encode())

    page = reader.get(f"/articles/{fetch.page.article.pk}/page/?view=list").content.decode()

    assert "<iframe" not in page
    assert "Parts of the page in order" in page


def test_hits_are_marked_in_the_list(reader):
    fetch = stored(TOLD.encode(), article=False)
    article = make_article(page=fetch.page, fetch=fetch, text=MAAS)
    index_all()

    page = reader.get(f"/articles/{article.pk}/page/?q=sour")

    assert words(page).count("Nothing is as sour as maas") == 3
    assert texts(page, "b.hit") == ["sour"] * 3


MAAS = "Nothing is as sour as maas that was left in the sun of the Karoo for an afternoon. " * 3
MAAS = MAAS.strip()
TOLD = (
    "<html><body><nav><a href='/'>Home</a> <a href='/n'>News</a></nav>"
    f"<article><p>{MAAS}</p><p>{MAAS.replace('maas', 'lemon')}</p></article></body></html>"
)


def test_a_page_that_takes_too_much_says_so_and_keeps_nobody(reader, monkeypatch):
    fetch = stored(b"<p>maas</p>")
    monkeypatch.setattr(archived, "FOR_A_REQUEST", Limits(cpu_seconds=1, wall_seconds=0))

    frame = reader.get(f"/part/frame/{fetch.pk}/", headers={"Sec-Fetch-Dest": "iframe"})
    page = reader.get(f"/articles/{fetch.page.article.pk}/page/")

    assert TOO_MUCH in frame.content.decode()
    assert page.status_code == 200
