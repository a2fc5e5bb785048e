"""Three machines with PostgreSQL, Redis and an object store: every part killed, nothing lost.

One writes the index and publishes it, one fetches and reads, one has a copy of the index for its
readers; each has a data folder and a host name of its own, and no disk in common.
"""

import gzip
import json
import signal
import subprocess
import sys
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import psutil
import psycopg2
import pytest
import redis
from integration.feeds.origin import Origin, answer
from like_texts import sentences
from newspaper_pages import article_page, paragraphs_html
from object_stores import KEYS, S3Server, new_bucket
from processes.conftest import FAST, ROOT, environment
from waiting import wait_until

from search.engine.index.documents import DocumentKind
from search.engine.index.manifest import load_manifest
from search.engine.index.reader import IndexReader

PAPERS = ("karoo", "cape", "veld")
STORIES_A_PAPER = 8
N_STORIES = len(PAPERS) * STORIES_A_PAPER
SECRET = "Zorvikand"  # the one word that is erased in the end
PATIENCE_SECONDS = 600
CELERY = ("-m", "celery", "-A", "corpus_site")
QUIET = ("--loglevel", "ERROR", "--without-gossip", "--without-mingle", "--concurrency", "1")
TABLES = (
    "feeds_page",
    "extraction_extraction",
    "dedup_detection",
    "search_indexedarticle",
    "extraction_erasure",
)
HTML = (("Content-Type", "text/html; charset=utf-8"),)


