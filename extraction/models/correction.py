"""What editors say of single articles, with its history; the pass that places stored articles."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from extraction.models.article import Article
from feeds.models import Work


class ArticleCorrection(models.Model):
    """Editors' words on one article, which outlive every later reading of its page.

    The columns named as the article's hold what was put in their place, but count only where
    `corrected` names them: so a field can be corrected to nothing, too.
    """

    article = models.OneToOneField(Article, on_delete=models.CASCADE, related_name="correction")
    corrected = models.JSONField(default=list, blank=True, help_text="Names of corrected fields")
    title = models.TextField(blank=True, default="")
    authors = models.JSONField(default=list, blank=True)
    agencies = models.JSONField(default=list, blank=True)
    published_at = models.DateTimeField(null=True, blank=True)
    section = models.CharField(max_length=200, blank=True, default="")
    as_read = models.JSONField(
        default=dict,
        blank=True,
        help_text="Corrected field to [source, value] of the last reading",
    )
    is_taken_anyway = models.BooleanField(
        default=False, help_text="In the corpus whatever its kind, length or twin"
    )
    changed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    changed_at = models.DateTimeField()

    class Meta:
        ordering = ["-changed_at", "-pk"]

    def __str__(self) -> str:
        return f"correction of article {self.article_id}"


class CorrectionChange(models.Model):
    """One thing that an editor did to an article; never changed."""

    class Kind(models.TextChoices):
        CORRECTED = "corrected", "Corrected"
        UNDONE = "undone", "As read again"
        TAKEN = "taken", "Taken anyway"
        LEFT_OUT = "left_out", "Left out again"

    article = models.ForeignKey(
        Article, on_delete=models.CASCADE, related_name="correction_changes"
    )
    kind = models.CharField(max_length=9, choices=Kind.choices)
    field = models.CharField(max_length=20, blank=True, default="")
    before = models.TextField(blank=True, default="")
    after = models.TextField(blank=True, default="")
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    made_at = models.DateTimeField()

    class Meta:
        ordering = ["-made_at", "-pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(kind__in=["corrected", "undone", "taken", "left_out"]),
                name="correctionchange_kind_known",
            )
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()}: article {self.article_id} {self.field}".strip()


class Placing(Work):
    """Where a publication's stored articles stand to its own rules of what is taken.

    Done when `done_terms` are the publication's; a pass goes through its articles by primary key.
    """

    publication = models.OneToOneField(
        "feeds.Publication", on_delete=models.CASCADE, related_name="placing"
    )
    done_terms = models.CharField(max_length=200, blank=True, default="")
    pass_terms = models.CharField(
        max_length=200, blank=True, default="", help_text="Of the pass under way"
    )
    # Under which name the index knows its texts; another one labels them anew.
    slug = models.CharField(max_length=80, blank=True, default="")
    last_article = models.BigIntegerField(default=0, help_text="The next slice begins behind it")
    n_changed = models.PositiveIntegerField(default=0, help_text="By the last pass")
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta(Work.Meta):
        abstract = False

    def __str__(self) -> str:
        return f"placing of publication {self.publication_id}"
