"""`make bench-site`: a running site measured: pages, freshness, and what it takes when idle.

1. Replay crawl of fundus, zyte and segments into a temporary folder (2 processes, no delays).
2. Server time of home and concordance on that corpus, in process, median and p95 of 40 requests.
3. `manage.py up` on that folder: CPU and memory of all its processes while nothing is due, and what
   the web process has after a hundred pages, found by their links.
4. `manage.py up --demo`: from the commit of an article to its generation of the index.

Wall times on a shared machine are high; CPU stands beside them where it can be had.
"""

import json
import os
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from services import free_port

ROOT = Path(__file__).resolve().parents[2]
SHARED = Path(os.environ.get("SHARED_DATA_DIR", ROOT.parent / "shared"))
SETS = ("fundus", "zyte", "segments")
N_REQUESTS = 40
IDLE_SECONDS = 30
# A worker that has nothing to do gives memory back after some 15 s.
WARM_UP_SECONDS = 40
N_PAGES = 100
PAGES_OF_A_KIND = 2  # in one page's links
DEMO_SECONDS = 100
PAGES = {
    "home": "/",
    "concordance, one word": "/search/?q=government",
    "concordance, frequent word": "/search/?q=the",
    "concordance, phrase": "/search/?q=of+the+state",
    "concordance, CQL": "/search/?ql=cql&q=[pos%3D%22JJ%22]+[pos%3D%22NN.*%22]",
}


def row(*cells: object) -> None:
    print("| " + " | ".join(str(cell) for cell in cells) + " |")


@contextmanager
def replay_web() -> Iterator[str]:
    program = SHARED / "bench/replay/replay.py"
    data = SHARED / "data/extraction"
    server = subprocess.Popen(
        [sys.executable, str(program), "--data", str(data), "--sets", *SETS],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert server.stdout is not None
    yield server.stdout.readline().strip()
    server.terminate()
    server.wait()


def crawl(data_dir: str) -> None:
    with replay_web() as proxy, tempfile.TemporaryDirectory() as folder:
        direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        groups = json.load(direct.open(f"{proxy}/__replay__/hosts.json"))["groups"]
        feeds = Path(folder) / "feeds.txt"
        feeds.write_text("\n".join(group["feeds"]["rss"] for group in groups))
        peer = ROOT / "tests/benchmarks/replay_peer.py"
        command = [sys.executable, str(peer), str(feeds), f"{folder}/out", "--data", data_dir]
        subprocess.run(command, env=os.environ | {"http_proxy": proxy}, check=True)


TIMING = """
import json, statistics, sys, time
import django; django.setup()
from django.test import Client
from corpus_site.accounts.models import Role, User
user, _ = User.objects.get_or_create(username="bench", defaults={"role": Role.LINGUIST})
client = Client(); client.force_login(user)
for name, path in json.loads(sys.argv[1]).items():
    walls, cpus = [], []
    assert client.get(path).status_code == 200
    for _ in range(int(sys.argv[2])):
        wall, cpu = time.perf_counter(), time.process_time()
        client.get(path)
        walls.append(1000 * (time.perf_counter() - wall))
        cpus.append(1000 * (time.process_time() - cpu))
    walls.sort()
    p95 = walls[int(0.95 * len(walls))]
    figures = (statistics.median(walls), p95, statistics.median(cpus))
    print(f"| {name} |", " | ".join(f"{figure:.0f}" for figure in figures), "|")
"""


def time_pages(data_dir: str) -> None:
    print("\n| page | median ms | p95 ms | median CPU ms |\n|:--|--:|--:|--:|", flush=True)
    environment = {"DATA_DIR": data_dir, "DJANGO_SETTINGS_MODULE": "corpus_site.settings"}
    subprocess.run(
        [sys.executable, "-c", TIMING, json.dumps(PAGES), str(N_REQUESTS)],
        env=os.environ | environment,
        cwd=ROOT,
        check=True,
    )
    print("Mark: under 100 ms.")


@contextmanager
def running(data_dir: str, port: int, *options: str) -> Iterator[psutil.Process]:
    command = [sys.executable, "manage.py", "up", "--port", str(port), *options]
    environment = os.environ | {"DATA_DIR": data_dir, "READING_WITHOUT_SIGN_IN": "1"}
    up = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL)
    try:
        yield psutil.Process(up.pid)
    finally:
        up.send_signal(signal.SIGTERM)
        up.wait(timeout=15)


