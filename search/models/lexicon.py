"""The editors' lexicon: entries, their history, and the jobs that follow a change."""

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models.functions import Lower

from feeds.models import AskedWork, Work
from search.engine.annotation.lexicon import LONGEST_TAGS, LexiconError, parse_entry


class LexiconEntry(models.Model):
    """A word or expression whose tags an editor decides, against the tagger if need be.

    Written by `search.lexicon.changes` only, which keeps the history and has old texts tagged
    again.
    """

    word = models.CharField(max_length=100)
    tag = models.CharField(max_length=LONGEST_TAGS, help_text="Penn tag, such as NN")
    lemma = models.CharField(max_length=100, blank=True, default="")
    language_of_origin = models.CharField(max_length=40, blank=True, default="")
    note = models.TextField(blank=True, default="")
    source = models.CharField(max_length=200, blank=True, default="")
    is_active = models.BooleanField(default=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["word"]
        verbose_name_plural = "lexicon entries"
        constraints = [
            models.UniqueConstraint(Lower("word"), name="lexiconentry_word_once"),
            models.CheckConstraint(
                condition=~models.Q(word=""), name="lexiconentry_word_not_empty"
            ),
            models.CheckConstraint(condition=~models.Q(tag=""), name="lexiconentry_tag_not_empty"),
        ]

    def __str__(self) -> str:
        return f"{self.word}/{self.tag}"

    def clean(self) -> None:
        """Refuse what the tagger could not use, with its sentence."""
        try:
            parse_entry(self.word, self.tag, self.lemma)
        except LexiconError as error:
            raise ValidationError(str(error)) from error


class ChangeKind(models.TextChoices):
    ADDED = "added", "added"
    CHANGED = "changed", "changed"
    REMOVED = "removed", "removed"


class LexiconChange(models.Model):
    """One change of an entry and what it was afterwards; the primary key is the revision.

    Changes are written one after the other (see `search.lexicon.changes`), so a reader that knows
    of a revision knows of all before it. Kept when the entry is removed.
    """

    word = models.CharField(max_length=100)
    kind = models.CharField(max_length=7, choices=ChangeKind.choices)
    tag = models.CharField(max_length=LONGEST_TAGS, blank=True, default="")
    lemma = models.CharField(max_length=100, blank=True, default="")
    language_of_origin = models.CharField(max_length=40, blank=True, default="")
    note = models.TextField(blank=True, default="")
    source = models.CharField(max_length=200, blank=True, default="")
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    made_at = models.DateTimeField()

    class Meta:
        ordering = ["-pk"]
        indexes = [
            # For the history of one word in whatever spelling.
            models.Index(Lower("word"), name="lexiconchange_word"),
        ]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(kind__in=ChangeKind.values), name="lexiconchange_kind_known"
            )
        ]

    def __str__(self) -> str:
        return f"{self.word} {self.kind}"


class Retagging(AskedWork):
    """A job: texts that have some words are tagged again, a slice after the other.

    A text is done when it was tagged with the lexicon of `revision` or a later one. `waiting` names
    the texts of the slice in work. Rows of its texts know of it, so it is not to be stopped.
    """

    IS_STOPPABLE = False

    title = models.CharField(max_length=200)
    words = models.JSONField(help_text="In small letters")
    revision = models.PositiveBigIntegerField()
    last_article = models.BigIntegerField(default=0, help_text="The next slice begins behind it")
    last_comment = models.BigIntegerField(default=0)
    waiting = models.JSONField(default=dict, blank=True)
    n_texts = models.PositiveIntegerField(default=0)
    n_done = models.PositiveIntegerField(default=0)
    n_failed = models.PositiveIntegerField(default=0)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True, blank=True)

    class Meta(AskedWork.Meta):
        abstract = False
        ordering = ["-pk"]

    def __str__(self) -> str:
        return self.title


class LexiconUse(models.Model):
    """How often a word of the lexicon stands in the corpus, and how often it overruled the tagger.

    The newest `n_checked` occurrences were tagged with and without the entry: it decided
    `n_decided` of them, and in `n_overrode` the tagger alone says something else.
    """

    word = models.CharField(max_length=100, unique=True, help_text="In small letters")
    n_hits = models.PositiveBigIntegerField(default=0)
    n_texts = models.PositiveBigIntegerField(default=0)
    n_checked = models.PositiveIntegerField(default=0)
    n_decided = models.PositiveIntegerField(default=0)
    n_overrode = models.PositiveIntegerField(default=0)
    counted_at = models.DateTimeField()

    class Meta:
        ordering = ["word"]

    def __str__(self) -> str:
        return self.word


class UseCount(Work):
    """The daily round of counting uses: one row."""

    last_word = models.CharField(max_length=100, blank=True, default="")

    class Meta(Work.Meta):
        abstract = False

    def __str__(self) -> str:
        return f"uses of the lexicon, after {self.last_word or 'nothing'}"
