"""The one writer of `ArticleVersion`: former texts and refused documents, kept within a batch.

What is called here runs inside the transaction that stores the articles, so a text is never
replaced without its version, and no version is there without the text that came after it.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Min

from extraction.html.markup.blocks import join_captions
from extraction.models import Article, ArticleVersion, Capture, CaptureFound, VersionOutcome
from extraction.revisions.changes import Change, change_of
from extraction.revisions.packing import PackedText, pack, stands_alone, unpack
from extraction.stage.blocks import block_spans
from extraction.stage.read_articles import LaterDocument, ReadArticle, Verdict
from feeds import revisits
from feeds.crawler.outcomes import Outcome
from feeds.models import Fetch, Page

# What stays as it is when a document shows the stored text again, noise aside.
TEXT_COLUMNS = (
    "text", "captions", "blocks", "text_digest", "n_words", "language", "language_reason",
    "unknown_share", "running_unknown_share", "other_languages", "extractor", "confidence",
)  # fmt: skip
# What searches, copies and stories do not depend on: it changes with any document, and is written
# without making a text due again.
QUIET_COLUMNS = (
    "modified_at", "modified_offset", "sources", "disagreements", "canonical_url",
    "declared_language", "tags", "is_paywalled", "fetch", "url", "slug",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Former:
    row: ArticleVersion
    article_id: int
    text: str
    following: str


@dataclass(frozen=True, slots=True)
class RefusedDocument:
    """A document that showed no version of a page's text."""

    page: Page
    later: LaterDocument


def keep_former(
    articles: Sequence[ReadArticle], rows: Mapping[int, Article], now: datetime
) -> dict[int, str]:
    """Keep the texts that are about to be replaced by a version; `rows` are by page, unchanged yet.

    Counts the versions on the articles' rows, which the caller writes. Returns by article the text
    that its last former text is packed with, for `pack_anew`.
    """
    replaced = [
        (article, rows[article.page.pk], article.later)
        for article in articles
        if article.later is not None and article.page.pk in rows
    ]
    _forget_refused([article.fetch_id for article, _, _ in replaced])
    former = [
        _replace(article, row, later, now)
        for article, row, later in replaced
        if later.verdict is Verdict.VERSION
    ]
    followed = {row.pk: row.text for row in rows.values() if row.n_versions > 1}
    # A stored text that its document does not say any more was not what the page showed.
    shown = {one.article_id: one.text for one in former}
    pack_anew(followed, {pk: shown.get(pk, text) for pk, text in followed.items()})
    ArticleVersion.objects.bulk_create(one.row for one in former)
    return followed | {one.article_id: one.following for one in former}


def keep_given(row: Article, text: str, fields: Mapping[str, object], now: datetime) -> None:
    """Keep the text of a collection that is about to be replaced; `fields` by name, as in `Change`.

    Counts the version on the article's row, which the caller changes and writes.
    """
    shown = _packed(row, None)
    before = {
        "title": shown.title,
        "standfirst": shown.standfirst,
        "authors": shown.authors,
        "section": shown.section,
        "published_at": shown.published_at,
    }
    change = change_of(shown.text, text, before, fields)
    ArticleVersion.objects.create(
        article=row,
        number=row.n_versions,
        seen_at=row.changed_at or row.created_at,
        replaced_at=now,
        n_words=row.n_words,
        n_words_changed=change.n_words,
        fields_changed=" ".join(change.fields),
        body=_pack(shown, row.n_versions, text),
    )
    row.n_versions += 1
    row.changed_at = now


def pack_anew(followed: Mapping[int, str], texts: Mapping[int, str]) -> None:
    """Pack the last former texts of articles with the texts that follow them now.

    `followed` are the texts that they are packed with, by article; what is not in `texts`, or is
    the same there, stays as it is. Needs the transaction that changes the texts.
    """
    moved = {pk for pk, text in followed.items() if texts.get(pk, text) != text}
    if not moved:
        return
    rows = ArticleVersion.objects.filter(article__in=moved, number__isnull=False)
    keys = dict(rows.order_by("number").values_list("article_id", "pk"))
    last = ArticleVersion.objects.in_bulk(keys.values())
    for row in last.values():
        shown = unpack(bytes(row.body), followed[row.article_id])
        row.body = _pack(shown, row.number or 0, texts[row.article_id])
    ArticleVersion.objects.bulk_update(last.values(), ["body"])


def _pack(shown: PackedText, number: int, following: str) -> bytes:
    return pack(shown, "" if stands_alone(number) else following)


def keep_text(row: Article, before: Mapping[str, Any]) -> None:
    """Give a row its stored text back: the document shows it again, noise aside."""
    for name in TEXT_COLUMNS:
        setattr(row, name, before[name])


def is_told(row: Article, before: Mapping[str, Any], columns: Iterable[str]) -> bool:
    """Whether what others depend on has changed in a row since `before`."""
    quiet = {*QUIET_COLUMNS, "updated_at"}
    return any(before[name] != value_of(row, name) for name in columns if name not in quiet)


def value_of(row: Article, name: str) -> Any:
    """Give a column's own value: the key of what a foreign key names."""
    field = Article._meta.get_field(name)
    return getattr(row, getattr(field, "attname", name))


