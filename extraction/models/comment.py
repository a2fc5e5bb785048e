"""Readers' comments and the threads they stand in."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from extraction.models.article import Article
from feeds.models import AskedWork


class CommentThread(models.Model):
    """The readers' comments under one article.

    Where they are, and whether the thread is closed. Without a page it is named only: its system
    answers nobody without a key.
    """

    article = models.OneToOneField(Article, on_delete=models.CASCADE, related_name="thread")
    page = models.ForeignKey("feeds.Page", null=True, on_delete=models.SET_NULL, related_name="+")
    system = models.CharField(max_length=20)
    forum = models.CharField(max_length=100, blank=True, default="")
    identifier = models.CharField(max_length=500, blank=True, default="")
    remote_id = models.CharField(max_length=60, blank=True, default="")
    is_closed = models.BooleanField(default=False)
    closed_seen_at = models.DateTimeField(null=True, blank=True)
    checked_at = models.DateTimeField(null=True, blank=True)
    n_posts = models.PositiveIntegerField(default=0, help_text="As the system counts them")
    is_cut = models.BooleanField(
        default=False, help_text="Has more comments, which take a key to ask for"
    )

    class Meta:
        indexes = [
            # For the sweep that completes them once a key is set.
            models.Index(fields=["id"], name="commentthread_cut", condition=Q(is_cut=True)),
        ]

    def __str__(self) -> str:
        return f"{self.system} thread of article {self.article_id}"


class ShownComments(models.Manager["Comment"]):
    """All comments but those that were withdrawn, themselves or with their article."""

    def get_queryset(self) -> models.QuerySet["Comment"]:
        return super().get_queryset().filter(withdrawn_at=None, article__withdrawn_at=None)


class Comment(models.Model):
    """One reader's comment with what its system says of it, avatars left out."""

    article = models.ForeignKey(Article, on_delete=models.CASCADE, related_name="comments")
    parent = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.SET_NULL, related_name="replies"
    )
    system = models.CharField(max_length=20)
    server = models.CharField(
        max_length=253, blank=True, default="", help_text="Host that answered; empty of old rows"
    )
    remote_id = models.CharField(max_length=60)
    remote_parent_id = models.CharField(max_length=60, blank=True, default="")
    remote_thread_id = models.CharField(max_length=60, blank=True, default="")
    forum = models.CharField(max_length=100, blank=True, default="")
    depth = models.PositiveSmallIntegerField(default=0)
    posted_at = models.DateTimeField()
    is_undated = models.BooleanField(
        default=False, help_text="Its page names no time: it was posted before it was seen"
    )
    text = models.TextField(blank=True, default="", help_text="raw_message, as it was typed")
    html = models.TextField(blank=True, default="", help_text="message, sanitised, for display")
    text_digest = models.CharField(max_length=64, blank=True, default="")
    language = models.CharField(max_length=12, blank=True, default="")
    n_words = models.PositiveIntegerField(default=0)
    likes = models.IntegerField(default=0)
    dislikes = models.IntegerField(default=0)
    points = models.IntegerField(default=0)
    n_reports = models.IntegerField(default=0)
    is_flagged = models.BooleanField(default=False)
    is_deleted = models.BooleanField(default=False)
    is_approved = models.BooleanField(default=True)
    is_edited = models.BooleanField(default=False)
    is_spam = models.BooleanField(default=False)
    is_highlighted = models.BooleanField(default=False)
    media = models.JSONField(default=list, blank=True)
    author_id_remote = models.CharField(max_length=60, blank=True, default="")
    author_username = models.CharField(max_length=200, blank=True, default="")
    author_name = models.CharField(max_length=200, blank=True, default="")
    author_url = models.CharField(max_length=2048, blank=True, default="")
    author_profile_url = models.CharField(max_length=2048, blank=True, default="")
    author_reputation = models.FloatField(null=True, blank=True)
    author_reputation_label = models.CharField(max_length=40, blank=True, default="")
    author_is_anonymous = models.BooleanField(default=False)
    author_is_private = models.BooleanField(default=False)
    author_is_primary = models.BooleanField(default=False)
    author_joined_at = models.DateTimeField(null=True, blank=True)
    author_location = models.CharField(max_length=300, blank=True, default="")
    author_about = models.TextField(blank=True, default="")
    # Out of the corpus by an editor's word.
    withdrawn_at = models.DateTimeField(null=True, blank=True)
    erased_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField()
    updated_at = models.DateTimeField()

    objects = models.Manager["Comment"]()
    shown = ShownComments()

    class Meta:
        ordering = ["posted_at", "pk"]
        indexes = [
            models.Index(fields=["article", "posted_at"], name="comment_article_posted"),
            models.Index(
                fields=["article"], name="comment_withdrawn", condition=~Q(withdrawn_at=None)
            ),
        ]
        constraints = [
            # An answer speaks for its own article: a server may give any number to its posts.
            models.UniqueConstraint(
                fields=["article", "system", "server", "remote_id"], name="comment_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.author_name}: {self.text[:60]}"


class CommentMonth(AskedWork):
    """A job: to look now at the threads of one month's articles that are not closed yet."""

    month = models.DateField(help_text="Its first day")
    publication = models.ForeignKey(
        "feeds.Publication", null=True, blank=True, on_delete=models.CASCADE, related_name="+"
    )
    asked_at = models.DateTimeField()
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    n_threads = models.PositiveIntegerField(default=0)
    n_asked = models.PositiveIntegerField(default=0, help_text="Of them, made due so far")
    last_thread = models.PositiveBigIntegerField(
        default=0, help_text="Threads up to this one are asked for"
    )
    n_waiting = models.PositiveIntegerField(default=0, help_text="Of those, not looked at yet")

    class Meta(AskedWork.Meta):
        abstract = False
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.month:%Y-%m}"
