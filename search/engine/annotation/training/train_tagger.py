"""Train the tagger's model; `search.engine.annotation.training.train` is the command.

Input: the treebanks, the distributional classes and the capitals table of the training data, and
lemminflect's word list. Output: a `TaggerModel`. python-crfsuite's averaged perceptron learns the
weights of the very attributes that are used at run time (their numbers are its attribute names);
weights that hardly matter are dropped. Window networks (`train_network`) are learnt beside it and
added, for the two err in different places.
"""

import tempfile
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pycrfsuite

from search.engine.annotation.features import (
    PAIR_AFTER,
    PAIR_BEFORE,
    CaseFlag,
    TypeAttributes,
    UInt32,
    WordClasses,
    case_flags,
    fold,
    pair_keys,
    type_attributes,
)
from search.engine.annotation.model import AttributeWeights, TaggerModel
from search.engine.annotation.network import NetworkGroup
from search.engine.annotation.training.build_word_classes import no_word_classes, word_classes
from search.engine.annotation.training.conllu import GoldToken
from search.engine.annotation.training.train_network import (
    NetworkSettings,
    TaggedTypes,
    TypeInputs,
    train_network,
)
from search.engine.annotation.training.treebanks import afrikaans_sentences, training_sentences
from search.engine.annotation.word_vectors import WordVectors

# 6 to 10 rounds differ by 0.1 points of accuracy; on the dev files 10 were best.
ROUNDS = 10
# Weights up to this drop out: 195,000 of 324,000 stay and one tag in 2,000 changes.
SMALLEST_WEIGHT = 1.0
# Pairs of neighbouring words seen less often are not learnt.
MIN_PAIR_COUNT = 2
# Perceptron scores that weigh as much as one natural logarithm of the networks' mean: 10 to 17 are
# alike on a tenth of the training documents held out.
NETWORK_WEIGHT = 14.0
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


@dataclass(frozen=True, slots=True)
class TrainingText:
    """What a tagger is trained on: sentences of words and tags, classes and vectors of words."""

    sentences: list[Sentence]
    classes: WordClasses
    vectors: WordVectors


def english(folder: Path) -> TrainingText:
    """Read the English treebanks and word tables in `folder`."""
    return TrainingText(
        [_words_and_tags(sentence) for sentence in training_sentences(folder)],
        word_classes(folder),
        WordVectors.load(),
    )


def afrikaans(folder: Path) -> TrainingText:
    """Read the Afrikaans treebank in `folder`, its universal tags."""
    return TrainingText(
        [_words_and_tags(sentence) for sentence in afrikaans_sentences(folder)],
        no_word_classes(),
        WordVectors.none(),
    )


def _words_and_tags(sentence: list[GoldToken]) -> Sentence:
    return [token.form for token in sentence], [token.tag for token in sentence]


def train(
    text: TrainingText, networks: Sequence[NetworkSettings], rounds: int = ROUNDS
) -> TaggerModel:
    """Train a model: an averaged perceptron and networks beside it.

    About three minutes and 1.5 GB for English.
    """
    corpus = _number_types((words for words, _ in text.sentences), text.classes)
    counts: Counter[int] = Counter()
    for ids in corpus.sentences:
        for keys in corpus.pairs(ids):
            counts.update(keys.tolist())
    pairs = {key for key, count in counts.items() if count >= MIN_PAIR_COUNT}
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch) / "tagger.crfsuite"
        _learn(corpus.items(pairs), [tags for _, tags in text.sentences], rounds, path)
        learnt = pycrfsuite.Tagger()
        learnt.open(str(path))
        info = learnt.info()
        labels = sorted(learnt.labels())
    words = {zlib.crc32(fold(word).encode()) for forms, _ in text.sentences for word in forms}
    model = _assemble(info, labels, pairs, (np.array(sorted(words), dtype=np.uint32), text.classes))
    return _with_networks(model, corpus, text, networks)


def _with_networks(
    model: TaggerModel,
    corpus: _Corpus,
    text: TrainingText,
    networks: Sequence[NetworkSettings],
) -> TaggerModel:
    """Train networks on the same sentences and bring their mean to the perceptron's scale."""
    numbers = {tag: number for number, tag in enumerate(model.tags)}
    sentences = [
        TaggedTypes(ids, np.array([numbers[tag] for tag in tags]))
        for ids, (_, tags) in zip(corpus.sentences, text.sentences, strict=True)
    ]
    folded = corpus.attributes.folded
    used = np.concatenate([ids[2:-2] for ids in corpus.sentences])
    forms, places = np.unique(folded, return_inverse=True)
    occurrences = np.bincount(places[used], minlength=len(forms))[places]
    known = TypeInputs(corpus.attributes.columns, text.vectors.look_up(folded), occurrences)
    scale = np.float32(NETWORK_WEIGHT / max(1, len(networks)))
    trained = []
    transitions = model.transitions
    for settings in networks:
        network, moves = train_network(sentences, known, len(numbers), settings)
        trained.append(network.scaled(scale))
        transitions = transitions + moves * scale
    return replace(
        model,
        transitions=transitions,
        networks=NetworkGroup(tuple(trained), text.vectors),
    )


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
        tuple(labels),
        transitions,
        _weights(single),
        _weights(paired),
        tables[0],
        tables[1],
        NetworkGroup.none(),
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
