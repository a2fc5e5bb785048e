"""Stories: tellings of one event in different words → groups, by average link within a window.

A repost is the same text, a different telling of the same event is another perspective and stays.
Near-duplicates are set aside before: one text a cluster comes here. A pass takes the tellings that
have no place yet in order, and the groups stay what they were but for what joins them; so a
story keeps its name, and work grows with what is new.
"""

import math
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from heapq import heapify, heappop, heappush
from itertools import islice
from typing import NamedTuple

from dedup.similarity.events.likeness import LikenessTable, Telling

# Two groups become one story from this mean likeness on, if their closest pair is close enough: a
# story of many is loose in the mean, but each telling has one that is close to it, while texts on
# one topic are loosely alike all round. Mean chosen on the labelled events of the development set.
SAME_EVENT_FROM = 0.037
# How close the closest pair must be (log odds, `closeness`) for two tellings to begin a
# story, for one of two or three to grow, and for a larger one. What nothing else speaks for needs
# most: of a hundred alike pairs on one topic a few are of one event. Chosen with `story_training`,
# in passes of 300 texts too: higher ones (1.6, .46) leave half as many false stories, but then
# tellings that come in different passes do not find each other (F1 of the events 90 to 93).
BEGINS_FROM, GROWS_FROM, JOINS_FROM = 0.9, 0.0, -1.7
_SMALL_STORY = 3
# Two tellings begin one from here on if so many others are as close to both: an event that many
# tell need not have two tellings that are very close.
SUPPORTED_FROM, _SUPPORTERS = -0.2, 2
# Two stories that are known already become one only from so many times the mean on: a new telling
# that is near to both would bring large events together (the labelled events in passes of 300
# texts: F1 93.4 without, 97.6 at 1.4 times, 97.7 at 2, 97.6 at 4).
KNOWN_STORIES_TIMES = 2.0
# A window of few texts cannot tell names from everyday words: with ten texts twice the mean is
# needed, with thirty a third more. Of 100 made windows of twelve texts with a labelled pair in
# each, 89 pairs are found beside 8 others; of thirty texts 85 beside 49.
_SMALL_WINDOW = 10.0
# The mean over the oldest members stands for all: bounds the work for a story of hundreds.
_MEMBERS_COMPARED = 40


@dataclass(frozen=True, slots=True)
class Decided:
    """What editors said of pairs of tellings, by their keys; of no order inside a pair."""

    together: tuple[tuple[int, int], ...] = ()
    apart: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Story:
    """Keys of its tellings in the order of the window; `name` is the story that it continues.

    None for a story that begins here; `also` are stories that it has taken up.
    """

    name: int | None
    keys: tuple[int, ...]
    also: tuple[int, ...] = ()


class _Link(NamedTuple):
    """Between two groups: the sum of their pairs' likenesses, and the highest closeness."""

    total: float
    closest: float


@dataclass(slots=True)
class _Group:
    """Places of the window that belong together, and the stories they came from."""

    places: list[int]
    names: set[int] = field(default_factory=set)


def find_stories(
    tellings: Sequence[Telling],
    decided: Decided | None = None,
    threshold: float = SAME_EVENT_FROM,
    window_seconds: float = math.inf,
) -> list[Story]:
    """Put the tellings that have no place yet into stories.

    Parameters
    ----------
    tellings
        All of the window in order of arrival, those with a `story` and those without.
    decided
        Pairs that must or must not be in one story; the first outweighs the latter.
    threshold
        Mean likeness of all pairs of two groups from which on they become one; more is needed in
        a window of few texts. Their closest pair must be close enough besides.
    window_seconds
        Tellings further apart are unlike, whatever their words.

    Returns
    -------
    list of Story
        Those of two tellings or more, and those named before of which one telling is left, by their
        first telling.

    Notes
    -----
    Average link (Sokal & Michener 1958), the most alike groups first, with a condition on the
    closest pair, on a sparse table of likenesses: only new tellings, the groups they are like, and
    these groups' other likenesses are looked at. With everything new the order of arrival does not
    matter. With passes between, two groups that were parted yesterday are joined only when a new
    telling is like both; so a different beat of passes can give somewhat different stories, but a
    group is never parted.

    Examples
    --------
    >>> from dedup.similarity.events.tfidf import terms
    >>> fire = (
    ...     "Flames destroyed sixty shacks in Masiphumelele near Fish Hoek on a stormy night.",
    ...     "Jermaine Carelse of the city's firefighters blamed a paraffin stove.",
    ...     "Gift of the Givers handed blankets to 240 residents in the Pink House hall",
    ... )
    >>> tellings = [
    ...     Telling(1, terms("", " ".join(fire))),
    ...     Telling(2, terms("", "Rates of Mbombela's municipality rise by six percent in July.")),
    ...     Telling(3, terms("", " ".join(fire[1:]))),
    ... ]
    >>> [story.keys for story in find_stories(tellings)]
    [(1, 3)]
    """
    table = LikenessTable(tellings, window_seconds)
    grouping = _Grouping(table, tellings, decided or Decided())
    grouping.join_alike(threshold * (1 + _SMALL_WINDOW / max(1, len(tellings))))
    return sorted(grouping.stories(), key=lambda story: table.place_of[story.keys[0]])


