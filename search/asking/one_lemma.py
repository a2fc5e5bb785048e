"""The lemma that a query asks for, where it asks for one and nothing else."""

import re

from search.asking.address import Address

_WORD = r"[^\W\d_](?:[\w'’-]*\w)?"
_SIMPLE = re.compile(rf"(?:lemma:)?({_WORD})")
_CQL = re.compile(rf"""\[\s*lemma\s*=\s*["']({_WORD})["']\s*(?:%[a-z]+\s*)?\]""")


def lemma_asked_for(address: Address) -> str:
    """Return the lemma of a query of one word, empty for any other query.

    Examples
    --------
    >>> [lemma_asked_for(Address.of({"q": [q]})) for q in ("lemma:go", "braai", "two words", "go*")]
    ['go', 'braai', '', '']
    >>> lemma_asked_for(Address.of({"q": ['[lemma="go"]'], "ql": ["cql"]}))
    'go'
    """
    pattern = _CQL if address.get("ql") == "cql" else _SIMPLE
    found = pattern.fullmatch(address.get("q").strip())
    return found[1] if found else ""
