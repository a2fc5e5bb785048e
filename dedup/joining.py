"""Where newcomers belong when their cluster is plain: no regrouping of all its members.

Nearly every article is alone, or later than the original of the cluster it joins. Anything else
(earlier than the original, judged by an editor, joined to several) is left to `clustering.regroup`.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from dedup.models import Detection
from dedup.pairs import Text

Age = tuple[datetime, int]


@dataclass(slots=True)
class Places:
    """The originals of newcomers; `unsettled` are to be regrouped."""

    originals: dict[int, int] = field(default_factory=dict)
    unsettled: set[int] = field(default_factory=set)
    n_copies: int = 0


def place_newcomers(
    texts: Sequence[Text], representatives: Mapping[int, int], unsettled: Collection[int]
) -> Places:
    """Place articles of a batch, in order of arrival, with the texts they were joined to."""
    places = Places(unsettled=set(unsettled))
    names = {representatives[text.article_id] for text in texts}
    clusters = _clusters(names - {text.article_id for text in texts})
    for text in texts:
        article_id = text.article_id
        first = clusters.get(representatives[article_id], text.age)
        clusters[article_id] = min(first, text.age)
        if article_id in places.unsettled or text.age < first:
            places.unsettled.add(article_id)
            places.originals[article_id] = article_id
        else:
            places.originals[article_id] = first[1]
            places.n_copies += first[1] != article_id
    return places


def _clusters(article_ids: Collection[int]) -> dict[int, Age]:
    """For stored articles the original of their cluster, with its age."""
    rows = Detection.objects.filter(article_id__in=article_ids, original__isnull=False)
    found = rows.values_list("article_id", "original__dated_at", "original_id")
    return {article_id: (dated_at, name) for article_id, dated_at, name in found if name}