def refuse(documents: Sequence[RefusedDocument]) -> None:
    """Note what was refused; a reason that stands there since the last version is not repeated."""
    pages = {item.page.pk: item for item in documents}
    articles = Article.objects.filter(page__in=pages).only("page", "changed_at", "created_at")
    noted = _noted(articles)
    fresh = []
    for article in articles:
        item = pages[article.page_id or 0]
        outcome = VersionOutcome(item.later.refusal.value if item.later.refusal else "")
        if (article.pk, outcome) not in noted:
            fresh.append(_refused(article, item.page, outcome))
    ArticleVersion.objects.bulk_create(fresh)


def record_findings(found: Iterable[tuple[int, LaterDocument]], now: datetime) -> None:
    """Tell the planning of visits what new documents were: page and verdict."""
    verdicts = {page_id: later.verdict for page_id, later in found}
    if verdicts:
        is_changed = {pk: verdict is Verdict.VERSION for pk, verdict in verdicts.items()}
        refused = {pk for pk, verdict in verdicts.items() if verdict is Verdict.REFUSED}
        revisits.record_findings(is_changed, now, refused)


def first_seen(article: Article) -> datetime:
    """Give the moment when an article's first text was fetched, or given."""
    if article.page_id is None:
        return article.created_at
    fetches = Fetch.objects.filter(
        page=article.page_id, outcome=Outcome.OK.value, started_at__lte=article.created_at
    )
    # Documents that were imported beside the page's own say it where they showed the same text.
    captures = Capture.objects.filter(page=article.page_id)
    own = fetches.exclude(pk__in=captures.exclude(found=CaptureFound.NEWEST).values("fetch"))
    started_at = own.order_by("-started_at").values_list("started_at", flat=True).first()
    found = started_at or article.created_at
    same = captures.filter(found=CaptureFound.SAME, fetch__started_at__lt=found)
    return same.aggregate(at=Min("fetch__started_at"))["at"] or found


def _forget_refused(fetch_ids: Iterable[int | None]) -> None:
    """Drop what was noted of documents that are taken now, read with other rules."""
    taken = [fetch_id for fetch_id in fetch_ids if fetch_id is not None]
    if taken:
        ArticleVersion.objects.filter(fetch__in=taken, number=None).delete()


def _replace(article: ReadArticle, row: Article, later: LaterDocument, now: datetime) -> _Former:
    shown = _packed(row, later.former)
    seen_at = row.changed_at or first_seen(row)
    fetch = article.page.content_fetch
    replaced_at = max(fetch.started_at if fetch else now, seen_at)
    change = _change(shown, article)
    former = ArticleVersion(
        article=row,
        number=row.n_versions,
        seen_at=seen_at,
        replaced_at=replaced_at,
        fetch_id=row.fetch_id,
        n_words=len(shown.text.split()),
        n_words_changed=change.n_words,
        fields_changed=" ".join(change.fields),
        body=_pack(shown, row.n_versions, article.extracted.text),
    )
    row.n_versions += 1
    row.changed_at = replaced_at
    return _Former(former, row.pk, shown.text, article.extracted.text)


def _packed(row: Article, former: ReadArticle | None) -> PackedText:
    """Give the text before: as it is stored, or as its document is read today if that differs."""
    if former is None or former.extracted.text == row.text:
        return packed_row(row)
    return packed_read(former)


def packed_row(row: Article) -> PackedText:
    """Give the text of an article as it is stored."""
    return PackedText(
        title=row.title,
        text=row.text,
        captions=row.captions,
        blocks=row.blocks,
        standfirst=row.standfirst,
        authors=row.authors,
        section=row.section,
        published_at=row.published_at,
        modified_at=row.modified_at,
        language=row.language,
    )


def packed_read(read: ReadArticle) -> PackedText:
    """Give a text as it was read from a document."""
    found = read.extracted
    return PackedText(
        title=found.title or read.page.feed_headline,
        text=found.text,
        captions=join_captions(found.blocks),
        blocks=block_spans(found),
        standfirst=found.description,
        authors=list(found.authors),
        section=found.section[:200],
        published_at=found.published_at,
        modified_at=found.modified_at,
        language=read.languages.decision.language,
    )


def _change(shown: PackedText, later: ReadArticle) -> Change:
    """Sum up what a new document changed: fields against those of its own reader."""
    found = later.extracted
    former = later.later.former.extracted if later.later and later.later.former else None
    before = {
        "title": (former.title or later.page.feed_headline) if former else shown.title,
        "standfirst": former.description if former else shown.standfirst,
        "authors": list(former.authors) if former else shown.authors,
        "section": former.section if former else shown.section,
        "published_at": former.published_at if former else shown.published_at,
    }
    after = {
        "title": found.title or later.page.feed_headline,
        "standfirst": found.description,
        "authors": list(found.authors),
        "section": found.section,
        "published_at": found.published_at,
    }
    return change_of(shown.text, found.text, before, after)


def _refused(article: Article, page: Page, outcome: VersionOutcome) -> ArticleVersion:
    fetch = page.content_fetch
    return ArticleVersion(
        article=article,
        outcome=outcome,
        seen_at=fetch.started_at if fetch else article.created_at,
        fetch_id=page.content_fetch_id,
    )


def _noted(articles: Iterable[Article]) -> set[tuple[int, str]]:
    """Reasons that were noted of articles since their last version."""
    since = {article.pk: article.changed_at or article.created_at for article in articles}
    rows = ArticleVersion.objects.filter(article__in=since, number=None)
    columns = rows.values_list("article_id", "outcome", "seen_at")
    return {(key, outcome) for key, outcome, seen_at in columns if seen_at >= since[key]}
