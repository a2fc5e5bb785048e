"""The views of one query as tabs, and the second row of the pages about words.

A tab keeps the query, its filters and the generation; how another view was shown is left behind.
A view without an address in `search/urls.py` has no tab.
"""

from dataclasses import dataclass
from urllib.parse import urlencode

from django.urls import NoReverseMatch, reverse

from search.asking.address import UNQUOTED, Address
from search.asking.one_lemma import lemma_asked_for
from search.asking.parameters import DISPLAY

# Address name and label, in the order of the keys 1 to 8.
QUERY_TABS = (
    ("search", "Concordance"),
    ("frequency", "Frequency"),
    ("collocates", "Collocates"),
    ("ngrams", "N-grams"),
    ("trend", "Trend"),
    ("distribution", "Distribution"),
    ("keyness", "Keyness"),
    ("texts", "Texts"),
)
WORD_TABS = (
    ("words", "Word list"),
    ("sketch", "Sketch"),
    ("zipf", "Zipf"),
    ("new-words", "New words"),
    ("word-lists", "Lists"),
    ("lexicon", "Lexicon"),
)


@dataclass(frozen=True, slots=True)
class TabLink:
    """A tab; the current one is the page itself."""

    label: str
    address: str
    is_current: bool


def kept_part(address: Address) -> Address:
    """Query, filters and generation: what all views of a query share.

    The seed is among them where it chooses the one hit of each text that counts.
    """
    of_display = DISPLAY - ({"seed"} if address.get("one") == "random" else set())
    return Address(tuple(pair for pair in address.pairs if pair[0] not in of_display))


def tab_links(
    address: Address, current: str, tabs: tuple[tuple[str, str], ...] = QUERY_TABS
) -> list[TabLink]:
    """Link the views that there are; the sketch where a query asks for one lemma."""
    kept = kept_part(address)
    links = [
        TabLink(label, kept.at(path), name == current)
        for name, label in tabs
        if (path := _path(name))
    ]
    lemma = lemma_asked_for(kept) if tabs is QUERY_TABS else ""
    if lemma:
        links.append(TabLink("Sketch", sketch_address(kept, lemma), is_current=False))
    return links


def sketch_address(address: Address, lemma: str, **own: str) -> str:
    """Address of the sketch of a lemma under the filters of an address."""
    pairs = [("lemma", lemma), *own.items(), *address.filters().pairs]
    pairs += [pair for pair in address.pairs if pair[0] == "asof"]
    return f"{reverse('sketch')}?{urlencode(pairs, safe=UNQUOTED)}"


def _path(name: str) -> str:
    try:
        return reverse(name)
    except NoReverseMatch:
        return ""
