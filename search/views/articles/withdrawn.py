"""The page of an article that was withdrawn or erased: why and when, and nothing of its text."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from extraction.models import Article
from extraction.withdrawal.register import entry_of_article

View = Callable[..., HttpResponse]


def unless_withdrawn(view: View) -> View:
    """Let a tab of an article show it only while it is not withdrawn."""

    @wraps(view)
    def answer(request: HttpRequest, article_id: int, **more: Any) -> HttpResponse:
        gone = Article.objects.filter(pk=article_id, withdrawn_at__isnull=False)
        article = gone.select_related("publication", "page").first()
        if article is None:
            return view(request, article_id, **more)
        context = {"article": article, "entry": entry_of_article(article)}
        return render(request, "search/article_withdrawn.html", context)

    return answer
