"""How often the latest attempt at a row was claimed: more than once where its workers died.

The columns may be empty, and have no check: they are added without writing or reading a row.
"""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("dedup", "0010_held_rows"),
    ]

    operations = [
        migrations.AddField(
            model_name="detection",
            name="n_claims",
            field=models.SmallIntegerField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name="storypass",
            name="n_claims",
            field=models.SmallIntegerField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name="thresholdtrial",
            name="n_claims",
            field=models.SmallIntegerField(editable=False, null=True),
        ),
    ]
