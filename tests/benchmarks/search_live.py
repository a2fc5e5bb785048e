"""The live part of `bench_search.py`: articles come in while queries are asked.

A second process commits to a copy of the index (files are linked, not copied) as a crawl would;
this one refreshes its reader, looks for the articles, and times queries before and meanwhile, on
the wall and in processor time: on a machine with other work only the latter says what the new
articles cost. Run as a program it is that second process: FOLDER VERTICAL MINUTES.
"""

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path

if __name__ == "__main__":
    ROOT = Path(__file__).resolve().parents[2]
    sys.path[:0] = [str(ROOT), str(ROOT / "tests"), str(ROOT / "tests" / "benchmarks")]

from search_build import short
from search_cases import CASES, Case, NgramCase
from vertical_files import read_vertical

from search.engine.index.building.writer import IndexWriter
from search.engine.index.documents import IndexDocument
from search.engine.index.reader import IndexReader

ARTICLES_A_MINUTE = 100
COMMIT_SECONDS = 3.0  # what has come in by then is committed together: five articles
ARTICLE_TOKENS = 500
FIRST_KEY = 10_000_000
LOOK_SECONDS = 0.02  # between two looks at the manifest
QUERIES = ("a2", "c", "d", "g", "n")
WARM_RUNS = 30
Times = tuple[float, float]  # ms of an answer, on the wall and of processor


def print_live(index: Path, vertical: Path, minutes: float) -> None:
    """Let articles come in and print how soon they are found and what queries take meanwhile."""
    with tempfile.TemporaryDirectory(dir=index.parent) as name:
        folder = Path(name) / "index"
        link_index(index, folder)
        reader = IndexReader(folder)
        cases = [case for case in CASES if case.name in QUERIES]
        quiet = in_turns(reader, cases, WARM_RUNS)
        command = [sys.executable, __file__, str(folder), str(vertical), str(minutes)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writer:
            busy, found, commits = watch(writer, reader, cases)
    print(
        f"live: {ARTICLES_A_MINUTE} articles a minute for {minutes:g} min in {len(commits)}"
        f" commits of {statistics.median(commits):.0f} ms (longest {max(commits):.0f} ms);"
        f" handed in → findable median {statistics.median(found):.0f} ms,"
        f" p99 {percentile(found, 99):.0f} ms"
    )
    for case in cases:
        before, meanwhile = quiet[case.name], busy[case.name]
        clocks = [
            compared(
                name, [times[clock] for times in before], [times[clock] for times in meanwhile]
            )
            for clock, name in enumerate(("wall", "CPU"))
        ]
        print(f"  {case.name:3} {'; '.join(clocks)} ({len(meanwhile)} runs)")


def compared(clock: str, before: list[float], meanwhile: list[float]) -> str:
    """Say how two lists of times differ."""
    first, second = statistics.median(before), statistics.median(meanwhile)
    return (
        f"{clock} median {first:.2f} ms → {second:.2f} ms ({100 * (second / first - 1):+.0f} %),"
        f" p95 {percentile(before, 95):.2f} ms → {percentile(meanwhile, 95):.2f} ms"
    )


def link_index(index: Path, folder: Path) -> None:
    """Copy what is written to in place, link the rest."""
    folder.mkdir()
    for path in index.iterdir():
        if path.suffix == ".segment":
            os.link(path, folder / path.name)
        else:
            shutil.copy2(path, folder / path.name)


def watch(
    writer: subprocess.Popen[str], reader: IndexReader, cases: list[Case | NgramCase]
) -> tuple[dict[str, list[Times]], list[float], list[float]]:
    """Ask queries until the writer ends: their times, delays of articles, times of commits."""
    busy: dict[str, list[Times]] = {case.name: [] for case in cases}
    seen: dict[int, float] = {}
    for number in count():
        if writer.poll() is not None:
            break
        if reader.refresh():
            seen[reader.generation] = 1000 * time.monotonic()
        case = cases[number % len(cases)]
        busy[case.name].append(timed(reader, case))
        time.sleep(LOOK_SECONDS)
    reader.refresh()
    seen.setdefault(reader.generation, 1000 * time.monotonic())
    found, commits = [], []
    assert writer.stdout is not None
    for line in writer.stdout:
        generation, handed_in, committed = map(float, line.split())
        commits.append(committed - handed_in)
        later = [at for known, at in seen.items() if known >= generation]
        found.append(min(later) - handed_in)
    return busy, found, commits


def in_turns(
    reader: IndexReader, cases: list[Case | NgramCase], n_runs: int
) -> dict[str, list[Times]]:
    """Ask queries as `watch` does, while nothing comes in."""
    times: dict[str, list[Times]] = {case.name: [] for case in cases}
    for case in cases * (n_runs + 1):
        reader.refresh()
        times[case.name].append(timed(reader, case))
        time.sleep(LOOK_SECONDS)
    return {name: found[1:] for name, found in times.items()}


def timed(reader: IndexReader, case: Case | NgramCase) -> Times:
    """Time one answer."""
    cpu, wall = time.process_time(), time.perf_counter()
    case.answer(reader.snapshot)
    return 1000 * (time.perf_counter() - wall), 1000 * (time.process_time() - cpu)


def percentile(values: list[float], share: int) -> float:
    """Return the value that so many percent are not above."""
    return sorted(values)[min(len(values) - 1, len(values) * share // 100)]


def write(folder: Path, vertical: Path, minutes: float) -> None:
    """Commit articles as they come in; print generation and times (ms) of each commit."""
    writer = IndexWriter(folder)
    coming = new_articles(vertical)
    per_commit = round(ARTICLES_A_MINUTE * COMMIT_SECONDS / 60)
    ends = time.monotonic() + 60 * minutes
    while (started := time.monotonic()) < ends:
        batch = [next(coming) for _ in range(per_commit)]
        handed_in = 1000 * time.monotonic()
        with writer:
            for document in batch:
                writer.add(document)
            generation = writer.commit()
        print(generation, handed_in, 1000 * time.monotonic(), flush=True)
        time.sleep(max(0, started + COMMIT_SECONDS - time.monotonic()))


def new_articles(vertical: Path) -> Iterator[IndexDocument]:
    """Texts of the file under new keys, each with a word of its own."""
    for key, document in enumerate(read_vertical(vertical), FIRST_KEY):
        item = short(document, key, ARTICLE_TOKENS)
        yield replace(item, tokens=[*item.tokens, (f"live{key}", f"live{key}", "NN")])


if __name__ == "__main__":
    write(Path(sys.argv[1]), Path(sys.argv[2]), float(sys.argv[3]))
