"""Paragraphs in other languages, and the running figure of the vocabulary ratio."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("extraction", "0009_line_model"),
    ]

    operations = [
        migrations.AddField(
            model_name="article",
            name="other_languages",
            field=models.JSONField(
                blank=True,
                default=list,
                help_text="[start, end, code] of paragraphs in another language, in code points",
            ),
        ),
        migrations.AddField(
            model_name="article",
            name="running_unknown_share",
            field=models.FloatField(
                blank=True, help_text="Running words outside the vocabulary, 0 to 1", null=True
            ),
        ),
    ]
