"""Versions of a publication's rules: draft, edit, publish, undo.

A draft begins as a copy of the newest published version. Publishing makes the pages due again that
were fetched since the day it is valid from, and keeps what their articles were, so that a report
can say what became of them. Nothing published is ever changed: undoing publishes the former rules
as the next version.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from datetime import datetime, timedelta
from typing import Protocol

from django.db import IntegrityError, transaction
from django.db.models import Max, Q, QuerySet

from extraction.html.site_rules.rules import Rule
from extraction.models import Article, Extraction, RereadPage, RuleVersion, SiteRule
from extraction.rules.published import as_rule
from feeds.models import PageKind, WorkQuerySet, of_documents_since
from feeds.watching.tallies import tally


class BroughtVersion(Protocol):
    """A published version as a file holds it."""

    @property
    def number(self) -> int: ...

    @property
    def note(self) -> str: ...

    @property
    def valid_from(self) -> datetime | None: ...

    @property
    def published_at(self) -> datetime | None: ...

    @property
    def rules(self) -> tuple[Rule, ...]: ...


STORED = "stored"  # name of numbers of pages that are kept; ":" and the publication follow
UNDO_DAYS = 30  # an undoing reads all pages since then again
# Of an article before its page is read again, for the report of what became of it.
_KEPT = ("n_words", "text_digest", "title", "authors", "published_at", "modified_at", "section")
_INSERTED_AT_ONCE = 1000  # SQLite takes some thousand values in a statement


def draft_of(publication_id: int) -> RuleVersion | None:
    return RuleVersion.objects.filter(publication=publication_id, published_at=None).first()


def newest_published(publication_id: int) -> RuleVersion | None:
    return published_versions(publication_id)[0:1].first()


def published_versions(publication_id: int) -> QuerySet[RuleVersion]:
    return (
        RuleVersion.objects.filter(publication=publication_id)
        .exclude(published_at=None)
        .order_by("-number")
    )


def open_draft(publication_id: int, now: datetime, note: str = "") -> RuleVersion:
    """Return the publication's draft; where there is none, begin one with the newest rules."""
    draft = draft_of(publication_id)
    if draft is not None:
        return draft
    try:
        return _begin_draft(publication_id, now, note)
    except IntegrityError:  # another editor began one at the same moment: that is the draft
        draft = draft_of(publication_id)
        if draft is None:
            raise
        return draft


@transaction.atomic
def _begin_draft(publication_id: int, now: datetime, note: str) -> RuleVersion:
    former = newest_published(publication_id)
    draft = RuleVersion.objects.create(
        publication_id=publication_id,
        number=_next_number(publication_id),
        note=note,
        created_at=now,
    )
    if former is not None:
        write_rules(draft, [as_rule(row) for row in former.rules.all()])
    return draft


def discard_draft(publication_id: int) -> bool:
    """Throw the draft away; False when there was none."""
    n_deleted, _ = RuleVersion.objects.filter(
        publication=publication_id, published_at=None
    ).delete()
    return n_deleted > 0


def add_rules(draft: RuleVersion, rules: Iterable[Rule], *, is_first: bool = False) -> int:
    """Add rules that the draft does not have yet; returns how many were new.

    With `is_first` they are tried before the others of their field.
    """
    present = [as_rule(row) for row in draft.rules.all()]
    new = [rule for rule in dict.fromkeys(rules) if rule not in present]
    if new:
        _rewrite(draft, [*new, *present] if is_first else [*present, *new])
    return len(new)


def change_rule(row: SiteRule, rule: Rule) -> bool:
    """Put a rule in the place of a draft's; False when another row of the draft is this rule."""
    others = [as_rule(other) for other in row.version.rules.exclude(pk=row.pk)]
    if rule in others:
        return False
    for name in rule.__dataclass_fields__:
        setattr(row, name, getattr(rule, name))
    row.save()
    return True


@transaction.atomic
def keep_rule(row: SiteRule) -> None:
    """Write a draft's rule that was changed elsewhere than in the studio.

    Raises ValueError when its version has been published meanwhile.
    """
    version = RuleVersion.objects.select_for_update().get(pk=row.version_id)
    if version.published_at is not None:
        raise ValueError(f"{version} has been published already")
    row.save()


def remove_rule(row: SiteRule) -> None:
    row.delete()


def move_rule(row: SiteRule, step: int) -> None:
    """Move a draft's rule up (-1) or down (1) among the rules of its field."""
    rows = list(row.version.rules.filter(field=row.field))
    at = next(place for place, other in enumerate(rows) if other.pk == row.pk)
    to = min(max(at + step, 0), len(rows) - 1)
    rows.insert(to, rows.pop(at))
    for position, other in enumerate(rows):
        other.position = position
    SiteRule.objects.bulk_update(rows, ["position"])


def set_valid_from(draft: RuleVersion, moment: datetime | None) -> None:
    """Say for pages fetched since when the draft is meant; None: for all."""
    draft.valid_from = moment
    draft.save(update_fields=["valid_from"])


def keep_reason(draft: RuleVersion, reason: str) -> None:
    """Keep why articles may get worse, as an editor has begun to say it."""
    draft.reason = reason
    # Another editor may have published it just now, for a reason of theirs.
    RuleVersion.objects.filter(pk=draft.pk, published_at=None).update(reason=reason)


