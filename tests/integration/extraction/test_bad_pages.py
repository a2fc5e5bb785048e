"""Pages that no database takes as they come, and what becomes of those beside them."""

from datetime import UTC, datetime, timedelta

import pytest
from integration.feeds.newspapers import add_page, crawl, make_paper
from integration.feeds.origin import answer

from extraction import extract
from extraction.models import Article, Comment, Extraction
from extraction.stage import article_rows
from feeds.models import Page, PageKind
from feeds.work.batches import Report
from feeds.work.leases import Claim

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
SITE = "http://karoo.example"
STORY = "<p>" + "Rain fell on the whole of the Karoo at last, and farmers were glad of it. " * 12
pytestmark = pytest.mark.django_db


@pytest.fixture
def paper():
    return make_paper(NOW)


def serve(web, paper, path: str, body: str, kind=PageKind.ARTICLE) -> Page:
    headers = (("Content-Type", "text/html; charset=utf-8"),)
    web.routes[path.partition("?")[0]] = answer(body.encode("utf-8", "surrogatepass"), 200, headers)
    return add_page(paper, SITE + path, NOW, kind)


def crawl_and_extract(now: datetime = NOW) -> Report:
    extract.register(crawl(now).next_ids["pages"], now)
    return extract.run(20, Claim("tester", now, timedelta(seconds=60)))


def test_escapes_of_nul_and_surrogates_are_left_out_of_metadata(web, paper):
    script = (
        r'{"@type": "NewsArticle", "headline": "Rain \u0000in the\ud800 Karoo",'
        r' "author": {"name": "Jo\u0000hn \udfffSmith"}, "articleSection": "We\ud83dather",'
        r' "description": "It\u0000 rained \ud83d\ude00"}'
    )
    head = f"<script type='application/ld+json'>{script}</script>"
    serve(web, paper, "/rain", f"<html><head>{head}</head><body><article>{STORY}</article>")

    report = crawl_and_extract()

    row = Article.objects.get()
    assert report.done["articles"] == 1
    assert (row.title, row.authors) == ("Rain in the Karoo", ["John Smith"])
    assert (row.section, row.standfirst) == ("Weather", "It rained 😀")


@pytest.mark.parametrize("escape", [r"\ud800", r"\u0000", r"\x00"])
def test_identifier_of_a_thread_is_storable(web, paper, escape):
    script = (
        "<div id=disqus_thread></div><script>var disqus_shortname='courier';"
        f"var disqus_identifier='rain{escape}17';s.src='https://courier.disqus.com/embed.js'</script>"
    )
    serve(web, paper, "/rain", f"<article>{STORY}</article>{script}")

    report = crawl_and_extract()

    assert report.done["articles"] == 1
    assert "t_i=rain17" in Page.objects.get(kind=PageKind.COMMENTS).url


def test_page_that_cannot_be_stored_holds_up_no_other(web, paper, monkeypatch):
    serve(web, paper, "/good", f"<article>{STORY}</article>")
    bad = serve(web, paper, "/bad", f"<article>{STORY}</article>")

    def stumble(url: str) -> str:
        if url.endswith("/bad"):
            raise UnicodeEncodeError("utf-8", url, 0, 1, "surrogates not allowed")
        return "good"

    monkeypatch.setattr(article_rows, "slug_of", stumble)

    report = crawl_and_extract()

    row = Extraction.objects.get(page=bad)
    assert report.done["articles"] == 1
    assert (row.attempts, row.lease_owner, row.due_at > NOW) == (1, "", True)
    assert row.last_error.startswith("UnicodeEncodeError")


def comments_page(posts: str) -> str:
    thread = '{"id": "7", "forum": "courier", "isClosed": true, "createdAt": "2026-01-01T00:00:00"}'
    document = f'{{"code": 0, "response": {{"thread": {thread}, "posts": [{posts}]}}}}'
    return f"<script id='disqus-threadData'>{document}</script>"


def stored_thread(web, paper, posts: str) -> Report:
    """Crawl an article, then the answer of its thread."""
    story = serve(web, paper, "/rain", f"<article>{STORY}</article>")
    crawl_and_extract()
    address = "/embed/comments/?f=courier"
    thread = serve(web, paper, address, comments_page(posts), PageKind.COMMENTS)
    Page.objects.filter(pk=thread.pk).update(parent=story)
    return crawl_and_extract(NOW + timedelta(hours=1))


def post(number: str, parent: str = "null", **changes: str) -> str:
    values = {"createdAt": '"2026-01-02T00:00:00"', "raw_message": '"Eish."'} | changes
    more = ", ".join(f'"{name}": {value}' for name, value in values.items())
    return f'{{"id": "{number}", "parent": {parent}, {more}}}'


def test_parents_in_a_circle_are_cut_open(web, paper):
    posts = [post("1", '"3"'), post("2", '"1"'), post("3", '"2"'), post("4", '"4"')]

    report = stored_thread(web, paper, ", ".join(posts))

    rows = Comment.objects.order_by("remote_id").values_list("remote_id", "parent__remote_id")
    assert report.done["comments"] == 4
    assert dict(rows) == {"1": None, "2": "1", "3": "2", "4": None}
    assert list(Comment.objects.order_by("remote_id").values_list("depth", flat=True)) == [
        0, 1, 2, 0
    ]  # fmt: skip


def test_thread_of_a_thousand_levels_is_stored(web, paper):
    posts = [post("1"), *(post(str(n), f'"{n - 1}"') for n in range(2, 1001))]

    report = stored_thread(web, paper, ", ".join(posts))

    assert report.done["comments"] == 1000
    assert Comment.objects.get(remote_id="1000").depth == 999


def test_fields_longer_than_their_columns_are_cut(web, paper):
    long = f'"{"x" * 3000}"'
    author = ", ".join(f'"{name}": {long}' for name in ("id", "name", "url", "location"))
    changes = {"thread": long, "forum": long, "depth": "99999", "author": f"{{{author}}}"}

    report = stored_thread(web, paper, post("y" * 500, f'"{"z" * 500}"', **changes))

    row = Comment.objects.get()
    assert report.done["comments"] == 1
    for field in Comment._meta.concrete_fields:
        value = getattr(row, field.attname)
        assert not field.max_length or not isinstance(value, str) or len(value) <= field.max_length
    assert row.depth == 0
