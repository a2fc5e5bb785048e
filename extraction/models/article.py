"""Articles: the text of a page with its metadata."""

from django.db import models
from django.db.models import Q

# Stands in `Article.sources` for what an editor has written.
EDITOR = "editor"
SECTION_CHARACTERS = 200


class AddressStart(models.Func):
    """First 200 characters of an address: what fits into an index whatever a site writes.

    The number stands in the SQL, as SQLite finds an index of an expression by its very words.
    """

    function = "SUBSTR"
    template = "%(function)s(%(expressions)s, 1, 200)"
    output_field = models.CharField()


START_CHARACTERS = 200  # of `AddressStart`


class ArticleKind(models.TextChoices):
    TEXT = "text", "Text"
    GALLERY = "gallery", "Gallery"
    VIDEO = "video", "Video"
    SHORT = "short", "Short"
    POST = "post", "Post"  # of a microblog


class RightsSaid(models.TextChoices):
    """What a site says of text and data mining, in the sense of a reservation of rights."""

    NOTHING = "", "Nothing said"
    RESERVED = "reserved", "Reserved"
    GRANTED = "granted", "Granted"


class ShownArticles(models.Manager["Article"]):
    """All articles but those that were withdrawn: what pages, lists and counts may tell of."""

    def get_queryset(self) -> models.QuerySet["Article"]:
        return super().get_queryset().filter(withdrawn_at=None)


