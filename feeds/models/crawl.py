"""A crawl: what an editor asks for once, beside the feeds, and the addresses that it found.

Its addresses are a pool in the database: a few at a time go into the frontier,
so that a crawl of thousands never stands before the feeds of its hosts.
"""

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q

from feeds.models.work import Work

# The Internet Archive blocks who asks for its lists more than 60 times a minute for long; the
# default is the pace of a host's usual delay of 5 s.
REQUESTS_PER_MINUTE, MAX_REQUESTS_PER_MINUTE = 12, 60
MAX_HOURS = 24 * 90  # as long as the largest crawl at a usual host's delay takes
MAX_REPEAT_DAYS = 366
MAX_DEPTH = 20  # a site's own pages are a few links from its front page; more is a trap


class CrawlKind(models.TextChoices):
    ADDRESSES = "addresses", "Single addresses, once"
    SITE = "site", "A section, a site or a domain"
    SITEMAP = "sitemap", "The sitemaps of a site"
    ARCHIVE = "archive", "Past front pages in a web archive"


class CrawlState(models.TextChoices):
    LISTING = "listing", "Asking the archive"
    LISTED = "listed", "Waits for “Begin”"
    RUNNING = "running", "Running"
    PAUSED = "paused", "Paused"
    STOPPED = "stopped", "Stopped"
    DONE = "done", "Done"


OPEN_STATES = (CrawlState.LISTING, CrawlState.LISTED, CrawlState.RUNNING, CrawlState.PAUSED)


class UrlPolicy(models.TextChoices):
    """Which links are followed."""

    NEEDED = "needed", "Stories only"
    PART = "part", "Stories and sections, no links within stories"
    ALL = "all", "All links"


class AddressRole(models.TextChoices):
    ARTICLE = "story", "Story"
    PAGE = "page", "Page with links"
    SITEMAP = "sitemap", "Sitemap"
    SNAPSHOT = "snapshot", "Archived front page"
    LIST = "list", "List of copies"


