"""Who says it first: a word in articles and in the comments under them.

Input → output: hits in articles and comments, and all documents they were looked for in →
articles with comments by where the hits are, and how long after the article they come.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from search.engine.index.documents import DocumentKind
from search.engine.index.hits import Hits
from search.engine.index.selection import Selection

I64 = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Echo:
    """Articles that have comments, by where hits are.

    Parameters
    ----------
    both, article_only, comments_only, neither : int
        Articles with hits in the article and a comment, in one of them, in none.
    median_lag_seconds : float or None
        Of the articles with hits in both: from the article to its first comment with a hit.
    """

    both: int
    article_only: int
    comments_only: int
    neither: int
    median_lag_seconds: float | None

    @property
    def n_articles(self) -> int:
        """Articles with comments."""
        return self.both + self.article_only + self.comments_only + self.neither

    @property
    def taken_up_share(self) -> float | None:
        """Share of the articles with hits whose comments have hits too."""
        n_with_hits = self.both + self.article_only
        return self.both / n_with_hits if n_with_hits else None


@dataclass(frozen=True, slots=True)
class _Texts:
    """Selected articles or comments: key of the article, time, whether they have hits."""

    article: I64
    published: I64
    has_hits: npt.NDArray[np.bool_]


def echo(hits: Hits, selection: Selection) -> Echo:
    """Compare articles with their comments.

    Parameters
    ----------
    hits : Hits
        Of articles and comments.
    selection : Selection
        The documents they were looked for in; comments whose article does not count, and articles
        without comments that count, are left out.

    Returns
    -------
    Echo
        O(documents log documents).
    """
    articles = _texts(hits, selection, DocumentKind.ARTICLE)
    comments = _texts(hits, selection, DocumentKind.COMMENT)
    has_comments = np.isin(articles.article, comments.article)
    with_hits = _first_hits(comments)
    in_comments = np.isin(articles.article, with_hits.article)
    both = articles.has_hits & in_comments
    order = np.searchsorted(with_hits.article, articles.article[both])
    lags = with_hits.published[order] - articles.published[both]
    return Echo(
        int(np.count_nonzero(both)),
        int(np.count_nonzero(has_comments & articles.has_hits & ~in_comments)),
        int(np.count_nonzero(in_comments & ~articles.has_hits)),
        int(np.count_nonzero(has_comments & ~articles.has_hits & ~in_comments)),
        float(np.median(lags)) if len(lags) else None,
    )


def _texts(hits: Hits, selection: Selection, kind: DocumentKind) -> _Texts:
    found = {id(part.view): part.document_counts for part in hits.parts}
    nothing = np.empty(0, dtype=np.int64)
    keys, times, flags = [nothing], [nothing], [nothing.astype(np.bool_)]
    for view, mask in zip(selection.snapshot.segments, selection.masks, strict=True):
        documents = view.segment.documents
        chosen = documents.kind == int(kind)
        rows = np.flatnonzero(chosen if mask is None else chosen & mask)
        name = "key" if kind is DocumentKind.ARTICLE else "parent_key"
        keys.append(getattr(documents, name)[rows].astype(np.int64))
        times.append(documents.published[rows])
        counts = found.get(id(view))
        flags.append(np.zeros(len(rows), dtype=np.bool_) if counts is None else counts[rows] > 0)
    return _Texts(np.concatenate(keys), np.concatenate(times), np.concatenate(flags))


def _first_hits(comments: _Texts) -> _Texts:
    """Keep the first comment with a hit of each article, in order of the articles' keys."""
    article = comments.article[comments.has_hits]
    published = comments.published[comments.has_hits]
    order = np.lexsort((published, article))
    distinct, first = np.unique(article[order], return_index=True)
    times = published[order][first]
    return _Texts(distinct, times, np.ones(len(distinct), dtype=np.bool_))
