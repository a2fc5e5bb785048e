"""The vocabulary-ratio test: how many words are no English ones."""

from collections.abc import Sequence
from dataclasses import dataclass

from extraction.text.language_model import shared_model
from extraction.text.south_african import south_african_vocabulary

# English below, other above, unsure between. Ours: the test's description gives 0.25 and 0.95 as
# typical.
SHARE_ENGLISH_BELOW = 0.5
SHARE_OTHER_ABOVE = 0.8
# Fewer distinct words give the ratio no say.
MIN_WORDS = 8


@dataclass(frozen=True, slots=True)
class VocabularyRatio:
    """Shares of words outside the English vocabulary, 0 to 1; both 0 for a text without words.

    `distinct` counts each word once, `running` as often as it stands there.
    """

    distinct: float
    running: float
    n_distinct: int

    @property
    def has_say(self) -> bool:
        return self.n_distinct >= MIN_WORDS

    @property
    def opinion(self) -> str:
        """What the test says in words."""
        if self.distinct < SHARE_ENGLISH_BELOW:
            return "English by that test"
        if self.distinct > SHARE_OTHER_ABOVE:
            return "not English by that test"
        return "that test is unsure"


NO_WORDS = VocabularyRatio(0.0, 0.0, 0)


# English words met so far: most words of a text are among them, and no more than the vocabulary
# holds can be.
_known_so_far: set[str] = set()


def vocabulary_ratio(words: Sequence[str]) -> VocabularyRatio:
    """Compare the words of a text with the English vocabulary and the South African list.

    Parameters
    ----------
    words
        Running words in lower case, as `language_features.letters_of` has them between blanks.

    Examples
    --------
    >>> vocabulary_ratio("the cat sat on the mat and the mat was red".split()).distinct
    0.0
    """
    if not words:
        return NO_WORDS
    distinct = set(words)
    new = list(distinct - _known_so_far)
    if new:
        found = shared_model().knows(new).tolist()
        _known_so_far.update(word for word, is_known in zip(new, found, strict=True) if is_known)
    unknown = distinct - _known_so_far - south_african_vocabulary()
    n_running = sum(map(unknown.__contains__, words)) if unknown else 0
    return VocabularyRatio(len(unknown) / len(distinct), n_running / len(words), len(distinct))
