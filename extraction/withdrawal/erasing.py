"""Erasing for legal demands: what is asked for, and what it leaves of the rows of texts.

Ids and an order → everything is withdrawn at once, its addresses get tombstones, and a job does the
rest: archived records, rows, index (`corpus_site.removal.erasing`, which knows all of these). What
stays is an empty row, so that numbers in addresses never mean another text, and the entry in the
register.
"""

from collections.abc import Collection, Iterable
from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet

from extraction.models import (
    Article,
    ArticleCorrection,
    ArticleVersion,
    CollectedField,
    CollectedText,
    Comment,
    CommentThread,
    CorrectionChange,
    DryRun,
    Erasure,
    EvaluatedPage,
    Extraction,
    Measure,
    ReferenceText,
    RereadPage,
    SiteSketch,
    Subject,
    Withdrawal,
)
from extraction.stage.withdrawn_rows import open_entries, reason_of
from extraction.text.digest import text_digest
from extraction.withdrawal import register
from extraction.withdrawal.register import Order
from extraction.withdrawal.withdrawing import (
    Changed,
    chunks,
    withdraw_articles,
    withdraw_comments,
    withdraw_publication,
)
from feeds.models import Page, Publication
from feeds.other_addresses import keys_of_other_addresses
from feeds.tombstones import bury, digest_of_guid, digest_of_key

ERASED_REASON = reason_of("erased.")
_ARTICLE_FIELDS = {
    "slug": "", "title": "", "standfirst": "", "authors": [], "agencies": [],
    "section": "", "tags": [],
    "canonical_url": "", "text": "", "captions": "", "blocks": [], "n_words": 0,
    "language_reason": "", "other_languages": [], "sources": {}, "disagreements": {},
    "rights_said": [], "slug_twin": None, "fetch": None, "unknown_share": None,
    "running_unknown_share": None, "in_corpus": False, "reason": ERASED_REASON, "n_versions": 1,
    "changed_at": None,
}  # fmt: skip
_COMMENT_FIELDS = {
    "text": "", "html": "", "text_digest": "", "n_words": 0, "media": [], "author_id_remote": "",
    "author_username": "", "author_name": "", "author_url": "", "author_profile_url": "",
    "author_reputation_label": "", "author_location": "", "author_about": "",
}  # fmt: skip


class HeldError(Exception):
    """Raised where something is on legal hold; its sentence is shown."""


# Asking


def ask_for_articles(ids: Collection[int], order: Order) -> Changed:
    """Ask for articles to be erased; those that are or will be already are left out.

    Raises
    ------
    HeldError
        With nothing changed, where one of them is on legal hold.
    """
    for some in chunks(ids):
        if held := register.held_articles(some):
            raise HeldError(f"Article {min(held)} is on legal hold: lift the hold first.")
    return sum((_ask_for_some(some, order) for some in chunks(ids)), Changed())


@transaction.atomic
def _ask_for_some(ids: list[int], order: Order) -> Changed:
    known = open_entries(Subject.ARTICLE, Measure.ERASED).filter(article__in=ids)
    fresh = set(ids).difference(known.values_list("article_id", flat=True))
    rows = list(
        Article.objects.filter(pk__in=fresh, erased_at=None)
        .select_related(*register.IDENTITY)
        .only(*register.IDENTITY_COLUMNS, "page__guid", "page__publication")
    )
    written = [row.pk for row in rows]
    changed = withdraw_articles(written, order)
    bury_texts(rows, order.now)
    register.enter(map(register.of_article, rows), Measure.ERASED, order)
    entries = open_entries(Subject.ARTICLE, Measure.ERASED).filter(article__in=written)
    _ask(entries, order)
    return Changed(len(written), changed.articles, changed.comments)


def ask_for_comment(comment: Comment, order: Order) -> Changed:
    """Ask for one comment to be erased; the records that hold it go with it.

    Raises
    ------
    HeldError
        Where its article is on legal hold.
    """
    if register.held_articles([comment.article_id]):
        raise HeldError("Its article is on legal hold: lift the hold first.")
    with transaction.atomic():
        changed = withdraw_comments([comment.pk], order)
        row = Comment.objects.select_related("article__page", "article__collected").get(
            pk=comment.pk
        )
        register.enter([register.of_comment(row)], Measure.ERASED, order)
        _ask(open_entries(Subject.COMMENT, Measure.ERASED).filter(comment=row), order)
    return Changed(1, comments=changed.comments)


def ask_for_publication(publication: Publication, order: Order) -> Changed:
    """Ask for all articles of a publication to be erased.

    Raises
    ------
    HeldError
        Where it or one of its articles is on legal hold.
    """
    own = open_entries(Subject.ARTICLE, Measure.HELD).filter(publication=publication)
    if own.exists() or register.is_held(publication.pk):
        raise HeldError(f"Something of {publication.name} is on legal hold: lift the hold first.")
    with transaction.atomic():
        changed = withdraw_publication(publication, order)
        register.enter([register.of_publication(publication)], Measure.ERASED, order)
        entries = open_entries(Subject.PUBLICATION, Measure.ERASED).filter(publication=publication)
        n_all = Article.objects.filter(publication=publication, erased_at=None).count()
        _ask(entries, order, n_all)
    return Changed(1, changed.articles, changed.comments)


