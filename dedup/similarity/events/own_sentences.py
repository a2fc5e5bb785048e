"""What only one telling of an event says: its sentences with most words that no other telling has.

A different telling of the same event is another perspective; this shows in what.
"""

from collections import Counter
from collections.abc import Collection, Sequence

from dedup.similarity.events.summaries import Excerpt, ScoredSentence, standing_alone
from dedup.similarity.events.tfidf_words import STOP_WORDS, WORD, fold

# A sentence with fewer words of its own says what others say in other words.
_MIN_OWN_WORDS = 3
# Code points: some twenty times the longest tellings; bounds the work for 5 MB of text.
_READ = 200_000


def own_sentences(
    texts: Sequence[str],
    n_sentences: int = 2,
    recurring: Collection[int] = frozenset(),
) -> list[list[Excerpt]]:
    """Choose for each text the sentences that tell most of what no other text tells.

    Parameters
    ----------
    texts
        Tellings of one event; copies of a text are to be left out before.
    n_sentences
        At most so many of each text, 0 or more.
    recurring
        Keys of sentences that stand in other texts as well (`sentences.sentence_hash`): never
        chosen.

    Returns
    -------
    list of list of Excerpt
        One list for each text, in its order of sentences; empty where no sentence has three words
        of its own, and for a single text, which has no other to differ from.

    Notes
    -----
    Words are compared in folded form, without stop words and numbers. Greedy cover: a word counts
    once, so that the second sentence adds to the first; of equal ones the earlier is chosen.
    O(w + n · m) for w words of all texts, n sentences chosen, and m read, at most 200 of each text.

    Examples
    --------
    >>> told = "Fire destroyed sixty shacks in Masiphumelele on Monday night."
    >>> texts = [told, f"{told} Jermaine Carelse blamed a paraffin stove that toppled over."]
    >>> [[texts[e.text][e.start : e.end] for e in found] for found in own_sentences(texts)]
    [[], ['Jermaine Carelse blamed a paraffin stove that toppled over.']]
    """
    has_others = len(texts) > 1
    words = [{fold(word) for word in WORD.findall(text[:_READ])} - STOP_WORDS for text in texts]
    n_texts = Counter(word for of_text in words for word in of_text)
    barred = frozenset(recurring)
    return [
        _most_own(
            standing_alone(number, text, barred) if has_others else [],
            {word for word in words[number] if n_texts[word] == 1},
            n_sentences,
        )
        for number, text in enumerate(texts)
    ]


def _most_own(
    sentences: Sequence[ScoredSentence], own: set[str], n_sentences: int
) -> list[Excerpt]:
    chosen: list[Excerpt] = []
    left = set(own)
    while sentences and len(chosen) < n_sentences:
        best = max(sentences, key=lambda sentence: len(left.intersection(sentence.words)))
        if len(left.intersection(best.words)) < _MIN_OWN_WORDS:
            break
        chosen.append(best.excerpt)
        left.difference_update(best.words)
    return sorted(chosen, key=lambda excerpt: excerpt.start)
