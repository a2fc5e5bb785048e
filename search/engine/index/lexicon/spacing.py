"""White space by rules of English typography, for texts that come as bare tokens.

Input → output: a word → whether it takes white space before and after it.
"""

from collections.abc import Sequence

NO_SPACE_BEFORE = frozenset(".,;:!?%)]}…’”»") | {"'s", "’s", "n't", "n’t", "''"}
NO_SPACE_BEFORE |= {f"{mark}{rest}" for mark in "'’" for rest in ("re", "ve", "ll", "d", "m")}
NO_SPACE_AFTER = frozenset("([{‘“«$£€#") | {"``"}

CLINGS_LEFT = 1
CLINGS_RIGHT = 2


def clinging(word: str) -> int:
    """Return to which neighbours a word clings: the sum of CLINGS_LEFT and CLINGS_RIGHT.

    Examples
    --------
    >>> clinging("."), clinging("("), clinging("rain")
    (1, 2, 0)
    """
    if word.isalnum():
        return 0
    left = CLINGS_LEFT if word.lower() in NO_SPACE_BEFORE else 0
    return left | (CLINGS_RIGHT if word in NO_SPACE_AFTER else 0)


def guess_spaces(words: Sequence[str]) -> list[bool]:
    """Say before which words of a text white space stood.

    Examples
    --------
    >>> guess_spaces(["It", "'s", "late", "(", "very", ")", "."])
    [False, False, True, True, False, False, False]
    """
    spaces = []
    before = CLINGS_RIGHT
    for word in words:
        here = clinging(word)
        spaces.append(not before & CLINGS_RIGHT and not here & CLINGS_LEFT)
        before = here
    return spaces