class Article(models.Model):
    """The text of a page. Never deleted: what is left out of the corpus keeps its reason."""

    # Empty for a text of a collection, which was on no page.
    page = models.OneToOneField(
        "feeds.Page", null=True, blank=True, on_delete=models.PROTECT, related_name="article"
    )
    publication = models.ForeignKey(
        "feeds.Publication", on_delete=models.PROTECT, related_name="articles"
    )
    url = models.CharField(max_length=2048)
    slug = models.CharField(max_length=200, blank=True, default="")
    title = models.TextField(blank=True, default="")
    standfirst = models.TextField(blank=True, default="")
    authors = models.JSONField(default=list, blank=True)
    agencies = models.JSONField(
        default=list, blank=True, help_text="News agencies and houses that sign beside the authors"
    )
    section = models.CharField(max_length=SECTION_CHARACTERS, blank=True, default="")
    tags = models.JSONField(default=list, blank=True)
    canonical_url = models.CharField(
        max_length=2048, blank=True, default="", help_text="As the page declares it; same site"
    )
    declared_language = models.CharField(max_length=20, blank=True, default="")
    is_paywalled = models.BooleanField(default=False)
    published_at = models.DateTimeField(null=True, blank=True)
    modified_at = models.DateTimeField(null=True, blank=True)
    # Moments are stored in UTC; in which zone the source wrote them is kept beside.
    published_offset = models.SmallIntegerField(
        null=True, blank=True, help_text="Minutes east of UTC"
    )
    modified_offset = models.SmallIntegerField(
        null=True, blank=True, help_text="Minutes east of UTC"
    )
    # What filters, sorting and the index use: published_at, else when the page was found.
    dated_at = models.DateTimeField()
    text = models.TextField(blank=True, default="")
    captions = models.TextField(
        blank=True, default="", help_text="One a line; they are not part of the running text"
    )
    blocks = models.JSONField(
        default=list,
        blank=True,
        help_text="[kind, start, end] in page order, in code points of text, line feed, captions",
    )
    text_digest = models.CharField(max_length=64, help_text="blake2b-128 of the normalised text")
    n_words = models.PositiveIntegerField(default=0)
    kind = models.CharField(max_length=7, choices=ArticleKind.choices, default=ArticleKind.TEXT)
    in_corpus = models.BooleanField(default=True)
    reason = models.CharField(
        max_length=300, blank=True, default="", help_text="Why it is not in the corpus"
    )
    slug_twin = models.ForeignKey(
        "self",
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="slug_twins",
        help_text="The article of this site with the same slug that came first",
    )
    language = models.CharField(max_length=12, blank=True, default="")
    language_reason = models.CharField(max_length=300, blank=True, default="")
    unknown_share = models.FloatField(
        null=True, blank=True, help_text="Distinct words outside the vocabulary, 0 to 1"
    )
    running_unknown_share = models.FloatField(
        null=True, blank=True, help_text="Running words outside the vocabulary, 0 to 1"
    )
    other_languages = models.JSONField(
        default=list,
        blank=True,
        help_text="[start, end, code] of paragraphs in another language, in code points",
    )
    extractor = models.CharField(max_length=30, blank=True, default="")
    confidence = models.FloatField(null=True, blank=True)
    sources = models.JSONField(default=dict, blank=True, help_text="Field to the source that won")
    disagreements = models.JSONField(
        default=dict, blank=True, help_text="Field to [source, value] of those that say else"
    )
    fetch = models.ForeignKey("feeds.Fetch", null=True, on_delete=models.SET_NULL, related_name="+")
    n_versions = models.PositiveSmallIntegerField(
        default=1, help_text="Texts that the page has shown so far, this one included"
    )
    # When the text that stands here was first seen, where it is not the page's first.
    changed_at = models.DateTimeField(null=True, blank=True)
    # Out of the corpus by an editor's word; what the text is kept for is in the register.
    withdrawn_at = models.DateTimeField(null=True, blank=True)
    # Nothing is left of it but this row, which keeps its number from being given again.
    erased_at = models.DateTimeField(null=True, blank=True)
    rights = models.CharField(
        max_length=8, choices=RightsSaid.choices, blank=True, default=RightsSaid.NOTHING
    )
    rights_said = models.JSONField(
        default=list, blank=True, help_text="[source, words] of each reservation that was met"
    )
    created_at = models.DateTimeField()
    updated_at = models.DateTimeField()

    objects = models.Manager["Article"]()
    shown = ShownArticles()

    class Meta:
        ordering = ["-dated_at", "-pk"]
        indexes = [
            # Counts take these off those of all: few are ever withdrawn.
            models.Index(
                fields=["dated_at"], name="article_withdrawn", condition=~Q(withdrawn_at=None)
            ),
            models.Index(fields=["-dated_at"], name="article_dated"),
            models.Index(fields=["-created_at"], name="article_created"),
            # For what came in last from the web: a collection may bring a million at once.
            models.Index(
                fields=["-created_at"], name="article_visited", condition=Q(page__isnull=False)
            ),
            models.Index(fields=["publication", "-dated_at"], name="article_publication_dated"),
            models.Index(fields=["publication", "slug"], name="article_publication_slug"),
            # The shortest and longest texts of a paper, and its galleries: samples for rules.
            models.Index(fields=["publication", "kind", "n_words"], name="article_kind_words"),
            # For addresses without words, which no slug finds.
            models.Index(AddressStart("url"), name="article_wordless_url", condition=Q(slug="")),
            models.Index(
                AddressStart("canonical_url"),
                name="article_wordless_canonical",
                condition=Q(slug=""),
            ),
            models.Index(fields=["text_digest"], name="article_digest"),
            # For counts by publication: most texts bear no word on rights.
            models.Index(
                fields=["publication", "rights"], name="article_rights", condition=~Q(rights="")
            ),
            # For the list of what has changed lately: few articles ever do.
            models.Index(
                fields=["-changed_at"], name="article_changed", condition=~Q(changed_at=None)
            ),
        ]
        constraints = [
            models.CheckConstraint(
                condition=Q(kind__in=ArticleKind.values), name="article_kind_known"
            ),
            models.CheckConstraint(
                condition=Q(in_corpus=True) | ~Q(reason=""), name="article_left_out_for_a_reason"
            ),
        ]

    def __str__(self) -> str:
        return self.title or self.url or "untitled text"

    @property
    def shown_title(self) -> str:
        """Name for links of other pages, which may not tell of what was withdrawn."""
        return "withdrawn article" if self.withdrawn_at else str(self)

    @property
    def whole_text(self) -> str:
        """The running text and the captions behind it: what the blocks count their places in."""
        return f"{self.text}\n{self.captions}" if self.captions else self.text
