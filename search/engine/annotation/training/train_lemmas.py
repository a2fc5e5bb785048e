"""Build the lemma table: `python -m search.engine.annotation.training.train_lemmas DATA`.

DATA is the folder of the treebanks. Of their (form, tag) pairs only those are stored whose most
frequent lemma differs from what lemminflect's list and classifier say; of the list only forms that
differ from their lemma. No randomness. Sources and licences: `data/CREDITS.md`.
"""

import gzip
import sys
from collections import Counter, defaultdict
from collections.abc import Mapping
from pathlib import Path

import lemminflect

from extraction.text.train_language import write_arrays
from search.engine.annotation.learning.lemma_rules import lemma_table, suffix_rule, table_arrays
from search.engine.annotation.lemmatizer import (
    CATEGORIES,
    TABLE_PATH,
    guess,
    lemma_key,
    plain_number,
)
from search.engine.annotation.training.treebanks import training_sentences

# Where the treebanks follow different conventions: EWT has people and United, GUM person and Unite,
# each nearly always. Jan is a month in one and somebody's name in the other as often.
CONVENTIONS = {("people", "NNS"): "person", ("united", "NNP"): "united", ("jan", "NNP"): "jan"}
# A lemma that no list of words knows is a slip where lemminflect has another one ("ranged" of
# "rang", "fled" of "flead"), unless the treebanks repeat it.
MOST_SLIPS = 3
# A name or sign that has another lemma only once may be a slip; these keep their forms.
MIN_NAME_COUNT = 2
_SELDOM_CHANGED = frozenset({"NNP", "ADD"})

# lemminflect's list: (lower-case form, category) to a lemma.
Listed = Mapping[tuple[str, str], str]
# lemminflect's names of word classes; auxiliaries have the treebanks' pairs.
_LISTED = frozenset({"noun", "verb", "adj", "adv"})


def listed_lemmas() -> dict[tuple[str, str], str]:
    """Lemminflect's list: (lower-case form, category) to its first lemma."""
    path = Path(lemminflect.__file__).parent / "resources" / "lemma_lu.csv.gz"
    found: dict[tuple[str, str], str] = {}
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            form, category, lemmas = line.rstrip("\n").split(",")
            if category in _LISTED and form == form.lower():
                found[form, category] = lemmas.split("/")[0]
    return found


def treebank_lemmas(folder: Path) -> dict[tuple[str, str], str]:
    """Most frequent lemma, in lower case, of each (lower-case form, tag) of the treebanks."""
    counts: defaultdict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for sentence in training_sentences(folder):
        for token in sentence:
            if token.lemma != "_":
                form = token.form.lower().replace("’", "'")
                counts[form, token.tag][token.lemma.lower().replace("’", "'")] += 1
    listed = listed_lemmas()
    # Equal counts: the shorter, then the alphabetically first, so that the file is always the same.
    found = {
        pair: min(lemmas, key=lambda lemma: (-lemmas[lemma], len(lemma), lemma))
        for pair, lemmas in counts.items()
        if lemmas.total() >= MIN_NAME_COUNT or pair[1] not in _SELDOM_CHANGED
    }
    kept = {
        pair: lemma
        for pair, lemma in found.items()
        if counts[pair][lemma] > MOST_SLIPS or not is_slip(pair, lemma, listed)
    }
    return kept | CONVENTIONS


def is_slip(pair: tuple[str, str], lemma: str, listed: Listed) -> bool:
    """Whether the lemma of a form and tag is of no word, while lemminflect's list has another.

    Plurals that are their own lemma are none ("auspices"), but for those of man ("businessmen").
    """
    form, tag = pair
    category = CATEGORIES.get(tag, "")
    known = listed.get((form, category), lemma)
    is_own = lemma == form and not form.endswith("men")
    return known != lemma and not is_own and listed.get((lemma, category)) != lemma


def _fallback(form: str, tag: str, listed: dict[tuple[str, str], str]) -> str:
    if tag == "CD":
        return plain_number(form)
    category = CATEGORIES.get(tag)
    if category and (form, category) in listed:
        return listed[form, category]
    if tag in {"NNS", "NNPS", "VBD", "VBG", "VBN", "VBZ", "JJR", "JJS", "RBR", "RBS"}:
        return (guess(form, tag) if form.isalpha() else None) or form
    return form


def main(folder: Path, path: Path = TABLE_PATH) -> None:
    """Build the table from the data in `folder` and write it."""
    listed = listed_lemmas()
    # Forms that are their own lemma are listed too: "bus" must not go to the classifier.
    entries = {lemma_key(form, kind): (form, lemma) for (form, kind), lemma in listed.items()}
    for (form, tag), lemma in sorted(treebank_lemmas(folder).items()):
        if _fallback(form, tag, listed) != lemma:
            entries[lemma_key(form, tag)] = (form, lemma)
    table = lemma_table({key: suffix_rule(*pair) for key, pair in entries.items()})
    write_arrays(path, table_arrays(table))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
