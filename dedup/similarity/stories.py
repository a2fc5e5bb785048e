"""Stories: reports of one event in different words → groups, by average link within a window.

KWB-49: a repost is the same text, a different report of the same event is another perspective and
stays. Near-duplicates are set aside before: one text a cluster comes here. A pass takes the reports
that have no place yet in order, and the groups stay what they were but for what joins them; so a
story keeps its name, and work grows with what is new.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from heapq import heapify, heappop, heappush
from itertools import islice

from dedup.similarity.stories_likeness import LikenessTable, Report

# Two groups become one story from this mean likeness on: chosen on the 60 labelled events of the
# development set among all its other texts, of which 1,360 get into stories (2,400 with the plain
# cosine from .20 on). At .04 the events' F1 is 97.8, at .05 96.4, at .06 90.3.
SAME_EVENT_FROM = 0.045
# A window of few texts cannot tell names from everyday words: with twelve texts nearly twice the
# likeness is needed, with thirty a third more. Of made windows of twelve texts with a pair of
# reports in each, 55 of 60 pairs are found with 2 false ones; without this 59 with 21.
_SMALL_WINDOW = 10.0
# The mean over the oldest members stands for all: bounds the work for a story of hundreds.
_MEMBERS_COMPARED = 40


@dataclass(frozen=True, slots=True)
class Decided:
    """What editors said of pairs of reports, by their keys; of no order inside a pair."""

    together: tuple[tuple[int, int], ...] = ()
    apart: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Story:
    """Keys of its reports in the order of the window; `name` is the story that it continues.

    None for a story that begins here; `also` are stories that it has taken up.
    """

    name: int | None
    keys: tuple[int, ...]
    also: tuple[int, ...] = ()


@dataclass(slots=True)
class _Group:
    """Places of the window that belong together, and the stories they came from."""

    places: list[int]
    names: set[int] = field(default_factory=set)


def find_stories(
    reports: Sequence[Report],
    decided: Decided | None = None,
    threshold: float = SAME_EVENT_FROM,
) -> list[Story]:
    """Put the reports that have no place yet into stories.

    Parameters
    ----------
    reports
        All of the window in order of arrival, those with a `story` and those without. Who lies
        further apart than the window is wide is the caller's matter.
    decided
        Pairs that must or must not be in one story; the first outweighs the latter.
    threshold
        Mean likeness of all pairs of two groups from which on they become one; more is needed in
        a window of few texts.

    Returns
    -------
    list of Story
        Those of two reports or more, and those named before of which one report is left, by their
        first report.

    Notes
    -----
    Average link (Sokal & Michener 1958), the most alike groups first, on a sparse table of
    likenesses: only new reports, the groups they are like, and these groups' other likenesses are
    looked at. With everything new the order of arrival does not matter. With passes between, two
    groups that were parted yesterday are joined only when a new report is like both; so a different
    beat of passes can give somewhat different stories, but a group is never parted.

    Examples
    --------
    >>> from dedup.similarity.tfidf import terms
    >>> fire = "Flames destroyed sixty Masiphumelele shacks, Fish Hoek firefighter Carelse"
    >>> reports = [
    ...     Report(1, terms("", fire + " counted.")),
    ...     Report(2, terms("", "Rates of Mbombela's municipality rise by six percent in July.")),
    ...     Report(3, terms("", "Fish Hoek flames: sixty Masiphumelele shacks destroyed, Carelse")),
    ... ]
    >>> [story.keys for story in find_stories(reports)]
    [(1, 3)]
    """
    table = LikenessTable(reports)
    grouping = _Grouping(table, reports, decided or Decided())
    grouping.join_alike(threshold * (1 + _SMALL_WINDOW / max(1, len(reports))))
    return sorted(grouping.stories(), key=lambda story: table.place_of[story.keys[0]])


class _Grouping:
    """Groups that only grow, and the sums of likenesses between those that may be joined."""

    def __init__(self, table: LikenessTable, reports: Sequence[Report], decided: Decided) -> None:
        self._table, self._reports = table, reports
        self._group_of: list[int] = []
        self._groups: dict[int, _Group] = {}
        self._begin()
        self._is_active = {
            self._group_of[place] for place, report in enumerate(reports) if report.story is None
        }
        self._apart: defaultdict[int, set[int]] = defaultdict(set)
        self._obey(decided)

    def _begin(self) -> None:
        first_of: dict[int, int] = {}
        for place, report in enumerate(self._reports):
            number = place if report.story is None else first_of.setdefault(report.story, place)
            self._group_of.append(number)
            group = self._groups.setdefault(number, _Group([]))
            group.places.append(place)
            group.names |= set() if report.story is None else {report.story}

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
        sums = self._sums(threshold)
        heap = [
            (-self._mean(one, other, total), one, other)
            for one, row in sums.items()
            for other, total in row.items()
            if one < other and self._mean(one, other, total) >= threshold
        ]
        heapify(heap)
        while heap:
            mean, one, other = heappop(heap)
            total = sums.get(one, {}).get(other)
            is_current = total is not None and -mean == self._mean(one, other, total)
            if not is_current or other in self._apart[one]:
                continue
            kept, gone = self._unite(one, other)
            _add_row(sums, kept, gone)
            for third, total in sums[kept].items():
                mean = self._mean(kept, third, total)
                if mean >= threshold:
                    heappush(heap, (-mean, min(kept, third), max(kept, third)))

    def _mean(self, one: int, other: int, total: float) -> float:
        return total / (self._size(one) * self._size(other))

    def _size(self, number: int) -> int:
        return len(self._groups[number].places)

    def _sums(self, threshold: float) -> dict[int, dict[int, float]]:
        """Sum the likenesses between new groups, and between those that they might bring together.

        Only groups that a new report would join are looked at from their own side too.
        """
        sums: dict[int, dict[int, float]] = {number: {} for number in self._is_active}
        for number in sorted(self._is_active):
            sums[number] = self._row_of(number)
        touched = {
            other
            for number, row in sums.items()
            for other, total in row.items()
            if other not in sums and self._mean(number, other, total) >= threshold
        }
        for number in sorted(touched):
            sums[number] = self._row_of(number)
        return {
            one: {other: max(total, sums[other].get(one, 0.0)) for other, total in row.items()}
            for one, row in _symmetric(sums).items()
        }

    def _row_of(self, number: int) -> dict[int, float]:
        """Sum a group's likenesses to each other group, all members standing for the oldest."""
        places = self._groups[number].places
        found: defaultdict[int, float] = defaultdict(float)
        for place in islice(places, _MEMBERS_COMPARED):
            others, likenesses = self._table.row(place)
            for other, likeness in zip(others.tolist(), likenesses.tolist(), strict=True):
                found[self._group_of[other]] += likeness
        found.pop(number, None)
        share = max(1.0, len(places) / _MEMBERS_COMPARED)
        return {other: total * share for other, total in found.items()}

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
        """Give the groups of two reports or more, and all that continue a story."""
        for group in self._groups.values():
            if len(group.places) > 1 or group.names:
                names = sorted(group.names)
                keys = tuple(self._reports[place].key for place in group.places)
                yield Story(names[0] if names else None, keys, tuple(names[1:]))


def _symmetric(sums: dict[int, dict[int, float]]) -> dict[int, dict[int, float]]:
    """Keep what lies between two groups that both have a row, in both rows."""
    found: dict[int, dict[int, float]] = {number: {} for number in sums}
    for one, row in sums.items():
        for other, total in row.items():
            if other in sums:
                found[one][other] = total
                found[other].setdefault(one, total)
    return found


def _add_row(sums: dict[int, dict[int, float]], kept: int, gone: int) -> None:
    """Put a group's sums to those of the group that took it up."""
    row = sums.pop(gone)
    row.pop(kept, None)
    sums[kept].pop(gone, None)
    for third, total in row.items():
        del sums[third][gone]
        sums[kept][third] = sums[kept].get(third, 0.0) + total
        sums[third][kept] = sums[kept][third]


def lone(stories: Iterable[Story], keys: Collection[int]) -> set[int]:
    """Give the keys that are in none of the stories."""
    return set(keys) - {key for story in stories for key in story.keys}
