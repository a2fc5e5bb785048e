"""The whole test suite, as `make test` runs it: parts beside each other, one for each processor.

Units, tables, running programs, quality gates and ten days with faults on SQLite; the browser; and
what is marked `sql` once more on PostgreSQL and Redis. What is marked `long` runs once, on SQLite,
and long programs not at all: with `--all` everything runs everywhere. Where PostgreSQL or Redis is
not installed its part is left out by name; with REQUIRE_SERVICES=1 that is a failure. What a part
has said is printed when it ends, the processor time of all at the end. Further arguments go to
every part (`-x`).

Files of tests lie in memory where there is room for them: tens of thousands of small databases,
archives and indexes are written for certain and thrown away, which on a disk took an eighth more
processor time, and a third more by the clock (twice beside other work).
"""

import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import psutil
import services
from made_once import FOLDER_VARIABLE

ROOT = Path(__file__).resolve().parent.parent
# Each part's own processes: numpy's threads would only take the other parts' time.
ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
# Images of Python often set it: all of some hundred programs would compile all modules anew.
NO_BYTECODE = "PYTHONDONTWRITEBYTECODE"
MEMORY_FOLDER = Path("/dev/shm")  # noqa: S108 (Linux's file system in memory)
# Free at the beginning: all files of a run come to 0.2 GB at most, with what the parts need beside.
MEMORY_BYTES = 2 << 30
# What pytest says where a part has no test left by the arguments.
NO_TESTS = 5


@dataclass(frozen=True, slots=True)
class Part:
    """Tests of one process. The driver of the browser keeps an event loop running: alone.

    `n_waits` says how many parts more can run beside one that mostly waits for others;
    `of_servers` is the number of its own databases on PostgreSQL and Redis, 0 for SQLite.
    """

    name: str
    folder: str
    of_servers: int = 0
    selection: tuple[str, ...] = ()
    n_waits: int = 0


_SITE, _FEEDS = "tests/integration/corpus_site", "tests/integration/feeds"
# A fork costs by what its parent holds, and the child pays again for what it only looks at: in a
# process of these modules alone a fifth of what it takes where 9,000 tests were read.
_FORKING = (
    "tests/unit/feeds/crawler/documents/test_limited_work.py",
    "tests/unit/search/engine/index/test_crash.py",
    "tests/integration/extraction/test_evil_pages.py",
    "tests/integration/search/answers/test_evil_queries.py",
)
_ELSEWHERE = tuple(f"--ignore={module}" for module in _FORKING)
# Those that wait much, and the longest, first: all processors end at about the same time.
PARTS = (
    Part("running programs", "tests/processes", selection=("-m", "not long"), n_waits=2),
    Part("tables on SQLite: feeds", _FEEDS),
    Part("tables on SQLite: the site", _SITE),
    Part(
        "SQL on PostgreSQL and Redis: articles",
        "tests/integration",
        of_servers=1,
        selection=("-m", "sql and not long", f"--ignore={_SITE}", f"--ignore={_FEEDS}"),
    ),
    Part(
        "tables on SQLite: articles",
        "tests/integration",
        selection=(f"--ignore={_SITE}", f"--ignore={_FEEDS}", *_ELSEWHERE),
    ),
    Part("units", "tests/unit", selection=_ELSEWHERE),
    Part(
        "SQL on PostgreSQL and Redis: the site",
        _SITE,
        of_servers=2,
        selection=("-m", "sql and not long"),
    ),
    Part("what forks much", _FORKING[0], selection=_FORKING[1:]),
    Part("browser", "tests/browser"),
    Part(
        "SQL on PostgreSQL and Redis: feeds",
        _FEEDS,
        of_servers=3,
        selection=("-m", "sql and not long"),
    ),
    Part("quality gates", "tests/quality"),
    Part("ten days with faults", "tests/soak"),
)
# Runs all tables on the servers, not only what is marked.
ALL = "--all"
MARKED = "-m"  # pytest's, in a selection: it stands first, its expression behind it


def run_part(part: Part, found: dict[str, str], arguments: Iterable[str]) -> int:
    """Run one part in folders of its own; print what it said; returns its exit code."""
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="broadsheet-test-") as data:
        cache = f"cache_dir={data}/cache"  # parts that run beside each other share no folder
        program = [sys.executable, "tests/one_part.py", "-q", "-o", cache]
        environment = os.environ | {"DATA_DIR": data} | ONE_THREAD | found
        environment.pop(NO_BYTECODE, None)
        done = subprocess.run(
            [*program, part.folder, *part.selection, *arguments],
            cwd=ROOT,
            env=environment | _of_servers(part, found),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
    say(f"\n=== {part.name}: {time.monotonic() - began:.0f} s\n{done.stdout}")
    return 0 if done.returncode == NO_TESTS and arguments else done.returncode


def _of_servers(part: Part, found: dict[str, str]) -> dict[str, str]:
    """Databases of its own for a part, which others that run beside it do not see."""
    if not part.of_servers:
        return {}
    database = found["TEST_DATABASE_URL"].rpartition("/")[0]
    redis = found["TEST_REDIS_URL"].rpartition("/")[0]
    return {
        "DATABASE_URL": f"{database}/part_{part.of_servers}",
        "REDIS_URL": f"{redis}/{part.of_servers}",
    }


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


@contextmanager
def files_in_memory() -> Iterator[None]:
    """Let all programs make their passing files in memory, unless the machine has little of it."""
    free = psutil.virtual_memory().available
    if (
        not MEMORY_FOLDER.is_dir()
        or min(free, shutil.disk_usage(MEMORY_FOLDER).free) < MEMORY_BYTES
    ):
        yield
        return
    with tempfile.TemporaryDirectory(prefix="broadsheet-", dir=MEMORY_FOLDER) as folder:
        Path(folder).chmod(0o755)  # the servers' user looks for its own folder in it
        os.environ["TMPDIR"] = tempfile.tempdir = folder
        yield
        tempfile.tempdir = None


def chosen_parts(missing: list[str], *, is_all: bool) -> list[Part]:
    parts = [part for part in PARTS if not (part.of_servers and missing)]
    return [
        replace(p, selection=p.selection[2:]) if is_all and MARKED in p.selection else p
        for p in parts
    ]


def n_processors() -> int:
    """Processors this process may use: fewer than the machine has under `taskset`."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def main() -> int:
    arguments = [argument for argument in sys.argv[1:] if argument != ALL]
    began = time.monotonic()
    with (
        files_in_memory(),
        services.environment() as (found, missing),
        tempfile.TemporaryDirectory(prefix="broadsheet-once-") as folder,
    ):
        found |= {FOLDER_VARIABLE: folder}
        parts = chosen_parts(missing, is_all=ALL in sys.argv)
        n_beside = min(len(parts), n_processors() + sum(part.n_waits for part in parts))
        say(f"{len(parts)} parts, {n_beside} beside each other: {', '.join(p.name for p in parts)}")
        with ThreadPoolExecutor(n_beside) as processors:
            codes = list(processors.map(lambda part: run_part(part, found, arguments), parts))
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    say(f"{time.monotonic() - began:.0f} s, {used.ru_utime + used.ru_stime:.0f} s of processors")
    if missing:
        say(f"not run on PostgreSQL and Redis: {', '.join(missing)}")
        codes.append(int(os.environ.get("REQUIRE_SERVICES") == "1"))
    return max(codes)


if __name__ == "__main__":
    sys.exit(main())
