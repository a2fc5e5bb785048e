"""`make bench-text`: quality and speed of the text chain, each beside its mark and the research.

Sentences, tokens, languages, tags, lemmas and fingerprints. Speeds are processor time on one core
over the texts of the near-duplicate set (newspaper articles of 330 tokens): the median of three
runs, each part on its own, then the chain as the stages run it. "cold" is the first thousand texts
after start. Quality is that on the development data; the marks are asked of data held out.
"""

import gc
import gzip
import json
import os
import resource
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as the site itself does, before numpy

ROOT = Path(__file__).resolve().parents[2]
SHARED = Path(os.environ.get("SHARED_DATA_DIR", ROOT.parent / "shared"))
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from benchmarks import text_measures as measures  # noqa: E402 (the path comes first)

from dedup.similarity.near import signature  # noqa: E402
from extraction.text.language import MODEL_PATH, identify  # noqa: E402
from extraction.text.paragraph_languages import text_languages  # noqa: E402
from extraction.text.sentences import split_sentences  # noqa: E402
from extraction.text.tokens import tokenize  # noqa: E402
from search.engine.annotation.annotate import TextToAnnotate, annotate_many  # noqa: E402
from search.engine.annotation.lexicon import LexiconOverrides, south_african_words  # noqa: E402
from search.engine.annotation.tagger import shared_tagger  # noqa: E402

N_TEXTS = 1000
BATCH = 100
N_RUNS = 3


@dataclass(frozen=True, slots=True)
class Row:
    """A figure with what was asked for (at least, or at most) and what the research reached."""

    name: str
    value: float
    mark: float | None = None
    research: str = ""
    unit: str = "%"
    is_ceiling: bool = False

    def line(self) -> str:
        digits = 0 if self.value >= 1000 else 2
        mark = "" if self.mark is None else f"{self.mark:,g}"
        verdict = ""
        if self.mark is not None:
            is_met = self.value <= self.mark if self.is_ceiling else self.value >= self.mark
            verdict = "met" if is_met else "MISSED"
        value = f"{self.value:,.{digits}f} {self.unit}"
        return f"  {self.name:<44}{value:>22}{mark:>11}  {verdict:<7}{self.research}"


def main() -> int:
    folder = SHARED / "data" / "nlp"
    texts_path = SHARED / "data" / "dedup" / "dedup-dev.jsonl.gz"
    if not folder.exists() or not texts_path.exists():
        print(f"not run: {folder} or {texts_path} is absent")
        return 0
    print(f"  {'':<44}{'measured':>22}{'mark':>11}  {'':<7}research")
    for row in speeds(read_texts(texts_path)):
        print(row.line())
    for row in quality(folder):
        print(row.line())
    return 0


def read_texts(path: Path) -> list[str]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(next(lines))["text"] for _ in range(N_TEXTS)]


