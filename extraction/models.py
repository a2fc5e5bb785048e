"""Tables of the texts: rules per site, articles, threads and comments, and the stage's own rows."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from feeds.models import Work


class RuleField(models.TextChoices):
    TITLE = "title", "Title"
    AUTHOR = "author", "Author"
    DATE = "date", "Date"
    BODY = "body", "Body"
    SECTION = "section", "Section"
    REMOVE = "remove", "Remove"


class RuleKind(models.TextChoices):
    CSS = "css", "CSS selector"
    XPATH = "xpath", "XPath"
    TAG = "tag", "Tag, attribute, value"
    TEXT = "text", "Static text"
    REGEX = "regex", "Pattern (RE2)"
    JSON = "json", "Path in embedded JSON"


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
    """How a field is found on a publication's pages, or what is removed from them (COR-19.

    COR-76, COR-77, COR-106).
    """

    version = models.ForeignKey(RuleVersion, on_delete=models.CASCADE, related_name="rules")
    field = models.CharField(max_length=7, choices=RuleField.choices)
    kind = models.CharField(max_length=5, choices=RuleKind.choices)
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
                condition=Q(field__in=RuleField.values), name="siterule_field_known"
            ),
            models.CheckConstraint(
                condition=Q(kind__in=RuleKind.values), name="siterule_kind_known"
            ),
            # KWB-22: no rule twice.
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


class Extraction(Work):
    """The extract stage's row of a page. Done when `done_digest` is the digest of its input."""

    page = models.OneToOneField("feeds.Page", on_delete=models.CASCADE, related_name="extraction")
    done_digest = models.CharField(max_length=80, blank=True, default="")
    outcome = models.CharField(
        max_length=24, blank=True, default="", help_text="stored, empty, comments …"
    )
    outcome_detail = models.CharField(max_length=300, blank=True, default="")
    extracted_at = models.DateTimeField(null=True, blank=True)
    elapsed_ms = models.PositiveIntegerField(default=0)
    rule_version = models.PositiveIntegerField(
        null=True, blank=True, help_text="Number of the rules that were used"
    )
    rule_reports = models.JSONField(
        default=list, blank=True, help_text="[rule, matched, problem] of each rule tried"
    )

    class Meta(Work.Meta):
        abstract = False

    def __str__(self) -> str:
        return f"extraction of page {self.page_id}"


class RereadPage(models.Model):
    """A page that a published version makes due again, with what its article was before."""

    version = models.ForeignKey(RuleVersion, on_delete=models.CASCADE, related_name="reread")
    page = models.ForeignKey("feeds.Page", on_delete=models.CASCADE, related_name="+")
    n_words = models.PositiveIntegerField(default=0)
    text_digest = models.CharField(max_length=64, blank=True, default="")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["version", "page"], name="rereadpage_once"),
        ]

    def __str__(self) -> str:
        return f"page {self.page_id} again"


class DryRun(Work):
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
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta(Work.Meta):
        abstract = False

    def __str__(self) -> str:
        return f"dry run of version {self.version_id}"


class ArticleKind(models.TextChoices):
    TEXT = "text", "Text"
    GALLERY = "gallery", "Gallery"
    VIDEO = "video", "Video"
    SHORT = "short", "Short"


