"""`make bench-search`: how fast the index is built and queries of all kinds are answered.

The corpus comes from the shared generator: SIZE=2M, 10M (default) or 100M tokens. It and the index
are built in a temporary folder, or kept in BENCH_SEARCH_DIR when that is set. Times are wall time
in milliseconds, warm, parser and 50 rendered lines included; the queries are those that the peers
were measured with.
"""

import os
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SHARED = Path(os.environ.get("SHARED_DATA_DIR", ROOT.parent / "shared"))
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from vertical_files import make_corpus, read_vertical  # noqa: E402 (the path comes first)

from search.concordance.kwic import PageRequest, concordance  # noqa: E402
from search.concordance.sort_keys import parse_keys  # noqa: E402
from search.concordance.sorting import Order  # noqa: E402
from search.index.documents import IndexDocument  # noqa: E402
from search.index.hits import Hits  # noqa: E402
from search.index.reader import IndexReader, Snapshot  # noqa: E402
from search.index.writer import IndexWriter  # noqa: E402
from search.query.filters import Copies, QueryFilter  # noqa: E402
from search.query.parser import Language, parse  # noqa: E402
from search.query.run import run  # noqa: E402
from search.statistics.facets import count_by_column  # noqa: E402
from search.statistics.frequency import Wanted, frequencies  # noqa: E402
from search.statistics.hit_values import Node  # noqa: E402

SIZES = {"2M": 2_000_000, "10M": 10_000_000, "100M": 100_000_000}
TOKENS_PER_COMMIT = 1_000_000
LIVE_ARTICLES = 100
LIVE_COMMITS = 30
REPETITIONS = 7
RIGHT = Order(parse_keys("r1,r2,r3"))


@dataclass(frozen=True)
class Case:
    """A query of the table; `then` is what is done with its hits instead of a page."""

    name: str
    cql: str
    filter: QueryFilter | None = None
    then: Callable[[Hits], object] | None = None


def sorted_page(hits: Hits) -> object:
    return concordance(hits, PageRequest(order=RIGHT))


def months(hits: Hits) -> object:
    return count_by_column(hits, "month")


def lemmas(hits: Hits) -> object:
    return frequencies(hits, [Node("lemma")], Wanted(50, with_texts=False))


CASES = (
    Case("a", '"torrential"'),
    Case("a2", '"rain"'),
    Case("b", '"the"'),
    Case("c", '[lemma="go"]'),
    Case("d", '"of" "the" "state"'),
    Case("e", '[pos="JJ.*"] "rain"'),
    Case("f", '[lemma="go"] []{0,3} [pos="V.*"] within s'),
    Case("g", '"un.*able"'),
    Case("g2", '".*ness"'),
    Case("h", '"the"%c'),
    Case("n", '[lemma="make"] [pos="DT"] [pos="JJ.*"] [pos="NN.*"] within s'),
    Case("o", '[lemma="go"]', QueryFilter(publications=("Daily Courier",))),
    Case("p", '[pos="DT"] [pos="NN"]'),
    Case("i", '[pos="JJ.*"]', then=lemmas),
    Case("k", '[lemma="go"]', then=sorted_page),
    Case("k2", '"the"', then=sorted_page),
    Case("l", '[lemma="go"]', then=months),
    Case("l2", '"the"', then=months),
    Case("v1", '[lemma="make"] [pos="DT"]? [pos="JJ.*"]* [pos="NN.*"] within s'),
    Case("v2", '[lemma="be"] [pos="RB"]* [pos="VBN"] within s'),
    Case("v3", '[lemma="go"] []* [pos="MD"] within s'),
    Case("copies once", '"rain"', QueryFilter(copies=Copies.ONCE)),
)


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
        measure(Path(kept) / size, SIZES[size])
    else:
        with tempfile.TemporaryDirectory(prefix="bench-search-") as folder:
            measure(Path(folder) / size, SIZES[size])
    return 0


def measure(folder: Path, n_tokens: int) -> None:
    vertical = folder / "corpus.vrt"
    if not vertical.exists():
        vertical = make_corpus(SHARED, folder, n_tokens)
    index = folder / "index"
    if not index.exists():
        print_build(index, vertical)
    print_open(index)
    snapshot = IndexReader(index).snapshot
    print_queries(snapshot)
    print_live(index, vertical)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"peak memory of the whole run {peak:,.0f} MB")


