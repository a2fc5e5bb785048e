"""A text that stands twice on its page, for narrow screens and for wide ones: cut once.

As a whole, or paragraph by paragraph beside each other. Only where nearly all of it comes again:
lines that come again inside a text are refrains, features of compared products or captions, and
on the development pages gold texts keep nearly all of them.
"""

from collections import Counter
from collections.abc import Sequence

from extraction.html.markup.outline import Outline

# Shorter lines come again by chance.
_LINE_CHARACTERS = 40
# A text has at least so many different ones that come again: announcements of one or two paragraphs
# do so too, and gold texts keep them.
_LEAST_LINES = 3
# Of the characters of such lines, so many are in lines that come again: one copy may have a caption
# more. Of 1,766 development pages one has more, and its gold text has it once; three that have gold
# texts with repetitions have .95, with two lines, and .73 and .69.
_REPEATED = 0.9


def second_copies(outline: Outline, kept: Sequence[int]) -> frozenset[int]:
    """Find the lines of a text's further copies; none where it does not come again as a whole.

    Parameters
    ----------
    kept
        Positions of the lines to keep, ascending.

    Returns
    -------
    frozenset of int
        Those of them to drop: all that stand above already. Linear in the kept lines.
    """
    texts = [outline.lines[position].text for position in kept]
    counts = Counter(text for text in texts if len(text) >= _LINE_CHARACTERS)
    again = {text: n for text, n in counts.items() if n > 1}
    if len(again) < _LEAST_LINES or _n_chars(again) < _REPEATED * _n_chars(counts):
        return frozenset()
    seen: set[str] = set()
    found = []
    for position, text in zip(kept, texts, strict=True):
        if text in seen:
            found.append(position)
        seen.add(text)
    return frozenset(found)


def _n_chars(counts: dict[str, int]) -> int:
    return sum(n * len(text) for text, n in counts.items())
