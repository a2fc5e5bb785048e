"""The document of which an article's text was taken: not always the newest its page has shown.

A later visit may have met a paywall, a block page or a note of removal, which is refused: the page
then names that fetch, and the article still names its own. What reads an article's page again, to
try or to compare something, reads the article's own document.
"""

from datetime import datetime

from django.db.models import Q

from extraction.models import Article
from feeds.models import Fetch, of_documents_since

# What `taken` follows, for `select_related`.
DOCUMENT = ("fetch", "page__content_fetch")
# Of articles, not of pages: either names a fetch.
HAS_DOCUMENT = Q(fetch__isnull=False) | Q(page__content_fetch__isnull=False)


def taken(article: Article) -> Fetch | None:
    """Give the fetch of an article's document; the page's for articles that name none.

    None where the archive has none, as for the texts of a collection.
    """
    return article.fetch or (article.page.content_fetch if article.page else None)


def taken_since(moment: datetime) -> Q:
    """Choose the articles whose documents were shown at a moment or later."""
    of_page = of_documents_since(moment, "page__content_fetch__")
    return of_documents_since(moment, "fetch__") & Q(fetch__isnull=False) | Q(fetch=None) & of_page
