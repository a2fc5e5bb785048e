"""Tables of the versions of rules; rules point at none yet."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.db.models import Q

KINDS = [
    ("css", "CSS selector"),
    ("xpath", "XPath"),
    ("tag", "Tag, attribute, value"),
    ("text", "Static text"),
    ("regex", "Pattern (RE2)"),
    ("json", "Path in embedded JSON"),
]


def _id():
    return models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")


class Migration(migrations.Migration):
    dependencies = [
        ("feeds", "0001_initial"),
        ("extraction", "0002_article_captions"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="RuleVersion",
            fields=[
                ("id", _id()),
                ("number", models.PositiveIntegerField()),
                ("note", models.TextField(blank=True, default="", help_text="Why there is this version")),
                ("reason", models.TextField(blank=True, default="", help_text="Why it was published although articles got worse")),
                ("valid_from", models.DateTimeField(blank=True, help_text="For pages fetched since then; empty: for all", null=True)),
                ("published_at", models.DateTimeField(blank=True, help_text="Empty: a draft", null=True)),
                ("created_at", models.DateTimeField()),
                ("publication", models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="rule_versions", to="feeds.publication")),
                ("published_by", models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name="+", to=settings.AUTH_USER_MODEL)),
            ],
            options={"ordering": ["publication", "-number"]},
        ),
        migrations.AddConstraint(
            model_name="ruleversion",
            constraint=models.UniqueConstraint(fields=("publication", "number"), name="ruleversion_number"),
        ),
        migrations.AddConstraint(
            model_name="ruleversion",
            constraint=models.UniqueConstraint(condition=Q(published_at=None), fields=("publication",), name="ruleversion_one_draft"),
        ),
        migrations.CreateModel(
            name="RereadPage",
            fields=[
                ("id", _id()),
                ("n_words", models.PositiveIntegerField(default=0)),
                ("text_digest", models.CharField(blank=True, default="", max_length=64)),
                ("page", models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="+", to="feeds.page")),
                ("version", models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="reread", to="extraction.ruleversion")),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("version", "page"), name="rereadpage_once")],
            },
        ),
        migrations.CreateModel(
            name="DryRun",
            fields=[
                ("id", _id()),
                ("due_at", models.DateTimeField(blank=True, null=True)),
                ("lease_until", models.DateTimeField(blank=True, editable=False, null=True)),
                ("lease_owner", models.CharField(blank=True, default="", editable=False, max_length=80)),
                ("attempts", models.PositiveSmallIntegerField(default=0, editable=False)),
                ("last_error", models.TextField(blank=True, default="", editable=False)),
                ("quarantined_at", models.DateTimeField(blank=True, editable=False, null=True)),
                ("rules_digest", models.CharField(help_text="Of the rules that are tried", max_length=24)),
                ("last_article", models.BigIntegerField(default=0, help_text="The next slice begins behind it")),
                ("n_articles", models.PositiveIntegerField(default=0)),
                ("counts", models.JSONField(blank=True, default=dict, help_text="Verdict to number of articles")),
                ("changes", models.JSONField(blank=True, default=dict, help_text="changed, shorter, emptied: number of articles")),
                ("examples", models.JSONField(blank=True, default=list, help_text="[article, verdict, reason] of the first that got worse")),
                ("finished_at", models.DateTimeField(blank=True, null=True)),
                ("version", models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name="dry_run", to="extraction.ruleversion")),
            ],
            options={
                "abstract": False,
                "indexes": [
                    models.Index(condition=Q(due_at__isnull=False, quarantined_at__isnull=True), fields=["due_at"], name="dryrun_due"),
                    models.Index(condition=Q(quarantined_at__isnull=False), fields=["quarantined_at"], name="dryrun_quarantined"),
                ],
                "constraints": [
                    models.CheckConstraint(condition=Q(("lease_until__isnull", True), models.Q(("lease_owner", ""), _negated=True), _connector="OR"), name="dryrun_lease_has_owner")
                ],
            },
        ),
        migrations.AddField("extraction", "rule_version", models.PositiveIntegerField(blank=True, help_text="Number of the rules that were used", null=True)),
        migrations.AddField("extraction", "rule_reports", models.JSONField(blank=True, default=list, help_text="[rule, matched, problem] of each rule tried")),
        migrations.AddField(
            "siterule",
            "version",
            models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name="rules", to="extraction.ruleversion"),
        ),
        # Going back, a rule has none until 0004 has put it there again.
        migrations.AlterField(
            "siterule",
            "publication",
            models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name="rules", to="feeds.publication"),
        ),
        migrations.RemoveConstraint("siterule", "siterule_kind_known"),
        migrations.AlterField("siterule", "kind", models.CharField(choices=KINDS, max_length=5)),
        migrations.AddConstraint(
            "siterule",
            models.CheckConstraint(condition=Q(kind__in=[kind for kind, _ in KINDS]), name="siterule_kind_known"),
        ),
        migrations.AlterField(
            "siterule",
            "selector",
            models.TextField(blank=True, default="", help_text="CSS, XPath, static text, pattern or JSON path"),
        ),
    ]
