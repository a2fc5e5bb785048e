"""What pages show of rights: counts by publication, what the files of hosts say, the policy."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count

from extraction import rights as review
from extraction.models import Article, RightsSaid
from feeds import rights
from feeds.crawler.rights.statements import RightsSource
from feeds.models import Feed, Page, PageKind, Publication, RightsFile, RightsPolicy, RightsSetting
from presentation.wording.figures import counted

RULES_SHOWN = 20  # of a file; sites have one to ten


@dataclass(frozen=True, slots=True)
class RightsCount:
    """Stored texts of a publication by what their site says, and the policy in force."""

    publication: Publication
    n_reserved: int
    n_granted: int
    policy: RightsPolicy
    has_own_policy: bool


@dataclass(frozen=True, slots=True)
class FileRow:
    """What a host says in one place; `rules` in words, `what` in a few."""

    host: str
    place: str
    what: str
    rules: tuple[str, ...]
    n_more: int
    read_at: datetime | None
    changed_at: datetime | None
    next_at: datetime | None


@dataclass(frozen=True, slots=True)
class SourceRights:
    """All that a publication's page shows of rights."""

    count: RightsCount
    files: tuple[FileRow, ...]
    is_under_way: bool


def rights_counts(general: RightsPolicy) -> list[RightsCount]:
    """Count the texts of all publications, in two queries."""
    return _counts(Publication.objects.order_by("name"), general)


def general_setting() -> RightsSetting | None:
    """Return the policy for all with who set it; None while nobody has."""
    return RightsSetting.objects.select_related("changed_by").first()


def source_rights(publication: Publication) -> SourceRights:
    """Gather what is known of one publication."""
    (count,) = _counts([publication], rights.general_policy())
    feeds = Feed.objects.filter(publication=publication).order_by().values("page__host")
    pages = Page.objects.filter(publication=publication, kind=PageKind.RIGHTS)
    asked = RightsFile.objects.filter(page__in=pages).order_by().values("host")
    files = (
        RightsFile.objects.filter(host__in=feeds.union(asked))
        .select_related("host", "page")
        .defer("host__robots_body")
        .order_by("host__name", "source")
    )
    names = {row.host.name for row in files}
    known = rights.known_rights(names)
    rows = tuple(_file_row(row, known[row.host.name]) for row in files)
    return SourceRights(count, rows, review.is_under_way(publication.pk))


def _counts(publications: Iterable[Publication], general: RightsPolicy) -> list[RightsCount]:
    rows = list(publications)
    found: dict[int, dict[str, int]] = defaultdict(dict)
    marked = Article.objects.filter(publication__in=rows).exclude(rights=RightsSaid.NOTHING)
    for pk, said, n in (
        marked.order_by().values_list("publication", "rights").annotate(n=Count("*"))
    ):
        found[pk][said] = n
    return [
        RightsCount(
            row,
            found[row.pk].get(RightsSaid.RESERVED, 0),
            found[row.pk].get(RightsSaid.GRANTED, 0),
            rights.policy_of(row, general),
            bool(row.rights_policy),
        )
        for row in rows
    ]


def _file_row(row: RightsFile, known: rights.HostRights) -> FileRow:
    source = RightsSource(row.source)
    if source is RightsSource.ROBOTS_NAMES:
        names = known.names_at_home(row.host.name)
        what = "turned away from its front page" if names else "none is turned away"
        return FileRow(
            row.host.name, source.words, what, names, 0,
            row.host.robots_fetched_at, row.changed_at, None,
        )  # fmt: skip
    rules = _rules(source, row.rules)
    return FileRow(
        host=row.host.name,
        place=source.words,
        what=_what(row, len(rules)),
        rules=rules[:RULES_SHOWN],
        n_more=max(0, len(rules) - RULES_SHOWN),
        read_at=row.read_at,
        changed_at=row.changed_at,
        next_at=row.page.due_at if row.page else None,
    )


def _what(row: RightsFile, n_rules: int) -> str:
    if row.read_at is None:
        return "not read yet"
    if row.problem:
        return row.problem
    return counted(n_rules, "rule", "rules") if n_rules else "says nothing"


def _rules(source: RightsSource, rows: list[list[object]]) -> tuple[str, ...]:
    if source is RightsSource.AI_TXT:
        return tuple(f"{'Allow' if allowed else 'Disallow'}: {path}" for path, allowed in rows)
    words = {1: "reserved", 0: "not reserved", None: "not said"}
    return tuple(
        f"{location} {words[value]}" + (f", policy {policy}" if policy else "")  # type: ignore[index]
        for location, value, policy in rows
    )
