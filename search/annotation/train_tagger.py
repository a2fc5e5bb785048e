"""Train the tagger's model; `search.annotation.train` is the command.

Input: the treebanks, the distributional classes and the capitals table of the training data, and
lemminflect's word list. Output: a `TaggerModel`. python-crfsuite's averaged perceptron learns the
weights of the very attributes that are used at run time (their numbers are its attribute names);
weights that hardly matter are dropped.
"""

import gzip
import tempfile
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import lemminflect
import numpy as np
import numpy.typing as npt
import pycrfsuite

from search.annotation.features import (
    CAPITALS,
    CLUSTER_64,
    N_CLASSES,
    NO_CLASS,
    PAIR_AFTER,
    PAIR_BEFORE,
    TAG_SET,
    CaseFlag,
    TypeAttributes,
    UInt32,
    WordClasses,
    case_flags,
    fold,
    pair_keys,
    type_attributes,
)
from search.annotation.lexicon import south_african_words
from search.annotation.model import AttributeWeights, TaggerModel
from search.annotation.treebanks import training_sentences

# nlp-dedup A: 6 to 10 rounds differ by 0.1; on the dev files 10 were best.
ROUNDS = 10
# Weights up to this drop out: 195,000 of 324,000 stay and one tag in 2,000 changes.
SMALLEST_WEIGHT = 1.0
# Pairs of neighbouring words seen less often are not learnt.
MIN_PAIR_COUNT = 2
# The lexicon has 150 different sets of tags; a uint16 column takes any number.
_BOUNDARY = ("", CaseFlag.NORMAL)

Sentence = tuple[list[str], list[str]]
Type = tuple[str, CaseFlag]


@dataclass(frozen=True, slots=True)
class _Corpus:
    """Sentences as type numbers, with two boundaries at either end, and the types' attributes."""

    sentences: list[npt.NDArray[np.int64]]
    attributes: TypeAttributes

    def pairs(self, ids: npt.NDArray[np.int64]) -> tuple[UInt32, UInt32]:
        """Pair attributes of every token of a sentence: with the word before, with that after."""
        folded = self.attributes.folded[ids]
        return (
            pair_keys(folded[1:-3], folded[2:-2], PAIR_BEFORE),
            pair_keys(folded[2:-2], folded[3:-1], PAIR_AFTER),
        )

    def items(self, pairs: set[int]) -> Iterator[list[list[str]]]:
        """Attribute names of every token, sentence by sentence."""
        here, before, after, before_2, after_2 = self.attributes.by_place
        for ids in self.sentences:
            rows = np.concatenate(
                [
                    here[ids[2:-2]],
                    before[ids[1:-3]],
                    after[ids[3:-1]],
                    before_2[ids[:-4]],
                    after_2[ids[4:]],
                ],
                axis=1,
            )
            keys = zip(*(part.tolist() for part in self.pairs(ids)), strict=True)
            yield [
                [str(value) for value in [*row, *pairs.intersection(pair)]]
                for row, pair in zip(rows.tolist(), keys, strict=True)
            ]


def train(folder: Path, rounds: int = ROUNDS) -> TaggerModel:
    """Train a model on the data in `folder`; about a minute and 1.5 GB."""
    sentences = [
        ([token.form for token in tokens], [token.tag for token in tokens])
        for tokens in training_sentences(folder)
    ]
    classes = word_classes(folder)
    corpus = _number_types((words for words, _ in sentences), classes)
    counts: Counter[int] = Counter()
    for ids in corpus.sentences:
        for keys in corpus.pairs(ids):
            counts.update(keys.tolist())
    pairs = {key for key, count in counts.items() if count >= MIN_PAIR_COUNT}
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch) / "tagger.crfsuite"
        _learn(corpus.items(pairs), [tags for _, tags in sentences], rounds, path)
        learnt = pycrfsuite.Tagger()
        learnt.open(str(path))
        info = learnt.info()
        labels = sorted(learnt.labels())
    words = {zlib.crc32(fold(word).encode()) for forms, _ in sentences for word in forms}
    return _assemble(info, labels, pairs, (np.array(sorted(words), dtype=np.uint32), classes))


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


def _number_types(sentences: Iterable[Sequence[str]], classes: WordClasses) -> _Corpus:
    types: dict[Type, int] = {_BOUNDARY: 0}
    numbered = [
        np.array(
            [
                0,
                0,
                *(
                    types.setdefault((word, flag), len(types))
                    for word, flag in zip(words, case_flags(words), strict=True)
                ),
                0,
                0,
            ]
        )
        for words in sentences
    ]
    return _Corpus(numbered, type_attributes(list(types), classes))


def _learn(
    items: Iterable[list[list[str]]], tags: list[list[str]], rounds: int, path: Path
) -> None:
    trainer = pycrfsuite.Trainer(algorithm="ap", verbose=False)
    for attributes, labels in zip(items, tags, strict=True):
        trainer.append(pycrfsuite.ItemSequence(attributes), labels)
    trainer.set_params({"max_iterations": rounds, "feature.possible_transitions": True})
    trainer.train(str(path))


def _assemble(
    info: "pycrfsuite._dumpparser.ParsedDump",
    labels: list[str],
    pairs: set[int],
    tables: tuple[UInt32, WordClasses],
) -> TaggerModel:
    numbers = {label: number for number, label in enumerate(labels)}
    transitions = np.zeros((len(labels), len(labels)), dtype=np.float32)
    for (before, after), weight in info.transitions.items():
        transitions[numbers[before], numbers[after]] = weight
    single: dict[int, list[tuple[int, float]]] = defaultdict(list)
    paired: dict[int, list[tuple[int, float]]] = defaultdict(list)
    for (name, label), weight in info.state_features.items():
        if abs(weight) > SMALLEST_WEIGHT:
            part = paired if int(name) in pairs else single
            part[int(name)].append((numbers[label], weight))
    return TaggerModel(
        tuple(labels), transitions, _weights(single), _weights(paired), tables[0], tables[1]
    )


def _weights(found: dict[int, list[tuple[int, float]]]) -> AttributeWeights:
    attributes = sorted(found)
    rows = [sorted(found[attribute]) for attribute in attributes]
    return AttributeWeights(
        np.array(attributes, dtype=np.uint32),
        np.concatenate([[0], np.cumsum([len(row) for row in rows], dtype=np.int64)]),
        np.array([label for row in rows for label, _ in row], dtype=np.uint8),
        np.array([weight for row in rows for _, weight in row], dtype=np.float32),
    )
