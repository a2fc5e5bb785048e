"""Summaries of one, three or five sentences, cut out of a text or of the tellings of one event.

Whoever wants a length asks for it; a shorter summary is part of each longer one.
SumBasic (Nenkova & Vanderwende 2005) with a bonus for the place in the text: words that a text
repeats are what it is about, and words of sentences that were chosen count for less afterwards.
"""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from dedup.similarity.events.tfidf_words import STOP_WORDS, WORD, fold
from dedup.similarity.sentences import sentence_hash
from extraction.text.comparable import comparable
from extraction.text.sentences import split_sentences

# In sentences; readers choose among them.
LENGTHS = (1, 3, 5)
# News begins with what happened: the first sentence counts five times as much as one far below.
# With it the one sentence chosen holds 53 % of the headline's words in 600 BBC reports, as many as
# the first sentence of the text; one at random holds 16 % (`test_quality_stories.py`).
_LEAD_BONUS = 4.0
# Shorter ones ("She laughed.", bylines) tell nothing alone, longer ones are lists.
_MIN_WORDS, _MAX_WORDS = 6, 70
# Quotations, questions and what begins with a pronoun need what stands around them: their place
# gives them nothing.
_DEPENDENT = 0.5
_DEPENDENT_STARTS = (
    "“",
    '"',
    "‘",
    "'",
    "«",
    "But ",
    "And ",
    "However",
    "He ",
    "She ",
    "They ",
    "It ",
)
# Bounds the work for 5 MB of text: what is told later is not in a summary of five sentences.
_SENTENCES_READ = 200


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A chosen sentence: number of its text, half-open code-point span in it."""

    text: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class ScoredSentence:
    """One that can stand alone; `words` are the folded ones that are no stop words."""

    excerpt: Excerpt
    words: tuple[str, ...]
    weight: float


def summarize(
    texts: Sequence[str],
    n_sentences: int,
    recurring: Collection[int] = frozenset(),
) -> list[Excerpt]:
    """Choose the sentences that say most of what the texts say.

    Parameters
    ----------
    texts
        One text, or several on one event; copies of a text are to be left out before.
    n_sentences
        How many, 0 or more.
    recurring
        Keys of sentences that stand in other texts as well (`sentences.sentence_hash`) and are
        never chosen.

    Returns
    -------
    list of Excerpt
        In the order of texts and sentences; fewer when there are no more that can stand alone,
        empty for empty texts. The result for n is part of that for n + 1.

    Notes
    -----
    O(n · m) for n sentences chosen and m read, at most 200 of each text.

    Examples
    --------
    >>> text = (
    ...     "Fire destroyed sixty shacks in Masiphumelele on Monday night. It was cold. "
    ...     "The city’s fire services said the fire in Masiphumelele began at a stove."
    ... )
    >>> [text[found.start : found.end] for found in summarize([text], 1)]
    ['Fire destroyed sixty shacks in Masiphumelele on Monday night.']
    """
    sentences = [
        sentence
        for number, text in enumerate(texts)
        for sentence in standing_alone(number, text, frozenset(recurring))
    ]
    counts = Counter(word for sentence in sentences for word in sentence.words)
    total = sum(counts.values())
    share = {word: count / total for word, count in counts.items()}
    chosen: list[ScoredSentence] = []
    while sentences and len(chosen) < n_sentences:
        best = max(sentences, key=lambda sentence: _score(sentence, share))
        sentences.remove(best)
        chosen.append(best)
        for word in set(best.words):
            share[word] **= 2
    return sorted((sentence.excerpt for sentence in chosen), key=lambda e: (e.text, e.start))


def standing_alone(number: int, text: str, recurring: frozenset[int]) -> list[ScoredSentence]:
    """Read sentences that may be shown without the others, among the first 200 of a text."""
    found: list[ScoredSentence] = []
    place = 0
    for start, end in split_sentences(text)[:_SENTENCES_READ]:
        sentence = text[start:end]
        words = WORD.findall(sentence)
        if not _MIN_WORDS <= len(words) <= _MAX_WORDS:
            continue
        if recurring and sentence_hash(comparable(sentence)) in recurring:
            continue
        content = tuple(folded for word in words if (folded := fold(word)) not in STOP_WORDS)
        if content:
            is_dependent = sentence.startswith(_DEPENDENT_STARTS) or sentence.rstrip().endswith("?")
            weight = _DEPENDENT if is_dependent else 1 + _LEAD_BONUS / (1 + place)
            place += not is_dependent
            first, last = _trimmed(text, start, end)
            found.append(ScoredSentence(Excerpt(number, first, last), content, weight))
    return found


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    inner = text[start:end]
    return end - len(inner.lstrip()), start + len(inner.rstrip())


def _score(sentence: ScoredSentence, share: dict[str, float]) -> float:
    mean = sum(share[word] for word in sentence.words) / len(sentence.words)
    return mean * sentence.weight