@transaction.atomic
def publish(draft: RuleVersion, user_id: int | None, now: datetime, *, reread: bool = True) -> int:
    """Publish a draft with its `valid_from` and `reason`; returns how many pages are read again.

    Raises ValueError when it is no draft any more.
    """
    changed = RuleVersion.objects.filter(pk=draft.pk, published_at=None).update(
        published_at=now,
        published_by=user_id,
        valid_from=draft.valid_from,
        reason=draft.reason,
        note=draft.note,
    )
    if not changed:
        raise ValueError(f"{draft} has been published already")
    draft.refresh_from_db()
    return _reread(draft, now) if reread else 0


def can_undo(version: RuleVersion, now: datetime) -> bool:
    """Whether a version is the newest one and was published within the last 30 days."""
    newest = newest_published(version.publication_id)
    is_newest = newest is not None and newest.pk == version.pk
    published_at = version.published_at
    return is_newest and published_at is not None and now - published_at < timedelta(days=UNDO_DAYS)


@transaction.atomic
def undo(version: RuleVersion, user_id: int | None, now: datetime) -> int:
    """Publish the rules before `version` as the next version, for the same pages.

    Returns how many pages are read again. A draft that somebody has begun stays, with its number
    moved behind. Raises ValueError when the version can no longer be undone.
    """
    if not can_undo(version, now):
        raise ValueError(f"{version} cannot be undone")
    before = published_versions(version.publication_id).exclude(pk=version.pk).first()
    number = version.number + 1
    RuleVersion.objects.filter(publication=version.publication_id, published_at=None).update(
        number=number + 1
    )
    again = RuleVersion.objects.create(
        publication_id=version.publication_id,
        number=number,
        note=f"Undoes version {version.number}.",
        valid_from=version.valid_from,
        published_at=now,
        published_by_id=user_id,
        created_at=now,
    )
    if before is not None:
        write_rules(again, [as_rule(row) for row in before.rules.all()])
    return _reread(again, now)


def n_pages_stored(publication_id: int, now: datetime) -> int:
    """How many stored pages a version that is valid from ever would read again."""
    name = f"{STORED}:{publication_id}"
    found = tally(name, lambda _: _pages_since(publication_id, None).count(), now)
    return int(found.figures)


def count_named(name: str) -> Callable[[datetime], int] | None:
    """Give what counts the figures of a name; None for names that are not of this module."""
    head, _, key = name.partition(":")
    if head != STORED or not key.isdigit():
        return None
    return lambda _: _pages_since(int(key), None).count()


def _pages_since(publication_id: int, valid_from: datetime | None) -> WorkQuerySet[Extraction]:
    """Find the pages with any document since then.

    By the newest one, refused ones too: it may have been refused for want of these very rules.
    """
    since = Q() if valid_from is None else of_documents_since(valid_from, "page__content_fetch__")
    return Extraction.objects.filter(
        since, page__publication=publication_id, page__kind=PageKind.ARTICLE
    )


def _reread(version: RuleVersion, now: datetime) -> int:
    """Note what the articles are, then make their pages due."""
    pages = _pages_since(version.publication_id, version.valid_from)
    articles = Article.objects.filter(page__extraction__in=pages)
    before = {row.pop("page"): row for row in articles.values("page", *_KEPT)}
    RereadPage.objects.bulk_create(
        (
            RereadPage(version=version, page_id=page_id, **before.get(page_id, {}))
            for page_id in pages.order_by("page").values_list("page", flat=True)
        ),
        batch_size=_INSERTED_AT_ONCE,
    )
    return pages.reschedule(now, tree_digest="", quarantined_at=None, attempts=0)


@transaction.atomic
def bring_versions(
    publication_id: int, versions: Sequence[BroughtVersion], user_id: int | None, now: datetime
) -> int:
    """Write published versions of another installation for a publication that has none.

    They keep their numbers and moments, so that each stored page is read as it was there. Returns
    how many pages are read again.
    """
    rows = RuleVersion.objects.bulk_create(
        RuleVersion(
            publication_id=publication_id,
            number=version.number,
            note=version.note,
            valid_from=version.valid_from,
            published_at=version.published_at or now,
            published_by_id=user_id,
            created_at=now,
        )
        for version in versions
    )
    for row, version in zip(rows, versions, strict=True):
        write_rules(row, version.rules)
    oldest = min(rows, key=lambda row: (row.valid_from is not None, row.valid_from))
    return _reread(oldest, now)


@transaction.atomic
def bring_draft(publication_id: int, rules: Sequence[Rule], note: str, now: datetime) -> None:
    """Begin a draft with rules of another installation; there is none yet."""
    draft = RuleVersion.objects.create(
        publication_id=publication_id,
        number=_next_number(publication_id),
        note=note,
        created_at=now,
    )
    write_rules(draft, rules)


def _next_number(publication_id: int) -> int:
    newest = RuleVersion.objects.filter(publication=publication_id).aggregate(n=Max("number"))["n"]
    return (newest or 0) + 1


@transaction.atomic
def _rewrite(draft: RuleVersion, rules: Sequence[Rule]) -> None:
    draft.rules.all().delete()
    write_rules(draft, rules)


def write_rules(version: RuleVersion, rules: Sequence[Rule]) -> None:
    """Write the rules of a version that has none; their order within a field is kept."""
    positions: dict[str, int] = {}
    rows = []
    for rule in rules:
        position = positions.get(rule.field.value, 0)
        positions[rule.field.value] = position + 1
        rows.append(SiteRule(version=version, position=position, **asdict(rule)))
    SiteRule.objects.bulk_create(rows)
