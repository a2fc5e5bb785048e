"""Scores of extracted pages by the shared harness' own functions, for the gate and the bench."""

import gzip
import importlib.util
import json
import sys
import time
from dataclasses import dataclass, field

SETS = ("fundus", "fundus80", "segments", "sites", "wcxb", "zyte")


def harness(shared):
    """The module `evaluate` of the shared benchmark."""
    path = shared / "bench/extraction/evaluate.py"
    spec = importlib.util.spec_from_file_location("evaluate", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules["evaluate"] = module
    spec.loader.exec_module(module)
    return module


def gold_pages(shared, set_name):
    """Gold records of a set with the bytes of their pages."""
    folder = shared / "data/extraction"
    with (folder / "gold" / f"{set_name}.jsonl").open(encoding="utf-8") as lines:
        for line in lines:
            gold = json.loads(line)
            packed = (folder / "pages" / set_name / f"{gold['id']}.html.gz").read_bytes()
            yield gold, gzip.decompress(packed)


@dataclass
class Scores:
    """What was measured, by set and field."""

    body: dict = field(default_factory=dict)
    segments: list = field(default_factory=list)
    by_language: dict = field(default_factory=dict)
    fields: dict = field(default_factory=dict)
    milliseconds: list = field(default_factory=list)

    def add(self, evaluate, set_name, gold, extract, html):
        """Extract one page, time it and score it."""
        start = time.process_time()
        found = extract(html, gold.get("url", ""))
        self.milliseconds.append(1000 * (time.process_time() - start))
        scores = evaluate.score_page(gold, found, set_name)
        if "body" in scores:
            self.body.setdefault(set_name, []).append(scores["body"])
            if gold.get("lang"):
                self.by_language.setdefault(gold["lang"], []).append(scores["body"])
        if "segments" in scores and "body" not in scores:
            self.segments.append(scores["segments"])
        for name in ("title", "authors", "date"):
            if name in scores:
                self.fields.setdefault(name, []).append(scores[name])

    def languages(self, evaluate):
        """Language and F1 of its full-body pages, by code."""
        return [
            (name, evaluate.body_summary(self.by_language[name])["f1"])
            for name in sorted(self.by_language)
        ]

    def summary(self, evaluate):
        """F1, precision, recall and exact of every set; means of the fields."""
        found = {name: evaluate.body_summary(scores) for name, scores in self.body.items()}
        if self.segments:
            found["segments"] = evaluate.segment_summary(self.segments)
        return found | {name: evaluate.mean(scores) for name, scores in self.fields.items()}
