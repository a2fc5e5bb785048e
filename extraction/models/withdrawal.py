"""The register: what was taken out of the corpus, erased or held, by whom and why."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q

from extraction.models.article import Article
from extraction.models.comment import Comment
from feeds.models import AskedWork, Publication

MAX_REASON = 280  # an article's reason says "Withdrawn: " before it


class Measure(models.TextChoices):
    WITHDRAWN = "withdrawn", "Withdrawn"
    ERASED = "erased", "Erased"
    HELD = "held", "On legal hold"


class Subject(models.TextChoices):
    ARTICLE = "article", "Article"
    COMMENT = "comment", "Comment"
    VERSION = "version", "Version"
    PUBLICATION = "publication", "Publication"


class Withdrawal(models.Model):
    """One entry of the register. Never deleted: putting back or lifting ends it.

    Where something was erased, the address is that of the site alone and `address_digest` knows the
    rest: who has the address finds the entry by it.
    """

    measure = models.CharField(max_length=9, choices=Measure.choices)
    what = models.CharField(max_length=11, choices=Subject.choices)
    article = models.ForeignKey(
        Article, null=True, blank=True, on_delete=models.SET_NULL, related_name="withdrawals"
    )
    comment = models.ForeignKey(
        Comment, null=True, blank=True, on_delete=models.SET_NULL, related_name="withdrawals"
    )
    version_number = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="Of the article, from 1 for the first text"
    )
    publication = models.ForeignKey(
        Publication, null=True, blank=True, on_delete=models.SET_NULL, related_name="withdrawals"
    )
    address = models.CharField(max_length=2048)
    address_digest = models.CharField(max_length=64, db_index=True)
    reason = models.CharField(max_length=MAX_REASON)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    at = models.DateTimeField()
    ended_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    ended_at = models.DateTimeField(null=True, blank=True, help_text="Put back, or the hold lifted")
    done_at = models.DateTimeField(null=True, blank=True, help_text="When all of it was erased")

    class Meta:
        ordering = ["-at", "-pk"]
        indexes = [
            models.Index(fields=["-at"], name="withdrawal_at"),
            models.Index(
                fields=["publication", "measure"],
                name="withdrawal_of_publication",
                condition=Q(what="publication", ended_at=None),
            ),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["measure", "article"],
                name="withdrawal_of_article_once",
                condition=Q(what="article", ended_at=None),
            ),
            models.UniqueConstraint(
                fields=["measure", "comment"],
                name="withdrawal_of_comment_once",
                condition=Q(what="comment", ended_at=None),
            ),
            models.UniqueConstraint(
                fields=["measure", "article", "version_number"],
                name="withdrawal_of_version_once",
                condition=Q(what="version", ended_at=None),
            ),
            models.UniqueConstraint(
                fields=["measure", "publication"],
                name="withdrawal_of_publication_once",
                condition=Q(what="publication", ended_at=None),
            ),
            models.CheckConstraint(
                condition=Q(measure__in=Measure.values), name="withdrawal_measure_known"
            ),
            models.CheckConstraint(
                condition=Q(what__in=Subject.values), name="withdrawal_subject_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_measure_display()}: {self.address}"

    @property
    def is_open(self) -> bool:
        return self.ended_at is None


class Erasure(AskedWork):
    """The work of an entry that erases; what it has done stays done, so it can only go on."""

    IS_STOPPABLE: ClassVar[bool] = False

    entry = models.OneToOneField(Withdrawal, on_delete=models.CASCADE, related_name="erasure")
    n_all = models.PositiveIntegerField(default=1)
    n_done = models.PositiveIntegerField(default=0)
    # Whether nothing of it is left in what index and database keep of deleted things.
    is_compacted = models.BooleanField(default=False, editable=False)
    # A member that was half overwritten when its process died cannot be found by reading the file.
    places = models.JSONField(
        default=list, blank=True, help_text="[file, offset, length] of what is being overwritten"
    )

    class Meta(AskedWork.Meta):
        abstract = False

    def __str__(self) -> str:
        return f"erasing {self.entry_id}"
