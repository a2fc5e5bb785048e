"""What sites have in common: templates, sketches of pages, structure alarms."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("extraction", "0006_article_metadata"),
        ("feeds", "0002_page_guid_index"),
    ]

    operations = [
        migrations.CreateModel(
            name="SiteSketch",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("fetched_at", models.DateTimeField()),
                ("data", models.BinaryField(help_text="As extraction.html.site.site_codec writes it")),
                ("n_characters", models.PositiveIntegerField(default=0)),
                ("fields", models.JSONField(default=list, help_text="Metadata that were found")),
                (
                    "rules",
                    models.JSONField(
                        default=dict, help_text="Part of the rules to whether it matched"
                    ),
                ),
                (
                    "familiarity",
                    models.FloatField(
                        blank=True,
                        help_text="Share of the site's common places on the page, 0 to 1",
                        null=True,
                    ),
                ),
                (
                    "lines",
                    models.CharField(
                        blank=True,
                        default="",
                        help_text="Digest of the lines that were chosen",
                        max_length=32,
                    ),
                ),
                (
                    "n_known",
                    models.PositiveIntegerField(
                        default=0,
                        help_text="Articles that the site's evidence rested on when it was read",
                    ),
                ),
                ("is_learnt", models.BooleanField(default=False)),
                (
                    "page",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="sketch",
                        to="feeds.page",
                    ),
                ),
                (
                    "publication",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="feeds.publication",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(fields=["publication", "-fetched_at"], name="sitesketch_newest"),
                    models.Index(
                        condition=models.Q(("is_learnt", False)),
                        fields=["publication"],
                        name="sitesketch_waiting",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="SiteTemplate",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveIntegerField(default=1)),
                (
                    "valid_from",
                    models.DateTimeField(help_text="When the first page of the design was fetched"),
                ),
                (
                    "n_articles",
                    models.PositiveIntegerField(
                        default=0,
                        help_text="Distinct articles that count now; older evidence fades",
                    ),
                ),
                (
                    "n_pages",
                    models.PositiveIntegerField(default=0, help_text="All that it was learnt from"),
                ),
                (
                    "knowledge",
                    models.BinaryField(
                        default=b"", help_text="As extraction.html.site.site_codec writes it"
                    ),
                ),
                ("updated_at", models.DateTimeField()),
                (
                    "publication",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="templates",
                        to="feeds.publication",
                    ),
                ),
            ],
            options={
                "ordering": ["publication", "-number"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("publication", "number"), name="sitetemplate_number"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="StructureAlarm",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "since",
                    models.DateTimeField(help_text="When the first changed page was fetched"),
                ),
                (
                    "signals",
                    models.JSONField(
                        help_text="[signal, subject, pages in a row] of each, first first"
                    ),
                ),
                ("opened_at", models.DateTimeField()),
                ("closed_at", models.DateTimeField(blank=True, null=True)),
                (
                    "page_after",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="feeds.page",
                    ),
                ),
                (
                    "page_before",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="feeds.page",
                    ),
                ),
                (
                    "publication",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="structure_alarms",
                        to="feeds.publication",
                    ),
                ),
            ],
            options={
                "ordering": ["-since"],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("closed_at", None)),
                        fields=("publication",),
                        name="structurealarm_one_open",
                    )
                ],
            },
        ),
    ]
