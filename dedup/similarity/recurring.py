"""Recurring sentences: texts of one site → sentences that many of them hold.

"Subscribe to our newsletter" is no part of any article: such sentences are offered to the editor as
wording to be removed before texts are read.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from dedup.similarity.sentences import MIN_SENTENCE_CHARACTERS, sentence_hash
from extraction.text.comparable import comparable
from extraction.text.sentences import split_sentences

# As many texts as make a sentence popular (`overlap.MAX_ARTICLES_PER_SENTENCE`).
RECURRING_FROM = 10
# A longer one is a paragraph that was printed again.
MAX_CHARACTERS = 300


@dataclass(frozen=True, slots=True)
class RecurringSentence:
    """A sentence as the first of the texts writes it, and how many hold it."""

    text: str
    n_texts: int


def recurring_sentences(
    texts: Iterable[str], at_least: int = RECURRING_FROM
) -> list[RecurringSentence]:
    """Find the sentences that stand in many texts.

    Parameters
    ----------
    texts
        Of one site; near-duplicates are to be left out before.
    at_least
        How many texts must hold a sentence.

    Returns
    -------
    list of RecurringSentence
        Those in most texts first, equal ones in order of first appearance. White space is single.

    Notes
    -----
    Linear in the length of the texts. Sentences are equal whatever their case and quotes.

    Examples
    --------
    >>> texts = [f"Report {n}. Subscribe to our newsletter today!" for n in range(10)]
    >>> recurring_sentences(texts)
    [RecurringSentence(text='Subscribe to our newsletter today!', n_texts=10)]
    """
    n_texts: Counter[int] = Counter()
    wording: dict[int, str] = {}
    for text in texts:
        sentences = (" ".join(text[start:end].split()) for start, end in split_sentences(text))
        found = {
            sentence_hash(comparable(sentence)): sentence
            for sentence in sentences
            if MIN_SENTENCE_CHARACTERS <= len(sentence) <= MAX_CHARACTERS
        }
        n_texts.update(found.keys())
        for key, sentence in found.items():
            wording.setdefault(key, sentence)
    return [RecurringSentence(wording[key], n) for key, n in n_texts.most_common() if n >= at_least]
