"""A publication: a newspaper with its home page, its feeds and what was learnt about it."""

from django.core.validators import MinValueValidator
from django.db import models


class PublicationState(models.TextChoices):
    DRAFT = "draft", "Draft"
    ACTIVE = "active", "Active"
    PAUSED = "paused", "Paused"


class Publication(models.Model):
    name = models.CharField(max_length=200)
    slug = models.SlugField(max_length=80, unique=True)
    home_url = models.URLField(max_length=2048)
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
    # Measured over threads that were seen open and then closed.
    comments_open_days = models.FloatField(null=True, blank=True, editable=False)
    created_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True, blank=True)
    # Since when it is paused; empty for older pauses.
    paused_at = models.DateTimeField(null=True, blank=True, editable=False)
    note = models.TextField(blank=True, default="")

    class Meta:
        ordering = ["name"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(state__in=PublicationState.values),
                name="publication_state_known",
            ),
            models.CheckConstraint(
                condition=models.Q(min_delay_seconds__isnull=True)
                | models.Q(min_delay_seconds__gte=0),
                name="publication_delay_not_negative",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def prior_languages(self) -> tuple[str, ...]:
        """Codes of the languages it is expected in: those an editor named, else the declared."""
        named = self.expected_languages or self.language.replace("_", "-").partition("-")[0]
        return tuple(code for code in (part.strip().lower() for part in named.split(",")) if code)


class SourceDraft(models.Model):
    """What the wizard found at an address.

    The editor may leave and come back (`/sources/add/?draft=`).
    """

    address = models.CharField(max_length=2048)
    owner = models.ForeignKey("accounts.User", on_delete=models.CASCADE, related_name="drafts")
    findings = models.JSONField(default=dict)
    publication = models.ForeignKey(
        Publication, null=True, blank=True, on_delete=models.SET_NULL, related_name="drafts"
    )
    created_at = models.DateTimeField()

    class Meta:
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return self.address
