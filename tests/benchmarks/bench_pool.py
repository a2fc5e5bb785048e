"""`make bench-pool`: a crawl of a generated site of a million linked pages on 20 hosts of loopback.

Three tables: pages/s and pages/s of a core without delays, fetches and slices alone; how much of
what a delay of one second allows is used over all hosts, with `politeness.py` where it is; seconds
and memory of a slice and bytes of an address as the pool grows. The site is made as it is asked
for: each page has text of its own and leads to ten others.

On SQLite, or on the server that DATABASE_URL names, whose publications are lost.

    python tests/benchmarks/bench_pool.py [--pages 3000] [--seconds 40] [--pools 10000 100000]
"""

import argparse
import asyncio
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

ROOT = Path(__file__).resolve().parents[2]
SHARED = Path(os.environ.get("SHARED_DATA_DIR", ROOT.parent / "shared"))
N_HOSTS, N_LINKS, N_WORDS, SITE_PAGES = 20, 10, 400, 1_000_000
MARKS = "Marks: >= 300 pages/s of a core, all hosts busy, <= 400 bytes an address, memory bounded."
_LETTERS = "bdfgklmnprst"


# --- The site -------------------------------------------------------------------------------------


def page(number: int) -> bytes:
    """Give a page of the site: words that depend on its number, and links to ten others."""
    source = random.Random(number)
    words = " ".join("".join(source.choices(_LETTERS, k=5)) + "aar" for _ in range(N_WORDS))
    links = "".join(
        f'<a href="http://h{n % N_HOSTS}.karoo.example/story-{n}-of-the-karoo">Story {n}</a> '
        for n in ((number * N_LINKS + place) % SITE_PAGES for place in range(1, N_LINKS + 1))
    )
    return f"<html><head><title>{number}</title></head><p>{words}</p>{links}</html>".encode()


async def _answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, log: IO[str]) -> None:
    try:
        while True:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            begun = time.time()
            url = head.split(" ", 2)[1]
            host, _, path = url.removeprefix("http://").partition("/")
            is_robots = path == "robots.txt"
            number = int(path.split("-")[1]) if path.startswith("story-") else 0
            body = b"User-agent: *\nDisallow:\n" if is_robots else page(number)
            kind = "text/plain" if is_robots else "text/html"
            writer.write(
                f"HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n\r\n"
                .encode() + body
            )  # fmt: skip
            await writer.drain()
            row = {
                "t": begun, "ms": (time.time() - begun) * 1000, "host": host, "url": url,
                "kind": "robots" if is_robots else "page", "method": "GET", "status": 200,
                "cond": False, "bytes": len(body),
            }  # fmt: skip
            log.write(json.dumps(row) + "\n")
            log.flush()
    except (asyncio.IncompleteReadError, ConnectionError):
        writer.close()


async def serve(log: Path) -> None:
    """Be the proxy behind which all hosts of the site stand; prints its port."""
    with log.open("w", encoding="utf-8") as rows:
        server = await asyncio.start_server(
            lambda reader, writer: _answer(reader, writer, rows), "127.0.0.1", 0
        )
        print(server.sockets[0].getsockname()[1], flush=True)
        await server.serve_forever()


@contextmanager
def site(log: Path) -> Iterator[str]:
    command = [sys.executable, __file__, "--part", "serve", "--log", str(log)]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    try:
        yield f"http://127.0.0.1:{server.stdout.readline().strip()}"
    finally:
        server.terminate()
        server.wait()


# --- Our side -------------------------------------------------------------------------------------


def prepare(folder: str, proxy: str, delay: float) -> None:
    """Set up Django over an empty data folder, or the one that is there."""
    os.environ |= {
        "DATA_DIR": folder,
        "CRAWL_PROXY_URL": proxy,
        "CRAWL_ALLOWED_PRIVATE_NETWORKS": "127.0.0.0/8",
        "CRAWL_MIN_DELAY_SECONDS": str(delay),
        "DJANGO_SETTINGS_MODULE": "corpus_site.settings",
    }
    sys.path.insert(0, str(ROOT))
    import django  # noqa: PLC0415 (the environment is set by now)

    django.setup()


