"""Crawls and the addresses that they found."""

import django.core.validators
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("feeds", "0005_index_page_feeds"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Crawl",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("due_at", models.DateTimeField(blank=True, null=True)),
                ("lease_until", models.DateTimeField(blank=True, editable=False, null=True)),
                (
                    "lease_owner",
                    models.CharField(blank=True, default="", editable=False, max_length=80),
                ),
                ("attempts", models.PositiveSmallIntegerField(default=0, editable=False)),
                ("last_error", models.TextField(blank=True, default="", editable=False)),
                ("quarantined_at", models.DateTimeField(blank=True, editable=False, null=True)),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("addresses", "Single addresses, once"),
                            ("site", "A section, a site or a domain"),
                            ("sitemap", "The sitemaps of a site"),
                            ("archive", "Past front pages in a web archive"),
                        ],
                        max_length=9,
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("running", "Running"),
                            ("paused", "Paused"),
                            ("stopped", "Stopped"),
                            ("done", "Done"),
                        ],
                        default="running",
                        max_length=7,
                    ),
                ),
                (
                    "policy",
                    models.CharField(
                        choices=[
                            ("needed", "Stories only"),
                            ("part", "Stories and sections, no links within stories"),
                            ("all", "All links"),
                        ],
                        default="needed",
                        max_length=6,
                    ),
                ),
                (
                    "seeds",
                    models.JSONField(
                        default=list, help_text="[address, page limit, restriction] each"
                    ),
                ),
                (
                    "max_depth",
                    models.PositiveSmallIntegerField(
                        default=1,
                        help_text="Links from a seed",
                        validators=[django.core.validators.MaxValueValidator(20)],
                    ),
                ),
                ("include_pattern", models.CharField(blank=True, default="", max_length=500)),
                ("exclude_pattern", models.CharField(blank=True, default="", max_length=500)),
                ("archive_url", models.CharField(blank=True, default="", max_length=500)),
                ("first_day", models.DateField(blank=True, null=True)),
                (
                    "next_day",
                    models.DateField(
                        blank=True, help_text="The day that is asked for next", null=True
                    ),
                ),
                (
                    "n_barren_days",
                    models.PositiveIntegerField(
                        default=0,
                        help_text="Days asked for in a row that brought no other front page",
                    ),
                ),
                ("created_at", models.DateTimeField()),
                ("ended_at", models.DateTimeField(blank=True, null=True)),
                ("end_reason", models.CharField(blank=True, default="", max_length=200)),
                (
                    "owner",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="crawls",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "publication",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="crawls",
                        to="feeds.publication",
                    ),
                ),
            ],
            options={
                "ordering": ["-created_at"],
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="CrawlAddress",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("url", models.CharField(max_length=2048)),
                ("key", models.CharField(max_length=2048)),
                (
                    "role",
                    models.CharField(
                        choices=[
                            ("story", "Story"),
                            ("page", "Page with links"),
                            ("sitemap", "Sitemap"),
                            ("snapshot", "Archived front page"),
                        ],
                        max_length=8,
                    ),
                ),
                (
                    "seed",
                    models.PositiveSmallIntegerField(
                        default=0, help_text="Number of the line of its seed"
                    ),
                ),
                (
                    "depth",
                    models.PositiveSmallIntegerField(
                        default=0,
                        help_text="Links from the seed",
                        validators=[django.core.validators.MinValueValidator(0)],
                    ),
                ),
                ("found_on", models.CharField(blank=True, default="", max_length=2048)),
                ("found_at", models.DateTimeField()),
                (
                    "released_at",
                    models.DateTimeField(blank=True, help_text="Into the frontier", null=True),
                ),
                (
                    "followed_at",
                    models.DateTimeField(blank=True, help_text="Its links were read", null=True),
                ),
                ("n_links", models.PositiveIntegerField(blank=True, null=True)),
                ("n_new", models.PositiveIntegerField(blank=True, null=True)),
                ("snapshot_at", models.DateTimeField(blank=True, null=True)),
                (
                    "is_live",
                    models.BooleanField(
                        default=False, help_text="Not archived, so asked of its site"
                    ),
                ),
                (
                    "crawl",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="addresses",
                        to="feeds.crawl",
                    ),
                ),
                (
                    "page",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="crawled_as",
                        to="feeds.page",
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
            },
        ),
        migrations.AddIndex(
            model_name="crawl",
            index=models.Index(
                condition=models.Q(("due_at__isnull", False), ("quarantined_at__isnull", True)),
                fields=["due_at"],
                name="crawl_due",
            ),
        ),
        migrations.AddIndex(
            model_name="crawl",
            index=models.Index(
                condition=models.Q(("quarantined_at__isnull", False)),
                fields=["quarantined_at"],
                name="crawl_quarantined",
            ),
        ),
        migrations.AddConstraint(
            model_name="crawl",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("lease_until__isnull", True),
                    models.Q(("lease_owner", ""), _negated=True),
                    _connector="OR",
                ),
                name="crawl_lease_has_owner",
            ),
        ),
        migrations.AddConstraint(
            model_name="crawl",
            constraint=models.CheckConstraint(
                condition=models.Q(("kind__in", ["addresses", "site", "sitemap", "archive"])),
                name="crawl_kind_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="crawl",
            constraint=models.CheckConstraint(
                condition=models.Q(("state__in", ["running", "paused", "stopped", "done"])),
                name="crawl_state_known",
            ),
        ),
        migrations.AddIndex(
            model_name="crawladdress",
            index=models.Index(
                condition=models.Q(("released_at__isnull", True)),
                fields=["crawl", "seed", "depth"],
                name="crawladdress_waiting",
            ),
        ),
        migrations.AddIndex(
            model_name="crawladdress",
            index=models.Index(
                condition=models.Q(("followed_at__isnull", True), ("released_at__isnull", False)),
                fields=["crawl", "released_at"],
                name="crawladdress_under_way",
            ),
        ),
        migrations.AddConstraint(
            model_name="crawladdress",
            constraint=models.UniqueConstraint(fields=("crawl", "key"), name="crawladdress_once"),
        ),
        migrations.AddConstraint(
            model_name="crawladdress",
            constraint=models.CheckConstraint(
                condition=models.Q(("role__in", ["story", "page", "sitemap", "snapshot"])),
                name="crawladdress_role_known",
            ),
        ),
    ]
