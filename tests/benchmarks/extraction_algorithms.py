"""`make bench-extraction-algorithms`: the published algorithms on all development pages.

Every extractor side by side on each labelled set, with F1, exact pages, the three outcomes, bags in
bytes, the content class and CPU time. The figures published for them stand in
docs/design/extraction-algorithms.md.
DGWC is cross-validated as well (BENCH_FOLDS, 10 unless told): each page by classifiers trained on
other sites. At the end, and alone with BENCH_ONLY=template: both classes of lines under
templateness, and the share of elements that SiteLevel takes for template, of the sites that have
ten pages or more.
"""

import os
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SHARED = Path(os.environ.get("SHARED_DATA_DIR", ROOT.parent / "shared"))
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # CPU time of one core is what is compared

from extraction.evaluation.extractor_runs import (  # noqa: E402 (after the path)
    prepare,
    reference_of,
    run,
)
from extraction.evaluation.labelled_pages import (  # noqa: E402
    LabelledPage,
    by_site,
    read_set,
    set_names,
)
from extraction.evaluation.page_scores import score_lines  # noqa: E402
from extraction.evaluation.set_comparison import compare_on_set  # noqa: E402
from extraction.evaluation.summaries import harmonic  # noqa: E402
from extraction.evaluation.tables import figure_table  # noqa: E402
from extraction.html.algorithms.registry import ExtractorChoice  # noqa: E402
from extraction.html.algorithms.scored_page import read_page  # noqa: E402
from extraction.html.algorithms.site_level import (  # noqa: E402
    SAMPLE_PAGES,
    SiteLevelParameters,
    template_elements,
)
from extraction.html.page import PageInput  # noqa: E402
from extraction.html.site.fragments import SiteSample, page_fragments  # noqa: E402
from extraction.html.training.labelled_lines import read_labelled  # noqa: E402
from extraction.html.training.train_dgwc import cross_validated, training_lines  # noqa: E402

MANY_PAGES = 10  # of a site; the study had a hundred and more
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

    if os.environ.get("BENCH_ONLY") != "template":
        _compare(data)
    _print_classes(data)
    _print_shares(data)
    return 0


def _compare(data: Path) -> None:
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


def _print_classes(data: Path) -> None:
    """Precision, recall and F1 of template and of content among all lines of a set's pages."""
    print("\nLines under templateness, template P / R / F1, content P / R / F1")
    for set_name in os.environ.get("BENCH_SETS", " ".join(set_names(data))).split():
        pages = [page for page in read_set(data, set_name) if page.body]
        for name in (name for name in EXTRACTORS if name.startswith("templateness")):
            content, template = Counter[str](), Counter[str]()
            for page in pages:
                prepared = prepare(PageInput(body=page.html, url=page.url))
                every = frozenset(range(len(prepared.read.outline.lines)))
                wanted = reference_of(prepared, page.body, as_published=page.as_published).lines
                kept = frozenset(run(ExtractorChoice.parse(name), prepared).lines or ())
                content.update(asdict(score_lines(wanted, kept)))
                template.update(asdict(score_lines(every - wanted, every - kept)))
            if pages:
                print(f"{set_name:9} {name:55} {_figures(template)}  {_figures(content)}")


def _figures(counts: Counter[str]) -> str:
    precision = counts["common"] / (counts["found"] or 1)
    recall = counts["common"] / (counts["wanted"] or 1)
    return f"{precision:.3f} / {recall:.3f} / {harmonic(precision, recall):.3f}"


def _print_shares(data: Path) -> None:
    print("\nElements that SiteLevel takes for template")
    shares = {
        f"{set_name} {site}": counts
        for set_name in set_names(data)
        for site, counts in _shares(list(read_set(data, set_name)))
    }
    n_pages, n_all, n_template = (sum(column) for column in zip(*shares.values(), strict=True))
    print(
        f"{len(shares)} sites, {n_pages} pages: {n_template} of {n_all}, {n_template / n_all:.1%}"
    )
    for site, (_, n_own, n_own_template) in sorted(
        shares.items(), key=lambda item: item[1][2] / item[1][1]
    ):
        print(f"{n_own_template / n_own:7.1%}  {site}")


def _shares(pages: list[LabelledPage]) -> Iterator[tuple[str, tuple[int, int, int]]]:
    """Yield pages, elements and template elements of each site with many pages."""
    for site, own in by_site(pages).items():
        if len(own) < MANY_PAGES:
            continue
        read = [read_page(PageInput(body=page.html, url=page.url)) for page in own[:SAMPLE_PAGES]]
        fragments = [page_fragments(page.outline) for page in read]
        sample = SiteSample.of(fragments)
        flags = [
            template_elements(page.outline, own_fragments, sample, SiteLevelParameters())
            for page, own_fragments in zip(read, fragments, strict=True)
        ]
        yield site, (len(read), sum(map(len, flags)), sum(map(sum, flags)))


if __name__ == "__main__":
    sys.exit(main())
