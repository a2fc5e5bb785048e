"""What a page declares of its article: tags, address, language, paywall, zones, disagreements."""

from django.db import migrations, models

MINUTES = {"blank": True, "null": True, "help_text": "Minutes east of UTC"}


class Migration(migrations.Migration):
    dependencies = [("extraction", "0005_rules_belong_to_versions")]

    operations = [
        migrations.AddField("article", "tags", models.JSONField(blank=True, default=list)),
        migrations.AddField(
            "article",
            "canonical_url",
            models.CharField(
                blank=True,
                default="",
                help_text="As the page declares it; same site",
                max_length=2048,
            ),
        ),
        migrations.AddField(
            "article",
            "declared_language",
            models.CharField(blank=True, default="", max_length=20),
        ),
        migrations.AddField("article", "is_paywalled", models.BooleanField(default=False)),
        migrations.AddField("article", "published_offset", models.SmallIntegerField(**MINUTES)),
        migrations.AddField("article", "modified_offset", models.SmallIntegerField(**MINUTES)),
        migrations.AddField(
            "article",
            "disagreements",
            models.JSONField(
                blank=True,
                default=dict,
                help_text="Field to [source, value] of those that say else",
            ),
        ),
    ]
