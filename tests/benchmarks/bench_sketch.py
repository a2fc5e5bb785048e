"""`make bench-sketch`: word sketches on the corpus of `make bench-search` (SIZE, BENCH_SEARCH_DIR).

For words of several frequencies: processor and wall time of the first sketch of a word (after the
class has been asked for once) and of the same again, and whether the hits of its queries are the
numbers shown.
"""

import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parents[1]), str(Path(__file__).parents[2])]

from bench_search import SIZES, build_apart  # noqa: E402
from shared_data import SHARED  # noqa: E402
from vertical_files import make_corpus  # noqa: E402

from search.engine.index.reader import IndexReader  # noqa: E402
from search.engine.index.selection import Selection  # noqa: E402
from search.engine.query.filters import DocumentFilter, select  # noqa: E402
from search.engine.query.language.parser import Language, parse  # noqa: E402
from search.engine.query.run import run  # noqa: E402
from search.engine.sketches.grammar import Grammar, read_grammar  # noqa: E402
from search.engine.sketches.shipped import shipped_text  # noqa: E402
from search.engine.sketches.sketch import SketchRequest, WordSketch, word_sketch  # noqa: E402

FIRST = ("year", "NOUN"), ("go", "VERB"), ("new", "ADJ")  # asked for before anything is timed
WORDS = ("man", "NOUN"), ("house", "NOUN"), ("say", "VERB"), ("give", "VERB"), ("old", "ADJ")
AGAIN = 5
OPENED = 2  # collocates of each relation whose queries are run


def main() -> int:
    size = os.environ.get("SIZE", "10M")
    if size not in SIZES:
        print(f"SIZE is one of {', '.join(SIZES)}")
        return 2
    if not (SHARED / "bench" / "search" / "make_corpus.py").exists():
        print(f"not run: {SHARED / 'bench' / 'search'} is absent")
        return 0
    kept = os.environ.get("BENCH_SEARCH_DIR")
    with tempfile.TemporaryDirectory(prefix="bench-sketch-") as made:
        measure(Path(kept or made) / size, size)
    return 0


def measure(folder: Path, size: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    index = folder / "index"
    if not (index / "manifest.json").exists():
        vertical = folder / "corpus.vrt"
        build_apart(
            index, vertical if vertical.exists() else make_corpus(SHARED, folder, SIZES[size])
        )
    selection = select(IndexReader(index).snapshot, DocumentFilter())
    grammar = read_grammar(shipped_text("en"))
    for word in FIRST:
        word_sketch(selection, grammar, SketchRequest(*word))
    print(f"{size} tokens; times in ms, processor (wall)")
    print("| word | hits | first | again, median | counted of | relations |")
    print("|:--|--:|--:|--:|--:|--:|")
    for word in WORDS:
        print(line_of(selection, grammar, word))


def line_of(selection: Selection, grammar: Grammar, word: tuple[str, str]) -> str:
    first, sketch = timed(selection, grammar, word)
    again = [timed(selection, grammar, word)[0] for _ in range(AGAIN)]
    cpu, wall = (statistics.median(column) for column in zip(*again, strict=True))
    check(selection, sketch)
    return (
        f"| {word[0]} | {sketch.n_hits:,} | {first[0]:.0f} ({first[1]:.0f})"
        f" | {cpu:.0f} ({wall:.0f}) | {sketch.share:.1%} | {len(sketch.relations)} |"
    )


def timed(
    selection: Selection, grammar: Grammar, word: tuple[str, str]
) -> tuple[tuple[float, float], WordSketch]:
    cpu, wall = time.process_time(), time.perf_counter()
    sketch = word_sketch(selection, grammar, SketchRequest(*word))
    times = 1000 * (time.process_time() - cpu), 1000 * (time.perf_counter() - wall)
    return times, sketch


def check(selection: Selection, sketch: WordSketch) -> None:
    """Run the queries of the first collocates of each relation; their hits are the numbers."""
    for relation in sketch.relations:
        for row in relation.collocates[:OPENED]:
            query = relation.cql(sketch.lemma, row.lemma)
            found = run(selection.snapshot, parse(query, Language.CQL)).total
            if found != row.n_hits:
                print(f"{sketch.lemma}, {relation.name}, {row.lemma}: {row.n_hits}, {found} found")


if __name__ == "__main__":
    sys.exit(main())
