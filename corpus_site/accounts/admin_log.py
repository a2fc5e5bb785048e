"""Django's log of changes in "All tables": what it quotes of texts goes when they are erased."""

from collections.abc import Collection

from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType

from extraction.models import Article, Comment
from feeds.models import Page


def forget_log(article_ids: Collection[int], comment_ids: Collection[int]) -> None:
    """Leave of entries about erased texts who changed what and when, not what it was called."""
    pages = Page.objects.filter(article__in=article_ids).values_list("pk", flat=True)
    for model, ids in ((Article, article_ids), (Comment, comment_ids), (Page, list(pages))):
        kind = ContentType.objects.get_for_model(model)
        entries = LogEntry.objects.filter(content_type=kind, object_id__in=[str(pk) for pk in ids])
        entries.update(object_repr=f"erased {kind.name}", change_message="")
