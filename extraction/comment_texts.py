"""One comment's text, written by hand: digest, words, language and what is displayed go with it."""

from datetime import datetime

from django.db import transaction

from extraction.models import Comment
from extraction.stage.page_comment_rows import displayed
from extraction.text.digest import text_digest
from extraction.text.normalize import normalize_text
from extraction.text.other_languages import language_of_comment

_WRITTEN = ["text", "html", "text_digest", "language", "n_words", "updated_at"]


@transaction.atomic
def rewrite(comment_id: int, text: str, now: datetime) -> bool:
    """Give a comment another text; returns whether it is new. The index is told by the caller.

    A later look at its thread may bring what its system says again.

    Raises
    ------
    Comment.DoesNotExist
        When there is no such comment.
    """
    rows = Comment.objects.select_for_update(of=("self",)).select_related("article")
    row = rows.get(pk=comment_id)
    text = normalize_text(text)
    if text == row.text:
        return False
    row.text, row.html = text, displayed(text)
    row.text_digest, row.n_words = text_digest(text), len(text.split())
    row.language = language_of_comment(text, row.article.language)
    row.updated_at = now
    row.save(update_fields=_WRITTEN)
    return True
