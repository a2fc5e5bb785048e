"""How often the latest attempt at a row was claimed: more than once where its workers died.

The columns may be empty, and have no check: they are added without writing or reading a row.
"""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("feeds", "0022_moved_feeds"),
    ]

    operations = [
        migrations.AddField(
            model_name="crawl",
            name="n_claims",
            field=models.SmallIntegerField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name="page",
            name="n_claims",
            field=models.SmallIntegerField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name="sourcedraft",
            name="n_claims",
            field=models.SmallIntegerField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name="warcimport",
            name="n_claims",
            field=models.SmallIntegerField(editable=False, null=True),
        ),
    ]