@dataclass
class Machine:
    """A host name, a data folder, and processes that are begun anew when they were killed."""

    name: str
    environment: dict[str, str]
    commands: dict[str, tuple[str, ...]]
    running: dict[str, subprocess.Popen] = field(default_factory=dict)

    def _command(self, *arguments: str) -> list[str]:
        """Under a host name of its own, where the kernel lets us."""
        own = ["unshare", "--uts", "sh", "-c", 'hostname "$0" && exec "$@"', self.name]
        can = subprocess.run([*own, "true"], check=False, capture_output=True).returncode == 0
        return [*(own if can else []), sys.executable, *arguments]

    def start(self, part: str) -> None:
        self.running[part] = subprocess.Popen(
            self._command(*self.commands[part]),
            cwd=ROOT,
            env=self.environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def kill(self, part: str) -> None:
        """Kill a process with all below it, at once, and start it anew."""
        process = self.running[part]
        for one in [*psutil.Process(process.pid).children(recursive=True), process]:
            one.send_signal(signal.SIGKILL)
        process.wait()
        self.start(part)

    def manage(self, *arguments: str) -> str:
        done = subprocess.run(
            self._command("manage.py", *arguments),
            cwd=ROOT,
            env=self.environment,
            check=False,
            capture_output=True,
            text=True,
            timeout=PATIENCE_SECONDS,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    @property
    def data(self) -> Path:
        return Path(self.environment["DATA_DIR"])

    @property
    def index(self) -> Path:
        return self.data / "index"


@contextmanager
def all_running(*machines: Machine):
    try:
        for machine in machines:
            for part in machine.commands:
                machine.start(part)
        yield
    finally:
        for machine in machines:
            for process in machine.running.values():
                process.terminate()
            for process in machine.running.values():
                process.wait(120)


def papers(web: Origin) -> list[str]:
    """Give three newspapers with some stories each to a web server; returns their feeds."""
    feeds = []
    for paper in PAPERS:
        entries = []
        for number in range(STORIES_A_PAPER):
            name = f"{paper}{number}"
            lines = sentences(name, 6)
            if name == "karoo3":
                lines.append(f"Nobody in the valley had seen the {SECRET} since the last harvest.")
            title = f"What {name} brings to the valley"
            html = article_page(paragraphs_html(lines), title=title)
            web.routes[f"{paper}.example/story-{number}"] = answer(html, 200, HTML)
            url = f"http://{paper}.example/story-{number}"
            entries.append(f"<item><title>{title}</title><link>{url}</link></item>")
        body = (
            f"<rss version='2.0'><channel><title>{paper}</title>{''.join(entries)}</channel></rss>"
        )
        rss = answer(body.encode(), 200, (("Content-Type", "application/rss+xml"),))
        web.routes[f"{paper}.example/feed.xml"] = rss
        feeds.append(f"http://{paper}.example/feed.xml")
    return feeds


class Books:
    """What the database says, read beside all machines."""

    def __init__(self, url: str) -> None:
        self._connection = psycopg2.connect(url)
        self._connection.autocommit = True

    def ask(self, query: str):
        with self._connection.cursor() as cursor:
            cursor.execute(query)
            return cursor.fetchall()

    def n(self, table: str, condition: str = "true") -> int:
        return self.ask(f"SELECT count(*) FROM {table} WHERE {condition}")[0][0]  # noqa: S608

    def is_idle(self) -> bool:
        due = "due_at <= now() AND quarantined_at IS NULL"
        return not any(self.n(table, due) for table in TABLES)

    def cut_off(self) -> None:
        """End all other connections, as a database that is restarted does."""
        self.ask(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )


def files_with(folder: Path, word: str) -> list[str]:
    return [
        str(path)
        for path in folder.rglob("*")
        if path.is_file() and word.encode() in path.read_bytes()
    ]


def documents(machine: Machine) -> list[int]:
    """Keys of the articles that the newest generation holds, once for each time it holds them."""
    snapshot = IndexReader(machine.index).snapshot
    assert not snapshot.damaged
    keys = []
    for view in snapshot.segments:
        columns, alive = view.segment.documents, view.alive(snapshot.generation)
        chosen = columns.kind == DocumentKind.ARTICLE
        keys += columns.key[chosen if alive is None else chosen & alive].tolist()
    return sorted(keys)


@pytest.mark.long  # a hundred seconds of a processor
@pytest.mark.postgres
@pytest.mark.redis
@pytest.mark.timeout(1800)
def test_every_part_of_three_machines_is_killed_and_nothing_is_lost(servers, tmp_path):
    with Origin() as web, S3Server() as store:
        bucket = new_bucket(store.endpoint)
        common = servers | FAST | {
            "CRAWL_PROXY_URL": web.url,
            "SECRET_KEY": "of-all-three-machines-and-long-enough",
            "ARCHIVE_URL": f"s3://{bucket}/archive",
            "ARCHIVE_ENDPOINT_URL": store.endpoint,
            "ARCHIVE_KEY_ID": KEYS[0],
            "ARCHIVE_SECRET_KEY": KEYS[1],
            "ARCHIVE_UPLOAD_SECONDS": "2",
            "ARCHIVE_LOCAL_DAYS": "0",
            "OPENBLAS_NUM_THREADS": "1",
        }  # fmt: skip
        place = f"s3://{bucket}/index"

        def machine(name, further, **commands):
            own = environment(tmp_path / name, **common, **further, MACHINE_NAME=name)
            return Machine(name, own, commands)

        indexer = machine(
            "indexer",
            {"INDEX_URL": place},
            worker=(*CELERY, "worker", "-Q", "index,maintenance,default", *QUIET),
            beat=(*CELERY, "beat", "--loglevel", "ERROR", "--schedule", str(tmp_path / "beat")),
            publisher=("manage.py", "publish_index"),
        )
        fetcher = machine(
            "fetcher",
            {},
            worker=(*CELERY, "worker", "-Q", "crawl,extract", *QUIET),
            uploader=("manage.py", "upload_archive"),
        )
        readers = machine(
            "readers", {"INDEX_SOURCE": place}, follower=("manage.py", "follow_index")
        )
        feeds = tmp_path / "feeds.txt"
        feeds.write_text("\n".join(papers(web)))
        indexer.manage("migrate", "--verbosity", "0")
        books = Books(servers["DATABASE_URL"])
        with all_running(indexer, fetcher, readers):
            indexer.manage("add_source", str(feeds), "--activate")
            kill_each_part(books, store, servers, (indexer, fetcher, readers))
            check_nothing_is_lost(books, indexer, readers)
            erase_everywhere(books, indexer, fetcher, readers)
        check_store(store, bucket)


def kill_each_part(books, store, servers, machines) -> None:
    """A blow to each part while the crawl goes on, each when it has moved on since the last."""
    indexer, fetcher, readers = machines
    blows = [
        lambda: fetcher.kill("worker"),
        lambda: redis.from_url(servers["REDIS_URL"]).flushdb(),
        lambda: indexer.kill("worker"),
        lambda: fetcher.kill("uploader"),
        books.cut_off,
        lambda: indexer.kill("publisher"),
        lambda: readers.kill("follower"),
        lambda: indexer.kill("beat"),
        store.restart,
    ]
    for blow in blows:
        before = progress(books)
        wait_until(
            lambda before=before: progress(books) != before or books.is_idle(), PATIENCE_SECONDS
        )
        blow()
    wait_until(
        lambda: books.n("search_indexedarticle", "n_tokens > 0") == N_STORIES and books.is_idle(),
        PATIENCE_SECONDS,
    )


def progress(books) -> tuple[int, ...]:
    tables = ("feeds_fetch", "extraction_article", "search_indexedarticle", "feeds_archivefile")
    return tuple(books.n(table) for table in tables)


def is_followed(indexer: Machine, readers: Machine) -> bool:
    there, here = load_manifest(indexer.index), load_manifest(readers.index)
    return there is not None and there == here


def check_nothing_is_lost(books, indexer, readers) -> None:
    """Every story once in the tables, once in the index, and the same files on both machines."""
    assert books.n("extraction_article") == N_STORIES
    assert books.n("extraction_article", "in_corpus") == N_STORIES
    ids = sorted(pk for (pk,) in books.ask("SELECT id FROM extraction_article"))
    wait_until(lambda: is_followed(indexer, readers), PATIENCE_SECONDS)
    assert documents(indexer) == documents(readers) == ids
    for path in readers.index.glob("*.segment"):
        assert path.read_bytes() == (indexer.index / path.name).read_bytes()
    found = json.loads(readers.manage("search", SECRET, "--json"))
    assert found["total"] == 1


def erase_everywhere(books, indexer, fetcher, readers) -> None:
    """No disk holds a word of what was erased, nor does the store (which the caller looks at)."""
    wait_until(lambda: not list(fetcher.data.glob("archive/*.warc.gz")), PATIENCE_SECONDS)
    assert files_with(readers.index, SECRET)
    readers.manage("erase", "http://karoo.example/story-3", "--reason", "A court says so.")
    wait_until(
        lambda: books.n("extraction_erasure", "finished_at IS NOT NULL") == 1, PATIENCE_SECONDS
    )
    wait_until(
        lambda: is_followed(indexer, readers) and not files_with(readers.index, SECRET),
        PATIENCE_SECONDS,
    )
    assert not files_with(indexer.index, SECRET)
    assert len(documents(readers)) == N_STORIES - 1
    said = readers.manage("archive", "verify")
    assert "0 fetches lost" in said


def check_store(store, bucket) -> None:
    """Look at each object: what was erased is in none of them."""
    objects = store.objects(bucket)
    assert {name.partition("/")[0] for name in objects} == {"archive", "index"}
    for name, data in objects.items():
        whole = gzip.decompress(data) if name.endswith(".gz") else data
        assert SECRET.encode() not in whole, name
