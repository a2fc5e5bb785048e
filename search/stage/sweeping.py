"""Which texts are new or stale in the index: found a range of rows at a time."""

from django.db.models import Exists, OuterRef, Q

from extraction.models import Article, Comment
from feeds.work.rounds import Question, find
from search.models import IndexedArticle, IndexedComment
from search.stage.texts_to_index import TaggerVersions, is_stale_article, is_stale_comment

_IS_JUDGED = Q(detection__detected_at__isnull=False) | Q(detection__quarantined_at__isnull=False)
_IS_RESTING = Q(due_at=None, quarantined_at=None)
# Not `Q(indexed=None)`: PostgreSQL reads the whole table of the index's rows for that outer join.
_NO_ARTICLE_ROW = ~Q(Exists(IndexedArticle.objects.filter(article=OuterRef("pk"))))
_NO_COMMENT_ROW = ~Q(Exists(IndexedComment.objects.filter(comment=OuterRef("pk"))))


def missed_articles(limit: int, versions: TaggerVersions) -> list[int]:
    """Return keys of articles that are not in the index as they are.

    An article waits for its detection, so that its cluster goes into the index with it.
    """
    return find(
        limit,
        Question("new articles", Article, _IS_JUDGED & _NO_ARTICLE_ROW, "pk"),
        Question(
            "articles", IndexedArticle, is_stale_article(versions) & _IS_RESTING, "article_id"
        ),
    )


def missed_comments(limit: int, versions: TaggerVersions) -> list[int]:
    """Return keys of comments that are not in the index as they are."""
    return find(
        limit,
        Question("new comments", Comment, _NO_COMMENT_ROW, "pk"),
        Question(
            "comments", IndexedComment, is_stale_comment(versions) & _IS_RESTING, "comment_id"
        ),
    )
