"""What lemmas and tags cannot say: how much of the base has none, or tags of another tag set.

Input → output: a query and the documents it looks at → a sentence, empty where it says nothing.
"""

import numpy as np

from presentation.wording.figures import percent
from search.engine.annotation.languages import (
    PENN,
    UNIVERSAL,
    TagSet,
    is_tagged,
    tagged_language,
    tagged_languages,
)
from search.engine.index.recent import Remembered
from search.engine.index.selection import Selection
from search.engine.query.ast import Attribute, AttributeMatch, Query
from search.engine.query.conditions.comparing import match_strings, string_of
from search.engine.query.language.simple import PARTS_OF_SPEECH
from search.wording.remarks import conditions_of

_MOST_PATTERN_CHARS = 60
_LEAST_SHARE = 0.05  # less of the base changes no reading of the numbers
_OF_TAGGERS = frozenset({Attribute.LEMMA, Attribute.TAG})
_SHARES: Remembered[None, dict[str, float]] = Remembered()


def untagged_words(query: Query, selection: Selection) -> str:
    """Say that a query for lemmas or tags looks at texts that have none."""
    if not any(match.attribute in _OF_TAGGERS for match in conditions_of(query.pattern)):
        return ""
    shares = _shares(selection)
    share = sum(part for language, part in shares.items() if not is_tagged(language))
    if share < _LEAST_SHARE:
        return ""
    return (
        f"Lemmas and tags are those of {tagged_names()} texts; {percent(share)} of these "
        "tokens are in other languages, where a lemma is the word itself and every tag is XX."
    )


def one_sided_words(query: Query, selection: Selection) -> str:
    """Say that a query for tags of one tag set looks at texts that have those of another."""
    for match in conditions_of(query.pattern):
        if match.attribute is not Attribute.TAG or match.negated:
            continue
        found = [tag_set for tag_set in (PENN, UNIVERSAL) if _is_of(match, tag_set)]
        if len(found) == 1 and (words := _one_sided(match.pattern, found[0], selection)):
            return words
    return ""


def _is_of(match: AttributeMatch, tag_set: TagSet) -> bool:
    return bool(match_strings(list(tag_set.tags), string_of(match)).any())


def _one_sided(pattern: str, tag_set: TagSet, selection: Selection) -> str:
    missed = {
        entry.name: share
        for language, share in _shares(selection).items()
        if (entry := tagged_language(language)) and entry.tag_set is not tag_set
    }
    share = sum(missed.values())
    if share < _LEAST_SHARE:
        return ""
    other = UNIVERSAL if tag_set is PENN else PENN
    tags = PARTS_OF_SPEECH.get(pattern)
    advice = f' For both write pos="{tags}".' if tags else ""
    return (
        f"{pattern[:_MOST_PATTERN_CHARS]} matches {tag_set.kinds} alone; {percent(share)} of these "
        f"tokens have {other.kinds}, those in {_joined(sorted(missed))}.{advice}"
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


def _shares(selection: Selection) -> dict[str, float]:
    """Return the share of the base's tokens in each language; O(documents), remembered."""
    return _SHARES.of(selection).get_or(None, lambda: _count_shares(selection))


def _count_shares(selection: Selection) -> dict[str, float]:
    lexicon = selection.snapshot.lexicon
    tokens = np.zeros(lexicon.size.n_values, dtype=np.float64)
    for view, mask in zip(selection.snapshot.segments, selection.masks, strict=True):
        chosen = slice(None) if mask is None else mask
        documents = view.segment.documents
        lengths = documents.n_tokens[chosen]
        tokens += np.bincount(documents.language[chosen], lengths, minlength=len(tokens))
    n_tokens = max(1.0, float(tokens.sum()))
    there = np.flatnonzero(tokens).tolist()
    return {lexicon.value(number): float(tokens[number]) / n_tokens for number in there}
