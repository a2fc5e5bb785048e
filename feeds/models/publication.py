"""A publication: a newspaper with its home page, its feeds and what was learnt about it."""

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models

from feeds.models.work import Work

# Of the requests to a host; new articles come first whatever it says.
DEFAULT_VISIT_SHARE = 0.5
MOST_VISIT_SHARE = 0.9


class PublicationState(models.TextChoices):
    DRAFT = "draft", "Draft"
    ACTIVE = "active", "Active"
    PAUSED = "paused", "Paused"


class PublicationKind(models.TextChoices):
    """Where the texts of a publication come from."""

    SITE = "site", "Newspaper"  # a site that is followed, or whose pages were imported
    COLLECTION = "collection", "Collection"  # texts that somebody gave: no site, feeds or pages


# In characters; stories below it are uninteresting.
DEFAULT_MIN_CHARACTERS = 500


class TakenKind(models.TextChoices):
    """What is left out of the corpus unless a publication takes it all the same."""

    GALLERY = "gallery", "Galleries"
    VIDEO = "video", "Video pages"
    TWIN = "twin", "Articles that share the last part of their address with an earlier one"


class RightsPolicy(models.TextChoices):
    """What follows where a site reserves its rights: each rung leaves out more."""

    AS_FOR_ALL = "", "As for all publications"
    RECORD = "record", "Record and show it; exports mark it"
    NO_EXPORT = "no_export", "Leave the text out of exports"
    NO_INDEX = "no_index", "Leave the text out of the corpus"
    NO_ARCHIVE = "no_archive", "Keep no copy of the page"


class Tag(models.Model):
    """A word that editors group publications by."""

    name = models.CharField(max_length=60, unique=True)

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name


class Sites(models.Manager["Publication"]):
    """All newspapers, those too that were deleted."""

    def get_queryset(self) -> models.QuerySet["Publication"]:
        return super().get_queryset().filter(kind=PublicationKind.SITE)


class KeptPublications(models.Manager["Publication"]):
    """All newspapers but those that were deleted."""

    def get_queryset(self) -> models.QuerySet["Publication"]:
        return super().get_queryset().filter(kind=PublicationKind.SITE, deleted_at=None)


class KeptCollections(models.Manager["Publication"]):
    """All collections of texts but those that were removed."""

    def get_queryset(self) -> models.QuerySet["Publication"]:
        return super().get_queryset().filter(kind=PublicationKind.COLLECTION, deleted_at=None)