class _Grouping:
    """Groups that only grow, and the sums of likenesses between those that may be joined."""

    def __init__(self, table: LikenessTable, tellings: Sequence[Telling], decided: Decided) -> None:
        self._table, self._tellings = table, tellings
        self._group_of: list[int] = []
        self._groups: dict[int, _Group] = {}
        self._begin()
        self._is_active = {
            self._group_of[place] for place, telling in enumerate(tellings) if telling.story is None
        }
        self._links: dict[int, dict[int, _Link]] = {}
        self._apart: defaultdict[int, set[int]] = defaultdict(set)
        self._obey(decided)

    def _begin(self) -> None:
        first_of: dict[int, int] = {}
        for place, telling in enumerate(self._tellings):
            number = place if telling.story is None else first_of.setdefault(telling.story, place)
            self._group_of.append(number)
            group = self._groups.setdefault(number, _Group([]))
            group.places.append(place)
            group.names |= set() if telling.story is None else {telling.story}

    def _obey(self, decided: Decided) -> None:
        for pair in decided.together:
            one, other = self._groups_of(pair)
            if one is not None and other is not None and one != other:
                self._unite(one, other)
        for pair in decided.apart:
            one, other = self._groups_of(pair)
            if one is not None and other is not None and one != other:
                self._apart[one].add(other)
                self._apart[other].add(one)

    def _groups_of(self, pair: tuple[int, int]) -> tuple[int | None, int | None]:
        places = [self._table.place_of.get(key) for key in pair]
        one, other = (None if place is None else self._group_of[place] for place in places)
        return one, other

    def join_alike(self, threshold: float) -> None:
        """Unite the two most alike groups while there are any from the threshold on."""
        links = self._links = self._read_links(threshold)
        heap = [
            (-self._mean(one, other, link), one, other)
            for one, row in links.items()
            for other, link in row.items()
            if one < other and self._is_enough(one, other, link, threshold)
        ]
        heapify(heap)
        while heap:
            mean, one, other = heappop(heap)
            link = links.get(one, {}).get(other)
            is_current = link is not None and -mean == self._mean(one, other, link)
            if not is_current or other in self._apart[one]:
                continue
            kept, gone = self._unite(one, other)
            _add_row(links, kept, gone)
            for third, link in links[kept].items():
                if self._is_enough(kept, third, link, threshold):
                    mean = self._mean(kept, third, link)
                    heappush(heap, (-mean, min(kept, third), max(kept, third)))

    def _mean(self, one: int, other: int, link: _Link) -> float:
        return link.total / (self._size(one) * self._size(other))

    def _is_enough(self, one: int, other: int, link: _Link, threshold: float) -> bool:
        if self._is_known(one) and self._is_known(other):
            threshold *= KNOWN_STORIES_TIMES
        if self._mean(one, other, link) < threshold:
            return False
        return link.closest >= self._needed(one, other, link)

    def _needed(self, one: int, other: int, link: _Link) -> float:
        larger = max(self._size(one), self._size(other))
        if larger > 1:
            return GROWS_FROM if larger <= _SMALL_STORY else JOINS_FROM
        is_supported = (
            link.closest >= SUPPORTED_FROM and self._n_supporters(one, other) >= _SUPPORTERS
        )
        return SUPPORTED_FROM if is_supported else BEGINS_FROM

    def _n_supporters(self, one: int, other: int) -> int:
        """Count the groups that are close to both of two tellings."""
        row, others = self._links.get(one, {}), self._links.get(other, {})
        return sum(
            min(link.closest, others[third].closest) >= SUPPORTED_FROM
            for third, link in row.items()
            if third in others
        )

    def _is_known(self, number: int) -> bool:
        """Whether a group is a story of an earlier pass, and no single telling."""
        return bool(self._groups[number].names) and self._size(number) > 1

    def _size(self, number: int) -> int:
        return len(self._groups[number].places)

    def _read_links(self, threshold: float) -> dict[int, dict[int, _Link]]:
        """Sum the likenesses between new groups, and between those that they might bring together.

        Only groups that a new telling may join are looked at from their own side too.
        """
        links = {number: self._row_of(number) for number in sorted(self._is_active)}
        touched = {
            other
            for number, row in links.items()
            for other, link in row.items()
            if other not in links
            and link.closest >= JOINS_FROM
            and self._mean(number, other, link) >= threshold
        }
        for number in sorted(touched):
            links[number] = self._row_of(number)
        return _symmetric(links)

    def _row_of(self, number: int) -> dict[int, _Link]:
        """Sum a group's likenesses to each other group, the oldest members standing for all."""
        places = self._groups[number].places
        totals: defaultdict[int, float] = defaultdict(float)
        closest: defaultdict[int, float] = defaultdict(lambda: -math.inf)
        for place in islice(places, _MEMBERS_COMPARED):
            row = self._table.row(place)
            columns = (column.tolist() for column in row)
            for other, likeness, closeness in zip(*columns, strict=True):
                group = self._group_of[other]
                totals[group] += likeness
                closest[group] = max(closest[group], closeness)
        totals.pop(number, None)
        share = max(1.0, len(places) / _MEMBERS_COMPARED)
        return {other: _Link(total * share, closest[other]) for other, total in totals.items()}

    def _unite(self, one: int, other: int) -> tuple[int, int]:
        """Put the group that begins later into the earlier one; return both numbers."""
        kept, gone = min(one, other), max(one, other)
        taken = self._groups.pop(gone)
        group = self._groups[kept]
        group.places = sorted([*group.places, *taken.places])
        group.names |= taken.names
        for place in taken.places:
            self._group_of[place] = kept
        self._is_active = {kept if number == gone else number for number in self._is_active}
        foes = self._apart.pop(gone, set())
        self._apart[kept] |= foes
        for foe in foes:
            self._apart[foe] = (self._apart[foe] - {gone}) | {kept}
        return kept, gone

    def stories(self) -> Iterable[Story]:
        """Give the groups of two tellings or more, and all that continue a story."""
        for group in self._groups.values():
            if len(group.places) > 1 or group.names:
                names = sorted(group.names)
                keys = tuple(self._tellings[place].key for place in group.places)
                yield Story(names[0] if names else None, keys, tuple(names[1:]))


def _symmetric(links: dict[int, dict[int, _Link]]) -> dict[int, dict[int, _Link]]:
    """Keep what lies between two groups that both have a row, in both rows, by the higher one."""
    found: dict[int, dict[int, _Link]] = {number: {} for number in links}
    for one, row in links.items():
        for other, link in row.items():
            if other in links:
                back = links[other].get(one, link)
                found[one][other] = found[other][one] = _Link(
                    max(link.total, back.total), max(link.closest, back.closest)
                )
    return found


def _add_row(links: dict[int, dict[int, _Link]], kept: int, gone: int) -> None:
    """Put what lies between a group and others to that of the group that took it up."""
    row = links.pop(gone)
    row.pop(kept, None)
    links[kept].pop(gone, None)
    for third, link in row.items():
        del links[third][gone]
        own = links[kept].get(third, _Link(0.0, -math.inf))
        both = _Link(own.total + link.total, max(own.closest, link.closest))
        links[kept][third] = links[third][kept] = both


def lone(stories: Iterable[Story], keys: Collection[int]) -> set[int]:
    """Give the keys that are in none of the stories."""
    return set(keys) - {key for story in stories for key in story.keys}
