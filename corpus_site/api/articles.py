"""`/api/articles/`: the list, one article, its sentences with tags, its comments, its likes."""

from collections.abc import Iterable
from typing import Any

from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone

from corpus_site.api.access import endpoint
from corpus_site.api.refusals import not_found, refuse_faults, withdrawn, wrong_values
from dedup.twins import Twin, twin_list
from extraction.article_blocks import blocks_of
from extraction.models import Article, Comment
from extraction.versions import TextVersion, refused_of, versions_of
from feeds.models import Fetch, Page
from presentation.primary_keys import primary_key
from search.articles.browsing import browse
from search.articles.reading import article_head
from search.articles.stories import (
    publications_with_stories,
    read_story,
    standing_story,
    story_page,
    story_rows,
)
from search.articles.summary import wanted_length
from search.articles.tagged import annotated_article
from search.forms import BrowseForm

# A long article in one answer, and an answer of some 100 kB at most.
SENTENCES_AT_A_TIME = 500
COMMENTS_AT_A_TIME = 200
LAST_NUMBER = 1_000_000  # of pages and sentences


@endpoint()
def articles(request: HttpRequest) -> dict[str, Any]:
    """List articles, newest first."""
    form = BrowseForm(request.GET)
    refuse_faults(
        (name, str(message)) for name, messages in form.errors.items() for message in messages
    )
    page = browse(form.to_request())
    after = page.next_after
    return {
        "total": page.total,
        "counted": _moment(page.counted_at),
        "articles": [
            brief(request, row.article) | {"comments": row.n_comments, "copy_of": row.original_id}
            for row in page.rows
        ],
        "next": None if after is None else form.write_after(after),
        "page": request.build_absolute_uri(reverse("articles")),
        "ignored": form.unknown_names(),
    }


@endpoint()
def article(request: HttpRequest, key: str) -> dict[str, Any]:
    """Answer the text of one article and what is known of it."""
    head = article_head(_article(key).pk)
    found = head.article
    return brief(request, found) | {
        "standfirst": found.standfirst,
        "text": found.text,
        "captions": found.captions,
        "blocks": [
            {"kind": kind, "start": start, "end": end} for kind, start, end in blocks_of(found)
        ],
        "modified": _moment(found.modified_at),
        "tags": found.tags,
        "canonical_url": found.canonical_url,
        "is_paywalled": found.is_paywalled,
        "extractor": found.extractor,
        "confidence": found.confidence,
        "rights_said": [{"source": source, "words": words} for source, words in found.rights_said],
        "sources": found.sources,
        "from_archive": _from_archive(found.fetch),
        "next_visit": _next_visit(found.page),
        "comments": head.n_comments,
        "same_text": head.n_twins,
        "copy_of": head.original.pk if head.original else None,
        "offsets": "code points of text, a line feed and captions",
    }


def _from_archive(fetch: Fetch | None) -> dict[str, Any] | None:
    """Say which web archive gave the text of an article, and when it had seen the page."""
    if fetch is None or fetch.seen_at is None:
        return None
    return {
        "host": fetch.archive_host,
        "seen": _moment(fetch.seen_at),
        "copy": fetch.final_url,
    }


def _next_visit(page: Page | None) -> dict[str, Any] | None:
    """Say when and why the page of an article is visited again; None where it is not."""
    if page is None or page.due_at is None or page.quarantined_at:
        return None
    purpose = page.purpose or "new"
    return {"at": _moment(page.due_at), "purpose": purpose, "reason": page.due_reason}


@endpoint()
def article_sentences(request: HttpRequest, key: str) -> dict[str, Any]:
    """Answer sentences of an article, each token with tag, lemma and who decided."""
    annotated = annotated_article(_article(key))
    first = page_number(request, "s")
    bounds = annotated.sentences[first - 1 : first - 1 + SENTENCES_AT_A_TIME]
    rulings, last = annotated.rulings, first - 1 + len(bounds)
    return {
        "n_sentences": len(annotated.sentences),
        "n_tokens": len(annotated.tokens),
        "first": first,
        "next": last + 1 if last < len(annotated.sentences) else None,
        "sentences": [
            [
                token._asdict() | {"decided_by": rulings[at].by if at in rulings else "tagger"}
                for at, token in enumerate(annotated.tokens[start:end], start)
            ]
            for start, end in bounds
        ],
    }


@endpoint()
def article_comments(request: HttpRequest, key: str) -> dict[str, Any]:
    """List the comments under an article, oldest first; of a deleted one only that it was."""
    rows = Comment.shown.filter(article=_article(key)).order_by("posted_at", "pk")
    total, number = rows.count(), page_number(request, "p")
    shown = rows[(number - 1) * COMMENTS_AT_A_TIME : number * COMMENTS_AT_A_TIME]
    return {
        "total": total,
        "comments": [_comment(row) for row in shown],
        "next": number + 1 if number * COMMENTS_AT_A_TIME < total else None,
    }


@endpoint()
def article_duplicates(request: HttpRequest, key: str) -> dict[str, Any]:
    """Answer where an article's text stands elsewhere, and its story."""
    found = twin_list(_article(key))
    return {
        "is_looked_at": found.is_looked_at,
        "n_cluster": found.n_cluster,
        "cluster": _twins(request, found.cluster),
        "parts": _twins(request, found.parts),
        "others": _twins(request, found.others),
        "story": found.story_id,
        "same_event": _twins(request, found.story),
    }


