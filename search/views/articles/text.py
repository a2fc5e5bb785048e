"""`/articles/<id>/`: the text as it was read out of the page."""

from dataclasses import replace

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from extraction.models import Article, ArticleKind
from extraction.own_fields import columns_of
from extraction.stage.post_replies import surroundings
from extraction.text.vocabulary_ratio import MIN_WORDS, VocabularyRatio
from feeds.crawler.rights.statements import from_json, said_words
from feeds.other_addresses import other_addresses
from search.answers.part_places import split_hit
from search.articles.archived import read_again
from search.articles.fields import article_fields
from search.articles.paragraphs import language_parts, paragraphs
from search.articles.places import document_kind, marks_of
from search.articles.reading import TextMark
from search.articles.stories import other_tellings
from search.articles.summary import LENGTH_PARAMETER, summary_of, wanted_length
from search.asking.form import form_of
from search.engine.index.documents import DocumentKind
from search.engine.index.text_names import text_name
from search.views.articles.hit_bar import hits_by_text, place_in_article
from search.views.articles.tabs import load_head, render_tab
from search.views.articles.withdrawn import unless_withdrawn

# Reading a page again takes some 40 ms for half a megabyte.
_LARGE_PAGE = 1_000_000


@require_safe
@unless_withdrawn
def article_text(request: HttpRequest, article_id: int) -> HttpResponse:
    head = load_head(article_id)
    article = head.article
    kind = document_kind(article)
    hits = hits_by_text(request, kind, [article.pk]).get(article.pk, [])
    name = f"h{text_name(kind, article.pk)}-"
    marks = _named_as_given(marks_of(article.whole_text, hits, name), request)
    shown = paragraphs(article, marks)
    context = {
        "paragraphs": shown,
        "language_parts": language_parts(shown),
        # Behind the semicolon stands the ratio, which has a line of its own.
        "language_finding": article.language_reason.partition(";")[0].rstrip("."),
        "word_list_opinion": _word_list_opinion(article),
        "fields": article_fields(article),
        "given": getattr(article, "collected", None),
        "own_columns": columns_of({article.pk}).get(article.pk, {}),
        "other_addresses": other_addresses(article.page_id) if article.page_id else [],
        "rights_words": said_words(from_json(article.rights_said)),
        "kept_share": _kept_share(article),
        "summary": summary_of([article], wanted_length(request.GET)),
        "length_parameter": LENGTH_PARAMETER,
        "others": other_tellings(article),
        "around": surroundings(article) if article.kind == ArticleKind.POST else None,
    }
    return render_tab(request, "article", head, context)


def _named_as_given(marks: list[TextMark], request: HttpRequest) -> list[TextMark]:
    """Name the mark of a hit in a part of the body as the address does, which leads there."""
    hit = form_of(request).value("hit")
    kind, key, _ = split_hit(hit) if hit else (DocumentKind.ARTICLE, 0, 0)
    if not kind.is_part:
        return marks
    anchor = f"h{key}-{place_in_article(hit)}"
    return [replace(one, anchor=f"h{hit}") if one.anchor == anchor else one for one in marks]


def _kept_share(article: Article) -> float | None:
    """Share of the stored page's letters that became text; not asked of very large pages."""
    fetch = article.fetch
    if fetch is None or fetch.body_bytes > _LARGE_PAGE:
        return None
    reading = read_again(article)
    return reading.kept_share if reading else None


def _word_list_opinion(article: Article) -> str:
    """Say what the share of unknown words means; empty where the text is too short for a share."""
    if article.unknown_share is None:
        return ""
    running = article.running_unknown_share or 0.0
    return VocabularyRatio(article.unknown_share, running, MIN_WORDS).opinion
