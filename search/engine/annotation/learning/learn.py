"""A language from a treebank: learn tagger and lemmas, measure them, write the language's folder.

Measured on every tenth sentence with a model of the others; what is written is then learnt from all
of them. See `own_languages` for what the folder holds.
"""

import hashlib
import json
import os
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from extraction.text.train_language import write_arrays
from search.engine.annotation.learning.lemma_rules import (
    Pair,
    SuffixRule,
    ending_rules,
    keyed,
    lemma_table,
    suffix_rule,
    table_arrays,
)
from search.engine.annotation.learning.perceptron import learn_tagger
from search.engine.annotation.learning.treebank import Sentence, Treebank, TreebankError
from search.engine.annotation.lemmatizer import LemmaTable
from search.engine.annotation.model import TaggerModel
from search.engine.annotation.own_languages import FORMAT, LONGEST_ENDING, MANIFEST, OwnModel

HELD_OUT_EACH = 10
# Fewer leave next to nothing to measure with, and such a tagger misleads more than it helps.
LEAST_SENTENCES = 30
# The forms seen most often; 6 bytes each, so a table stays below half a megabyte.
MOST_FORMS = 60_000
# Lemmas of these are the forms.
_OWN_LEMMAS = frozenset({"SYM", "X"})
_NAME = "PROPN"

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Learnt:
    """A tagger and the rules of its lemmas; see `OwnModel` for what is turned."""

    tagger: TaggerModel
    lemmas: LemmaTable
    is_turned: bool

    def in_use(self) -> OwnModel:
        return OwnModel(self.tagger, self.lemmas, is_turned=self.is_turned)


@dataclass(frozen=True, slots=True)
class Accuracy:
    """How many words of held-out sentences came out right.

    Unknown words are those the sentences learnt from do not have in small letters; lemmas are
    compared in small letters, where the treebank says one.
    """

    n_sentences: int
    n_words: int
    n_tags_right: int
    n_unknown: int
    n_unknown_right: int
    n_lemmas: int
    n_lemmas_right: int


def held_out(sentences: Sequence[Sentence]) -> tuple[list[Sentence], list[Sentence]]:
    """Part sentences: nine of ten to learn from, each tenth to measure with.

    Raises
    ------
    TreebankError
        When there are too few.
    """
    if len(sentences) < LEAST_SENTENCES:
        raise TreebankError(
            f"Only {len(sentences)} sentences can be learnt from; {LEAST_SENTENCES} at least, "
            "please."
        )
    rest = [one for place, one in enumerate(sentences, 1) if place % HELD_OUT_EACH]
    return rest, list(sentences[HELD_OUT_EACH - 1 :: HELD_OUT_EACH])


def learn(sentences: Sequence[Sentence], say: Say = lambda _: None) -> Learnt:
    """Learn from sentences; the same for the same ones."""
    words = [([word.form for word in one], [word.tag for word in one]) for one in sentences]
    table, is_turned = _learn_lemmas(sentences)
    return Learnt(learn_tagger(words, say=say), table, is_turned)


def _learn_lemmas(sentences: Sequence[Sentence]) -> tuple[LemmaTable, bool]:
    """Find the rule of each (form, tag), and whether words change at their beginnings.

    They do where fewer rules say the same so. A form without a lemma is its own, and says nothing
    of endings.
    """
    counts: defaultdict[Pair, Counter[str]] = defaultdict(Counter)
    uses: Counter[Pair] = Counter()
    for sentence in sentences:
        for word in sentence:
            pair = _folded(word.form), word.tag
            uses[pair] += 1
            if word.lemma is not None and word.tag not in _OWN_LEMMAS:
                counts[pair][_folded(word.lemma)] += 1
    kept = sorted(uses, key=lambda pair: (-uses[pair], pair))[:MOST_FORMS]
    lemmas = {
        pair: min(found, key=lambda lemma: (-found[lemma], lemma))
        for pair in kept
        if (found := counts.get(pair))
    }
    straight = {pair: suffix_rule(pair[0], lemma) for pair, lemma in lemmas.items()}
    turned = {
        (form[::-1], tag): suffix_rule(form[::-1], lemma[::-1])
        for (form, tag), lemma in lemmas.items()
    }
    is_turned = len(set(turned.values())) < len(set(straight.values()))
    rules = turned if is_turned else straight
    without: dict[Pair, SuffixRule] = {
        (form[::-1] if is_turned else form, tag): ("", "")
        for form, tag in kept
        if (form, tag) not in lemmas
    }
    of_endings = {pair: rule for pair, rule in rules.items() if pair[1] != _NAME}
    table = lemma_table(keyed(rules | without, ending_rules(of_endings, LONGEST_ENDING)))
    return table, is_turned


