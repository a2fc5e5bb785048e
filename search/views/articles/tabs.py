"""What all tabs of an article share: head, tabs, and the hit one came from."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from extraction.models import Article, ArticleKind, Withdrawal
from extraction.withdrawal.register import hold_of_article
from search.articles.reading import ArticleHead, article_head
from search.asking.address import Address
from search.views.articles.hit_bar import hit_bar


@dataclass(frozen=True, slots=True)
class ArticleTab:
    label: str
    address: str
    is_current: bool
    n: int | None = None


# What a text of a collection does not have, nor a post: it stood in an answer of its timeline, and
# other posts answer it.
_ON_A_PAGE = {"article-page", "article-comments"}
# Address name and label, in the order of the tabs.
_TABS = (
    ("article", "Text"),
    ("article-tagged", "Tagged"),
    ("article-page", "Archived page"),
    ("article-comments", "Comments"),
    ("article-duplicates", "Duplicates"),
    ("article-versions", "Versions"),
    ("article-timeline", "Timeline"),
)


def _has(article: Article, tab: str) -> bool:
    """Whether an article has what a tab shows."""
    has_page = article.page is not None and article.kind != ArticleKind.POST
    return has_page or tab not in _ON_A_PAGE


def load_head(article_id: int) -> ArticleHead:
    """Article with its head, or the page that says there is none."""
    try:
        return article_head(article_id)
    except Article.DoesNotExist:
        raise Http404 from None


def render_tab(
    request: HttpRequest, name: str, head: ArticleHead, context: Mapping[str, Any]
) -> HttpResponse:
    """Render the tab of this address name inside the article's frame."""
    kept = Address.read(request.GET).query_part()
    counts = {
        "article-comments": head.n_comments,
        "article-duplicates": head.n_twins,
        "article-versions": head.article.n_versions,
    }
    tabs = [
        ArticleTab(
            label, kept.at(reverse(tab, args=[head.article.pk])), tab == name, counts.get(tab)
        )
        for tab, label in _TABS
        if _has(head.article, tab)
    ]
    template = f"search/{name.replace('-', '_')}.html"
    whole = {
        "head": head,
        "article": head.article,
        "tabs": tabs,
        "origin": kept,
        "kept": f"&{kept}" if kept.pairs else "",
        "search_address": reverse("search"),
        "hit_bar": hit_bar(request, name),
        "legal_hold": _legal_hold(request, head.article),
    }
    return render(request, template, whole | dict(context))


def _legal_hold(request: HttpRequest, article: Article) -> Withdrawal | None:
    """Say what keeps an article from being erased, for those who may read the register."""
    may_read = request.user.has_perm("extraction.view_withdrawal")
    return hold_of_article(article) if may_read else None
