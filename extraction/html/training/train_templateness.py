"""Train templateness: `python -m extraction.html.training.train_templateness DATA`.

Pages of sites with many pages → labels by SiteLevel (no labels by hand, as in the study) →
quartiles of area and four regressions → `data/templateness.json`.
"""

import argparse
import sys
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from extraction.html.algorithms.scored_page import ReadPage
from extraction.html.algorithms.site_level import (
    SiteLevelParameters,
    inherited,
    template_elements,
)
from extraction.html.algorithms.templateness import TemplatenessParameters, element_numbers
from extraction.html.algorithms.templateness_model import (
    MODEL_PATH,
    TemplatenessModel,
    fit_logistic,
)
from extraction.html.site.fragments import SiteSample, page_fragments
from extraction.html.training.labelled_lines import read_labelled

# Only `sites` has many pages a host; fewer pages than these say too little of what recurs.
_SET = "sites"
LEAST_PAGES = 8  # what recurs on fewer pages of a site says little


@dataclass(frozen=True, slots=True)
class SiteElements:
    """Judged elements of all pages of one site: areas, seven numbers, SiteLevel's label."""

    areas: npt.NDArray[np.float64]
    numbers: npt.NDArray[np.float64]
    is_template: npt.NDArray[np.bool_]


def site_elements(pages: Sequence[ReadPage]) -> SiteElements:
    """Elements of one site's pages with labels from the site itself."""
    fragments = [page_fragments(page.outline) for page in pages]
    sample = SiteSample.of(fragments)
    areas, numbers, labels = [], [], []
    for page, own in zip(pages, fragments, strict=True):
        template = inherited(
            page.outline, template_elements(page.outline, own, sample, SiteLevelParameters())
        )
        elements, own_areas, own_numbers = element_numbers(
            page, TemplatenessParameters().least_area
        )
        areas.append(own_areas)
        numbers.append(own_numbers)
        labels.append(np.array([template[element] for element in elements], dtype=bool))
    return SiteElements(np.concatenate(areas), np.concatenate(numbers), np.concatenate(labels))


def train(sites: Sequence[SiteElements]) -> TemplatenessModel:
    """Ranges and regressions; limits are the mean quartiles of area over the sites."""
    quartiles = np.mean([np.percentile(site.areas, (25, 50, 75)) for site in sites], axis=0)
    limits = (float(quartiles[0]), float(quartiles[1]), float(quartiles[2]))
    areas = np.concatenate([site.areas for site in sites])
    numbers = np.concatenate([site.numbers for site in sites])
    labels = np.concatenate([site.is_template for site in sites])
    ranges = TemplatenessModel(limits, ()).ranges(areas)
    regressions = (
        fit_logistic(numbers[ranges == position], labels[ranges == position])
        for position in range(len(limits) + 1)
    )
    return TemplatenessModel(limits, tuple(regressions))


def read_sites(folder: Path) -> dict[str, list[ReadPage]]:
    """Pages by site, of the sites that have enough of them."""
    pages: dict[str, list[ReadPage]] = defaultdict(list)
    for labelled in read_labelled(folder, (_SET,)):
        pages[labelled.group].append(labelled.page)
    return {group: found for group, found in pages.items() if len(found) >= LEAST_PAGES}


def main(arguments: Sequence[str]) -> None:
    """Train and write the model."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--output", type=Path, default=MODEL_PATH)
    options = parser.parse_args(arguments)
    sites = [site_elements(pages) for pages in read_sites(options.data).values()]
    train(sites).save(options.output)
    n_elements = sum(len(site.areas) for site in sites)
    sys.stdout.write(f"{len(sites)} sites, {n_elements} elements -> {options.output}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
