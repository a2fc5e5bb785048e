"""Lines of a concordance that people sort into categories, each by themselves."""

from django.conf import settings
from django.core.validators import MaxValueValidator
from django.db import models

MOST_CATEGORIES = 9  # the keys 1 to 9
DELETED = 0  # the value of a line that is to be left out
LONGEST_NOTE = 300


class Marking(models.Model):
    """Lines of a query, drawn from one generation, with the categories they are sorted into.

    Lines, query and numbers never change; categories are added, never taken away, as marks name
    them by their place from 1. While `opened_at` is empty everybody sees their own marks alone;
    from then on all are seen and none is changed.
    """

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="markings"
    )
    name = models.CharField(max_length=100)
    categories = models.JSONField(help_text="Names, in the order of the keys 1 to 9")
    parameters = models.TextField(help_text="Query string of the search address, asof included")
    generation = models.PositiveBigIntegerField(help_text="Of the index, at which its lines stand")
    drawn_at = models.PositiveBigIntegerField(help_text="The generation its lines were drawn from")
    n_hits = models.PositiveBigIntegerField(
        help_text="Of the query then, of which the lines are drawn"
    )
    base_tokens = models.PositiveBigIntegerField(help_text="That the hits were looked for in")
    n_lines = models.PositiveIntegerField(help_text="That were drawn")
    seed = models.PositiveIntegerField(null=True, help_text="Of random lines; null: the first")
    is_shared = models.BooleanField(default=False, help_text="Others may mark it too")
    carried_from = models.ForeignKey(
        "self", null=True, on_delete=models.SET_NULL, related_name="carried"
    )
    created_at = models.DateTimeField()
    opened_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-created_at", "-pk"]

    def __str__(self) -> str:
        return self.name

    @property
    def is_open(self) -> bool:
        return self.opened_at is not None

    @property
    def is_carried(self) -> bool:
        """Whether its lines were drawn from an older generation."""
        return self.drawn_at != self.generation


class MarkedLine(models.Model):
    """A hit of a marking: text, first token in it, length in tokens, and its words to check by."""

    marking = models.ForeignKey(Marking, on_delete=models.CASCADE, related_name="lines")
    number = models.PositiveIntegerField(help_text="From 1, in the order they were drawn")
    kind = models.PositiveSmallIntegerField(help_text="As the index counts: 1 article, 2 comment …")
    key = models.BigIntegerField(help_text="Of the text, within its kind")
    article_key = models.BigIntegerField(help_text="The article, or the one commented on")
    position = models.PositiveIntegerField()
    length = models.PositiveIntegerField()
    words = models.TextField(help_text="That matched, as they are written")

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(fields=["marking", "number"], name="markedline_number_once")
        ]
        # For the lines of a text that is erased.
        indexes = [
            models.Index(fields=["article_key"], name="markedline_article"),
            models.Index(fields=["key"], name="markedline_comment", condition=models.Q(kind=2)),
        ]

    def __str__(self) -> str:
        return f"{self.number}: {self.words}"


class Marker(models.Model):
    """Somebody who marks; the name stays when the account goes."""

    marking = models.ForeignKey(Marking, on_delete=models.CASCADE, related_name="markers")
    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    name = models.CharField(max_length=150)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(fields=["marking", "person"], name="marker_person_once")
        ]

    def __str__(self) -> str:
        return self.name


class LineMark(models.Model):
    """What somebody says of a line: a category, that it is to be left out, a note."""

    line = models.ForeignKey(MarkedLine, on_delete=models.CASCADE, related_name="marks")
    marker = models.ForeignKey(Marker, on_delete=models.CASCADE, related_name="marks")
    value = models.PositiveSmallIntegerField(
        null=True,
        validators=[MaxValueValidator(MOST_CATEGORIES)],
        help_text="Place of the category from 1; 0: left out; null: a note alone",
    )
    note = models.CharField(max_length=LONGEST_NOTE, blank=True, default="")
    marked_at = models.DateTimeField()

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(fields=["marker", "line"], name="linemark_once"),
            models.CheckConstraint(
                condition=models.Q(value=None) | models.Q(value__lte=MOST_CATEGORIES),
                name="linemark_value_known",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.line_id}: {self.value}"
