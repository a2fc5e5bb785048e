"""Which post of a timeline answers which."""

from django.db import models


class PostReply(models.Model):
    """A post that answers another; written by `stage/post_replies.py`.

    The other one is named by the key that its page has, or would have: it may come later, or never.
    """

    article = models.OneToOneField(
        "extraction.Article", on_delete=models.CASCADE, related_name="reply"
    )
    answered_key = models.CharField(max_length=500, db_index=True)
    # Where its network names it: of the first post of the thread.
    thread_key = models.CharField(max_length=500, blank=True, default="")

    def __str__(self) -> str:
        return f"article {self.article_id} answers {self.answered_key}"
