"""`/articles/<id>/versions/` and `/articles/changed/`: what a text was before, and what changed."""

from urllib.parse import urlencode

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from extraction.versions import versions_of
from feeds.models import Publication
from presentation.primary_keys import primary_key
from search.articles.changed_lately import (
    KINDS,
    NO_CHANGES,
    changed_page,
    publications_with_changes,
)
from search.articles.versions import chosen_pair, version_rows
from search.views.articles.tabs import load_head, render_tab
from search.views.articles.withdrawn import unless_withdrawn


@require_safe
@unless_withdrawn
def article_versions(request: HttpRequest, article_id: int) -> HttpResponse:
    head = load_head(article_id)
    texts = versions_of(head.article)
    only_differences = request.GET.get("diff", "1") == "1"
    pair = chosen_pair(
        texts,
        primary_key(request.GET.get("a")),
        primary_key(request.GET.get("b")),
        only_differences=only_differences,
    )
    asked = request.GET.get("a"), request.GET.get("b")
    context = {
        "tab_title": "Versions",
        "is_one_asked": pair is not None and asked[0] is not None and asked[0] == asked[1],
        "comparable": [one for one in texts if not one.is_withdrawn],
        "rows": version_rows(head.article, texts),
        "pair": pair,
        "comparison": pair.comparison if pair else None,
        "only_differences": only_differences,
    }
    return render_tab(request, "article-versions", head, context)


@require_safe
def changed_lately(request: HttpRequest) -> HttpResponse:
    publications = publications_with_changes(timezone.now())
    slug, kind = request.GET.get("pub", ""), request.GET.get("what", "")
    chosen = Publication.objects.filter(slug=slug).first() if slug in dict(publications) else None
    kind = kind if kind in dict(KINDS) else ""
    is_unknown = bool(slug) and chosen is None
    after = request.GET.get("after", "")
    page = NO_CHANGES if is_unknown else changed_page(chosen, kind, after)
    given = {name: value for name, value in (("pub", slug), ("what", kind)) if value}
    context = {
        "page": page,
        "publications": publications,
        "kinds": KINDS,
        "chosen": chosen,
        "kind": kind,
        "given": given,
        "unknown": slug if is_unknown else "",
        "is_further": bool(after),
        "is_hurried": settings.CRAWL_VISIT_HURRY > 1,
        "kept": urlencode(given),
        "next_query": urlencode(given | {"after": page.next_after}) if page.next_after else "",
    }
    return render(request, "search/changed_lately.html", context)
