import gzip
import tracemalloc
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from feeds.crawler.documents.feed_document import FeedKind
from feeds.crawler.documents.sitemaps import (
    ListedAddress,
    newest_first,
    parse_plain_sitemap,
    read_sitemap,
)
from feeds.crawler.documents.xml_documents import local_name, read_children, xml_root

HOME = "https://karoo.example/"
OLD, NEW = f"{HOME}news/old-story-of-the-town-1001", f"{HOME}news/new-story-of-the-town-1002"
SITEMAP = f"""<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<url><loc>{OLD}</loc><lastmod>2026-01-05</lastmod></url><url><loc>{HOME}contact/</loc></url>
<url><loc>{NEW}</loc><lastmod>2026-11-20T08:00:00+02:00</lastmod></url><url></url></urlset>""".encode()


def test_addresses_come_with_their_dates():
    assert read_sitemap(SITEMAP).pages == (
        ListedAddress(OLD, datetime(2026, 1, 5, tzinfo=UTC)),
        ListedAddress(f"{HOME}contact/"),
        ListedAddress(NEW, datetime(2026, 11, 20, 6, tzinfo=UTC)),
    )


def test_a_name_space_may_be_any_text():
    odd = SITEMAP.replace(b"http://www.sitemaps.org/", b"http://www.sitemaps.org/}{")

    assert read_sitemap(odd) == read_sitemap(SITEMAP)


@pytest.mark.parametrize(
    ("mark", "encoding"),
    [(b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be")],
)
def test_a_text_file_may_begin_with_a_mark(mark, encoding):
    lines = mark + f"{OLD}\r\n{NEW}\r\n{OLD}\r\n".encode(encoding)

    assert read_sitemap(lines).pages == (ListedAddress(OLD), ListedAddress(NEW))


def test_wide_characters_need_no_mark():
    text = SITEMAP.decode().replace('<?xml version="1.0"?>', "")

    assert read_sitemap(text.encode("utf-16-le")) == read_sitemap(SITEMAP)


@given(st.integers(0, len(SITEMAP)), st.binary(max_size=4))
def test_a_broken_file_gives_what_the_whole_tree_would(place, rubbish):
    """Reading child by child is faster and smaller, and must find no less."""
    broken = SITEMAP[:place] + rubbish + SITEMAP[place:]
    root = xml_root(broken)

    name, found = read_children(broken, lambda _, child: etree.tostring(child, with_tail=False), 9)

    assert name == ("" if root is None else local_name(root))
    children = [] if root is None else root
    assert found == [etree.tostring(child, with_tail=False) for child in children]


def test_a_file_of_many_addresses_takes_little_memory():
    padding = b"".join(b"<changefreq>%d</changefreq>" % n for n in range(200))
    many = SITEMAP.replace(b"<url></url>", (b"<url>%s</url>" % padding) * 2_000)
    tracemalloc.start()
    try:
        assert len(read_sitemap(many).pages) == 3
        assert tracemalloc.get_traced_memory()[1] < len(many)
    finally:
        tracemalloc.stop()


def test_a_gzipped_file_is_the_same():
    assert read_sitemap(gzip.compress(SITEMAP)) == read_sitemap(SITEMAP)


def test_as_a_feed_its_newest_stories_come_first_and_without_dates():
    parsed = parse_plain_sitemap(SITEMAP)

    assert (parsed.kind, parsed.n_items) == (FeedKind.SITEMAP, 3)
    assert [(entry.url, entry.published_at) for entry in parsed.entries] == [
        (NEW, None),
        (OLD, None),
    ]


def test_an_index_names_the_newest_file_first():
    rows = "".join(
        f"<sitemap><loc>/post-{n}.xml</loc><lastmod>2026-0{n}-01</lastmod></sitemap>"
        for n in (2, 3)
    )

    children = read_sitemap(f"<sitemapindex>{rows}</sitemapindex>".encode(), HOME).children

    assert [child.url for child in newest_first(children)] == [
        f"{HOME}post-3.xml",
        f"{HOME}post-2.xml",
    ]


def test_a_list_of_lines_is_a_sitemap():
    assert read_sitemap(f"{OLD}\n{NEW}\n".encode()).pages == (
        ListedAddress(OLD),
        ListedAddress(NEW),
    )


@pytest.mark.parametrize("body", [b"", b"<html><body>x</body></html>", b"\x1f\x8bbroken", b"words"])
def test_anything_else_is_none(body):
    assert read_sitemap(body).problem == "This is no sitemap."
    assert not parse_plain_sitemap(body).is_feed
