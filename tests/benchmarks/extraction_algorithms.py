"""`make bench-extraction-algorithms`: the published algorithms on all development pages.

Every extractor side by side on each labelled set, with F1, exact pages, the three outcomes, bags in
bytes, the content class and CPU time. The figures published for them stand in
docs/design/extraction-algorithms.md.
DGWC is cross-validated as well (BENCH_FOLDS, 10 unless told): each page by classifiers trained on
other sites.
"""

import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SHARED = Path(os.environ.get("SHARED_DATA_DIR", ROOT.parent / "shared"))
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # CPU time of one core is what is compared

from extraction.evaluation.labelled_pages import read_set, set_names  # noqa: E402 (after the path)
from extraction.evaluation.set_comparison import compare_on_set  # noqa: E402
from extraction.evaluation.tables import figure_table  # noqa: E402
from extraction.html.algorithms.registry import ExtractorChoice  # noqa: E402
from extraction.html.training.labelled_lines import read_labelled  # noqa: E402
from extraction.html.training.train_dgwc import cross_validated, training_lines  # noqa: E402

EXTRACTORS = (
    "auto",
    "tag_ratio",
    "tag_ratio:is_recursive=true",
    "text_density",
    "qread",
    "qread:uses_title=false",
    "dgwc",
    "dgwc:classifier=svm_raw",
    "dgwc:classifier=naive_bayes",
    "dgwc:classifier=tree",
    "dgwc:classifier=svm_raw,least_score=0.75",
    "site_level",
    "templateness",
    "templateness:smoothing=isotonic",
    "templateness:smoothing=isotonic_penalty",
    "templateness:smoothing=isotonic_penalty,penalty=0.1",
    "templateness:smoothing=isotonic_penalty,penalty=1",
)


def main() -> int:
    data = SHARED / "data/extraction"
    if not data.exists():
        print(f"not run: no extraction data at {SHARED} (SHARED_DATA_DIR names the folder)")
        return 0

    extractors = {name: ExtractorChoice.parse(name) for name in EXTRACTORS}
    for set_name in os.environ.get("BENCH_SETS", " ".join(set_names(data))).split():
        rows = compare_on_set(list(read_set(data, set_name)), extractors)
        print(f"\n{set_name}\n{figure_table(rows)}", flush=True)
    folds = int(os.environ.get("BENCH_FOLDS", "10"))
    pages = [training_lines(labelled) for labelled in read_labelled(data)]
    print(f"\nDGWC's lines, {folds}-fold by site")
    for classifier, (precision, recall) in cross_validated(pages, folds).items():
        f1 = 2 * precision * recall / ((precision + recall) or 1)
        print(f"{classifier:12} precision {precision:.3f} recall {recall:.3f} F1 {f1:.3f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
