"""`make bench-archive`: a month backfilled from a real pywb that serves WARC files of our own.

pywb pins old packages, so it gets an environment of its own (PYWB names one that is there), a
separate process on 127.0.0.1. A paper's December is written by our own writer: two copies of the
front page a day, six stories a day, of which some were archived as a redirect and some not at all;
on Sundays the front page comes as a revisit record. Then a crawl asks pywb what it has, waits with
its estimate, begins and ends; the table holds what came against what was written.
"""

import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
import venv
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests"), str(ROOT / "tests/benchmarks")]
PYWB = "pywb==2.10.0"
HOME = "http://karoo.example/"
DAYS = [date(2013, 12, day) for day in range(1, 32)]
STORIES_A_DAY = 6
SUNDAY = 6
MARKS = (
    "Marks: all figures as written; requests <= estimate; none to the site of a story that is kept."
)


@dataclass
class Written:
    """What the WARC file holds."""

    n_records: int = 0
    n_front_pages: int = 0  # that differ from the day before
    moments: dict[str, datetime] = field(default_factory=dict)  # of kept stories
    n_absent: int = 0


def write_archive(folder: Path) -> Written:
    """Write a paper's December as our own crawler would have."""
    from site_pages import site_article  # noqa: PLC0415 (Django's settings are named by now)

    from feeds.crawler.archive.warc import Original, WarcWriter  # noqa: PLC0415 (as above)
    from feeds.crawler.fetching.exchange import Exchange, FetchResult  # noqa: PLC0415 (as above)
    from feeds.crawler.outcomes import Outcome  # noqa: PLC0415 (as above)

    html = ("Content-Type", "text/html; charset=utf-8")
    written = Written()
    listed: list[str] = []
    with WarcWriter(folder) as writer:

        def keep(url, moment, body, status=200, headers=(html,), original=None):
            exchange = Exchange(url, (), status, "OK", headers, body, moment)
            result = FetchResult(url, Outcome.OK, "", moment, 5, (exchange,), body)
            written.n_records += 1
            return writer.write(result, f"page {written.n_records}", original, moment)

        last = None
        for day in DAYS:
            morning = datetime(day.year, day.month, day.day, 8, tzinfo=UTC)
            is_quiet = day.weekday() == SUNDAY and last is not None
            if not is_quiet:
                for number in range(STORIES_A_DAY):
                    place = (day.day - 1) * STORIES_A_DAY + number
                    url = f"{HOME}how-story-{place}-met-another-again"
                    listed.insert(0, url)
                    seen = morning + timedelta(hours=1, minutes=number)
                    if place % 15 == 7:
                        written.n_absent += 1
                        continue
                    kept = url
                    if place % 10 == 3:
                        kept = f"http://www.karoo.example/2013/{place}-how-another-was-met"
                        moved = (("Location", kept),)
                        keep(url, seen - timedelta(seconds=30), b"", 301, moved)
                    body = site_article(place % 380).replace(b"2026", b"----")
                    keep(kept, seen, body)
                    written.moments[url] = seen
                written.n_front_pages += 1
            links = "".join(f'<a href="{url}">How a story met it</a>' for url in listed[:12])
            for hours in (0, 10):
                moment = morning + timedelta(hours=hours)
                record = keep(HOME, moment, links.encode(), original=last if is_quiet else None)
                if not is_quiet and not hours:
                    last = Original(record.filename, record.offset, moment)
    return written


@contextmanager
def pywb(folder: Path, files: list[Path]) -> Iterator[str]:
    """Serve WARC files as a collection; gives its root."""
    place = Path(os.environ.get("PYWB", ROOT / "build/pywb"))
    if not (place / "bin/wayback").exists():
        venv.create(place, with_pip=True)
        install = [place / "bin/python", "-m", "pip", "install", "-q", PYWB]
        subprocess.run(install, check=True)
    for words in (["init", "paper"], ["add", "paper", *map(str, files)]):
        manage = [place / "bin/wb-manager", *words]
        subprocess.run(manage, cwd=folder, check=True, capture_output=True)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [place / "bin/wayback", "-b", "127.0.0.1", "-p", str(port)]
    with (folder / "pywb.log").open("wb") as log:
        process = subprocess.Popen(command, cwd=folder, stdout=log, stderr=log)
        try:
            wait_for(f"http://127.0.0.1:{port}/paper/cdx?url={HOME}", process)
            yield f"http://127.0.0.1:{port}/paper"
        finally:
            process.terminate()
            process.wait(20)


def wait_for(url: str, process: subprocess.Popen) -> None:
    for _ in range(100):
        try:
            urllib.request.urlopen(url, timeout=5).close()
        except OSError:
            if process.poll() is not None:
                raise
            time.sleep(0.2)
        else:
            return
    raise TimeoutError(url)


