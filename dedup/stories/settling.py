"""Stories of a corpus at rest: what came since the last rest is grouped again, in order of time.

A pass puts what is new beside what stands there, so groups depend on the beat of the passes and on
what came first. When nothing has come for six hours, all texts that were put before a pass since,
and the stories that they came into, wait for a place as if their texts had changed: their words
are read anew, with what recurs by now, and they find each other again. Stories keep their numbers
(`groups.named_as_before`), and only articles whose story is another one are indexed again.
"""

from datetime import datetime, timedelta

from dedup.models import Detection, StoryPass, StoryReport
from dedup.stage.rows import chunks

# Twice that of sites (`extraction.sites.templates`), some of whose pages are read anew then.
REST = timedelta(hours=6)
# Bounds what one sweep reads and writes. A year of 200 papers is 60,000 texts (`tests/soak`).
MOST_AT_ONCE = 50_000
# In place of the digest of a text: no text has it, so its words count as those of another one.
_READ_ANEW = "~"


def settle(now: datetime) -> int:
    """Let texts wait once more when the passes rest; returns how many.

    Of more than `MOST_AT_ONCE` that came since the last rest those are taken that came first. A
    process that ends before all wait leaves them to the next one.
    """
    row = StoryPass.objects.filter(due_at=None, lease_owner="", last_run_at__lte=now - REST).first()
    if row is None or row.last_run_at in {None, row.settled_at}:
        return 0
    new = StoryReport.objects.order_by("asked_at")
    if row.settled_at is not None:
        new = new.filter(asked_at__gt=row.settled_at)
    settled_at = new.values_list("asked_at", flat=True)[MOST_AT_ONCE - 1 : MOST_AT_ONCE].first()
    if settled_at is not None:
        new = new.filter(asked_at__lte=settled_at)
    ids = set(new.exclude(digest="").values_list("article_id", flat=True))
    ids |= _mates(ids)
    for chunk in chunks(ids):
        StoryReport.objects.filter(article_id__in=chunk).update(placed_at=None, digest=_READ_ANEW)
    # If a pass began meanwhile, the next rest is that of what it found as well.
    StoryPass.objects.filter(pk=row.pk, last_run_at=row.last_run_at).update(
        settled_at=settled_at or row.last_run_at
    )
    return len(ids)


def _mates(article_ids: set[int]) -> set[int]:
    """Name all that stand in stories with these articles."""
    found: set[int] = set()
    for chunk in chunks(article_ids):
        stories = Detection.objects.filter(article_id__in=chunk, story__isnull=False)
        mates = Detection.objects.filter(story__in=stories.values("story"))
        found.update(mates.values_list("article_id", flat=True))
    return found
