"""A text of a collection: by what it is known when its file is given again."""

from django.db import models


class CollectedText(models.Model):
    """What is known of an article that was given as a text; written by `stage/collected_rows.py`.

    `key` is the digest of its name, or of all that was given where its file names none;
    `given_digest` that of all that was given, so that the same file changes nothing when it is
    imported again. `seen_in` is the number of the last import that held it: an import that names
    two texts alike keeps both.
    """

    article = models.OneToOneField(
        "extraction.Article", on_delete=models.CASCADE, related_name="collected"
    )
    collection = models.ForeignKey(
        "feeds.Publication", on_delete=models.CASCADE, related_name="collected_texts"
    )
    key = models.CharField(max_length=64)
    name = models.CharField(
        max_length=500, blank=True, default="", help_text="As its file names it"
    )
    file_name = models.CharField(max_length=500, blank=True, default="")
    seen_in = models.PositiveBigIntegerField(default=0)
    given_digest = models.CharField(max_length=64, blank=True, default="")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["collection", "key"], name="collected_text_once"),
        ]

    def __str__(self) -> str:
        return self.name or f"text {self.article_id}"


class CollectedField(models.Model):
    """A column that a file names and we have none for, with its value for one text.

    Written with its text by `stage/collected_rows.py`.
    """

    article = models.ForeignKey(
        "extraction.Article", on_delete=models.CASCADE, related_name="own_fields"
    )
    name = models.CharField(max_length=60)
    value = models.CharField(max_length=200)

    class Meta:
        ordering = ["article", "name"]
        constraints = [
            models.UniqueConstraint(fields=["article", "name"], name="collected_field_once"),
        ]
        # The texts of a value, for filters, and the values there are.
        indexes = [models.Index(fields=["name", "value"], name="collected_field_value")]

    def __str__(self) -> str:
        return f"{self.name}: {self.value}"
