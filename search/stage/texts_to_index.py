"""What the index stage reads: a claimed row → its text, its document's columns, its input digest.

The digest of a row is put together here twice, in Python when a text is indexed and in SQL when
stale rows are looked for; the two must agree. It holds the text's own digest, the place in the
corpus, the clusters, a letter for each mark (a changed text, no date, its rights; most have none),
and for tagged texts the version of their language's tagger, so that a language that is learnt,
learnt anew or taken away makes its own texts due and no others. What editors change in the lexicon
or correct in a text makes rows due by itself, see `retagging` and `corrections`.
"""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import NamedTuple

from django.db.models import Case, CharField, F, Q, Value, When
from django.db.models.functions import Cast, Coalesce, Concat
from django.utils import timezone

from extraction.models import Article, Comment, RightsSaid
from extraction.rights import RIGHTS_REASON, is_left_out
from extraction.text.language import identify
from extraction.text.normalize import normalize_text
from search.articles.places import document_kind
from search.engine.annotation.languages import tagged_languages
from search.engine.annotation.rulings import NO_CORRECTIONS, TextRulings
from search.engine.index.documents import DocumentKind, DocumentRights, IndexDocument
from search.engine.index.segments.text_blocks import TextBlock
from search.lexicon.correction_rulings import rulings_of_articles
from search.models import IndexedArticle, IndexedComment, IndexedText
from search.stage.text_parts import PartText, parts_above

_IN_CORPUS = "."
_LEFT_OUT = "-"
_WITHDRAWN = "w"
_ERASED = "e"

# An editor's word; without effect on what is a copy no more.
_IS_HIDDEN_COPY = Q(
    article__detection__is_hidden=True, article__detection__original__isnull=False
) & ~Q(article__detection__original=F("article"))
_IS_WITHDRAWN_COMMENT = Q(comment__withdrawn_at__isnull=False) | Q(
    comment__article__withdrawn_at__isnull=False
)
_IS_ERASED_COMMENT = Q(comment__erased_at__isnull=False) | Q(
    comment__article__erased_at__isnull=False
)
_IS_HIDDEN_COMMENT = (
    Q(comment__is_deleted=True)
    | Q(comment__is_spam=True)
    | Q(comment__is_approved=False)
    | Q(comment__article__in_corpus=False, comment__article__reason=RIGHTS_REASON)
)
_CHANGED = "c"
_UNDATED = "u"
_RIGHTS = {
    RightsSaid.RESERVED: ("r", DocumentRights.RESERVED),
    RightsSaid.GRANTED: ("g", DocumentRights.GRANTED),
}
_NO_RIGHTS = ("", DocumentRights.NONE)

_BLOCK_NUMBERS = {kind.label: int(kind) for kind in TextBlock}


class Place(StrEnum):
    """Where a text belongs; its value stands in the digest of its row."""

    SHOWN = _IN_CORPUS
    LEFT_OUT = _LEFT_OUT  # out from now on; older generations go on showing it
    WITHDRAWN = _WITHDRAWN  # in no generation
    ERASED = _ERASED  # in no file


class BlockSpan(NamedTuple):
    """A block that is no plain paragraph, in code points of the text."""

    kind: int  # a number of `TextBlock`
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class TaggerVersions:
    """Digest of what tags each language, by its code; only texts of that language depend on it."""

    by_code: Mapping[str, str]

    def of(self, language: str) -> str:
        """Return the version of a language of any country; empty where it is not tagged."""
        return self.by_code.get(language.partition("-")[0], "")


@dataclass(frozen=True, slots=True)
class TextInput:
    """A claimed row with its text and columns, before annotation; no tokens in `document`."""

    row: IndexedText
    text: str
    place: Place
    digest: str
    document: IndexDocument
    blocks: tuple[BlockSpan, ...] = ()
    above: tuple[PartText, ...] = ()
    corrections: TextRulings = NO_CORRECTIONS

    @property
    def is_hidden(self) -> bool:
        return self.place is not Place.SHOWN


def is_stale_article(versions: TaggerVersions) -> Q:
    digest = Concat(
        F("article__text_digest"),
        Case(
            When(article__erased_at__isnull=False, then=Value(_ERASED)),
            When(article__withdrawn_at__isnull=False, then=Value(_WITHDRAWN)),
            When(_IS_HIDDEN_COPY, then=Value(_LEFT_OUT)),
            When(article__in_corpus=True, then=Value(_IN_CORPUS)),
            default=Value(_LEFT_OUT),
        ),
        _number("article__detection__original"),
        Value("."),
        _number("article__detection__story"),
        Value("."),
        Case(When(article__n_versions__gt=1, then=Value(_CHANGED)), default=Value("")),
        Case(When(article__published_at=None, then=Value(_UNDATED)), default=Value("")),
        _rights_letter("article__rights"),
        _version_letters("article__language", versions),
    )
    return ~Q(done_digest=digest) | Q(indexed_at__lt=F("article__updated_at"))


def is_stale_comment(versions: TaggerVersions) -> Q:
    digest = Concat(
        F("comment__text_digest"),
        Case(
            When(_IS_ERASED_COMMENT, then=Value(_ERASED)),
            When(_IS_WITHDRAWN_COMMENT, then=Value(_WITHDRAWN)),
            When(_IS_HIDDEN_COMMENT, then=Value(_LEFT_OUT)),
            default=Value(_IN_CORPUS),
        ),
        Case(When(comment__is_undated=True, then=Value(_UNDATED)), default=Value("")),
        _rights_letter("comment__article__rights"),
        _version_letters("comment__language", versions),
    )
    return ~Q(done_digest=digest) | Q(indexed_at__lt=F("comment__updated_at"))


