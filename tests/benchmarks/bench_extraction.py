"""`make bench-extraction`: every development page through our extractor, scored by the shared
harness.

Prints F1 (precision, recall) and exact pages of each set, then title, authors, date and CPU time a
page, F1 by language; the same with what each site's pages have in common, learnt before the clock
runs; and the same for trafilatura where it is installed (`pip install .[bench]`);
then crashes and the slowest page among damaged and hostile ones, and the memory of a worker. The
shipped line model has seen these pages; with BENCH_FOLDS=5 the table is cross-validated: each page
is extracted by a model trained on other sites only, which is the figure to quote. BENCH_ABLATION=1
adds what each part is worth.
"""

import os
import statistics
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SHARED = Path(os.environ.get("SHARED_DATA_DIR", ROOT.parent / "shared"))
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # CPU time of one core is what is compared

from benchmarks.adapters import as_harness, extract, extract_with_site  # noqa: E402 (after the path)
from benchmarks.extraction_ablation import fold_models, print_ablation  # noqa: E402
from benchmarks.extraction_limits import (  # noqa: E402
    MEMORY_STEP,
    cut_pages,
    made_pages,
    memory_of_a_worker,
    moved_pages,
    survey,
)
from benchmarks.extraction_scores import SETS, Scores, gold_pages, harness  # noqa: E402

from extraction.html.extract_page import extract_page  # noqa: E402
from extraction.html.page import PageInput  # noqa: E402
from extraction.html.training.train_line_model import fold_of  # noqa: E402
from extraction.html.training.training_pages import read_pages  # noqa: E402

DEFAULT_FOLDS = 5

try:
    import trafilatura
except ImportError:
    trafilatura = None


def main() -> int:
    if not (SHARED / "data/extraction").exists():
        print(f"not run: no extraction data at {SHARED} (SHARED_DATA_DIR names the folder)")
        return 0

    evaluate = harness(SHARED)
    os.environ["REPLAY_DATA"] = str(SHARED / "data/extraction")
    rows = {"broadsheet": (extract, 0), "broadsheet, knowing the sites": (extract_with_site, 0)}
    if folds := int(os.environ.get("BENCH_FOLDS", "0")):
        rows[f"broadsheet, {folds}-fold"] = (None, folds)
    if trafilatura is not None:
        rows["trafilatura"] = (_trafilatura, 0)
    for name, (extractor, n_folds) in rows.items():
        scores = _cross_validated(evaluate, n_folds) if n_folds else _all_pages(evaluate, extractor)
        _print(name, scores, evaluate)
    if os.environ.get("BENCH_ABLATION"):
        print_ablation(evaluate, SHARED, folds or DEFAULT_FOLDS)
    _print_limits()
    return 0


def _print_limits():
    """Damaged and hostile pages, and memory over many pages."""
    kinds = {"cut": cut_pages(_raw_pages()), "moved": moved_pages(_raw_pages())}
    for name, pages in (kinds | {"made": made_pages()}).items():
        n_pages, crashed, (seconds, slowest) = survey(extract, pages)
        print(
            f"{name} pages: {n_pages}, crashes {len(crashed)}, slowest {seconds:.2f} s ({slowest})"
        )
        print("".join(f"  {crash}\n" for crash in crashed), end="")
    sizes = memory_of_a_worker(SHARED)
    half = len(sizes) // 2
    growth = (sizes[-1] - sizes[half - 1]) / ((len(sizes) - half) * MEMORY_STEP / 1000)
    print(f"memory of a worker: {sizes[-1]:.0f} MiB after {len(sizes) * MEMORY_STEP} pages,")
    print(f"  growing by {growth:.2f} MiB per 1,000 pages in the second half")


def _raw_pages():
    for set_name in SETS:
        for gold, html in gold_pages(SHARED, set_name):
            yield gold["id"], html


def _trafilatura(html, url):
    found = trafilatura.bare_extraction(html, url=url or None, include_comments=False)
    if found is None:
        return {}
    authors = [name.strip() for name in (found.author or "").split(";")]
    return {"text": found.text, "title": found.title, "authors": authors, "date": found.date}


def _all_pages(evaluate, extractor):

    scores = Scores()
    extractor(evaluate.WARM_UP, "http://example.org/a")
    for set_name in SETS:
        for gold, html in gold_pages(SHARED, set_name):
            scores.add(evaluate, set_name, gold, extractor, html)
    return scores


def _cross_validated(evaluate, n_folds):
    """Each page by a model that has not seen its site."""

    models = fold_models(list(read_pages(SHARED / "data/extraction")), n_folds)
    scores = Scores()
    for set_name in SETS:
        for gold, html in gold_pages(SHARED, set_name):
            model = models[fold_of(gold.get("group") or gold["id"], n_folds)]

            def extractor(body, url, model=model):
                return as_harness(extract_page(PageInput(body=body, url=url), model=model))

            scores.add(evaluate, set_name, gold, extractor, html)
    return scores


def _print(name, scores, evaluate):
    summary = scores.summary(evaluate)
    print(f"\n{name}: {len(scores.milliseconds)} pages")
    print(f"{'set':10} {'F1':>6} {'P':>6} {'R':>6} {'exact':>6}")
    for set_name, figures in summary.items():
        if isinstance(figures, dict):
            columns = (figures[key] for key in ("f1", "precision", "recall", "accuracy"))
            print(f"{set_name:10} " + " ".join(f"{value:6.3f}" for value in columns))
    languages = ", ".join(f"{name} {value:.3f}" for name, value in scores.languages(evaluate))
    print(f"by language: {languages}")
    fields = ", ".join(f"{key} {summary[key]:.3f}" for key in ("title", "authors", "date"))
    times = scores.milliseconds
    print(f"{fields}")
    print(f"CPU a page: median {statistics.median(times):.1f} ms, most {max(times):.0f} ms")


if __name__ == "__main__":
    sys.exit(main())
