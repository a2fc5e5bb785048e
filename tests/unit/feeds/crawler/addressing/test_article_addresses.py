from feeds.crawler.addressing.article_addresses import NO_SHAPE, article_addresses, numbered_shape
from feeds.crawler.documents.feed_document import FeedKind
from feeds.crawler.documents.index_page import read_index_page
from feeds.crawler.documents.sitemaps import parse_plain_sitemap

HOME = "https://karoo.example/"
STORIES = [f"{HOME}n/{number}/read" for number in range(96, 104)]
NAMED = f"{HOME}news/fire-in-cape-town-harbour"


def test_addresses_of_one_numbered_shape_are_stories_where_none_looks_like_one():
    others = [f"{HOME}about", f"{HOME}page/2", f"{HOME}n/latest/read"]

    assert article_addresses([*others, *STORIES]) == STORIES


def test_numbered_addresses_beside_named_stories_are_none():
    assert article_addresses([NAMED, *STORIES]) == [NAMED]


def test_pagers_days_and_few_numbers_are_no_stories():
    pagers = [f"{HOME}news?page={number}" for number in range(9)]
    days = [f"{HOME}archive/2026/11/{number}" for number in range(1, 9)]

    assert [numbered_shape(urls, []) for urls in (pagers, days, STORIES[:4])] == [NO_SHAPE] * 3


def test_numbers_of_a_query_are_a_shape():
    urls = [f"{HOME}story.php?id={number}" for number in range(5)]

    assert numbered_shape(urls, []).pattern == r"/story\.php\?id=\d+$"


def test_front_page_and_sitemap_give_their_numbered_stories():
    links = "".join(f'<p><a href="{url}">Read</a></p>' for url in STORIES)
    page = read_index_page(f"<html><body>{links}".encode(), HOME)
    rows = "".join(f"<url><loc>{url}</loc></url>" for url in STORIES)
    sitemap = parse_plain_sitemap(f"<urlset>{rows}</urlset>".encode(), HOME)

    assert (page.kind, [entry.url for entry in page.entries]) == (FeedKind.INDEX, STORIES)
    assert (sitemap.kind, len(sitemap.entries)) == (FeedKind.SITEMAP, 8)
