"""Keeps withdrawn texts out of messages, and erased ones out of what was sent.

A message says what was so when it was made. What was withdrawn since is left out whenever it is
handed over or read again; what is erased goes from the rows themselves.
"""

import re
from collections.abc import Collection
from dataclasses import replace

from django.db.models import Q

from corpus_site.messaging.content import Content, Item
from corpus_site.messaging.models import Message, Notice
from extraction.models import Article, Comment

_ARTICLE = re.compile(r"/articles/(\d+)/(?:comments/#c(\d+))?$")


def shown(content: Content) -> Content:
    """Leave out the texts that were withdrawn since; only messages on hits hold any."""
    if content.kind != "query":
        return content
    places = [_place_of(item) for item in content.items]
    articles = _there(Article, {article for article, _ in places})
    comments = _there(Comment, {comment for _, comment in places if comment})
    kept = tuple(
        item
        for item, (article, comment) in zip(content.items, places, strict=True)
        if article in articles and (not comment or comment in comments)
    )
    return replace(content, items=kept)


def _there(model: type[Article] | type[Comment], ids: Collection[int]) -> set[int]:
    rows = model._default_manager.filter(pk__in=ids, withdrawn_at=None)
    return set(rows.values_list("pk", flat=True))


def _place_of(item: Item) -> tuple[int, int]:
    """Read the numbers of the article and, for a comment's hit, of the comment."""
    found = _ARTICLE.search(item.address)
    return (int(found[1]), int(found[2] or 0)) if found else (0, 0)


def forget(articles: Collection[int], comments: Collection[int]) -> None:
    """Take erased texts out of notices and messages, within the transaction that empties them."""
    keys = [f"text:c{pk}" for pk in comments]
    notices = Notice.objects.filter(Q(content__article__in=list(articles)) | Q(key__in=keys))
    gone = {one.content["item"]["address"] for one in notices}
    told = set(notices.exclude(message=None).values_list("message_id", flat=True))
    for message in Message.objects.filter(pk__in=told):
        content = Content.of(message.content)
        kept = tuple(item for item in content.items if item.address not in gone)
        emptied = replace(content, items=kept).plain
        Message.objects.filter(pk=message.pk).update(content=emptied)
    notices.update(content={"item": {"subject": ""}, "article": 0})
