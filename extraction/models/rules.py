"""Rules of the publications in versions; trials of a draft, pages to read again."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from extraction.html.site_rules.rules import RuleField, RuleKind
from feeds.models import AskedWork

FIELD_NAMES = [(field.value, field.value.capitalize()) for field in RuleField]
_KIND_WORDS = {
    RuleKind.CSS: "CSS selector",
    RuleKind.XPATH: "XPath",
    RuleKind.TAG: "Tag, attribute, value",
    RuleKind.TEXT: "Static text",
    RuleKind.REGEX: "Pattern (RE2)",
    RuleKind.JSON: "Path in embedded JSON",
}
KIND_NAMES = [(kind.value, _KIND_WORDS[kind]) for kind in RuleKind]


class RuleVersion(models.Model):
    """The rules of a publication from some day on: a draft until it is published.

    A page is read with the published version of the highest number that is valid at the moment the
    page was fetched, so an old version goes on serving the pages of its layout. Published versions
    never change: a correction, and an undoing, is the next version.
    """

    publication = models.ForeignKey(
        "feeds.Publication", on_delete=models.CASCADE, related_name="rule_versions"
    )
    number = models.PositiveIntegerField()
    note = models.TextField(blank=True, default="", help_text="Why there is this version")
    reason = models.TextField(
        blank=True, default="", help_text="Why it was published although articles got worse"
    )
    valid_from = models.DateTimeField(
        null=True, blank=True, help_text="For pages fetched since then; empty: for all"
    )
    published_at = models.DateTimeField(null=True, blank=True, help_text="Empty: a draft")
    published_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField()

    class Meta:
        ordering = ["publication", "-number"]
        constraints = [
            models.UniqueConstraint(fields=["publication", "number"], name="ruleversion_number"),
            models.UniqueConstraint(
                fields=["publication"],
                condition=Q(published_at=None),
                name="ruleversion_one_draft",
            ),
        ]

    def __str__(self) -> str:
        return f"version {self.number}"


class SiteRule(models.Model):
    """How a field is found on a publication's pages, or what is removed from them."""

    version = models.ForeignKey(RuleVersion, on_delete=models.CASCADE, related_name="rules")
    field = models.CharField(max_length=7, choices=FIELD_NAMES)
    kind = models.CharField(max_length=5, choices=KIND_NAMES)
    position = models.PositiveSmallIntegerField(
        default=0, help_text="Rules of a field are tried in this order"
    )
    selector = models.TextField(
        blank=True, default="", help_text="CSS, XPath, static text, pattern or JSON path"
    )
    tag_type = models.CharField(max_length=30, blank=True, default="")
    attribute_name = models.CharField(max_length=60, blank=True, default="")
    attribute_value = models.CharField(max_length=300, blank=True, default="")
    value_is_regex = models.BooleanField(default=False)
    split_string = models.CharField(max_length=200, blank=True, default="")
    split_index = models.SmallIntegerField(
        default=0, help_text="Which piece; counts only with a split string"
    )
    note = models.TextField(blank=True, default="")

    class Meta:
        ordering = ["version", "field", "position", "pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(field__in=[name for name, _ in FIELD_NAMES]),
                name="siterule_field_known",
            ),
            models.CheckConstraint(
                condition=Q(kind__in=[name for name, _ in KIND_NAMES]),
                name="siterule_kind_known",
            ),
            # No rule twice.
            models.UniqueConstraint(
                fields=[
                    "version",
                    "field",
                    "kind",
                    "selector",
                    "tag_type",
                    "attribute_name",
                    "attribute_value",
                    "split_string",
                    "split_index",
                ],
                name="siterule_once",
            ),
            models.CheckConstraint(
                condition=Q(kind="tag", tag_type__gt="") | (~Q(kind="tag") & Q(selector__gt="")),
                name="siterule_says_something",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.field}: {self.selector or self.tag_type}"


class RereadPage(models.Model):
    """A page that a published version makes due again, with what its article was before."""

    version = models.ForeignKey(RuleVersion, on_delete=models.CASCADE, related_name="reread")
    page = models.ForeignKey("feeds.Page", on_delete=models.CASCADE, related_name="+")
    n_words = models.PositiveIntegerField(default=0)
    text_digest = models.CharField(max_length=64, blank=True, default="")
    title = models.TextField(blank=True, default="")
    authors = models.JSONField(
        null=True, blank=True, help_text="Null: only the text was kept, or there was no article"
    )
    published_at = models.DateTimeField(null=True, blank=True)
    modified_at = models.DateTimeField(null=True, blank=True)
    section = models.CharField(max_length=200, blank=True, default="")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["version", "page"], name="rereadpage_once"),
        ]

    def __str__(self) -> str:
        return f"page {self.page_id} again"


class DryRun(AskedWork):
    """A draft tried on all stored articles of its publication, a slice a turn."""

    version = models.OneToOneField(RuleVersion, on_delete=models.CASCADE, related_name="dry_run")
    rules_digest = models.CharField(max_length=24, help_text="Of the rules that are tried")
    last_article = models.BigIntegerField(default=0, help_text="The next slice begins behind it")
    n_articles = models.PositiveIntegerField(default=0)
    counts = models.JSONField(default=dict, blank=True, help_text="Verdict to number of articles")
    changes = models.JSONField(
        default=dict, blank=True, help_text="changed, shorter, emptied: number of articles"
    )
    examples = models.JSONField(
        default=list, blank=True, help_text="[article, verdict, reason] of the first that got worse"
    )

    class Meta(AskedWork.Meta):
        abstract = False

    def __str__(self) -> str:
        return f"dry run of version {self.version_id}"
