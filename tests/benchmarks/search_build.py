"""Building the index of `bench_search.py` from a vertical file, and opening it."""

import resource
import statistics
import time
from dataclasses import dataclass, replace
from pathlib import Path

from search.engine.index.building.bulk import BuildReport
from search.engine.index.documents import IndexDocument
from search.engine.index.reader import IndexReader
from search.engine.workbench.building import BuildRequest
from search.engine.workbench.building import build as build_index

MEGABYTE = 1 << 20


@dataclass(frozen=True)
class Opening:
    """How an index opens: wall ms of the reader and of its first count of all tokens."""

    open_ms: float
    count_ms: float
    n_segments: int
    n_types: int
    n_tokens: int
    n_bytes: int


def build(index: Path, vertical: Path) -> tuple[BuildReport, float, float]:
    """Build as `python -m search build` does: report, wall and CPU seconds."""
    wall, cpu = time.perf_counter(), time.process_time()
    report = build_index(BuildRequest(str(vertical), index)).report
    return report, time.perf_counter() - wall, time.process_time() - cpu


def print_build(index: Path, vertical: Path) -> None:
    """Build and print the figures."""
    report, wall, cpu = build(index, vertical)
    print(
        f"build: {report.n_tokens:,} tokens in {wall:.1f} s ({cpu:.1f} s of CPU), reading included:"
        f" {report.n_tokens / cpu / 1e6:.2f} M tokens per second of CPU,"
        f" {report.n_bytes / report.n_tokens:.2f} bytes a token,"
        f" peak memory {peak_megabytes():,.0f} MB"
    )


def opening(index: Path) -> Opening:
    """Open an index a few times; its files are in the system's cache."""
    times = []
    for _ in range(5):
        started = time.perf_counter()
        snapshot = IndexReader(index).snapshot
        times.append(1000 * (time.perf_counter() - started))
    started = time.perf_counter()
    n_tokens = int(snapshot.type_counts.sum())
    counting = 1000 * (time.perf_counter() - started)
    names = {view.entry.name for view in snapshot.segments}
    files = [path for path in index.iterdir() if path.name in names or "lexicon" in path.name]
    return Opening(
        statistics.median(times),
        counting,
        len(snapshot.segments),
        snapshot.lexicon.size.n_types,
        n_tokens,
        sum(path.stat().st_size for path in files),
    )


def print_opening(index: Path) -> None:
    """Print how the index opens."""
    found = opening(index)
    print(
        f"open: {found.open_ms:.1f} ms, {found.n_segments} segments, {found.n_types:,} types,"
        f" {found.n_bytes / found.n_tokens:.2f} bytes a token; all {found.n_tokens:,} tokens"
        f" counted in {found.count_ms:.1f} ms"
    )


def peak_megabytes() -> float:
    """Peak resident memory of this process."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def resident_megabytes() -> float:
    """Resident memory of this process now; pages of mapped files that were touched included."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / MEGABYTE


def short(document: IndexDocument, key: int, n_tokens: int) -> IndexDocument:
    """Return a document cut to some tokens under another key."""
    starts = [start for start in document.sentence_starts if start < n_tokens]
    return replace(document, key=key, tokens=document.tokens[:n_tokens], sentence_starts=starts)