def print_build(index: Path, vertical: Path) -> None:
    """Read the vertical file and build; reading is taken off."""
    writing = 0.0
    total = 0
    writer = IndexWriter(index)
    batch: list[IndexDocument] = []
    for document in read_vertical(vertical):
        batch.append(document)
        total += len(document.tokens)
        if sum(len(item.tokens) for item in batch) >= TOKENS_PER_COMMIT:
            writing += commit(writer, batch)
            batch = []
    writing += commit(writer, batch)
    started = time.perf_counter()
    with writer:
        writer.optimize()
    writing += time.perf_counter() - started
    named = {path.name: path.stat().st_size for path in index.iterdir()}
    current = sum(named[view.entry.name] for view in IndexReader(index).snapshot.segments) + sum(
        size for name, size in named.items() if name.startswith("lexicon")
    )
    print(
        f"build: {total:,} tokens in {writing:.1f} s, {total / writing / 1e6:.2f} M tokens/s,"
        f" {current / total:.2f} bytes a token"
    )


def commit(writer: IndexWriter, batch: list[IndexDocument]) -> float:
    started = time.perf_counter()
    with writer:
        for document in batch:
            writer.add(document)
        writer.commit()
    return time.perf_counter() - started


def print_open(index: Path) -> None:
    times = []
    for _ in range(5):
        started = time.perf_counter()
        snapshot = IndexReader(index).snapshot
        times.append(1000 * (time.perf_counter() - started))
    started = time.perf_counter()
    total = int(snapshot.type_counts.sum())
    counting = 1000 * (time.perf_counter() - started)
    print(
        f"open: {statistics.median(times):.1f} ms, {len(snapshot.segments)} segments,"
        f" {snapshot.lexicon.size.n_types:,} types; {total:,} tokens counted in {counting:.1f} ms"
    )


def print_queries(snapshot: Snapshot) -> None:
    print(f"{'':12} {'hits':>10} {'median ms':>10} {'worst':>8}  query")
    for case in CASES:
        times, hits = time_case(snapshot, case)
        p95 = max(times)
        print(
            f"{case.name:12} {hits:>10,} {statistics.median(times):>10.2f} {p95:>8.2f}  {case.cql}"
        )


def time_case(snapshot: Snapshot, case: Case) -> tuple[list[float], int]:
    times = []
    total = 0
    answer(snapshot, case)
    for _ in range(REPETITIONS):
        started = time.perf_counter()
        total = answer(snapshot, case)
        times.append(1000 * (time.perf_counter() - started))
    return times, total


def answer(snapshot: Snapshot, case: Case) -> int:
    """Parse, run, count, and render a page or do what the case says."""
    hits = run(snapshot, parse(case.cql, Language.CQL), case.filter)
    total = hits.total
    if case.then is None:
        concordance(hits, PageRequest(context=8))
    else:
        case.then(hits)
    return total


def print_live(index: Path, vertical: Path) -> None:
    """Commit batches as a crawl does, and look for each at once."""
    documents = read_vertical(vertical)
    reader = IndexReader(index)
    writer = IndexWriter(index)
    with writer:
        pass
    commits, finds = [], []
    n_tokens = 0
    for number in range(LIVE_COMMITS):
        batch = [
            replace(next(documents), key=10_000_000 + number * LIVE_ARTICLES + i)
            for i in range(LIVE_ARTICLES)
        ]
        batch = [replace(item, tokens=item.tokens[:500]) for item in batch]
        n_tokens += sum(len(item.tokens) for item in batch)
        commits.append(1000 * commit(writer, batch))
        started = time.perf_counter()
        reader.refresh()
        answer(reader.snapshot, CASES[1])
        finds.append(1000 * (time.perf_counter() - started))
    print(
        f"live: {LIVE_COMMITS} commits of {LIVE_ARTICLES} articles"
        f" ({n_tokens // LIVE_COMMITS:,} tokens): median {statistics.median(commits):.0f} ms,"
        f" longest {max(commits):.0f} ms; refresh and first query"
        f" {statistics.median(finds):.1f} ms, longest {max(finds):.1f} ms"
    )


if __name__ == "__main__":
    raise SystemExit(main())
