"""Run the real programs: a replay web, and a site with a data folder of its own."""

import json
import os
import shutil
import subprocess
import sys
import urllib.request
import uuid
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import psycopg2
import pytest
from migrated_tables import migrate, migrated_data, without_servers
from shared_data import shared

ROOT = Path(__file__).resolve().parents[2]
# Short leases, so that the work of a killed process is taken over within the test.
FAST = {
    "CRAWL_MIN_DELAY_SECONDS": "0",
    "CRAWL_TOTAL_TIMEOUT_SECONDS": "4",
    "LEASE_SECONDS": "5",
    "MESSAGE_LEASE_SECONDS": "5",
    "SWEEP_SECONDS": "1",
    "CRAWL_ALLOWED_PRIVATE_NETWORKS": "127.0.0.0/8",
    "MAX_ATTEMPTS": "30",
}


@dataclass(frozen=True, slots=True)
class Replay:
    """A running replay web: its proxy address, and the pages of each feed."""

    proxy: str
    pages_by_feed: dict[str, list[str]]

    def feeds(self, n_pages: int) -> list[str]:
        """Feeds that together list at least `n_pages` pages."""
        chosen, total = [], 0
        for feed, pages in self.pages_by_feed.items():
            if total >= n_pages:
                break
            chosen.append(feed)
            total += len(pages)
        return chosen


@dataclass(frozen=True, slots=True)
class Site:
    """A data folder and the environment of the programs that work on it."""

    environment: dict[str, str]
    folder: Path = ROOT
    started: list[subprocess.Popen[str]] = field(default_factory=list)

    def manage(self, *arguments: str) -> str:
        done = subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=ROOT,
            env=self.environment,
            check=False,
            capture_output=True,
            text=True,
            timeout=300,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def start(self, *command: str) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, *command],
            cwd=self.folder,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.started.append(process)
        return process

    def end_all(self) -> None:
        """End what a failed test has left running."""
        for process in self.started:
            if process.poll() is None:
                process.terminate()
            if process.stdout is not None and not process.stdout.closed:
                process.communicate(timeout=120)

    def status(self) -> dict[str, dict[str, int]]:
        return json.loads(self.manage("status", "--json"))


@pytest.fixture(scope="session")
def replay() -> Iterator[Replay]:
    program = shared("bench/replay/replay.py")
    data = shared("data/extraction")
    server = subprocess.Popen(
        [sys.executable, str(program), "--data", str(data), "--sets", "fundus", "zyte", "segments"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert server.stdout is not None
    proxy = server.stdout.readline().strip()
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with direct.open(f"{proxy}/__replay__/hosts.json") as answer:
        groups = json.load(answer)["groups"]
    with direct.open(f"{proxy}/__replay__/urls.json") as answer:
        urls = json.load(answer)
    feed_of = {group["group"]: group["feeds"]["rss"] for group in groups}
    pages: dict[str, list[str]] = {feed: [] for feed in feed_of.values()}
    for row in urls:
        pages[feed_of[row["group"]]].append(row["url"])
    yield Replay(proxy, pages)
    server.terminate()
    server.wait()
    server.stdout.close()


def environment(tmp_path: Path, **further: str) -> dict[str, str]:
    """This process's environment with a data folder of its own and no servers."""
    return without_servers() | {"DATA_DIR": str(tmp_path / "data")} | further


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[zipfile.ZipFile]:
    """The program as one file, built from this checkout."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel"]
    subprocess.run([*build, "--directory", folder], cwd=ROOT, check=True, capture_output=True)
    [path] = folder.glob("*.whl")
    with zipfile.ZipFile(path) as archive:
        yield archive


@pytest.fixture
def installed_site(tmp_path: Path, wheel: zipfile.ZipFile) -> Iterator[Site]:
    """The wheel unpacked, as installing does, used in an empty folder without any setting."""
    wheel.extractall(tmp_path / "installed")
    (tmp_path / "elsewhere").mkdir()
    variables = environment(tmp_path, XDG_DATA_HOME=str(tmp_path / "shares"))
    variables["PYTHONPATH"] = str(tmp_path / "installed")
    # Its processes would compile all of it, each for itself.
    for name in ("DATA_DIR", "PYTHONDONTWRITEBYTECODE"):
        variables.pop(name, None)
    site = Site(variables, tmp_path / "elsewhere")
    yield site
    site.end_all()


@pytest.fixture
def bare_site(tmp_path: Path) -> Iterator[Site]:
    """A site with default settings on an empty data folder."""
    site = Site(environment(tmp_path))
    yield site
    site.end_all()


@pytest.fixture(scope="session")
def empty_tables(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with all tables and no rows: made once, since the migrations take seconds."""
    made = migrated_data()
    if made is None:
        made = tmp_path_factory.mktemp("empty") / "data"
        migrate(made)
    return made


@pytest.fixture
def site_on(tmp_path: Path, empty_tables: Path) -> Iterator[Callable[..., Site]]:
    """A function that makes a site behind a proxy; keyword arguments are further environment."""

    def make(proxy: str, **further: str) -> Site:
        site = Site(environment(tmp_path, CRAWL_PROXY_URL=proxy, **FAST, **further))
        sites.append(site)
        if "DATABASE_URL" in further:
            site.manage("migrate", "--verbosity", "0")
        else:
            shutil.copytree(empty_tables, site.environment["DATA_DIR"])
        return site

    sites: list[Site] = []
    yield make
    for site in sites:
        site.end_all()


@pytest.fixture
def make_site(site_on: Callable[..., Site], replay: Replay) -> Callable[..., Site]:
    """A function that makes a site on the replay web; keyword arguments are further environment."""
    return partial(site_on, replay.proxy)


@pytest.fixture
def servers() -> dict[str, str]:
    """A fresh database and Redis; skipped by name (or failed) where they are absent."""
    url, redis = os.environ.get("TEST_DATABASE_URL"), os.environ.get("TEST_REDIS_URL")
    if not url or not redis:
        reason = "needs PostgreSQL and Redis (TEST_DATABASE_URL, TEST_REDIS_URL)"
        if os.environ.get("REQUIRE_SERVICES") == "1":
            pytest.fail(reason)
        pytest.skip(reason)
    name = f"broadsheet_{uuid.uuid4().hex[:12]}"
    connection = psycopg2.connect(url)
    connection.autocommit = True
    with connection.cursor() as cursor:
        cursor.execute(f"CREATE DATABASE {name}")
    connection.close()
    return {"DATABASE_URL": f"{url.rsplit('/', 1)[0]}/{name}", "REDIS_URL": redis}
