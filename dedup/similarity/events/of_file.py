"""Stories of a file without dates: titles, texts and their clusters in order of arrival → events.

The window is one of places in the file, and all tellings in it count as being of one day.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from dedup.similarity.events.likeness import Telling
from dedup.similarity.events.stories import find_stories
from dedup.similarity.events.tfidf import lead_hashes, terms

# Tellings that are compared with each other: two passes' worth, so memory does not grow with the
# file beyond its words.
WINDOW_TELLINGS = 50_000
# A sentence that stands in so many texts before tells nothing of an event (columns, appeals, what
# is quoted from elsewhere). From 2 on, a seventh more of the unlabelled texts got into stories.
RECURS_FROM = 1


def events(
    texts: Iterable[tuple[str, str]], clusters: Sequence[int], window: int = WINDOW_TELLINGS
) -> list[int]:
    """Say which texts tell of the same event.

    Parameters
    ----------
    texts
        Title and text of each, in order of arrival.
    clusters
        For each text the place of the first of its near-duplicates, its own when it is the first.
    window
        Tellings that are compared with each other at once.

    Returns
    -------
    list of int
        For each text the place of the earliest text about its event; texts of one cluster are of
        one event.

    Examples
    --------
    >>> fire = (
    ...     "Flames destroyed sixty shacks in Masiphumelele near Fish Hoek on a stormy night.",
    ...     "Jermaine Carelse of the city's firefighters blamed a paraffin stove.",
    ...     "Gift of the Givers handed blankets to 240 residents in the Pink House hall",
    ... )
    >>> texts = [
    ...     ("", " ".join(fire)),
    ...     ("", "Rates of Mbombela's municipality rise by six percent in July."),
    ...     ("", ". ".join(fire[::-1])),
    ...     ("", " ".join(fire) + "!"),
    ... ]
    >>> events(texts, [0, 1, 2, 0])
    [0, 1, 0, 0]
    """
    tellings = list(tellings_of(texts, clusters))
    event_of = {telling.key: telling.key for telling in tellings}
    step = max(1, window // 2)
    for start in range(0, len(tellings), step):
        before = tellings[max(0, start - step) : start]
        placed = [replace(telling, story=event_of[telling.key]) for telling in before]
        for story in find_stories([*placed, *tellings[start : start + step]]):
            event = story.keys[0] if story.name is None else story.name
            event_of |= dict.fromkeys(story.keys, event)
    return [event_of[cluster] for cluster in clusters]


def tellings_of(texts: Iterable[tuple[str, str]], clusters: Sequence[int]) -> Iterable[Telling]:
    """Make one telling of each cluster, without the sentences that recur in earlier texts."""
    n_texts_with: Counter[int] = Counter()
    for place, (title, text) in enumerate(texts):
        if clusters[place] == place:
            hashes = set(lead_hashes(text))
            recurring = {key for key in hashes if n_texts_with[key] >= RECURS_FROM}
            n_texts_with.update(hashes)
            yield Telling(place, terms(title, text, recurring), title)
