"""Stored articles placed anew: by their publications' terms, editors' words, and their rights.

Nothing is fetched or extracted: kind, place in the corpus and its reason follow from the rows.
"""

from collections.abc import Mapping, Sequence

from extraction.models import Article
from extraction.stage import admission, corrections, rights_of_rows
from feeds.models import Publication

# Columns that placing writes.
PLACED_COLUMNS = ("kind", "in_corpus", "reason")


def place(articles: Sequence[Article], publications: Mapping[int, Publication]) -> list[Article]:
    """Set the place of articles by the terms of this moment; returns those that it changed.

    Their texts are read, nothing is written; `publications` are by primary key.
    """
    taken = corrections.taken_of(articles)
    before = {article.pk: _placed(article) for article in articles}
    for article in articles:
        is_taken = article.pk in taken
        admission.place(article, publications[article.publication_id], is_taken=is_taken)
    rights_of_rows.place(articles, publications)
    return [article for article in articles if _placed(article) != before[article.pk]]


def _placed(article: Article) -> tuple[str, bool, str]:
    return (article.kind, article.in_corpus, article.reason)
