"""What users keep: ignored words, subcorpora, word lists, sketch grammars, queries."""

from django.conf import settings
from django.db import models


class IgnoredWord(models.Model):
    """A word that new words leave out for ever, until somebody takes it back.

    `word` is in small letters, as the list of new words has it.
    """

    word = models.CharField(max_length=100, unique=True)
    ignored_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    ignored_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-ignored_at", "word"]
        constraints = [
            models.CheckConstraint(condition=~models.Q(word=""), name="ignoredword_not_empty")
        ]

    def __str__(self) -> str:
        return self.word


class TextSet(models.Model):
    """Texts named one by one; it never changes, and equal sets are one row."""

    digest = models.CharField(max_length=32, unique=True, help_text="blake2b-128 of its numbers")
    n_texts = models.PositiveIntegerField()
    body = models.BinaryField(help_text="Differences of sorted kinds and keys; packed by zlib")

    def __str__(self) -> str:
        return self.digest


class Subcorpus(models.Model):
    """Some of the texts, kept under a name; what it is made of never changes.

    `filters` is a query string of the search form, to which a search adds its own filters. With a
    `definition` (see `search.asking.definitions`) it is a set of texts instead: worked out anew
    for each generation, or, if it is `pinned`, that of `generation` for ever.
    """

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="subcorpora"
    )
    name = models.CharField(max_length=100)
    slug = models.SlugField(max_length=100, unique=True)
    filters = models.TextField(blank=True, default="")
    definition = models.JSONField(null=True, blank=True)
    pinned = models.ForeignKey(
        TextSet, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    generation = models.PositiveBigIntegerField(null=True, blank=True)
    sets = models.ManyToManyField(TextSet, related_name="subcorpora", blank=True)
    is_shared = models.BooleanField(default=False)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["name"]
        verbose_name_plural = "subcorpora"
        constraints = [
            models.UniqueConstraint(fields=["owner", "name"], name="subcorpus_name_once")
        ]

    def __str__(self) -> str:
        return self.name


class WordList(models.Model):
    """Words that queries in CQL name as `$name`; everybody may use them.

    A list never changes, so that the numbers of permanent links that rest on it stay true.
    """

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="word_lists"
    )
    name = models.CharField(max_length=40, unique=True)
    words = models.TextField(help_text="A word a line")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return f"${self.name}"

    @property
    def members(self) -> tuple[str, ...]:
        return tuple(self.words.split("\n"))


class Macro(models.Model):
    """A piece of CQL that queries name as `/name[…]`; everybody may use it.

    Like a word list it never changes.
    """

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="macros"
    )
    name = models.CharField(max_length=40, unique=True)
    text = models.TextField(help_text="CQL; $0 to $9 stand for what is given in its brackets")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return f"/{self.name}"


class SketchGrammar(models.Model):
    """A version of a language's sketch grammar; the newest one is in force.

    An empty text is the grammar as shipped. Versions never change.
    """

    language = models.CharField(max_length=8)
    version = models.PositiveIntegerField()
    text = models.TextField(blank=True, default="")
    note = models.CharField(max_length=200, blank=True, default="")
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["language", "-version"]
        constraints = [
            models.UniqueConstraint(
                fields=["language", "version"], name="sketchgrammar_version_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.language} {self.version}"


class SavedQuery(models.Model):
    """A query with its filters and the numbers of its day; its short address is `/c/<short>/`."""

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="queries",
    )
    short = models.SlugField(max_length=16, unique=True)
    name = models.CharField(max_length=100, blank=True, default="")
    parameters = models.TextField(help_text="Query string of the search address, asof included")
    note = models.TextField(blank=True, default="")
    generation = models.PositiveBigIntegerField()
    n_hits = models.PositiveBigIntegerField()
    digest = models.CharField(
        max_length=64, blank=True, default="", help_text="SHA-256 of the list of hits"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-created_at"]
        verbose_name_plural = "saved queries"

    def __str__(self) -> str:
        return self.name or self.short


class ReferenceList(models.Model):
    """Words with frequencies of a corpus elsewhere, for keyness.

    It never changes, so that the numbers of permanent links that rest on it stay true.
    """

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    name = models.SlugField(max_length=40, unique=True)
    source = models.TextField(help_text="Corpus, its makers and its licence")
    n_words = models.PositiveIntegerField()
    n_tokens = models.PositiveBigIntegerField(help_text="Of the corpus it was counted in")
    body = models.BinaryField(help_text="word, tab, frequency a line; packed by zlib")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name
