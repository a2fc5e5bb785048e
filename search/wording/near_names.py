"""Names like one that no text has: authors for who wrote "Hanlon", "tim hanlon" or "Tim Hanlan".

Input → output: a name that somebody typed, the names that there are → those that may be meant.
"""

import re
from collections.abc import Sequence

from search.engine.index.lexicon.folding import strip_accents
from search.wording.near_words import one_change_away

LONGEST_NAME = 100  # characters; all changes of one letter are tried
MOST_NAMES = 12  # each is counted, by a query
_WORDS = re.compile(r"[^\W\d_]+")


def near_names(name: str, names: Sequence[str]) -> list[str]:
    """Return names with all words of this one, or one change of a letter away from it.

    Case, accents and the order of words do not count. Those with the same words come first, then
    those with more, then those with another letter, each in the order given. O(names).

    Examples
    --------
    >>> names = ["Bob Hanlan", "Tim Hanlon", "Bob Hanlon"]
    >>> near_names("hanlon", names), near_names("HANLON, Bob", names)
    (['Tim Hanlon', 'Bob Hanlon'], ['Bob Hanlon'])
    """
    wanted = _folded(name)
    if not wanted or len(name) > LONGEST_NAME:
        return []
    known = [(one, _folded(one)) for one in names if one != name]
    same = [one for one, words in known if set(words) == set(wanted)]
    more = [one for one, words in known if set(words) > set(wanted)]
    changed = one_change_away(" ".join(wanted))
    slips = [one for one, words in known if " ".join(words) in changed]
    return list(dict.fromkeys([*same, *more, *slips]))[:MOST_NAMES]


def _folded(name: str) -> list[str]:
    return _WORDS.findall(strip_accents(name).lower())