def backfill(root: str) -> dict[str, object]:
    """Fill December, a turn after the other on a clock of its own; gives what came."""
    from django.conf import settings  # noqa: PLC0415 (set up by now)

    from corpus_site import pipeline  # noqa: PLC0415 (as above)
    from extraction.models import Article  # noqa: PLC0415 (as above)
    from feeds.crawler.addressing.seeds import Seed  # noqa: PLC0415 (as above)
    from feeds.crawls import site_crawls  # noqa: PLC0415 (as above)
    from feeds.models import CrawlKind, Fetch, Publication  # noqa: PLC0415 (as above)
    from feeds.watching.crawl_status import crawl_estimate  # noqa: PLC0415 (as above)
    from feeds.work.leases import Claim  # noqa: PLC0415 (as above)

    now = datetime(2026, 11, 26, 12, tzinfo=UTC)
    paper = Publication.objects.create(
        name="Karoo", slug="karoo", home_url=HOME, state="active", created_at=now
    )
    crawl = site_crawls.begin(
        site_crawls.NewCrawl(
            paper, CrawlKind.ARCHIVE, (Seed(HOME, 2_000),), archive_url=root,
            days=(DAYS[0], DAYS[-1]), requests_per_minute=60, asks_first=True,
        ),
        None, now, settings.CRAWL_USER_AGENT,
    )  # fmt: skip
    estimate = None
    step = timedelta(minutes=1)
    for _ in range(2_000):
        now += step
        reports = [
            pipeline.BY_NAME[name].run(Claim("bench", now, timedelta(minutes=5)))
            for name in ("crawl", "fetch", "extract")
        ]
        # The site itself has no name: its host is asked again after ever longer pauses.
        step = timedelta(minutes=1 if any(report.n_claimed for report in reports[1:]) else 60)
        crawl.refresh_from_db()
        if crawl.state == "listed":
            estimate = crawl_estimate(crawl, now)
            site_crawls.begin_listed(crawl, 2_000, 60, now)
        if crawl.ended_at:
            break
    articles = Article.objects.select_related("fetch", "page")
    requests = Fetch.objects.filter(page__crawled_as__crawl=crawl)
    return {
        "crawl": crawl,
        "estimate": estimate,
        "n_requests": sum(1 + len(hops) for hops in requests.values_list("hops", flat=True)),
        "moments": {f"http://{row.page.key}": row.dated_at for row in articles},
        "undated": sum(row.published_at is None for row in articles),
        "n_front_pages": crawl.addresses.filter(
            role="snapshot", followed_at__isnull=False, snapshot_at__isnull=False
        ).count(),
        "live": requests.exclude(url__startswith=root).values("page").distinct().count(),
    }


def main() -> int:
    from replay_peer import prepare  # noqa: PLC0415 (the path is set above)

    with tempfile.TemporaryDirectory(prefix="broadsheet-bench-") as folder:
        prepare(f"{folder}/data")
        import django  # noqa: PLC0415 (the environment is set by now)
        from django.core.management import call_command  # noqa: PLC0415 (as above)

        django.setup()
        call_command("migrate", verbosity=0)
        there = Path(folder, "pywb")
        there.mkdir()
        written = write_archive(Path(folder, "warc"))
        with pywb(there, sorted(Path(folder, "warc").glob("*.warc.gz"))) as root:
            began = time.monotonic()
            came = backfill(root)
            seconds = time.monotonic() - began
    crawl, estimate = came["crawl"], came["estimate"]
    rows = [
        ("records written by us", written.n_records, ""),
        ("front pages, one of each day that differs", written.n_front_pages, came["n_front_pages"]),
        ("stories kept", len(written.moments), len(came["moments"])),
        ("… dated by their own copy", len(written.moments), sum(
            came["moments"].get(url) == moment for url, moment in written.moments.items())),
        ("stories that are not kept, asked of the site", written.n_absent, came["live"]),
        ("stories without a date of their own", len(written.moments), came["undated"]),
        ("requests, at most as estimated", estimate.n_requests, came["n_requests"]),
    ]  # fmt: skip
    print("| what | written | came |\n|:--|--:|--:|")
    for cells in rows:
        print("| " + " | ".join(map(str, cells)) + " |")
    print(f"\n{crawl.get_state_display()}: {crawl.end_reason}. {seconds:.0f} s.\n{MARKS}")
    is_met = all(want == got for _, want, got in rows[1:-1]) and rows[-1][2] <= rows[-1][1]
    return 0 if is_met else 1


if __name__ == "__main__":
    sys.exit(main())
