"""Labelled pages for training the algorithms: evaluation data → read pages with labelled lines."""

import gzip
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from extraction.html.algorithms.scored_page import ReadPage, read_page
from extraction.html.page import PageInput
from extraction.html.training.training_pages import body_labels

# Sets with a whole gold text; where only segments are known most lines have no label.
BODY_SETS = ("fundus", "fundus80", "sites", "wcxb", "zyte")


@dataclass(frozen=True, slots=True)
class LabelledOutline:
    """A page whose outline's lines are labelled as part of the article or not."""

    set_name: str
    group: str  # registered domain: pages of one site never stand on both sides of a split
    page: ReadPage
    labels: npt.NDArray[np.bool_]


def read_labelled(folder: Path, sets: tuple[str, ...] = BODY_SETS) -> Iterator[LabelledOutline]:
    """Pages of the sets that have any text, in the order of the gold files.

    `folder` holds `pages/<set>/<id>.html.gz` and `gold/<set>.jsonl`.
    """
    for set_name in sets:
        with (folder / "gold" / f"{set_name}.jsonl").open(encoding="utf-8") as rows:
            for row in rows:
                gold = json.loads(row)
                path = folder / "pages" / set_name / f"{gold['id']}.html.gz"
                page = read_page(
                    PageInput(body=gzip.decompress(path.read_bytes()), url=gold.get("url", ""))
                )
                texts = tuple(line.text for line in page.outline.lines)
                if texts:
                    labels, _ = body_labels(texts, gold["body"])
                    group = gold.get("group") or gold["id"]
                    yield LabelledOutline(set_name, group, page, labels > 0.5)
