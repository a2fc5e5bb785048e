"""kill -9 of any process at any moment: nothing lost, nothing twice."""

import random
import signal
import sqlite3
import subprocess
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import psutil
import pytest
from services import free_port
from waiting import answers, wait_until

from search.engine.index.documents import DocumentKind
from search.engine.index.reader import IndexReader

N_PAGES = 300
N_KILLS = 20
# For what hangs; a busy machine takes its time.
PATIENCE_SECONDS = 900
SEED = 20261120
PAGES = "feeds_page"
WORK_TABLES = (
    PAGES,
    "extraction_extraction",
    "dedup_detection",
    "search_indexedarticle",
    "search_indexedcomment",
)
# Articles a stage has never seen, by the column that says when it last did.
UNSEEN = "SELECT count(*) FROM extraction_article WHERE id NOT IN (SELECT article_id FROM {})"
UNREGISTERED = (
    UNSEEN.format("dedup_detection WHERE detected_at IS NOT NULL"),
    UNSEEN.format("search_indexedarticle WHERE indexed_at IS NOT NULL"),
)


class Books:
    """What a running site's database says, read beside it."""

    def __init__(self, data_dir: Path) -> None:
        self.path = data_dir / "broadsheet.sqlite3"

    def ask(self, query: str, *parameters: str) -> list[tuple]:
        with closing(sqlite3.connect(f"file:{self.path}?mode=ro", uri=True, timeout=20)) as base:
            return base.execute(query, parameters).fetchall()

    def n_due(self) -> int:
        now = datetime.now(UTC).strftime("%Y-%m-%d %H:%M:%S.%f")
        condition = "due_at <= ? AND quarantined_at IS NULL"
        # The replay web refuses what is no plain http: such threads wait for their hosts' pauses.
        pages = f"{condition} AND kind <> 'comments'"
        return sum(
            self.ask(
                f"SELECT count(*) FROM {table} WHERE {pages if table == PAGES else condition}",  # noqa: S608
                now,
            )[0][0]
            for table in WORK_TABLES
        )

    def n_unfinished(self) -> int:
        """Rows that are due, and pages and articles whose next stage does not know of them yet.

        Registering follows the stage's own commit: between the two, or after a blow there, nothing
        is due until the next sweep.
        """
        return self.n_due() + sum(self.ask(query)[0][0] for query in UNREGISTERED)

    def progress(self) -> tuple[int, int, int]:
        return tuple(
            self.ask(f"SELECT count(*) FROM {table}")[0][0]  # noqa: S608
            for table in ("feeds_fetch", "extraction_article", "search_indexedarticle")
        )


def kill_one(up: subprocess.Popen, chance: random.Random) -> None:
    """Kill the supervisor or any process below it."""
    try:
        supervisor = psutil.Process(up.pid)
        victim = chance.choice([*supervisor.children(recursive=True), supervisor])
        victim.send_signal(signal.SIGKILL)
    except psutil.NoSuchProcess:
        return


@pytest.mark.data
@pytest.mark.timeout(3600)
def test_twenty_kills_in_a_crawl_lose_nothing_and_store_nothing_twice(make_site, replay, tmp_path):
    site, port, chance = make_site(), str(free_port()), random.Random(SEED)
    books = Books(Path(site.environment["DATA_DIR"]))
    feeds = replay.feeds(N_PAGES)
    wanted = sorted(page for feed in feeds for page in replay.pages_by_feed[feed])
    listing = tmp_path / "feeds.txt"
    listing.write_text("\n".join(feeds))
    site.manage("add_source", str(listing), "--activate")

    def revived(up):
        """`up` itself, or begun anew where a blow has ended it."""
        if up.poll() is None:
            return up
        up.communicate()
        return site.start("manage.py", "up", "--port", port)

    up = site.start("manage.py", "up", "--port", port)
    for _ in range(N_KILLS):
        before = books.progress()
        # The next blow falls when the crawl has moved on, has nothing left to do, or has ended: a
        # blow at its very start, or a victim that took a moment to die, is seen only now.
        wait_until(
            lambda before=before, up=up: (
                books.progress() != before or not books.n_due() or up.poll() is not None
            ),
            PATIENCE_SECONDS,
        )
        kill_one(up, chance)
        up = revived(up)
    wait_until(lambda: not books.n_unfinished() or up.poll() is not None, PATIENCE_SECONDS)
    up = revived(up)
    # One that has just begun does not know yet how to end well.
    wait_until(
        lambda: not books.n_unfinished() and answers(f"http://127.0.0.1:{port}/healthz"),
        PATIENCE_SECONDS,
    )
    up.terminate()
    up.communicate(timeout=120)

    assert up.returncode == 0
    urls = "SELECT p.url FROM extraction_article a JOIN feeds_page p ON p.id = a.page_id"
    assert sorted(url for (url,) in books.ask(urls)) == wanted
    assert books.ask("SELECT count(*) FROM feeds_page WHERE quarantined_at IS NOT NULL") == [(0,)]
    in_corpus = books.ask("SELECT id FROM extraction_article WHERE in_corpus ORDER BY id")
    snapshot = IndexReader(Path(site.environment["DATA_DIR"]) / "index").snapshot
    found = [snapshot.document(DocumentKind.ARTICLE, key) for (key,) in in_corpus]
    assert None not in found
    assert snapshot.size().documents_by_kind[DocumentKind.ARTICLE] == len(in_corpus)
