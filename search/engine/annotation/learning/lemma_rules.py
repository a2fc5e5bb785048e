"""Rules that make a lemma of a form: of (form, tag) pairs that were seen, and of endings.

A rule takes one ending off and puts another there; a table (`LemmaTable`) holds the rule of each
key as hashes. No randomness.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from search.engine.annotation.lemmatizer import ENDING_MARK, LemmaTable, lemma_key
from search.engine.annotation.model import pack_keys

# An ending's rule must hold for half of the forms with it; asking for more was worse on fifths of
# AfriBooms held out.
LEAST_SHARE = 0.5

# The ending of a form that goes, and the one that comes.
SuffixRule = tuple[str, str]
# A form in small letters, or an ending, and a tag.
Pair = tuple[str, str]


def suffix_rule(form: str, lemma: str) -> SuffixRule:
    """Which ending to take off a form and which to put there, to get its lemma."""
    shared = 0
    while shared < min(len(form), len(lemma)) and form[shared] == lemma[shared]:
        shared += 1
    return form[shared:], lemma[shared:]


def ending_rules(rules: Mapping[Pair, SuffixRule], longest: int) -> dict[Pair, SuffixRule]:
    """Rule of each (ending, tag) that most known forms with it follow.

    Endings of up to `longest` letters; those whose longest shorter one says the same are left out.
    """
    counts: defaultdict[Pair, Counter[SuffixRule]] = defaultdict(Counter)
    for (form, tag), rule in rules.items():
        for length in range(len(rule[0]), min(longest, len(form) - 1) + 1):
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


def keyed(
    pairs: Mapping[Pair, SuffixRule], endings: Mapping[Pair, SuffixRule]
) -> dict[int, SuffixRule]:
    """Put both kinds of rules under the keys of a `LemmaTable`."""
    by_key = {lemma_key(ENDING_MARK + ending, tag): rule for (ending, tag), rule in endings.items()}
    return by_key | {lemma_key(form, tag): rule for (form, tag), rule in pairs.items()}


def lemma_table(rules: Mapping[int, SuffixRule]) -> LemmaTable:
    """Build a table of rules by key, see `lemma_key`."""
    keys = sorted(rules)
    suffixes = [rule for rule, _ in Counter(rules[key] for key in keys).most_common()]
    numbers = {rule: number for number, rule in enumerate(suffixes)}
    return LemmaTable(
        np.array(keys, dtype=np.uint32),
        np.array([numbers[rules[key]] for key in keys], dtype=np.uint16),
        tuple(suffixes),
    )


def table_arrays(table: LemmaTable) -> dict[str, npt.NDArray[np.generic]]:
    """Return the arrays of a table's file, by name; `LemmaTable.load` reads them."""
    return {
        "keys": pack_keys(table.keys),
        "rules": table.rules,
        "suffixes": np.array(table.suffixes),
    }