class Article(models.Model):
    """The text of a page. Never deleted: what is left out of the corpus keeps its reason."""

    page = models.OneToOneField("feeds.Page", on_delete=models.PROTECT, related_name="article")
    publication = models.ForeignKey(
        "feeds.Publication", on_delete=models.PROTECT, related_name="articles"
    )
    url = models.CharField(max_length=2048)
    slug = models.CharField(max_length=200, blank=True, default="")
    title = models.TextField(blank=True, default="")
    standfirst = models.TextField(blank=True, default="")
    authors = models.JSONField(default=list, blank=True)
    section = models.CharField(max_length=200, blank=True, default="")
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
        help_text="COR-51",
    )
    language = models.CharField(max_length=12, blank=True, default="")
    language_reason = models.CharField(max_length=300, blank=True, default="")
    unknown_share = models.FloatField(
        null=True, blank=True, help_text="Distinct words outside the vocabulary, 0 to 1"
    )
    extractor = models.CharField(max_length=30, blank=True, default="")
    confidence = models.FloatField(null=True, blank=True)
    sources = models.JSONField(default=dict, blank=True, help_text="Field to the source that won")
    disagreements = models.JSONField(
        default=dict, blank=True, help_text="Field to [source, value] of those that say else"
    )
    fetch = models.ForeignKey("feeds.Fetch", null=True, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField()
    updated_at = models.DateTimeField()

    class Meta:
        ordering = ["-dated_at", "-pk"]
        indexes = [
            models.Index(fields=["-dated_at"], name="article_dated"),
            models.Index(fields=["-created_at"], name="article_created"),
            models.Index(fields=["publication", "-dated_at"], name="article_publication_dated"),
            models.Index(fields=["publication", "slug"], name="article_publication_slug"),
            models.Index(fields=["text_digest"], name="article_digest"),
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
        return self.title or self.url

    @property
    def whole_text(self) -> str:
        """The running text and the captions behind it: what the blocks count their places in."""
        return f"{self.text}\n{self.captions}" if self.captions else self.text


class CommentThread(models.Model):
    """The readers' comments under one article.

    Where they are, and whether the thread is closed (COR-33).
    """

    article = models.OneToOneField(Article, on_delete=models.CASCADE, related_name="thread")
    page = models.ForeignKey("feeds.Page", null=True, on_delete=models.SET_NULL, related_name="+")
    system = models.CharField(max_length=20)
    forum = models.CharField(max_length=100, blank=True, default="")
    identifier = models.CharField(max_length=500, blank=True, default="")
    remote_id = models.CharField(max_length=60, blank=True, default="")
    is_closed = models.BooleanField(default=False)
    closed_seen_at = models.DateTimeField(null=True, blank=True)
    checked_at = models.DateTimeField(null=True, blank=True)
    n_posts = models.PositiveIntegerField(default=0, help_text="As the system counts them")

    def __str__(self) -> str:
        return f"{self.system} thread of article {self.article_id}"


class Comment(models.Model):
    """One reader's comment with the fields of COR-30, avatars left out (COR-31)."""

    article = models.ForeignKey(Article, on_delete=models.CASCADE, related_name="comments")
    parent = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.SET_NULL, related_name="replies"
    )
    system = models.CharField(max_length=20)
    remote_id = models.CharField(max_length=60)
    remote_parent_id = models.CharField(max_length=60, blank=True, default="")
    remote_thread_id = models.CharField(max_length=60, blank=True, default="")
    forum = models.CharField(max_length=100, blank=True, default="")
    depth = models.PositiveSmallIntegerField(default=0)
    posted_at = models.DateTimeField()
    text = models.TextField(
        blank=True, default="", help_text="raw_message, as it was typed (COR-32)"
    )
    html = models.TextField(blank=True, default="", help_text="message, sanitised, for display")
    text_digest = models.CharField(max_length=64, blank=True, default="")
    language = models.CharField(max_length=12, blank=True, default="")
    n_words = models.PositiveIntegerField(default=0)
    likes = models.IntegerField(default=0)
    dislikes = models.IntegerField(default=0)
    points = models.IntegerField(default=0)
    n_reports = models.IntegerField(default=0)
    is_flagged = models.BooleanField(default=False)
    is_deleted = models.BooleanField(default=False)
    is_approved = models.BooleanField(default=True)
    is_edited = models.BooleanField(default=False)
    is_spam = models.BooleanField(default=False)
    is_highlighted = models.BooleanField(default=False)
    media = models.JSONField(default=list, blank=True)
    author_id_remote = models.CharField(max_length=60, blank=True, default="")
    author_username = models.CharField(max_length=200, blank=True, default="")
    author_name = models.CharField(max_length=200, blank=True, default="")
    author_url = models.CharField(max_length=2048, blank=True, default="")
    author_profile_url = models.CharField(max_length=2048, blank=True, default="")
    author_reputation = models.FloatField(null=True, blank=True)
    author_reputation_label = models.CharField(max_length=40, blank=True, default="")
    author_is_anonymous = models.BooleanField(default=False)
    author_is_private = models.BooleanField(default=False)
    author_is_primary = models.BooleanField(default=False)
    author_joined_at = models.DateTimeField(null=True, blank=True)
    author_location = models.CharField(max_length=300, blank=True, default="")
    author_about = models.TextField(blank=True, default="")
    created_at = models.DateTimeField()
    updated_at = models.DateTimeField()

    class Meta:
        ordering = ["posted_at", "pk"]
        indexes = [models.Index(fields=["article", "posted_at"], name="comment_article_posted")]
        constraints = [
            models.UniqueConstraint(fields=["system", "remote_id"], name="comment_once"),
        ]

    def __str__(self) -> str:
        return f"{self.author_name}: {self.text[:60]}"


# Django finds the tables of an app here; those of a subject of its own stand in its own module.
from extraction.evaluation_models import (  # noqa: E402
    EvaluatedPage,  # noqa: F401
    EvaluationRun,  # noqa: F401
    ExtractorSetting,  # noqa: F401
    ReferenceText,  # noqa: F401
)
from extraction.site_models import SiteSketch, SiteTemplate, StructureAlarm  # noqa: E402, F401
