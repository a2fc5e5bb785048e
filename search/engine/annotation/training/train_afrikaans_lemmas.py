"""Build the Afrikaans lemma table from AfriBooms; `train` is the command.

Of each (form, tag) the most frequent lemma is stored, and of each (ending, tag) the rule that most
known forms with that ending follow, unless a shorter ending says the same. No randomness.
"""

from collections import Counter, defaultdict
from pathlib import Path

from extraction.text.train_language import write_arrays
from search.engine.annotation.afrikaans import (
    LEMMAS_PATH,
    LONGEST_ENDING,
    without_participle_prefix,
)
from search.engine.annotation.learning.lemma_rules import (
    Pair,
    SuffixRule,
    ending_rules,
    keyed,
    lemma_table,
    suffix_rule,
    table_arrays,
)
from search.engine.annotation.training.treebanks import afrikaans_sentences


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


def main(folder: Path, path: Path = LEMMAS_PATH) -> None:
    """Build the table from the data in `folder` and write it."""
    rules = treebank_rules(folder)
    # ge- is taken off first, so endings say nothing of these.
    of_endings = {
        (form, tag): rule
        for (form, tag), rule in rules.items()
        if tag != "VERB" or not without_participle_prefix(form)
    }
    table = lemma_table(keyed(rules, ending_rules(of_endings, LONGEST_ENDING)))
    write_arrays(path, table_arrays(table))
