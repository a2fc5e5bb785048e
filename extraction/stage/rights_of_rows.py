"""The rights of article rows: what was said, what it comes to, and what the policy makes of it.

A text bears what its own page said when it was captured (headers, meta elements), and what the
files of its host say of its address today: they speak of the site, and for as long as they say so.
"""

from collections.abc import Iterable, Mapping, Sequence

from extraction.models import Article, RightsSaid
from feeds import rights
from feeds.crawler.rights.statements import (
    SITE_SOURCES,
    RightsSource,
    Statement,
    from_json,
    to_json,
    verdict,
)
from feeds.models import Page, Publication, RightsPolicy

# Why such a text is left out of the corpus; the comments on its page go out with it.
RIGHTS_REASON = "Its rights are reserved: left out by the policy on rights."
_ORDER = {source: number for number, source in enumerate(RightsSource)}


def read(rows: Sequence[Article], pages: Sequence[tuple[Page, Iterable[Statement]]]) -> None:
    """Set the rights of rows that were read just now, each from its page and its meta elements."""
    for row, (page, meta) in zip(rows, pages, strict=True):
        captured = from_json(page.content_fetch.rights_said) if page.content_fetch else []
        set_rights(row, [*meta, *captured])


def place(rows: Iterable[Article], publications: Mapping[int, Publication]) -> None:
    """Leave out what the policy in force for its publication leaves out; `publications` by key."""
    reserved = [row for row in rows if row.rights == RightsSaid.RESERVED]
    general = rights.general_policy() if reserved else RightsPolicy.RECORD
    for row in reserved:
        if leaves_out(row, rights.policy_of(publications[row.publication_id], general)):
            leave_out(row)


def set_rights(row: Article, said: Iterable[Statement]) -> None:
    """Write what was said, each source once, and what it comes to."""
    by_source = {one.source: one for one in said}
    ordered = sorted(by_source.values(), key=lambda one: _ORDER[one.source])
    row.rights_said = to_json(ordered)
    row.rights = RightsSaid(verdict(ordered).value)


def leaves_out(row: Article, policy: RightsPolicy) -> bool:
    """Say whether a policy keeps a text out of the corpus. What is withdrawn keeps its reason."""
    is_reserved = row.rights == RightsSaid.RESERVED
    return is_reserved and policy in rights.LEAVING_OUT and row.withdrawn_at is None


def leave_out(row: Article) -> None:
    """Keep a text out of the corpus for its rights, whatever else stands against it."""
    row.in_corpus, row.reason = False, RIGHTS_REASON


def is_left_out(row: Article) -> bool:
    """Say whether a text is kept out for its rights."""
    return not row.in_corpus and row.reason == RIGHTS_REASON


def of_its_page(row: Article) -> list[Statement]:
    """Return what the page itself said when it was captured."""
    return [one for one in from_json(row.rights_said) if one.source not in SITE_SOURCES]