@endpoint()
def article_versions(request: HttpRequest, key: str) -> dict[str, Any]:
    """Answer all texts that an article's page has shown, oldest first, and what was refused."""
    found = _article(key)
    versions = versions_of(found)
    return {
        "n_versions": found.n_versions,
        "versions": [_version(one) for one in versions],
        "refused": [
            {"seen_at": _moment(one.seen_at), "outcome": one.outcome, "words": one.words}
            for one in refused_of(found)
        ],
        "page": request.build_absolute_uri(reverse("article-versions", args=[found.pk])),
    }


@endpoint()
def stories(request: HttpRequest) -> dict[str, Any]:
    """List stories, that of the latest event first."""
    number, slug = page_number(request, "p"), request.GET.get("pub", "")
    if slug and slug not in {publication.slug for publication in publications_with_stories()}:
        message = f"No publication “{slug[:80]}” has a report in a story."
        raise wrong_values([{"parameter": "pub", "message": message}])
    page = story_page(str(number), slug)
    is_there = number <= page.paginator.num_pages
    return {
        "total": page.paginator.count,
        "stories": [
            {
                "id": row.story.pk,
                "first": brief(request, row.first),
                "articles": row.figures.n_articles,
                "texts": row.figures.n_texts,
                "publications": row.figures.n_publications,
                "first_at": _moment(row.figures.first_at),
                "last_at": _moment(row.figures.last_at),
            }
            for row in (story_rows(list(page.object_list)) if is_there else [])
        ],
        "next": number + 1 if is_there and page.has_next() else None,
    }


@endpoint()
def story(request: HttpRequest, key: str) -> dict[str, Any]:
    """Answer one story: its reports in time, and chosen sentences."""
    number = primary_key(key)
    found = standing_story(number) if number else None
    reading = read_story(found, wanted_length(request.GET)) if found else None
    if reading is None:
        raise not_found(f"story {key[:40]}")
    return {
        "id": reading.story.pk,
        "articles": reading.figures.n_articles,
        "texts": reading.figures.n_texts,
        "publications": reading.figures.n_publications,
        "reports": [
            brief(request, report.article)
            | {"lag_seconds": report.lag_seconds, "copies": report.n_copies}
            for report in reading.reports
        ],
        "left_out": reading.n_unread,
        "summary": [
            {"text": one.text, "article": one.article.pk} for one in reading.summary.sentences
        ],
    }


def brief(request: HttpRequest, row: Article) -> dict[str, Any]:
    """Give what lists say of an article."""
    return {
        "id": row.pk,
        "title": row.title,
        "authors": row.authors,
        "agencies": row.agencies,
        "section": row.section,
        "publication": row.publication.slug,
        "publication_name": row.publication.name,
        "published": _moment(row.published_at),
        "dated": _moment(row.dated_at),
        "kind": row.kind,
        "language": row.language,
        "words": row.n_words,
        "n_versions": row.n_versions,
        "changed": _moment(row.changed_at),
        "in_corpus": row.in_corpus,
        "reason": row.reason,
        "rights": row.rights,
        "url": row.url,
        "page": request.build_absolute_uri(reverse("article", args=[row.pk])),
    }


def _twins(request: HttpRequest, twins: Iterable[Twin]) -> list[dict[str, Any]]:
    return [
        brief(request, twin.article)
        | {
            "relation": twin.words,
            "lag_seconds": twin.lag.total_seconds(),
            "similarity": twin.pair.similarity if twin.pair else None,
            "is_self": twin.is_self,
            "is_original": twin.is_original,
            "is_hidden": twin.is_hidden,
        }
        for twin in twins
    ]


def _version(one: TextVersion) -> dict[str, Any]:
    text, change = one.as_article, one.change
    return {
        "number": one.number,
        "seen_at": _moment(one.seen_at),
        "is_newest": one.is_newest,
        "is_withdrawn": one.is_withdrawn,
        "title": text.title,
        "authors": text.authors,
        "section": text.section,
        "standfirst": text.standfirst,
        "n_words": one.n_words,
        "digest": text.text_digest,
        "text": text.text,
        "captions": text.captions,
        "change": change
        and {
            "after_seconds": change.after.total_seconds(),
            "words": change.n_words,
            "fields": change.fields,
        },
    }


def _comment(row: Comment) -> dict[str, Any]:
    posted = None if row.is_undated else _moment(row.posted_at)
    shown = {"id": row.pk, "parent": row.parent_id, "posted": posted}
    if row.is_deleted:
        return shown | {"is_deleted": True}
    return shown | {
        "is_deleted": False,
        "author": row.author_name,
        "text": row.text,
        "language": row.language,
        "likes": row.likes,
        "dislikes": row.dislikes,
        "is_edited": row.is_edited,
    }


def _article(key: str) -> Article:
    number = primary_key(key)
    found = Article.objects.filter(pk=number).first() if number else None
    if found is None:
        raise not_found(f"article {key[:40]}")
    if found.withdrawn_at is not None:
        raise withdrawn(f"article {found.pk}")
    return found


def page_number(request: HttpRequest, name: str) -> int:
    """Read the number of a page or a sentence, from 1; a Refusal for anything else."""
    text = request.GET.get(name, "1")
    number = primary_key(text)
    if not number or number > LAST_NUMBER:
        happened = f"“{text[:40]}” is no number from 1 to {LAST_NUMBER}."
        raise wrong_values([{"parameter": name, "message": happened}])
    return number


def _moment(value: Any) -> str | None:
    return timezone.localtime(value).isoformat() if value else None