def quality(folder: Path) -> list[Row]:
    rows = []
    marks = {"ewt": (98.2, 95.2, 98.6, None), "gum": (99.5, 97.0, 99.2, 95.5)}
    found = {"ewt": ("98.24", "95.2", "98.6", "85.4"), "gum": ("99.54", "97.15", "99.2", "95.7")}
    for name in ("ewt", "gum"):
        gold = measures.paragraphs(folder, name)
        tags = measures.tag_scores(gold)
        sentences = measures.sentence_score(measures.treebank_boundaries(gold))
        values = (measures.token_score(gold).f1, tags.tags, tags.lemmas_own, sentences.f1)
        parts = ("token spans, F1", "tags", "lemmas with these tags", "sentences, F1")
        rows += [
            Row(f"{name.upper()} {part}", value, mark, research)
            for part, value, mark, research in zip(
                parts, values, marks[name], found[name], strict=True
            )
        ]
    afrikaans = measures.afrikaans_scores(folder)
    rows += [
        Row("Afrikaans universal tags", afrikaans.tags, None, "95.9"),
        Row("Afrikaans lemmas with these tags", afrikaans.lemmas_own, None),
    ]
    given = measures.south_african_paragraphs(folder / "sa_sent_dev.txt")
    own = measures.south_african_paragraphs(measures.SOUTH_AFRICAN_NEWS)
    more = measures.south_african_paragraphs(measures.MORE_SOUTH_AFRICAN_NEWS)
    rows += [
        Row("South African sentences, given, F1", measures.sentence_score(given).f1, 95, "100"),
        Row("South African sentences, our own, F1", measures.sentence_score(own).f1, 95, "92.5"),
        Row("South African sentences, 271 more, F1", measures.sentence_score(more).f1, 95),
    ]
    scores = measures.language_scores(folder)
    rows += [
        Row("language, paragraphs (one label is wrong)", scores["paragraph"], 99.9, "100"),
        Row("language, 15 characters", scores["short"], 91, "91.0"),
        Row("language, 15 characters, English or not", scores["short, English"], None, "98.9"),
        Row("other languages taken for none of the eleven", measures.other_languages(), 100),
        Row("language, file", MODEL_PATH.stat().st_size / 1e6, 3, "2.9", "MB", is_ceiling=True),
    ]
    return rows


def speeds(texts: list[str]) -> list[Row]:
    before = _megabytes()
    identify("Which language is this?")
    loaded = _megabytes() - before
    return [
        *chain_speeds(texts),
        *part_speeds(texts),
        Row("language, memory", loaded, 40, "24", "MB", is_ceiling=True),
        Row("memory of it all", _megabytes(), None, "268", "MB"),
    ]


def chain_speeds(texts: list[str]) -> list[Row]:
    overrides = LexiconOverrides.build((), south_african_words())

    def chain() -> int:
        for text in texts:
            text_languages(text)
            signature(text)
        for start in range(0, len(texts), BATCH):
            batch = [TextToAnnotate(text) for text in texts[start : start + BATCH]]
            for _ in annotate_many(batch, shared_tagger(), overrides):
                pass
        return len(texts)

    return [
        Row("whole chain, cold", _speed(chain, 1), 150, "140", "articles/s"),
        Row("whole chain, warm", _speed(chain), 150, "291", "articles/s"),
    ]


def part_speeds(texts: list[str]) -> list[Row]:
    words = [
        [text[start:end] for start, end in tokenize(text, *span)]
        for text in texts
        for span in split_sentences(text)
    ]
    # In batches, as the index stage tags: all at once have more types than the tagger keeps.
    size = -(-len(words) * BATCH // len(texts))
    batches = [words[start : start + size] for start in range(0, len(words), size)]
    tagged = _speed(
        lambda: sum(len(tags) for part in batches for tags in shared_tagger().tag_sentences(part))
    )
    return [
        Row(
            "sentences",
            _speed(lambda: sum(len(split_sentences(t)) for t in texts)),
            100_000,
            "125,000 to 420,000",
            "sentences/s",
        ),
        Row(
            "tokens",
            _speed(lambda: sum(len(tokenize(t)) for t in texts)),
            600_000,
            "830,000",
            "tokens/s",
        ),
        Row("tags, warm", tagged, 120_000, "100,000 to 267,000", "tokens/s"),
        Row("language", _speed(lambda: len(list(map(identify, texts)))), 4000, "5,400", "texts/s"),
        Row(
            "language with paragraphs",
            _speed(lambda: len(list(map(text_languages, texts)))),
            None,
            "",
            "texts/s",
        ),
        Row("fingerprints", _speed(lambda: len(list(map(signature, texts)))), None, "", "texts/s"),
    ]


def _speed(work: Callable[[], int], n_runs: int = N_RUNS) -> float:
    """Units a second of processor time, the median of some runs."""
    found = []
    for _ in range(n_runs):
        gc.collect()
        started = time.process_time()
        count = work()
        found.append(count / (time.process_time() - started))
    return statistics.median(found)


def _megabytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    sys.exit(main())
