"""kill -9 between the fetch of a later document, its version and the index: all of it, once."""

import json
import random
import signal
from pathlib import Path

import psutil
from integration.feeds.origin import Origin, answer
from newspaper_pages import article_page
from processes.test_kills import PATIENCE_SECONDS, Books
from waiting import wait_until

from search.engine.index.documents import DocumentKind
from search.engine.index.reader import IndexReader

HOST = "http://karoo.example"
HEADERS = (("Content-Type", "text/html; charset=utf-8"),)
N_ARTICLES = 24
N_KILLS = 4
SEED = 20261123
# What moves on: later documents, versions, texts whose newest version is in the index.
PROGRESS = (
    "SELECT count(*) FROM feeds_fetch",
    "SELECT count(*) FROM extraction_articleversion",
    "SELECT coalesce(sum(generation), 0) FROM search_indexedarticle",
)


def address(n):
    return f"{HOST}/news/the-harbour-of-town-number-{n}-is-dredged-once-more"


def page(n, word):
    whole = article_page(title=f"Harbour {n} is dredged").decode()
    return answer(whole.replace("Tuesday", f"{word}{n}").encode(), 200, HEADERS)


def feed():
    items = "".join(
        f"<item><title>Harbour {n}</title><link>{address(n)}</link></item>"
        for n in range(N_ARTICLES)
    )
    body = f"<rss version='2.0'><channel><title>Karoo</title>{items}</channel></rss>"
    return answer(body.encode(), 200, (("Content-Type", "application/rss+xml"),))


def killed(work):
    """Kill a program with all its processes, as a machine that goes down does."""
    try:
        family = [*psutil.Process(work.pid).children(recursive=True), psutil.Process(work.pid)]
        for process in family:
            process.send_signal(signal.SIGKILL)
    except psutil.NoSuchProcess:
        pass
    work.communicate()


def test_kills_among_second_visits_lose_no_version_and_store_none_twice(site_on, tmp_path):
    chance = random.Random(SEED)
    with Origin() as web:
        site = site_on(web.url)
        books = Books(Path(site.environment["DATA_DIR"]))
        web.routes["/feed.xml"] = feed()
        for n in range(N_ARTICLES):
            web.routes[address(n).removeprefix(HOST)] = page(n, "Monday")
        listing = tmp_path / "feeds.txt"
        listing.write_text(f"{HOST}/feed.xml\n")
        site.manage("add_source", str(listing), "--activate")
        site.manage("work", "--until-idle")
        for n in range(N_ARTICLES):
            web.routes[address(n).removeprefix(HOST)] = page(n, "Friday")
        site.manage("fetch_again", *(address(n) for n in range(N_ARTICLES)))

        def progress():
            return tuple(books.ask(query)[0][0] for query in PROGRESS)

        for _ in range(N_KILLS):
            before, watched = progress(), chance.randrange(len(PROGRESS))
            work = site.start("manage.py", "work", "--until-idle")
            wait_until(
                lambda before=before, watched=watched, work=work: (
                    progress()[watched] != before[watched] or work.poll() is not None
                ),
                PATIENCE_SECONDS,
            )
            killed(work)
        site.manage("work", "--until-idle")
        wait_until(lambda: not books.n_unfinished(), PATIENCE_SECONDS)
        told = json.loads(site.manage("versions", address(0), "--json"))

    assert [version["title"] for version in told] == ["Harbour 0 is dredged"] * 2
    rows = books.ask("SELECT id, n_versions, text FROM extraction_article ORDER BY id")
    assert [n for _, n, _ in rows] == [2] * N_ARTICLES
    assert all("Friday" in text and "Monday" not in text for _, _, text in rows)
    versions = "SELECT article_id, number FROM extraction_articleversion ORDER BY article_id"
    assert books.ask(versions) == [(pk, 1) for pk, _, _ in rows]
    assert books.ask("SELECT count(*) FROM feeds_page WHERE quarantined_at IS NOT NULL") == [(0,)]
    snapshot = IndexReader(books.path.parent / "index").snapshot
    found = [snapshot.document(DocumentKind.ARTICLE, pk) for pk, _, _ in rows]
    words = [{token.word for token in document.tokens} for document in found if document]
    assert [sum(f"Friday{n}" in own for own in words) for n in range(N_ARTICLES)] == [
        1
    ] * N_ARTICLES
    assert snapshot.size().documents_by_kind[DocumentKind.ARTICLE] == N_ARTICLES
