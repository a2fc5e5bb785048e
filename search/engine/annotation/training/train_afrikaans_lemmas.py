"""Build the Afrikaans lemma table from AfriBooms; `train` is the command.

Of each (form, tag) the most frequent lemma is stored, and of each (ending, tag) the rule that most
known forms with that ending follow, unless a shorter ending says the same. No randomness.
"""

from collections import Counter, defaultdict
from pathlib import Path

from search.engine.annotation.afrikaans import (
    LEMMAS_PATH,
    LONGEST_ENDING,
    without_participle_prefix,
)
from search.engine.annotation.lemmatizer import ENDING_MARK, lemma_key
from search.engine.annotation.training.train_lemmas import SuffixRule, suffix_rule, write_table
from search.engine.annotation.training.treebanks import afrikaans_sentences

# An ending's rule must hold for half of the forms with it; asking for more was worse on fifths of
# the treebank held out.
LEAST_SHARE = 0.5

Pair = tuple[str, str]


def treebank_rules(folder: Path) -> dict[Pair, SuffixRule]:
    """Rule of each (lower-case form, tag) of the treebank in `folder`."""
    counts: defaultdict[Pair, Counter[str]] = defaultdict(Counter)
    for sentence in afrikaans_sentences(folder):
        for token in sentence:
            counts[token.form.lower().replace("’", "'"), token.tag][token.lemma] += 1
    return {
        (form, tag): suffix_rule(form, min(lemmas, key=lambda lemma: (-lemmas[lemma], lemma)))
        for (form, tag), lemmas in sorted(counts.items())
    }


def ending_rules(rules: dict[Pair, SuffixRule]) -> dict[Pair, SuffixRule]:
    """Rule of each (ending, tag); endings whose longest shorter one says the same are left out."""
    counts: defaultdict[Pair, Counter[SuffixRule]] = defaultdict(Counter)
    for (form, tag), rule in rules.items():
        if tag == "VERB" and without_participle_prefix(form):
            continue  # ge- is taken off first, endings say nothing of these
        for length in range(len(rule[0]), min(LONGEST_ENDING, len(form) - 1) + 1):
            counts[form[len(form) - length :], tag][rule] += 1
    chosen: dict[Pair, SuffixRule] = {}
    for ending, tag in sorted(counts, key=lambda pair: (len(pair[0]), pair)):
        found = counts[ending, tag]
        rule = min(found, key=lambda rule: (-found[rule], rule))
        endings = (ending[start:] for start in range(1, len(ending) + 1))
        shorter = next((chosen[end, tag] for end in endings if (end, tag) in chosen), None)
        if found[rule] >= LEAST_SHARE * found.total() and rule != shorter:
            chosen[ending, tag] = rule
    return chosen


def main(folder: Path, path: Path = LEMMAS_PATH) -> None:
    """Build the table from the data in `folder` and write it."""
    rules = treebank_rules(folder)
    by_key = {
        lemma_key(ENDING_MARK + ending, tag): rule
        for (ending, tag), rule in ending_rules(rules).items()
    }
    by_key |= {lemma_key(form, tag): rule for (form, tag), rule in rules.items()}
    write_table(path, by_key)
