"""What lemmas and tags cannot say: how much of the base is in languages that nobody tags here.

Input → output: a query and the documents it looks at → a sentence, empty where it says nothing.
"""

import numpy as np

from presentation.wording.figures import percent
from search.engine.annotation.languages import UNIVERSAL, is_tagged, tagged_languages
from search.engine.index.recent import Remembered
from search.engine.index.selection import Selection
from search.engine.query.ast import Attribute, Query
from search.wording.remarks import conditions_of

_LEAST_SHARE = 0.05  # less of the base changes no reading of the numbers
_OF_TAGGERS = frozenset({Attribute.LEMMA, Attribute.TAG})
_SHARES: Remembered[None, float] = Remembered()


def untagged_words(query: Query, selection: Selection) -> str:
    """Say that a query for lemmas or tags looks at texts that have none."""
    if not any(match.attribute in _OF_TAGGERS for match in conditions_of(query.pattern)):
        return ""
    share = _SHARES.of(selection).get_or(None, lambda: _share(selection))
    if share < _LEAST_SHARE:
        return ""
    return (
        f"Lemmas and tags are those of {tagged_names()} texts; {percent(share)} of these "
        "tokens are in other languages, where a lemma is the word itself and every tag is XX."
    )


def tagged_names() -> str:
    """Name the languages whose texts are tagged here: "English and Afrikaans"."""
    return _joined([entry.name for entry in tagged_languages()])


def universal_names() -> str:
    """Name those of them that have universal tags: "Afrikaans"."""
    return _joined([entry.name for entry in tagged_languages() if entry.tag_set is UNIVERSAL])


def _joined(names: list[str]) -> str:
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last


def _share(selection: Selection) -> float:
    """Return the share of the base's tokens in such texts; O(documents)."""
    lexicon = selection.snapshot.lexicon
    tokens = np.zeros(lexicon.size.n_values, dtype=np.float64)
    for view, mask in zip(selection.snapshot.segments, selection.masks, strict=True):
        chosen = slice(None) if mask is None else mask
        documents = view.segment.documents
        lengths = documents.n_tokens[chosen]
        tokens += np.bincount(documents.language[chosen], lengths, minlength=len(tokens))
    there = np.flatnonzero(tokens).tolist()
    untagged = sum(tokens[number] for number in there if not is_tagged(lexicon.value(number)))
    return float(untagged / max(1.0, tokens.sum()))
