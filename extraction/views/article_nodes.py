"""Every element of an article's archived page with its probability of being template."""

from dataclasses import asdict, replace
from typing import Any

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from extraction.compared_articles import given_page
from extraction.documents import DOCUMENT
from extraction.html.algorithms.node_table import Node, node_table
from extraction.html.algorithms.scored_page import read_page
from extraction.html.algorithms.templateness import TemplatenessParameters
from extraction.html.site_rules.rules import SiteRules
from extraction.models import Article
from feeds.crawler.documents.limited_work import (
    FOR_A_REQUEST,
    TOO_MUCH,
    WorkEndedError,
    run_limited,
)

NODES_PER_PAGE = 200
_DEEPEST = 12  # steps of indentation that the style sheet knows
_LIMIT = TemplatenessParameters().template_score
_NOT_READ = "The archived page of this article cannot be read."


@require_safe
def article_nodes(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the table, or give all of it with `format=json`."""
    rows = Article.shown.select_related("publication", "page__publication", *DOCUMENT)
    article = get_object_or_404(rows, pk=pk)
    nodes, problem = _nodes_of(article)
    if request.GET.get("format") == "json":
        found = {"article": article.pk, "url": article.url, "problem": problem}
        return _file(article, found | {"nodes": [asdict(node) for node in nodes]})
    shown = [node for node in nodes if node.is_judged] if "judged" in request.GET else nodes
    page = Paginator(shown, NODES_PER_PAGE).get_page(request.GET.get("p"))
    judged = [node.template for node in nodes if node.is_judged and node.template is not None]
    context = {
        "article": article,
        "problem": problem,
        "page": page,
        "nodes": [(node, min(node.level, _DEEPEST)) for node in page],
        "n_nodes": len(nodes),
        "n_judged": len(judged),
        "n_template": sum(probability >= _LIMIT for probability in judged),
        "is_drawn": any(node.width is not None for node in nodes),
        "only_judged": "judged" in request.GET,
    }
    return render(request, "extraction/article_nodes.html", context)


def _nodes_of(article: Article) -> tuple[list[Node], str]:
    """Read the page in a child; without rules, which would take parts of it away."""
    given = given_page(article, ())
    if given is None:
        return [], _NOT_READ
    try:
        whole = replace(given.page, rules=SiteRules())
        return run_limited(lambda: node_table(read_page(whole)), FOR_A_REQUEST), ""
    except WorkEndedError:
        return [], TOO_MUCH


def _file(article: Article, found: dict[str, Any]) -> JsonResponse:
    response = JsonResponse(found)
    response["Content-Disposition"] = f'attachment; filename="nodes-{article.pk}.json"'
    return response
