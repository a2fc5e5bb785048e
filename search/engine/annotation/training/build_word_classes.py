"""Word classes for the tagger: tables of the training data and lemminflect → `WordClasses`.

Distributional clusters and shares of capitalised uses come from files of the data folder, the set
of tags a form may have from lemminflect's word list and our own. Needed by training only.
"""

import gzip
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

import lemminflect
import numpy as np

from search.engine.annotation.features import (
    CAPITALS,
    CLUSTER_64,
    N_CLASSES,
    NO_CLASS,
    TAG_SET,
    WordClasses,
    fold,
)
from search.engine.annotation.lexicon import south_african_words


def word_classes(folder: Path) -> WordClasses:
    """Put clusters, tag sets and capitals of all known words into one table."""
    rows: dict[str, list[int]] = defaultdict(lambda: [NO_CLASS] * N_CLASSES)
    for word, values in _table(folder / "clusters.tsv.gz"):
        rows[word][CLUSTER_64 : CLUSTER_64 + len(values)] = values
    for word, values in _table(folder / "capitals.tsv.gz"):
        rows[word][CAPITALS] = values[0]
    for word, number in _tag_set_numbers().items():
        rows[word][TAG_SET] = number
    by_hash = {zlib.crc32(word.encode()): row for word, row in rows.items()}
    keys = sorted(by_hash)
    return WordClasses(
        np.array(keys, dtype=np.uint32),
        np.array([by_hash[key] for key in keys], dtype=np.uint16),
    )


def _table(path: Path) -> Iterator[tuple[str, list[int]]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            word, *values = line.rstrip("\n").split("\t")
            yield fold(word), [int(value) for value in values]


def _tag_set_numbers() -> dict[str, int]:
    """Give each tag set of the forms in lemminflect and our own list a number."""
    tags: dict[str, set[str]] = defaultdict(set)
    resources = Path(lemminflect.__file__).parent / "resources"
    with gzip.open(resources / "infl_lu.csv.gz", "rt", encoding="utf-8") as lines:
        lemmas = sorted({line.split(",")[0] for line in lines})
    for lemma in lemmas:
        for tag, forms in lemminflect.getAllInflections(lemma).items():
            for form in forms:
                tags[fold(form)].add(tag)
    with gzip.open(resources / "lemma_lu.csv.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            form, category, _ = line.rstrip("\n").split(",")
            tags[fold(form)].add(f"@{category}")
    for entry in south_african_words():
        tags[fold(entry.word)].update(entry.tags)
    sets = {word: tuple(sorted(found)) for word, found in tags.items()}
    frequencies = Counter(sets.values())
    order = sorted(frequencies, key=lambda found: (-frequencies[found], found))
    numbers = {found: number for number, found in enumerate(order)}
    return {word: numbers[found] for word, found in sets.items()}


def no_word_classes() -> WordClasses:
    """Return a table that knows nothing, for a language without such lists."""
    return WordClasses(
        np.zeros(1, dtype=np.uint32), np.full((1, N_CLASSES), NO_CLASS, dtype=np.uint16)
    )
