"""Copies that an editor has hidden: searches leave them out."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [("dedup", "0006_entered_texts"), ("extraction", "0001_initial")]

    operations = [
        migrations.AddField(
            model_name="detection",
            name="is_hidden",
            field=models.BooleanField(
                default=False,
                help_text="Whether an editor has hidden it; without effect while it is no copy",
            ),
        ),
        migrations.AlterField(
            model_name="decision",
            name="kind",
            field=models.CharField(
                choices=[
                    ("judge", "Judged pairs"),
                    ("split", "Split from its cluster"),
                    ("join", "Joined two texts"),
                    ("original", "Made the original"),
                    ("hide", "Hid a copy"),
                ],
                max_length=8,
            ),
        ),
        migrations.AlterField(
            model_name="decision",
            name="article",
            field=models.ForeignKey(
                blank=True,
                help_text="The text that was split off, joined, hidden or made the original",
                null=True,
                on_delete=models.deletion.CASCADE,
                related_name="+",
                to="extraction.article",
            ),
        ),
    ]
