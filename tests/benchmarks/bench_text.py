"""`make bench-text`: quality and speed of sentences, tokens, languages, tags and lemmas.

Speeds are processor time on one core over the texts of the near-duplicate set (newspaper articles
of 330 tokens), each part on its own and then the chain as the index stage runs it. "cold" is the
first thousand texts after start, "warm" the same texts again.
"""

import gzip
import json
import os
import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SHARED = Path(os.environ.get("SHARED_DATA_DIR", ROOT.parent / "shared"))
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from benchmarks import text_measures as measures  # noqa: E402 (the path comes first)

from extraction.text.language import identify  # noqa: E402
from extraction.text.sentences import split_sentences  # noqa: E402
from extraction.text.tokens import tokenize  # noqa: E402
from search.annotation.annotate import TextToAnnotate, annotate_many  # noqa: E402
from search.annotation.lexicon import LexiconOverrides, south_african_words  # noqa: E402
from search.annotation.tagger import shared_tagger  # noqa: E402

N_TEXTS = 1000
BATCH = 100


def main() -> int:
    folder = SHARED / "data" / "nlp"
    texts_path = SHARED / "data" / "dedup" / "dedup-dev.jsonl.gz"
    if not folder.exists() or not texts_path.exists():
        print(f"not run: {folder} or {texts_path} is absent")
        return 0
    print_speed(read_texts(texts_path))
    print_quality(folder)
    return 0


def read_texts(path: Path) -> list[str]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(next(lines))["text"] for _ in range(N_TEXTS)]


def print_quality(folder: Path) -> None:
    print("\nquality on the development data, %")
    for name in ("ewt", "gum"):
        gold = measures.paragraphs(folder, name)
        tokens = measures.token_score(gold)
        sentences = measures.sentence_score(measures.treebank_boundaries(gold))
        tags = measures.tag_scores(gold)
        print(
            f"  {name}: token spans F1 {tokens.f1:.2f}, sentences F1 {sentences.f1:.2f},"
            f" tags {tags.tags:.2f}, lemmas {tags.lemmas_own:.2f}"
            f" (with gold tags {tags.lemmas_gold:.2f})"
        )
    south_african = measures.sentence_score(
        measures.south_african_paragraphs(folder / "sa_sent_dev.txt")
    )
    print(f"  South African news: sentences F1 {south_african.f1:.2f}")
    for kind, score in measures.language_scores(folder).items():
        print(f"  language, {kind}: {score:.2f}")


def print_speed(texts: list[str]) -> None:
    overrides = LexiconOverrides.build((), south_african_words())

    def chain() -> int:
        n_tokens = 0
        for start in range(0, len(texts), BATCH):
            batch = [TextToAnnotate(text) for text in texts[start : start + BATCH]]
            for annotated in annotate_many(batch, shared_tagger(), overrides):
                n_tokens += len(annotated.tokens)
        return n_tokens

    print("speed, processor time of one core")
    report("chain, cold", "tokens", chain, len(texts))
    report("chain, warm", "tokens", chain, len(texts))
    report("sentences", "sentences", lambda: sum(len(split_sentences(t)) for t in texts))
    report("tokens", "tokens", lambda: sum(len(tokenize(t)) for t in texts))
    report("language", "texts", lambda: len([identify(t) for t in texts]))
    words = [
        [text[start:end] for start, end in tokenize(text, *span)]
        for text in texts
        for span in split_sentences(text)
    ]
    report("tags, warm", "tokens", lambda: sum(map(len, shared_tagger().tag_sentences(words))))
    print(f"memory: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB at most")


def report(name: str, unit: str, work: Callable[[], int], n_texts: int = 0) -> None:
    started = time.process_time()
    count = work()
    seconds = time.process_time() - started
    speed = f"  {name}: {count / seconds:,.0f} {unit}/s"
    if n_texts:
        speed += f", {n_texts / seconds:.0f} texts/s, {1000 * seconds / n_texts:.2f} ms a text"
    print(speed)


if __name__ == "__main__":
    sys.exit(main())
