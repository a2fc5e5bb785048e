"""`make bench-extraction`: every development page through our extractor, scored by the shared
harness.

Prints F1 (precision, recall) and exact pages of each set, then title, authors, date and CPU time a
page, and the same for trafilatura where it is installed (`pip install .[bench]`). The shipped block
model has seen these pages; with BENCH_FOLDS=5 the table is cross-validated: each page is extracted
by a model trained on other sites only, which is the figure to quote.
"""

import os
import statistics
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SHARED = Path(os.environ.get("SHARED_DATA_DIR", ROOT.parent / "shared"))
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # CPU time of one core is what is compared

from benchmarks.adapters import as_harness, extract  # noqa: E402 (after the path)
from benchmarks.extraction_scores import SETS, Scores, gold_pages, harness  # noqa: E402

from extraction.html.extract_page import extract_page  # noqa: E402
from extraction.html.page import PageInput  # noqa: E402
from extraction.html.train_block_model import fold_of, train  # noqa: E402
from extraction.html.training_pages import read_pages  # noqa: E402

try:
    import trafilatura
except ImportError:
    trafilatura = None


def main() -> int:
    if not (SHARED / "data/extraction").exists():
        print(f"not run: no extraction data at {SHARED} (SHARED_DATA_DIR names the folder)")
        return 0

    evaluate = harness(SHARED)
    rows = {"broadsheet": (extract, 0)}
    if folds := int(os.environ.get("BENCH_FOLDS", "0")):
        rows[f"broadsheet, {folds}-fold"] = (None, folds)
    if trafilatura is not None:
        rows["trafilatura"] = (_trafilatura, 0)
    for name, (extractor, n_folds) in rows.items():
        scores = _cross_validated(evaluate, n_folds) if n_folds else _all_pages(evaluate, extractor)
        _print(name, scores, evaluate)
    return 0


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

    pages = list(read_pages(SHARED / "data/extraction"))
    models = [
        train([page for page in pages if fold_of(page.group, n_folds) != fold])
        for fold in range(n_folds)
    ]
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
    fields = ", ".join(f"{key} {summary[key]:.3f}" for key in ("title", "authors", "date"))
    times = scores.milliseconds
    print(f"{fields}")
    print(f"CPU a page: median {statistics.median(times):.1f} ms, most {max(times):.0f} ms")


if __name__ == "__main__":
    sys.exit(main())
