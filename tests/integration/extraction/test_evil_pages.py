"""Pages made to exhaust whoever reads them cost each reader seconds and raise nothing."""

import os
import resource
import time
from collections.abc import Callable, Collection, Iterable

import pytest
from cpu_time import slowness
from evil_pages import NAMES, evil_page

from extraction.html.extract_page import extract_page
from extraction.html.page import PageInput
from feeds.crawler.comment_systems.systems import find_thread, read_answer
from feeds.crawler.documents.feed_parser import parse_feed
from feeds.crawler.documents.home_page import read_home_page
from feeds.crawler.documents.page_links import read_links
from feeds.crawler.documents.sitemaps import read_sitemap
from feeds.crawler.rights.page_statements import body_statements

URL = "https://evil.example/news/story-of-rain"
MOST_SECONDS = 5.0  # of processor time, for one reader
MOST_MEGABYTES = 500
_READERS: dict[str, Callable[[bytes], object]] = {
    "extraction": lambda body: extract_page(PageInput(body, URL, "text/html")),
    "comment system": lambda body: find_thread(body, URL),
    "comments of Disqus": lambda body: read_answer("https://a.example/embed/comments/?f=x", body),
    "comments of WordPress": lambda body: read_answer(
        "https://a.example/wp-json/wp/v2/comments?post=1", body
    ),
    "links": lambda body: read_links(body, URL, "text/html"),
    "feed": lambda body: parse_feed(body, "text/xml", URL),
    "home page of the wizard": lambda body: read_home_page(body, URL, "text/html"),
    "sitemap": lambda body: read_sitemap(body, URL),
    "rights": body_statements,
}


def _said_of(names: Iterable[str], body: bytes, most_seconds: float) -> str:
    """What went wrong with readers one after the other in this process; empty for nothing."""
    before = _most_megabytes()  # a fork begins with what its parent held
    for name in names:
        said = _said_of_one(_READERS[name], body, most_seconds, before)
        if said:
            return said
    return ""


def _said_of_one(
    reader: Callable[[bytes], object], body: bytes, most_seconds: float, before: float
) -> str:
    began = time.process_time()
    try:
        reader(body)
    except BaseException as error:  # noqa: BLE001 (nothing may be raised, and the parent says what)
        return f"raised {error!r}"[:200]
    seconds = time.process_time() - began
    megabytes = _most_megabytes() - before
    if seconds > most_seconds or megabytes > MOST_MEGABYTES:
        return f"took {seconds:.1f} s and {megabytes:.0f} MB"
    return ""


def _most_megabytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _in_child(names: Collection[str], body: bytes) -> str:
    """Read in a process of its own, which the kernel ends if it takes too long."""
    most_seconds = MOST_SECONDS * max(slowness(), 1.0)
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        limit = int(most_seconds * len(names)) + 2
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
        os.write(writing, f"ended {_said_of(names, body, most_seconds)}".encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        said = pipe.read().decode()
    os.waitpid(child, 0)
    return said.removeprefix("ended ") if said else "was ended by the kernel"


@pytest.mark.parametrize("name", NAMES)
def test_evil_page_exhausts_no_reader(name):
    body = evil_page(name)

    if _in_child(_READERS, body):  # one alone may do what all together may
        said = {reader: _in_child([reader], body) for reader in _READERS}
        assert {reader: words for reader, words in said.items() if words} == {}
