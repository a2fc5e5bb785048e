"""`make bench-scaling`: how much faster 1, 2, 4 and 8 fetching workers empty slow sites.

Sites on this machine answer each request after a second, so waiting is what takes the time, as it
does on the web; PostgreSQL holds the frontier, and each worker is a process that has nothing but
the fetch stage, with `HOSTS` sites at once. Prints requests a second, the gain over one worker, and
processor time a request; and that every page was asked for once and no site twice at a time.
"""

import asyncio
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import psycopg2

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from newspaper_pages import article_page, paragraphs_html  # noqa: E402
from services import postgres  # noqa: E402

N_SITES, N_PAGES, HOSTS = 200, 4, 20
ANSWER_SECONDS = 1.0
WORKERS = (1, 2, 4, 8)
PATIENCE_SECONDS = 600.0


class SlowSites:
    """A proxy for all sites: each answer takes a second; counts requests, and those at a time."""

    def __init__(self) -> None:
        self.asked: Counter[str] = Counter()
        self.at_once: Counter[str] = Counter()
        self.most_at_once = 0
        self._loop = asyncio.new_event_loop()
        threading.Thread(target=self._loop.run_forever, daemon=True).start()
        start = asyncio.start_server(self._serve, "127.0.0.1", 0, backlog=1_000)
        server = asyncio.run_coroutine_threadsafe(start, self._loop).result()
        self.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                url = head.split(b" ", 2)[1].decode()
                host = urlsplit(url).netloc
                self.asked[url] += 1
                self.at_once[host] += 1
                self.most_at_once = max(self.most_at_once, self.at_once[host])
                await asyncio.sleep(ANSWER_SECONDS)
                self.at_once[host] -= 1
                writer.write(_answer(url))
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()


def _answer(url: str) -> bytes:
    parts = urlsplit(url)
    kind, body = "text/html; charset=utf-8", b""
    if parts.path == "/feed.xml":
        kind, body = "application/rss+xml", _feed(parts.netloc)
    elif parts.path.startswith("/story-"):
        body = article_page(paragraphs_html([f"Rain fell at last on {url} and its farms."] * 5))
    status = "200 OK" if body else "404 Not Found"
    return (
        f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n\r\n".encode()
        + body
    )


def _feed(host: str) -> bytes:
    items = "".join(
        f"<item><title>Rain {n}</title><link>http://{host}/story-{n}</link></item>"
        for n in range(N_PAGES)
    )
    return f"<rss version='2.0'><channel><title>{host}</title>{items}</channel></rss>".encode()


def work() -> None:
    """Be one worker: run the fetch stage until every page has been asked for."""
    import django  # noqa: PLC0415

    django.setup()
    from django.utils import timezone  # noqa: PLC0415

    from corpus_site import pipeline  # noqa: PLC0415
    from feeds.models import Page  # noqa: PLC0415
    from feeds.work.leases import Claim  # noqa: PLC0415
    from feeds.work.machine import name_of_start  # noqa: PLC0415

    stage, name = pipeline.BY_NAME["fetch"], name_of_start("bench")
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    sys.stdin.readline()
    began = time.process_time()
    unseen = Page.objects.filter(kind="article", visited_at=None)
    until = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < until:
        if stage.run(Claim.make(name, timezone.now())).n_claimed:
            continue
        if Page.objects.filter(kind="article").count() == N_SITES * N_PAGES and not unseen.exists():
            break
        time.sleep(0.1)
    sys.stdout.write(f"{time.process_time() - began}\n")


@contextmanager
def frontier(sites: SlowSites) -> Iterator[dict[str, str]]:
    """Give the environment of a database in which all sites have been added."""
    with postgres() as url, tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {
            "DATABASE_URL": url, "DATA_DIR": folder, "CRAWL_PROXY_URL": sites.url,
            "CRAWL_MIN_DELAY_SECONDS": "0", "CRAWL_HOSTS_PER_BATCH": str(HOSTS),
            "DJANGO_SETTINGS_MODULE": "corpus_site.settings", "OPENBLAS_NUM_THREADS": "1",
        }  # fmt: skip
        listing = Path(folder) / "feeds.txt"
        listing.write_text("\n".join(f"http://s{n:03}.example/feed.xml" for n in range(N_SITES)))
        for arguments in (
            ["migrate", "--verbosity", "0"],
            ["add_source", str(listing), "--activate"],
        ):
            command = [sys.executable, "manage.py", *arguments]
            subprocess.run(
                command, cwd=ROOT, env=environment, check=True, stdout=subprocess.DEVNULL
            )
        yield environment


def copy_of(environment: dict[str, str], name: str) -> dict[str, str]:
    """Copy the database that nobody is connected to; returns the environment of the copy."""
    url = environment["DATABASE_URL"]
    server, _, original = url.rpartition("/")
    connection = psycopg2.connect(f"{server}/template1")
    connection.autocommit = True
    with connection.cursor() as cursor:
        cursor.execute(f"CREATE DATABASE {name} TEMPLATE {original}")
    connection.close()
    return environment | {"DATABASE_URL": f"{server}/{name}"}


def measure(
    sites: SlowSites, environment: dict[str, str], n_workers: int
) -> tuple[float, float, int]:
    """Empty a fresh frontier; returns seconds, processor seconds of the workers, requests."""
    environment = copy_of(environment, f"workers_{n_workers}")
    workers = [
        subprocess.Popen(
            [sys.executable, __file__, "--worker"],
            cwd=ROOT,
            env=environment,
            text=True,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        for _ in range(n_workers)
    ]
    for worker in workers:
        worker.stdout.readline()
    sites.asked.clear()
    started = time.monotonic()
    for worker in workers:
        worker.stdin.write("go\n")
        worker.stdin.flush()
    cpu = sum(float(worker.communicate()[0]) for worker in workers)
    seconds = time.monotonic() - started
    stories = [n for url, n in sites.asked.items() if "/story-" in url]
    assert len(stories) == N_SITES * N_PAGES, f"{len(stories)} pages asked for"
    assert set(stories) == {1}, "a page was asked for twice"
    assert sites.most_at_once == 1, "a site was asked twice at a time"
    return seconds, cpu, sum(sites.asked.values())


def main() -> int:
    print(f"{N_SITES} sites with {N_PAGES} pages, a second an answer, {HOSTS} sites a worker")
    print("| workers | s | requests/s | gain | CPU ms a request |")
    print("|--:|--:|--:|--:|--:|")
    first, sites = 0.0, SlowSites()
    with frontier(sites) as environment:
        for n_workers in WORKERS:
            seconds, cpu, n_requests = measure(sites, environment, n_workers)
            first = first or seconds
            rate, each = n_requests / seconds, 1000 * cpu / n_requests
            gain = first / seconds
            print(f"| {n_workers} | {seconds:.1f} | {rate:.1f} | {gain:.2f} | {each:.1f} |")
            sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(work() if "--worker" in sys.argv else main())
