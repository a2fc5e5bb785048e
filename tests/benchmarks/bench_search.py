"""`make bench-search`: how fast the index is built and queries of all kinds are answered.

SIZE=2M, 10M (default) or 100M tokens from the shared generator; corpus and index are built in a
temporary folder, or kept in BENCH_SEARCH_DIR. LIVE_MINUTES (default 0.5) is how long articles come
in at the end; 0 leaves that out.

One process; repetitions are interleaved, query by query. "first" is the first call of a query in
the process, "median" and "p95" the wall times of later calls, "CPU" their median processor time,
in ms with 50 rendered lines included. Warm are: the system's cache of the files, the trees of
queries (parsed by the first call alone), what regular expressions matched in the lexicon, tag sets
as bits of the tag stream, selections of documents and what is counted of them alone. Each call runs
its query: no result is remembered.
"""

import os
import statistics
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SHARED = Path(os.environ.get("SHARED_DATA_DIR", ROOT.parent / "shared"))
sys.path[:0] = [str(ROOT), str(ROOT / "tests"), str(ROOT / "tests" / "benchmarks")]

from search_build import (  # noqa: E402 (the path comes first)
    peak_megabytes,
    print_build,
    print_opening,
    resident_megabytes,
)
from search_cases import CASES, Case, NgramCase  # noqa: E402
from search_live import percentile, print_live  # noqa: E402
from search_peers import CWB, MANATEE, MARKS  # noqa: E402
from vertical_files import make_corpus  # noqa: E402

from search.engine.index.hits import Hits  # noqa: E402
from search.engine.index.reader import IndexReader, Snapshot  # noqa: E402

SIZES = {"2M": 2_000_000, "10M": 10_000_000, "100M": 100_000_000}
REPETITIONS = 15
SLOW_MS = 500.0  # what takes longer is repeated less often
SLOW_REPETITIONS = 3


@dataclass
class Times:
    """What the calls of one case took, in ms."""

    case: Case | NgramCase
    n_hits: int = 0
    first: float = 0.0
    wall: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)

    @property
    def median(self) -> float:
        return statistics.median(self.wall)


def main() -> int:
    size = os.environ.get("SIZE", "10M")
    if size not in SIZES:
        print(f"SIZE is one of {', '.join(SIZES)}")
        return 2
    if not (SHARED / "bench" / "search" / "make_corpus.py").exists():
        print(f"not run: {SHARED / 'bench' / 'search'} is absent")
        return 0
    kept = os.environ.get("BENCH_SEARCH_DIR")
    if kept:
        measure(Path(kept) / size, size)
    else:
        with tempfile.TemporaryDirectory(prefix="bench-search-") as folder:
            measure(Path(folder) / size, size)
    return 0


def measure(folder: Path, size: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    vertical = folder / "corpus.vrt"
    if not vertical.exists():
        vertical = make_corpus(SHARED, folder, SIZES[size])
    index = folder / "index"
    if not (index / "manifest.json").exists():
        build_apart(index, vertical)
    print_opening(index)
    snapshot = IndexReader(index).snapshot
    times = time_all(snapshot)
    print_table(times, size)
    print(
        f"\nresident after the table {resident_megabytes():,.0f} MB (touched pages of the index's"
        f" files included), peak {peak_megabytes():,.0f} MB"
    )
    minutes = float(os.environ.get("LIVE_MINUTES", "0.5"))
    if minutes:
        print_live(index, vertical, minutes)


def build_apart(index: Path, vertical: Path) -> None:
    """Build in a child process, so that its memory is not counted with the queries'."""
    sys.stdout.flush()
    child = os.fork()
    if not child:
        print_build(index, vertical)
        sys.stdout.flush()
        os._exit(0)
    _, status = os.waitpid(child, 0)
    if status:
        raise SystemExit("the build failed")


def time_all(snapshot: Snapshot) -> list[Times]:
    """Run all cases in turns."""
    table = [Times(case) for case in CASES]
    for times in table:
        times.first, _ = run_once(snapshot, times)
    for repetition in range(REPETITIONS):
        for times in table:
            if times.first < SLOW_MS or repetition < SLOW_REPETITIONS:
                wall, cpu = run_once(snapshot, times)
                times.wall.append(wall)
                times.cpu.append(cpu)
    return table


def run_once(snapshot: Snapshot, times: Times) -> tuple[float, float]:
    cpu, wall = time.process_time(), time.perf_counter()
    found = times.case.answer(snapshot)
    took = 1000 * (time.perf_counter() - wall), 1000 * (time.process_time() - cpu)
    times.n_hits = found.total if isinstance(found, Hits) else found.n_sequences
    return took


def print_table(table: list[Times], size: str) -> None:
    cwb, manatee, marks = CWB.get(size, {}), MANATEE.get(size, {}), MARKS.get(size, {})
    print("\n| | query | hits | first | median | p95 | CPU | mark | CWB | × | Manatee | × |")
    print("| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    for times in table:
        name = times.case.name
        mark = marks.get(name)
        missed = mark is not None and times.median > mark
        cells = [
            name,
            "`" + times.case.cql.replace("|", "\\|") + "`",
            f"{times.n_hits:,}",
            *map(figure, (times.first, times.median, percentile(times.wall, 95))),
            figure(statistics.median(times.cpu)),
            ("" if mark is None else f"{mark:g}") + (" missed" if missed else ""),
            *against(cwb.get(name), times.median),
            *against(manatee.get(name), times.median),
        ]
        print("| " + " | ".join(cells) + " |")
    print_means(table, cwb, manatee)


def figure(milliseconds: float) -> str:
    return f"{milliseconds:.2f}" if milliseconds < 100 else f"{milliseconds:,.0f}"


def against(peer: float | None, ours: float) -> tuple[str, str]:
    """Return a peer's time and how many times ours it is."""
    return ("", "") if peer is None else (f"{peer:g}", f"{peer / ours:.1f}")


def print_means(table: list[Times], cwb: dict[str, float], manatee: dict[str, float]) -> None:
    """Print geometric means and the queries that are slower than the better peer."""
    ours = {times.case.name: times.median for times in table}
    shared = [name for name in ours if name in cwb and name in manatee]
    if not shared:
        return
    better = {name: min(cwb[name], manatee[name]) for name in shared}
    print(f"\ngeometric mean of the {len(shared)} queries measured with both peers:", end=" ")
    for label, peer in (("CWB", cwb), ("Manatee", manatee), ("the better of the two", better)):
        mean = statistics.geometric_mean([peer[name] / ours[name] for name in shared])
        print(f"× {mean:.1f} against {label}", end="; " if peer is not better else "\n")
    slower = [name for name in shared if ours[name] > better[name]]
    print(f"slower than the better of the two: {', '.join(slower) or 'none'}")


if __name__ == "__main__":
    raise SystemExit(main())