class Crawl(Work):
    """What is crawled and how far it has come. Work columns: its next slice."""

    publication = models.ForeignKey(
        "feeds.Publication", on_delete=models.CASCADE, related_name="crawls"
    )
    kind = models.CharField(max_length=9, choices=CrawlKind.choices)
    state = models.CharField(max_length=7, choices=CrawlState.choices, default=CrawlState.RUNNING)
    policy = models.CharField(max_length=6, choices=UrlPolicy.choices, default=UrlPolicy.NEEDED)
    seeds = models.JSONField(default=list, help_text="[address, page limit, restriction] each")
    max_depth = models.PositiveSmallIntegerField(
        default=1, validators=[MaxValueValidator(MAX_DEPTH)], help_text="Links from a seed"
    )
    include_pattern = models.CharField(max_length=500, blank=True, default="")
    exclude_pattern = models.CharField(max_length=500, blank=True, default="")
    pages_per_host = models.PositiveIntegerField(
        null=True, blank=True, validators=[MinValueValidator(1)], help_text="Empty: no limit"
    )
    max_hours = models.PositiveSmallIntegerField(
        null=True,
        blank=True,
        validators=[MinValueValidator(1), MaxValueValidator(MAX_HOURS)],
        help_text="Hours after its beginning at which it ends; empty: no limit",
    )
    repeat_days = models.PositiveSmallIntegerField(
        null=True,
        blank=True,
        validators=[MinValueValidator(1), MaxValueValidator(MAX_REPEAT_DAYS)],
        help_text="Days from its beginning to that of the same crawl anew; empty: once",
    )
    # Kept by its slices, since counting a pool of millions takes seconds; empty: not counted yet.
    n_known = models.PositiveIntegerField(null=True, blank=True, help_text="Addresses in its pool")
    n_released = models.JSONField(
        null=True, blank=True, help_text="Pages that were let into the frontier, for each seed"
    )
    last_served = models.JSONField(
        null=True, blank=True, help_text="[seed, host] after which the next slice goes on"
    )
    # As `feeds.crawler.addressing.traps` writes it: up to 300 kB, so lists leave it out.
    traps = models.JSONField(
        null=True, blank=True, help_text="What is known of families of addresses"
    )
    trap_sentences = models.JSONField(
        default=list, blank=True, help_text="Of each family that was stopped, the first ones"
    )
    trap_choices = models.JSONField(
        default=dict,
        blank=True,
        help_text="Family of addresses to what an editor decided: “take” or “stop”",
    )
    # Of a crawl through a web archive.
    archive_url = models.CharField(max_length=500, blank=True, default="")
    first_day = models.DateField(null=True, blank=True)
    next_day = models.DateField(null=True, blank=True, help_text="The day that is asked for next")
    last_day = models.DateField(null=True, blank=True)
    requests_per_minute = models.PositiveSmallIntegerField(
        default=REQUESTS_PER_MINUTE,
        validators=[MinValueValidator(1), MaxValueValidator(MAX_REQUESTS_PER_MINUTE)],
        help_text="Of a web archive, at most",
    )
    listed_at = models.DateTimeField(
        null=True, blank=True, help_text="When the archive had said which copies it has, or nothing"
    )
    n_listed = models.PositiveIntegerField(
        null=True, blank=True, help_text="Front pages in its list; empty where it gives none"
    )
    n_barren_days = models.PositiveIntegerField(
        default=0, help_text="Days asked for in a row that brought no other front page"
    )
    owner = models.ForeignKey(
        "accounts.User", null=True, on_delete=models.SET_NULL, related_name="crawls"
    )
    created_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)
    end_reason = models.CharField(max_length=200, blank=True, default="")

    class Meta(Work.Meta):
        abstract = False
        ordering = ["-created_at"]
        constraints = [
            *Work.Meta.constraints,
            models.CheckConstraint(condition=Q(kind__in=CrawlKind.values), name="crawl_kind_known"),
            models.CheckConstraint(
                condition=Q(state__in=CrawlState.values), name="crawl_state_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()}, {self.publication}"

    @property
    def is_open(self) -> bool:
        return self.state in OPEN_STATES


class CrawlAddress(models.Model):
    """An address of a crawl: where it was found, its page once it was let into the frontier."""

    crawl = models.ForeignKey(  # what is unique of it begins with it, so it has no index
        Crawl, on_delete=models.CASCADE, related_name="addresses", db_index=False
    )
    url = models.CharField(max_length=2048)
    # Written by `feeds.crawls.pool.digest_of`: the key of millions of addresses would stand in the
    # table beside the address and in an index once more.
    digest = models.BinaryField(max_length=20, help_text="Of its canonical key")
    host = models.CharField(max_length=255, blank=True, default="", help_text="Of its address")
    role = models.CharField(max_length=8, choices=AddressRole.choices)
    seed = models.PositiveSmallIntegerField(default=0, help_text="Number of the line of its seed")
    depth = models.PositiveSmallIntegerField(
        default=0, validators=[MinValueValidator(0)], help_text="Links from the seed"
    )
    found_on = models.CharField(max_length=2048, blank=True, default="")
    found_at = models.DateTimeField()
    page = models.ForeignKey(
        "feeds.Page",
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        related_name="crawled_as",
        db_index=False,  # below: most addresses of a large pool have none
    )
    released_at = models.DateTimeField(null=True, blank=True, help_text="Into the frontier")
    followed_at = models.DateTimeField(null=True, blank=True, help_text="Its links were read")
    n_links = models.PositiveIntegerField(null=True, blank=True)
    n_new = models.PositiveIntegerField(null=True, blank=True)
    snapshot_at = models.DateTimeField(null=True, blank=True)
    is_live = models.BooleanField(default=False, help_text="Not archived, so asked of its site")

    class Meta:
        ordering = ["pk"]
        verbose_name_plural = "crawl addresses"
        indexes = [
            # For what waits for the frontier. Without a column that differs in each row, so that
            # PostgreSQL keeps a list of rows for each value: 7 bytes of a row instead of 104.
            models.Index(
                fields=["crawl", "seed", "host", "depth"],
                name="crawladdress_waits",
                condition=Q(released_at__isnull=True),
            ),
            models.Index(
                fields=["page"], name="crawladdress_of_page", condition=Q(page__isnull=False)
            ),
            # For the pages of a host that were let in, where their number is limited.
            models.Index(
                fields=["crawl", "host"],
                name="crawladdress_of_host",
                condition=Q(released_at__isnull=False, role__in=("story", "page")),
            ),
            # For the texts of a crawl, however many of its addresses wait.
            models.Index(
                fields=["crawl", "page"],
                name="crawladdress_page",
                condition=Q(page__isnull=False),
            ),
            # For what waits for its page.
            models.Index(
                fields=["crawl", "released_at"],
                name="crawladdress_under_way",
                condition=Q(released_at__isnull=False, followed_at__isnull=True),
            ),
        ]
        constraints = [
            models.UniqueConstraint(fields=["crawl", "digest"], name="crawladdress_once"),
            models.CheckConstraint(
                condition=Q(role__in=AddressRole.values), name="crawladdress_role_known"
            ),
        ]

    def __str__(self) -> str:
        return self.url