class Publication(models.Model):
    name = models.CharField(max_length=200)
    slug = models.SlugField(max_length=80, unique=True)
    kind = models.CharField(
        max_length=10, choices=PublicationKind.choices, default=PublicationKind.SITE
    )
    home_url = models.URLField(max_length=2048, help_text="Empty for a collection")
    language = models.CharField(
        max_length=20, blank=True, default="", help_text="As the site declares it"
    )
    # A prior of the language model: ahead of others where few words say little.
    expected_languages = models.CharField(
        max_length=60, blank=True, default="", help_text="Codes with commas, such as en, af"
    )
    time_zone = models.CharField(
        max_length=60, blank=True, default="", help_text="Of dates that name none; IANA name"
    )
    state = models.CharField(
        max_length=6, choices=PublicationState.choices, default=PublicationState.DRAFT
    )
    # The fallback after a 403, off unless an editor permits it.
    allow_browser_agent = models.BooleanField(
        default=False, help_text="After a 403, ask once more with a browser's User-Agent"
    )
    allow_proxy = models.BooleanField(
        default=False, help_text="After a block, ask through a proxy of the pool"
    )
    render_pages = models.BooleanField(
        default=False, help_text="Let a browser draw its articles, whose text scripts write"
    )
    min_delay_seconds = models.FloatField(
        null=True,
        blank=True,
        validators=[MinValueValidator(0)],
        help_text="Between two requests; never below robots.txt",
    )
    include_pattern = models.CharField(
        max_length=500,
        blank=True,
        default="",
        help_text="Only addresses that match this pattern (RE2)",
    )
    exclude_pattern = models.CharField(
        max_length=500,
        blank=True,
        default="",
        help_text="No address that matches this pattern (RE2)",
    )
    # How far its pages are visited again, and what becomes of their texts.
    visit_share = models.FloatField(
        default=DEFAULT_VISIT_SHARE,
        validators=[MinValueValidator(0), MaxValueValidator(0.9)],
        help_text="Largest share of the requests to its hosts that goes to pages fetched before; "
        "0 visits each page once",
    )
    min_characters = models.PositiveIntegerField(
        default=DEFAULT_MIN_CHARACTERS, help_text="A shorter text is left out of the corpus"
    )
    taken_kinds = models.JSONField(
        default=list, blank=True, help_text="Kinds that are taken all the same: gallery, video …"
    )
    rights_policy = models.CharField(
        max_length=10, choices=RightsPolicy.choices, blank=True, default=RightsPolicy.AS_FOR_ALL
    )
    comments_keep_days = models.PositiveSmallIntegerField(
        null=True,
        blank=True,
        validators=[MaxValueValidator(365)],
        help_text="Comments of a thread that does not close are taken after so many days",
    )
    # Measured over threads that were seen open and then closed.
    comments_open_days = models.FloatField(null=True, blank=True, editable=False)
    quiet_after_days = models.PositiveSmallIntegerField(
        null=True,
        blank=True,
        validators=[MinValueValidator(1), MaxValueValidator(365)],
        help_text="Days without a new article until an alarm; empty: learnt from its own pattern",
    )
    created_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True, blank=True)
    # Since when it is paused; empty for older pauses.
    paused_at = models.DateTimeField(null=True, blank=True, editable=False)
    note = models.TextField(blank=True, default="")
    tags = models.ManyToManyField(Tag, blank=True, related_name="publications")
    # Its texts are withdrawn and its row is kept for them; lists are without it.
    deleted_at = models.DateTimeField(null=True, blank=True, editable=False)

    objects = models.Manager["Publication"]()
    sites = Sites()
    kept = KeptPublications()
    collections = KeptCollections()

    class Meta:
        ordering = ["name"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(kind__in=PublicationKind.values),
                name="publication_kind_known",
            ),
            models.CheckConstraint(
                condition=models.Q(state__in=PublicationState.values),
                name="publication_state_known",
            ),
            models.CheckConstraint(
                condition=models.Q(min_delay_seconds__isnull=True)
                | models.Q(min_delay_seconds__gte=0),
                name="publication_delay_not_negative",
            ),
            models.CheckConstraint(
                condition=models.Q(visit_share__gte=0, visit_share__lte=0.9),
                name="publication_visit_share_known",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def is_collection(self) -> bool:
        """Whether its texts were given by somebody and stand on no page."""
        return self.kind == PublicationKind.COLLECTION

    @property
    def prior_languages(self) -> tuple[str, ...]:
        """Codes of the languages it is expected in: those an editor named, else the declared."""
        named = self.expected_languages or self.language.replace("_", "-").partition("-")[0]
        return tuple(code for code in (part.strip().lower() for part in named.split(",")) if code)


class PublicationChange(models.Model):
    """One setting of a publication that somebody changed; never changed itself.

    Written by `feeds/sources/settings_history.py`.
    """

    publication = models.ForeignKey(Publication, on_delete=models.CASCADE, related_name="changes")
    field = models.CharField(max_length=40, help_text="The column")
    before = models.TextField(blank=True, default="")
    after = models.TextField(blank=True, default="")
    # Empty for a command.
    made_by = models.ForeignKey(
        "accounts.User", null=True, on_delete=models.SET_NULL, related_name="+"
    )
    made_at = models.DateTimeField()

    class Meta:
        ordering = ["-made_at", "-pk"]
        indexes = [models.Index(fields=["publication", "made_at"], name="change_of_publication")]

    def __str__(self) -> str:
        return f"{self.field} of {self.publication_id}"

    @property
    def label(self) -> str:
        """Name of the setting as people read it: "min delay seconds"."""
        return self.field.replace("_", " ")


class SourceDraft(Work):
    """What the wizard found at an address, and what its editor decided of it so far.

    The editor may leave and come back (`/sources/add/?draft=`). It is due while the address is to
    be looked up, which a stage does. Written by `corpus_site/adding/`.
    """

    address = models.CharField(max_length=2048)
    owner = models.ForeignKey("accounts.User", on_delete=models.CASCADE, related_name="drafts")
    progress = models.JSONField(default=dict, blank=True, help_text="Of the look-up")
    findings = models.JSONField(default=dict, blank=True)
    choices = models.JSONField(default=dict, blank=True, help_text="Name, feeds, patterns so far")
    rules = models.JSONField(default=list, blank=True, help_text="In the order of their picking")
    is_change = models.BooleanField(default=False, help_text="Of a source that is followed already")
    publication = models.ForeignKey(
        Publication, null=True, blank=True, on_delete=models.SET_NULL, related_name="drafts"
    )
    created_at = models.DateTimeField()

    class Meta(Work.Meta):
        abstract = False
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return self.address


class DraftPage(models.Model):
    """A sample of a draft as it came, kept until the draft ends: rules are picked on it."""

    draft = models.ForeignKey(SourceDraft, on_delete=models.CASCADE, related_name="pages")
    url = models.CharField(max_length=2048, help_text="The final address")
    content_type = models.CharField(max_length=200, blank=True, default="")
    body = models.BinaryField(help_text="Decoded bytes, compressed by zlib")
    entry = models.JSONField(default=dict, blank=True, help_text="What the feed says of it")

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return self.url
