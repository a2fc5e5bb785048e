"""Patterns over a word list: wildcards or a regular expression → the values that match whole.

``*`` stands for any characters, ``?`` for one, ``|`` separates choices; a backslash takes the
meaning from the next character, and straight quotes stand for curly ones too. Between slashes
stands a regular expression: ``/un.+able/``.
"""

import re
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from search.engine.index.lexicon.lexicon import LexiconView
from search.engine.index.lexicon.strings import encode_strings, make_chunk
from search.engine.query.conditions.patterns import Matcher, matching_forms
from search.engine.query.dialect import any_quote
from search.engine.statistics.counting.attribute_values import TypeValues

Mask = npt.NDArray[np.bool_]

_WILDCARD = re.compile(r"\\(.)|([*?|])|(.)", re.DOTALL)
_REGEX = re.compile(r"/(.+)/", re.DOTALL)


def regex_of(pattern: str) -> str:
    r"""Turn a pattern into a regular expression.

    Examples
    --------
    >>> regex_of("un*able"), regex_of("r?n|so*"), regex_of(r"what\?"), regex_of("/a.+/")
    ('un.*able', 'r.n|so.*', 'what\\?', 'a.+')
    """
    regex = _REGEX.fullmatch(pattern)
    if regex:
        return regex[1]
    signs = {"*": ".*", "?": ".", "|": "|"}
    return "".join(
        signs[found[2]] if found[2] else re.escape(found[1]) if found[1] else any_quote(found[3])
        for found in _WILDCARD.finditer(pattern)
    )


@dataclass(frozen=True, slots=True)
class WordPattern:
    """A pattern as it was written, and whether case counts."""

    text: str
    match_case: bool = False


def matching_values(
    lexicon: LexiconView, values: TypeValues, attribute: str, pattern: WordPattern
) -> Mask:
    """Tell which values match a pattern; of pairs, the lemma must.

    Returns
    -------
    ndarray of shape (n_values,)

    Raises
    ------
    QueryError
        If it is not a regular expression.
    """
    regex = regex_of(pattern.text)
    ignore_case = not pattern.match_case
    mask = np.zeros(values.n_values, dtype=np.bool_)
    if attribute == "pos":
        tags = make_chunk(0, encode_strings(lexicon.tag_names()))
        mask[Matcher(regex, 0, ignore_case=ignore_case).numbers(tags)] = True
        return mask
    forms = np.zeros(lexicon.size.n_forms, dtype=np.bool_)
    forms[matching_forms(lexicon, regex, (ignore_case, False, False), 0)] = True
    if attribute == "lemma+pos":
        mask[values.numbers] = forms[lexicon.lemmas]
        return mask
    return forms