def _folded(form: str) -> str:
    return form.lower().replace("’", "'")


def measure(learnt: Learnt, sentences: Sequence[Sentence]) -> Accuracy:
    """Tag sentences that were not learnt from and compare."""
    model = learnt.in_use()
    tagged = model.tagger.tag_sentences([[word.form for word in one] for one in sentences])
    is_known = model.knows
    counts: Counter[str] = Counter()
    for sentence, tags in zip(sentences, tagged, strict=True):
        for word, tag in zip(sentence, tags, strict=True):
            counts["words"] += 1
            counts["right"] += tag == word.tag
            if not is_known(word.form):
                counts["unknown"] += 1
                counts["unknown right"] += tag == word.tag
            if word.lemma is not None:
                counts["lemmas"] += 1
                counts["lemmas right"] += _folded(model.lemma(word.form, tag)) == _folded(
                    word.lemma
                )
    return Accuracy(
        len(sentences),
        counts["words"],
        counts["right"],
        counts["unknown"],
        counts["unknown right"],
        counts["lemmas"],
        counts["lemmas right"],
    )


def write_language(folder: Path, learnt: Learnt, said: dict[str, object]) -> int:
    """Write a language's folder; returns the bytes of its model.

    The files are named for what they hold, and the manifest that names them is replaced last:
    whoever reads meanwhile has the old model or the new one. Files of the model before the last one
    are removed. `said` is kept in the manifest for people.
    """
    folder.mkdir(parents=True, exist_ok=True)
    before = _files_of(folder)
    digest = hashlib.blake2b(bytes([learnt.is_turned]), digest_size=8)
    arrays = {"tagger": learnt.tagger.arrays(), "lemmas": table_arrays(learnt.lemmas)}
    unfinished = {name: folder / f"{name}.{os.getpid()}.partial" for name in arrays}
    for name, path in unfinished.items():
        write_arrays(path, arrays[name])
        digest.update(path.read_bytes())
    sizes = [path.stat().st_size for path in unfinished.values()]
    files = {name: f"{name}-{digest.hexdigest()}.npz" for name in arrays}
    for name, path in unfinished.items():
        path.replace(folder / files[name])
    manifest = {
        "format": FORMAT,
        "code": folder.name,
        "digest": digest.hexdigest(),
        "turned": learnt.is_turned,
        "bytes": sizes,
        **files,
    }
    partial = folder / f"{MANIFEST}.{os.getpid()}.partial"
    partial.write_text(
        json.dumps(manifest | said, ensure_ascii=False, indent=1) + "\n", encoding="utf-8"
    )
    partial.replace(folder / MANIFEST)
    for path in folder.glob("*.npz"):
        if path.name not in {*files.values(), *before}:
            path.unlink(missing_ok=True)
    return sum(sizes)


def _files_of(folder: Path) -> set[str]:
    try:
        said = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        return {str(said["tagger"]), str(said["lemmas"])}
    except (OSError, ValueError, KeyError, TypeError):
        return set()


def report(treebank: Treebank, accuracy: Accuracy) -> dict[str, object]:
    """Return what the manifest keeps of where a model came from and how good it is."""
    return {
        "sentences": len(treebank.sentences),
        "tokens": treebank.n_tokens,
        "left out": {reason: found.n for reason, found in treebank.left_out.items()},
        "held out": asdict(accuracy),
    }
