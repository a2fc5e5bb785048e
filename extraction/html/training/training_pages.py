"""Labelled pages for the line model: evaluation data → features, labels and weights per line.

Reads the folder described in the data's README (`pages/<set>/<id>.html.gz`, `gold/<set>.jsonl`). A
line is positive when most of its words stand in the gold body in the same order; pages with
segments only label the lines that hold one.
"""

import gzip
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from extraction.html.fields.field_candidates import MetadataRequest
from extraction.html.fields.metadata import decide
from extraction.html.fields.page_sources import read_sources
from extraction.html.lines.line_features import line_features
from extraction.html.lines.line_forms import FloatMatrix
from extraction.html.lines.line_places import PageContext
from extraction.html.markup.cleaning import clean
from extraction.html.markup.decode import decode_html
from extraction.html.markup.outline_walk import outline_page
from extraction.html.markup.parse import parse_html
from extraction.html.markup.unpacking import unpack_templates
from extraction.html.reader_comments.page_comments import read_page_comments

SETS = ("fundus", "fundus80", "segments", "sites", "wcxb", "zyte")
# Newspapers of today count more than the pages of 2011, of which there are most.
_SET_WEIGHTS = {"zyte": 1.5, "fundus80": 1.5, "sites": 0.6}
# A line's weight is its share of the gold text: that is what the scores count. Constants keep short
# lines and short articles in play.
_LINE_TOKENS = 3.0
_GOLD_TOKENS = 60.0
_MAX_WEIGHT = 0.4
_SEGMENT_WEIGHT = 0.12
# Shorter matches are chance unless they are the whole line.
_MIN_RUN_TOKENS = 4
_TOKEN = re.compile(
    r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]"
    r"|[^\W\u0e00-\u0e7f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]+"
)


@dataclass(frozen=True, slots=True)
class TrainingPage:
    """One page ready for training; arrays have one row a line."""

    set_name: str
    page_id: str
    group: str  # registered domain: pages of one site never stand on both sides of a split
    features: FloatMatrix
    labels: npt.NDArray[np.float32]  # 0 or 1
    weights: npt.NDArray[np.float32]  # 0 where unlabelled
    texts: tuple[str, ...]
    gold: dict[str, Any]


def read_pages(folder: Path, sets: tuple[str, ...] = SETS) -> Iterator[TrainingPage]:
    """Pages of the sets that have any text, in the order of the gold files."""
    for set_name in sets:
        with (folder / "gold" / f"{set_name}.jsonl").open(encoding="utf-8") as lines:
            for line in lines:
                gold = json.loads(line)
                path = folder / "pages" / set_name / f"{gold['id']}.html.gz"
                page = label_page(gzip.decompress(path.read_bytes()), gold, set_name)
                if page is not None:
                    yield page


def label_page(body: bytes, gold: dict[str, Any], set_name: str) -> TrainingPage | None:
    """Features and labels of one page; None when the page has no visible text.

    The page is read as `extract_page` reads it, so the model sees in training what it sees later.
    """
    html = decode_html(body).text
    root = parse_html(html)
    url = gold.get("url", "")
    sources = read_sources(root, url, "")
    read_page_comments(root)  # marks them, and the outline leaves them out
    unpack_templates(root)
    clean(root)
    outline = outline_page(root)
    metadata = decide(sources, MetadataRequest(url=url, outline=outline, html=html))
    if not outline.lines:
        return None
    context = PageContext(
        metadata.title, metadata.description, sources.json_ld.body, metadata.authors
    )
    texts = tuple(line.text for line in outline.lines)
    if gold.get("body"):
        labels, weights = body_labels(texts, gold["body"])
    else:
        labels, weights = _segment_labels(texts, gold)
    return TrainingPage(
        set_name=set_name,
        page_id=gold["id"],
        group=gold.get("group") or gold["id"],
        features=line_features(outline, context),
        labels=labels,
        weights=weights * np.float32(_SET_WEIGHTS.get(set_name, 1.0)),
        texts=texts,
        gold=gold,
    )


def body_labels(
    texts: tuple[str, ...], body: str
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    """Labels and weights of a page's lines, of shape (n_lines,), from its gold text."""
    tokens = [_TOKEN.findall(text) for text in texts]
    flat = [token for line in tokens for token in line]
    owner = [position for position, line in enumerate(tokens) for _ in line]
    gold = _TOKEN.findall(body)
    covered = np.zeros(len(texts))
    for start, _, size in SequenceMatcher(None, flat, gold, autojunk=False).get_matching_blocks():
        for position in owner[start : start + size]:
            if size >= _MIN_RUN_TOKENS or size >= len(tokens[position]):
                covered[position] += 1
    n_tokens = np.array([len(line) for line in tokens], dtype=np.float32)
    labels = (covered >= 0.5 * np.maximum(n_tokens, 1)).astype(np.float32)
    weights = (n_tokens + _LINE_TOKENS) / (len(gold) + _GOLD_TOKENS)
    return labels, np.minimum(weights, _MAX_WEIGHT).astype(np.float32)


def _segment_labels(
    texts: tuple[str, ...], gold: dict[str, Any]
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    collapsed = [" ".join(text.split()) for text in texts]
    labels = np.zeros(len(texts), dtype=np.float32)
    weights = np.zeros(len(texts), dtype=np.float32)
    for segment in gold.get("with", []):
        wanted = " ".join(segment.split())
        holders = [position for position, text in enumerate(collapsed) if wanted in text]
        if len(holders) == 1:  # several: no telling which one is meant
            labels[holders[0]] = 1.0
            weights[holders[0]] = _SEGMENT_WEIGHT
    for segment in gold.get("without", []):
        unwanted = " ".join(segment.split())
        for position, text in enumerate(collapsed):
            if unwanted in text and not labels[position]:
                weights[position] = _SEGMENT_WEIGHT
    return labels, weights