def begin(limit: int) -> None:
    """Begin a crawl of the whole domain."""
    from django.core.management import call_command  # noqa: PLC0415 (as above)
    from django.utils import timezone  # noqa: PLC0415 (as above)

    from feeds.crawler.addressing.seeds import parse_seeds  # noqa: PLC0415 (as above)
    from feeds.crawls import site_crawls  # noqa: PLC0415 (as above)
    from feeds.models import CrawlKind, Fetch, Host, Publication, UrlPolicy  # noqa: PLC0415 (as above)

    call_command("migrate", verbosity=0)
    Publication.objects.all().delete()  # of the run before, on a server
    Fetch.objects.all().delete()
    Host.objects.all().delete()
    now, home = timezone.now(), "http://h0.karoo.example/"
    paper = site_crawls.publication_without_feeds("Karoo", home, now)
    seeds = parse_seeds(f"{home} {limit} *.karoo.example")
    new = site_crawls.NewCrawl(paper, CrawlKind.SITE, seeds, UrlPolicy.ALL, max_depth=20)
    site_crawls.begin(new, None, now, "Broadsheet")


def work(stage: str, seconds: float) -> dict[str, float]:
    """Run a stage until the crawl is over or the time is; gives CPU seconds and highest MB."""
    from django.utils import timezone  # noqa: PLC0415 (as above)

    from feeds import fetch  # noqa: PLC0415 (as above)
    from feeds.crawls import crawl_slices  # noqa: PLC0415 (as above)
    from feeds.models import Crawl  # noqa: PLC0415 (as above)
    from feeds.work.leases import Claim  # noqa: PLC0415 (as above)

    run = {"fetch": fetch.run, "crawl": crawl_slices.run}[stage]
    began, begun_cpu = time.monotonic(), time.process_time()
    while time.monotonic() - began < seconds and Crawl.objects.filter(ended_at=None).exists():
        if not any(run(50, Claim.make(stage, timezone.now())).done.values()):
            time.sleep(0.05)
    return {
        "seconds": time.monotonic() - began,
        "cpu": time.process_time() - begun_cpu,
        "mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }


def _part(
    part: str, folder: str, proxy: str, delay: float, seconds: float
) -> subprocess.Popen[str]:
    command = [sys.executable, __file__, "--part", part, "--data", folder, "--proxy", proxy]
    command += ["--delay", str(delay), "--seconds", str(seconds)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def _result(part: subprocess.Popen[str]) -> dict[str, float]:
    out, _ = part.communicate()
    if part.returncode:
        raise SystemExit(f"a part of the benchmark failed with {part.returncode}")
    found: dict[str, float] = json.loads(out.splitlines()[-1])
    return found


def crawl(
    delay: float, limit: int, seconds: float
) -> tuple[dict[str, dict[str, float]], list[Any]]:
    """Crawl the site with one process a stage; gives what they took, and the site's log."""
    with tempfile.TemporaryDirectory(prefix="broadsheet-pool-") as folder:
        log = Path(folder) / "log"
        with site(log) as proxy:
            begun = _part("begin", folder, proxy, delay, limit)
            _result(begun)
            parts = {
                name: _part(name, folder, proxy, delay, seconds) for name in ("fetch", "crawl")
            }
            took = {name: _result(part) for name, part in parts.items()}
        rows = [json.loads(line) for line in log.read_text().splitlines()]
        if delay:
            _judge(log, delay)
    return took, rows


def _judge(log: Path, delay: float) -> None:
    program = SHARED / "bench/replay/politeness.py"
    if not program.exists():
        print(f"left out: no politeness.py below {SHARED}")
        return
    # A clock of the host's own: the site sees a request a few ms earlier or later than it was sent.
    command = [sys.executable, str(program), str(log), "--worst", "0"]
    told = subprocess.run(
        [*command, "--min-delay", str(delay - 0.05)], check=True, stdout=subprocess.PIPE, text=True
    )
    wanted = ("requests", "hosts ", "disallowed", "min_gap", "gaps_below", "max_concurrency_per")
    print("\n".join(line for line in told.stdout.splitlines() if line.startswith(wanted)))


# --- The pool -------------------------------------------------------------------------------------


def grow(sizes: list[int]) -> None:
    """Fill a pool and let slices work on it, at each of the sizes."""
    from django.db import connection  # noqa: PLC0415 (as above)
    from django.utils import timezone  # noqa: PLC0415 (as above)

    from feeds.crawls import crawl_slices  # noqa: PLC0415 (as above)
    from feeds.models import Crawl, Page  # noqa: PLC0415 (as above)
    from feeds.work.leases import Claim  # noqa: PLC0415 (as above)

    begin(SITE_PAGES * 10)
    row, n_known = Crawl.objects.get(), 1
    print("| addresses | ms a slice (200 failed, 200 let in) | CPU ms | MB | bytes an address |")
    print("|--:|--:|--:|--:|--:|")
    empty = _size(connection)
    for size in sizes:
        _fill(row, n_known, size)
        n_known = size
        per_row = (_size(connection) - empty) / size
        taken, cpu = [], []
        for _ in range(4):
            Page.objects.filter(due_at__isnull=False).update(due_at=None)  # visited, in vain
            now = timezone.now()
            Crawl.objects.update(due_at=now, n_known=size, state="running", ended_at=None)
            began, begun_cpu = time.monotonic(), time.process_time()
            crawl_slices.run(1, Claim.make("bench", now))
            taken.append(time.monotonic() - began)
            cpu.append(time.process_time() - begun_cpu)
        mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(
            f"| {size:,} | {sorted(taken)[2] * 1000:.0f} | {sorted(cpu)[2] * 1000:.0f} "
            f"| {mb:.0f} | {per_row:.0f} |",
            flush=True,
        )


def _fill(row: Any, start: int, end: int) -> None:
    from django.db import transaction  # noqa: PLC0415 (as above)

    from feeds.crawler.addressing.canonical import canonicalize  # noqa: PLC0415 (as above)
    from feeds.crawls.pool import digest_of  # noqa: PLC0415 (as above)
    from feeds.models import CrawlAddress  # noqa: PLC0415 (as above)
    from feeds.work.row_inserts import insert_new_rows  # noqa: PLC0415 (as above)

    for first in range(start, end, 5_000):
        addresses = [
            canonicalize(f"http://h{n % N_HOSTS}.karoo.example/story-{n}-of-the-karoo")
            for n in range(first, min(first + 5_000, end))
        ]
        shared = {"crawl": row.pk, "role": "story", "depth": 1, "found_at": row.created_at}
        shared["found_on"] = "http://h0.karoo.example/"
        rows = [(one.url, digest_of(one.key), one.host) for one in addresses]
        with transaction.atomic():
            insert_new_rows(CrawlAddress, shared, ("url", "digest", "host"), rows)


def _size(connection: Any) -> int:
    """Give the bytes of the database: of the table with its indexes, where it can tell."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SELECT pg_total_relation_size('feeds_crawladdress')")
            return int(cursor.fetchone()[0])
        cursor.execute("PRAGMA page_count")
        n_pages = cursor.fetchone()[0]
        cursor.execute("PRAGMA page_size")
        return int(n_pages * cursor.fetchone()[0])


# --- All of it ------------------------------------------------------------------------------------


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--pages", type=int, default=3_000)
    parser.add_argument("--seconds", type=float, default=40)
    parser.add_argument("--pools", type=int, nargs="*", default=[10_000, 100_000, 1_000_000])
    parser.add_argument("--part", help="used by itself")
    parser.add_argument("--log", type=Path)
    parser.add_argument("--data", default="")
    parser.add_argument("--proxy", default="")
    parser.add_argument("--delay", type=float, default=0)
    arguments = parser.parse_args()
    if arguments.part == "serve":
        asyncio.run(serve(arguments.log))
    elif arguments.part:
        prepare(arguments.data, arguments.proxy, arguments.delay)
        if arguments.part == "begin":
            begin(int(arguments.seconds))
            print("{}")
        elif arguments.part == "grow":
            grow(arguments.pools)
        else:
            print(json.dumps(work(arguments.part, arguments.seconds)))
    else:
        measure(arguments.pages, arguments.seconds, arguments.pools)


def measure(n_pages: int, seconds: float, pools: list[int]) -> None:
    """Print the three tables."""
    took, rows = crawl(0, n_pages, 600)
    n = sum(row["kind"] == "page" for row in rows)
    cpu = sum(part["cpu"] for part in took.values())
    wall = max(part["seconds"] for part in took.values())
    most = max(part["mb"] for part in took.values())
    print("| pages | s | pages/s | CPU s of fetches | of slices | pages/s of a core | highest MB |")
    print("|--:|--:|--:|--:|--:|--:|--:|")
    print(
        f"| {n:,} | {wall:.1f} | {n / wall:.0f} | {took['fetch']['cpu']:.1f} | "
        f"{took['crawl']['cpu']:.1f} | {n / cpu:.0f} | {most:.0f} |\n"
    )
    took, rows = crawl(1, SITE_PAGES, seconds)
    counted = [row for row in rows if row["kind"] == "page"]
    first: dict[str, float] = {}
    for row in counted:
        first.setdefault(row["host"], row["t"])
    end = max(row["t"] for row in counted)
    allowed = sum(end - begun + 1 for begun in first.values())
    share = len(counted) / allowed
    print(f"{len(first)} hosts at 1 s: {len(counted)} pages, {share:.0%} of what is allowed\n")
    with tempfile.TemporaryDirectory(prefix="broadsheet-pool-") as folder:
        command = [sys.executable, __file__, "--part", "grow", "--data", folder]
        subprocess.run([*command, "--pools", *map(str, pools)], check=True)
    print(MARKS)


if __name__ == "__main__":
    main()