def _ask(entries: QuerySet[Withdrawal], order: Order, n_all: int = 1) -> None:
    Erasure.objects.bulk_create(
        [
            Erasure(entry_id=pk, due_at=order.now, n_all=n_all)
            for pk in entries.filter(erasure=None).values_list("pk", flat=True)
        ],
        ignore_conflicts=True,
    )


def bury_articles(ids: Collection[int], now: datetime) -> None:
    """Let articles never come back, by their primary keys."""
    bury_texts(Article.objects.filter(pk__in=ids).select_related(*register.IDENTITY), now)


def bury_texts(rows: Iterable[Article], now: datetime) -> None:
    """Let articles never come back: their addresses, their feeds' names for them, what was given.

    The articles must have been read with `register.IDENTITY`.
    """
    digests, pages = set(), []
    for row in rows:
        digests.add(register.identity_of(row))
        if row.page:
            pages.append(row.page.pk)
        if row.page and row.page.guid:
            digests.add(digest_of_guid(row.page.publication_id, row.page.guid))
    for some in chunks(pages):
        digests |= {digest_of_key(key) for key in keys_of_other_addresses(some)}
    bury(digests, now)


# Rows


def articles_left(job: Erasure, limit: int) -> list[int]:
    """Keys of the next articles that a job has still to erase."""
    entry = job.entry
    rows = Article.objects.filter(erased_at=None)
    if entry.what == Subject.PUBLICATION:
        rows = rows.filter(publication=entry.publication_id)
    elif entry.what == Subject.ARTICLE:
        rows = rows.filter(withdrawals=entry)
    else:
        rows = rows.none()
    return list(rows.order_by("pk").values_list("pk", flat=True)[:limit])


def empty_articles(ids: Collection[int], now: datetime) -> tuple[int, ...]:
    """Leave nothing in articles and their comments but their rows; returns the comments' keys.

    Needs a transaction; their pages are emptied by `feeds.removal.erasing` in the same one.
    """
    for row in Article.objects.filter(pk__in=ids).select_related("page__host"):
        Article.objects.filter(pk=row.pk).update(
            **_ARTICLE_FIELDS,
            url=f"https://{row.page.host.name}/" if row.page else "",
            text_digest=text_digest(""),
            withdrawn_at=row.withdrawn_at or now,
            erased_at=now,
            updated_at=now,
        )
    comments = tuple(Comment.objects.filter(article__in=ids).values_list("pk", flat=True))
    empty_comments(comments, now)
    pages = Page.objects.filter(article__in=ids)
    CollectedText.objects.filter(article__in=ids).update(name="", file_name="", given_digest="")
    CollectedField.objects.filter(article__in=ids).delete()
    ArticleVersion.objects.filter(article__in=ids).delete()
    ArticleCorrection.objects.filter(article__in=ids).delete()
    CorrectionChange.objects.filter(article__in=ids).delete()
    ReferenceText.objects.filter(article__in=ids).delete()
    EvaluatedPage.objects.filter(article__in=ids).delete()
    SiteSketch.objects.filter(page__in=pages).delete()
    RereadPage.objects.filter(page__in=pages).delete()
    publications = Article.objects.filter(pk__in=ids).values("publication")
    DryRun.objects.filter(version__publication__in=publications).update(examples=[])
    CommentThread.objects.filter(article__in=ids).update(identifier="", remote_id="")
    Extraction.objects.filter(page__in=pages).update(
        done_digest="",
        tree_digest="",
        outcome="",
        outcome_detail="",
        rule_reports=[],
        last_error="",
    )
    return comments


def empty_comments(ids: Collection[int], now: datetime) -> None:
    """Leave nothing in comments but their rows, by which a later visit knows them."""
    Comment.objects.filter(pk__in=ids).update(**_COMMENT_FIELDS, erased_at=now, updated_at=now)
    Comment.objects.filter(pk__in=ids, withdrawn_at=None).update(withdrawn_at=now)


def close_entries(ids: Collection[int]) -> None:
    """Forget the addresses in all entries about articles that were erased; their digests stay."""
    for entry in Withdrawal.objects.filter(article__in=ids).only("address"):
        site = "/".join(entry.address.split("/")[:3])
        # A text of a collection may have no address.
        Withdrawal.objects.filter(pk=entry.pk).update(address=f"{site}/" if site else "")


def close(job: Erasure, now: datetime) -> None:
    """Note in the register that all was erased."""
    Withdrawal.objects.filter(pk=job.entry_id).update(done_at=now)
