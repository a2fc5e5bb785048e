"""How often the latest attempt at a row was claimed: more than once where its workers died.

The columns may be empty, and have no check: they are added without writing or reading a row.
"""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("extraction", "0025_visited_articles"),
    ]

    operations = [
        migrations.AddField(
            model_name="commentmonth",
            name="n_claims",
            field=models.SmallIntegerField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name="dryrun",
            name="n_claims",
            field=models.SmallIntegerField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name="erasure",
            name="n_claims",
            field=models.SmallIntegerField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name="evaluationrun",
            name="n_claims",
            field=models.SmallIntegerField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name="extraction",
            name="n_claims",
            field=models.SmallIntegerField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name="placing",
            name="n_claims",
            field=models.SmallIntegerField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name="rightsreview",
            name="n_claims",
            field=models.SmallIntegerField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name="sourceimport",
            name="n_claims",
            field=models.SmallIntegerField(editable=False, null=True),
        ),
    ]
