"""What words come and go between two texts, for reading: runs of words with a sign."""

from dataclasses import dataclass
from difflib import SequenceMatcher

# Texts differ in whole lines mostly; beyond this many words only lines are compared.
MAX_WORDS = 4_000
_CONTEXT_WORDS = 8


@dataclass(frozen=True, slots=True)
class Difference:
    """A run of words: "=" in both texts, "-" gone, "+" new; long common runs are cut short."""

    sign: str
    words: str


def differences(before: str, after: str) -> tuple[Difference, ...]:
    """Compare two texts word by word, line by line where they are long.

    Examples
    --------
    >>> [(d.sign, d.words) for d in differences("a b c", "a c d")]
    [('=', 'a'), ('-', 'b'), ('=', 'c'), ('+', 'd')]
    """
    if before == after:
        return ()
    is_long = max(len(before.split()), len(after.split())) > MAX_WORDS
    old = before.split("\n") if is_long else before.split()
    new = after.split("\n") if is_long else after.split()
    found: list[Difference] = []
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    for kind, old_start, old_end, new_start, new_end in matcher.get_opcodes():
        if kind == "equal":
            found.append(Difference("=", _shortened(old[old_start:old_end])))
            continue
        if old_end > old_start:
            found.append(Difference("-", " ".join(old[old_start:old_end])))
        if new_end > new_start:
            found.append(Difference("+", " ".join(new[new_start:new_end])))
    return tuple(found)


def _shortened(words: list[str]) -> str:
    if len(words) <= 2 * _CONTEXT_WORDS:
        return " ".join(words)
    return " ".join([*words[:_CONTEXT_WORDS], "…", *words[-_CONTEXT_WORDS:]])