def _rights_letter(path: str) -> Case:
    letters = [When(**{path: said}, then=Value(letter)) for said, (letter, _) in _RIGHTS.items()]
    return Case(*letters, default=Value(""))


def _version_letters(path: str, versions: TaggerVersions) -> Case:
    letters = [
        When(Q(**{path: code}) | Q(**{f"{path}__startswith": f"{code}-"}), then=Value(version))
        for code, version in versions.by_code.items()
    ]
    return Case(*letters, default=Value(""))


def _number(path: str) -> Coalesce:
    return Coalesce(Cast(F(path), CharField()), Value("0"))


def tagger_versions() -> TaggerVersions:
    """Return the versions as they are now; read them before anything is tagged with them."""
    return TaggerVersions(
        {
            entry.code: hashlib.blake2b(entry.version().encode(), digest_size=4).hexdigest()
            for entry in tagged_languages()
        }
    )


def read_articles(row_ids: list[int], versions: TaggerVersions) -> list[TextInput]:
    rows = IndexedArticle.objects.filter(pk__in=row_ids).select_related(
        "article__publication", "article__detection"
    )
    inputs = [_article_input(row, versions) for row in rows.order_by("pk")]
    texts = {item.document.key: item.text for item in inputs}
    found = rulings_of_articles(texts)
    return [
        replace(item, corrections=found[item.document.key]) if item.document.key in found else item
        for item in inputs
    ]


def _article_input(row: IndexedArticle, versions: TaggerVersions) -> TextInput:
    article = row.article
    detection = getattr(article, "detection", None)
    original = (detection.original_id if detection else None) or 0
    story = (detection.story_id if detection else None) or 0
    place = _place_of_article(article)
    is_changed = article.n_versions > 1
    is_undated = article.published_at is None
    letter, rights = _rights_of(article)
    marks = (_CHANGED if is_changed else "") + (_UNDATED if is_undated else "") + letter
    digest = f"{article.text_digest}{place}{original}.{story}.{marks}"
    document = IndexDocument(
        key=article.pk,
        kind=document_kind(article),
        tokens=(),
        publication=article.publication.slug,
        section=article.section,
        author="; ".join(map(str, [*article.authors, *article.agencies])),
        language=article.language,
        published_seconds=int(article.dated_at.timestamp()),
        ingested_seconds=int(article.created_at.timestamp()),
        day=timezone.localdate(article.dated_at),
        duplicate_cluster=original,
        story_cluster=story,
        is_changed=is_changed,
        rights=rights,
        is_undated=is_undated,
    )
    return TextInput(
        row,
        article.whole_text,
        place,
        digest + versions.of(article.language),
        document,
        tuple(_block_spans(article)),
        parts_above(article),
    )


def _place_of_article(article: Article) -> Place:
    if article.erased_at is not None:
        return Place.ERASED
    if article.withdrawn_at is not None:
        return Place.WITHDRAWN
    detection = getattr(article, "detection", None)
    is_hidden = not article.in_corpus or bool(detection and detection.is_hidden_copy)
    return Place.LEFT_OUT if is_hidden else Place.SHOWN


def _place_of_comment(comment: Comment) -> Place:
    """Say where a comment belongs; it goes with its article."""
    ways = (comment, comment.article)
    if any(one.erased_at is not None for one in ways):
        return Place.ERASED
    if any(one.withdrawn_at is not None for one in ways):
        return Place.WITHDRAWN
    is_hidden = (
        comment.is_deleted
        or comment.is_spam
        or not comment.is_approved
        or is_left_out(comment.article)
    )
    return Place.LEFT_OUT if is_hidden else Place.SHOWN


def _rights_of(article: Article) -> tuple[str, DocumentRights]:
    """Return the letter of its rights in digests, and their number in the index."""
    return _RIGHTS.get(RightsSaid(article.rights), _NO_RIGHTS)


def _block_spans(article: Article) -> Iterator[BlockSpan]:
    """Give the blocks that are no plain paragraphs, in order of their places in the text."""
    for kind, start, end in sorted(article.blocks, key=lambda block: block[1]):
        number = _BLOCK_NUMBERS.get(kind)
        if number:
            yield BlockSpan(number, start, end)


def read_comments(row_ids: list[int], versions: TaggerVersions) -> list[TextInput]:
    rows = IndexedComment.objects.filter(pk__in=row_ids).select_related(
        "comment__article__publication"
    )
    return [_comment_input(row, versions) for row in rows.order_by("pk")]


def _comment_input(row: IndexedComment, versions: TaggerVersions) -> TextInput:
    comment = row.comment
    place = _place_of_comment(comment)
    letter, rights = _rights_of(comment.article)
    mark = _UNDATED if comment.is_undated else ""
    digest = f"{comment.text_digest}{place}{mark}{letter}"
    document = IndexDocument(
        key=comment.pk,
        kind=DocumentKind.COMMENT,
        tokens=(),
        publication=comment.article.publication.slug,
        section=comment.article.section,
        author=comment.author_name,
        language=comment.language or identify(comment.text).language,
        published_seconds=int(comment.posted_at.timestamp()),
        ingested_seconds=int(comment.created_at.timestamp()),
        day=timezone.localdate(comment.posted_at),
        parent_key=comment.article_id,
        rights=rights,
        is_undated=comment.is_undated,
    )
    return TextInput(
        row,
        normalize_text(comment.text),
        place,
        digest + versions.of(comment.language),
        document,
    )
