"""`/articles/<id>/page/`: the page as it was stored, and what was kept and dropped of it and why.

The page stands in a frame that can do nothing; beside it the same as a list, for keyboards and
screen readers.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from csp.constants import SELF
from csp.decorators import csp_update
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from extraction.html.trace.line_groups import LineFate, LineGroup
from extraction.models import Article
from feeds.models import Fetch
from presentation.primary_keys import primary_key
from search.articles.archived import SHOWS, PageReading, pieces_of_lines, read_again
from search.articles.places import document_kind, marks_of
from search.articles.reading import TextPiece
from search.views.articles.hit_bar import hits_by_text
from search.views.articles.tabs import load_head, render_tab
from search.views.articles.withdrawn import unless_withdrawn

# What stands beside what: parameter `view` with its words.
_VIEWS = (("side", "Side by side"), ("page", "Page"), ("list", "List"))


@require_safe
@csp_update({"frame-src": [SELF]})
@unless_withdrawn
def article_page(request: HttpRequest, article_id: int) -> HttpResponse:
    head = load_head(article_id)
    fetch = _earlier_fetch(request, head.article)
    reading = read_again(head.article) if fetch is None else None
    show = _chosen(request.GET.get("show"), SHOWS)
    view = _chosen(request.GET.get("view"), _VIEWS) if fetch is None else "page"
    context = {
        "fetch": fetch or head.article.fetch,
        "is_earlier": fetch is not None,
        "tab_title": "Archived page",
        "reading": reading,
        "groups": [] if reading is None else list(_shown(request, head.article, reading, show)),
        "show": show,
        "shows": SHOWS,
        "view": view,
        "views": _VIEWS,
    }
    return render_tab(request, "article-page", head, context)


def _earlier_fetch(request: HttpRequest, article: Article) -> Fetch | None:
    """Find another fetch of the page that is asked for: of an earlier version, or a refused one."""
    key = primary_key(request.GET.get("fetch"))
    if key is None or key == article.fetch_id or article.page_id is None:
        return None
    return Fetch.objects.filter(pk=key, page=article.page_id).first()


def _chosen(value: str | None, choices: tuple[tuple[str, str], ...]) -> str:
    """Give the value if it is a choice, else the first one."""
    return value if value in dict(choices) and value is not None else choices[0][0]


@dataclass(frozen=True, slots=True)
class _ShownGroup:
    """A group of lines with the hits in them."""

    group: LineGroup
    lines: tuple[tuple[TextPiece, ...], ...]


def _shown(
    request: HttpRequest, article: Article, reading: PageReading, show: str
) -> Iterator[_ShownGroup]:
    hits = hits_by_text(request, document_kind(article), [article.pk]).get(article.pk, [])
    marks = [replace(mark, anchor="") for mark in marks_of(article.whole_text, hits)]
    for group in reading.groups:
        if show == "both" or (group.fate is LineFate.DROPPED) == (show == "dropped"):
            yield _ShownGroup(group, tuple(pieces_of_lines(group, article, marks)))
