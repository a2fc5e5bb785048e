"""The index stage's own rows: what of each text is in the index."""

from uuid import uuid4

from django.db import models

from feeds.models import Work


class IndexedText(Work):
    """An index stage's row. Done when `done_digest` is the digest of text, columns and tagger.

    Changes of the lexicon are followed by their own jobs, see `Retagging`.
    """

    done_digest = models.CharField(max_length=64, blank=True, default="")
    generation = models.PositiveBigIntegerField(
        null=True, blank=True, help_text="In which it came in"
    )
    n_tokens = models.PositiveIntegerField(default=0)
    indexed_at = models.DateTimeField(null=True, blank=True)
    outcome = models.CharField(
        max_length=24, blank=True, default="", help_text="indexed, left out …"
    )
    lexicon_revision = models.PositiveBigIntegerField(
        default=0, help_text="The last change of the lexicon that the tags know of"
    )
    parts_version = models.PositiveSmallIntegerField(
        default=0, help_text="Which parts of the text stand in the index beside it"
    )

    class Meta(Work.Meta):
        abstract = True


class LeavingText(models.Model):
    """A withdrawn text that every generation of the index still has to forget.

    Rows go with the commit that does it, before anything else is indexed; one that was told again
    meanwhile, as when a withdrawn text is erased, bears another mark by then and stays.
    """

    kind = models.PositiveSmallIntegerField(help_text="As the index counts: 1 article, 2 comment")
    key = models.BigIntegerField()
    mark = models.UUIDField(default=uuid4, editable=False, help_text="Another at each telling")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["kind", "key"], name="leaving_text_once"),
        ]

    def __str__(self) -> str:
        return f"{self.kind}, {self.key}"


class IndexedArticle(IndexedText):
    article = models.OneToOneField(
        "extraction.Article", on_delete=models.CASCADE, related_name="indexed"
    )

    class Meta(IndexedText.Meta):
        indexes = [
            *IndexedText.Meta.indexes,
            # How long texts took to be found: the newest, at each view of Status.
            models.Index(fields=["-indexed_at"], name="indexedarticle_newest"),
            # For those that lack parts: none but after an upgrade.
            models.Index(fields=["outcome", "parts_version"], name="indexedarticle_parts"),
        ]

    def __str__(self) -> str:
        return f"article {self.article_id} in the index"


class IndexedComment(IndexedText):
    comment = models.OneToOneField(
        "extraction.Comment", on_delete=models.CASCADE, related_name="indexed"
    )

    def __str__(self) -> str:
        return f"comment {self.comment_id} in the index"