def megabytes(processes: list[psutil.Process]) -> tuple[str, str]:
    """Resident memory, and the same with shared pages counted once."""
    sizes = [process.memory_full_info() for process in processes]
    return (
        f"{sum(size.rss for size in sizes) / 1e6:.0f}",
        f"{sum(size.pss for size in sizes) / 1e6:.0f}",
    )


def open_pages(address: str) -> int:
    """Follow the links of the site from its home page; returns how many pages answered."""
    waiting, seen, n_answered = list(PAGES.values()), set(), 0
    while waiting and len(seen) < N_PAGES:
        path = waiting.pop(0)
        if path in seen:
            continue
        seen.add(path)
        try:
            with urllib.request.urlopen(address + path, timeout=60) as answer:
                page = answer.read().decode("utf-8", "replace")
        except urllib.error.HTTPError:
            continue
        n_answered += 1
        kinds: dict[str, int] = {}
        for link in sorted(set(re.findall(r'href="(/[^"#]*)"', page))):
            kind = re.sub(r"\d+", "0", link.split("?")[0])
            kinds[kind] = kinds.get(kind, 0) + 1
            if kinds[kind] <= PAGES_OF_A_KIND and not link.startswith("/static"):
                waiting.append(link.replace("&amp;", "&"))
    return n_answered


def measure_idle(data_dir: str) -> None:
    port = free_port()
    with running(data_dir, port) as up:
        time.sleep(WARM_UP_SECONDS)
        family = [up, *up.children(recursive=True)]
        before = sum(sum(p.cpu_times()[:2]) for p in family)
        time.sleep(IDLE_SECONDS)
        used = sum(sum(p.cpu_times()[:2]) for p in family) - before
        resident, proportional = megabytes(family)
        n_pages = open_pages(f"http://127.0.0.1:{port}")
        web = [p for p in family if "gunicorn" in " ".join(p.cmdline()) and not p.children()]
        web_resident, web_proportional = megabytes(web)
    print("\n| idle | measured | mark |\n|:--|--:|--:|")
    row("CPU of all processes, % of a core", f"{100 * used / IDLE_SECONDS:.1f}", "< 3")
    row("resident memory, all processes, MB", resident, "< 600")
    row("of that, shared pages counted once, MB", proportional, "")
    row(f"web process after {n_pages} pages, MB", web_resident, "< 150")
    row("of that, shared pages counted once, MB", web_proportional, "")


LATENCY = """
import django; django.setup()
from search.models import IndexedArticle
rows = IndexedArticle.objects.filter(outcome="indexed").select_related("article")
print("\\n".join(str((r.indexed_at - r.article.created_at).total_seconds()) for r in rows))
"""


def measure_freshness() -> None:
    with tempfile.TemporaryDirectory() as data_dir:
        with running(data_dir, free_port(), "--demo"):
            time.sleep(DEMO_SECONDS)
        environment = {"DATA_DIR": data_dir, "DJANGO_SETTINGS_MODULE": "corpus_site.settings"}
        done = subprocess.run(
            [sys.executable, "-c", LATENCY],
            env=os.environ | environment,
            cwd=ROOT,
            check=True,
            capture_output=True,
            text=True,
        )
    seconds = sorted(map(float, done.stdout.split()))
    print("\n| article committed to findable, s | median | p99 | n | mark |\n|:--|--:|--:|--:|--:|")
    worst = seconds[int(0.99 * (len(seconds) - 1))]
    row(
        "demo newspapers",
        f"{statistics.median(seconds):.2f}",
        f"{worst:.2f}",
        len(seconds),
        "p99 < 5",
    )


def main() -> int:
    if not (SHARED / "bench/replay").exists():
        print(f"left out: no replay web below {SHARED} (SHARED_DATA_DIR names the folder)")
        return 0
    with tempfile.TemporaryDirectory(prefix="broadsheet-bench-") as data_dir:
        crawl(data_dir)
        time_pages(data_dir)
        measure_idle(data_dir)
    measure_freshness()
    return 0


if __name__ == "__main__":
    sys.exit(main())
