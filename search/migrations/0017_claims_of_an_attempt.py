"""How often the latest attempt at a row was claimed: more than once where its workers died.

The columns may be empty, and have no check: they are added without writing or reading a row.
"""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("search", "0016_reference_list"),
    ]

    operations = [
        migrations.AddField(
            model_name="indexedarticle",
            name="n_claims",
            field=models.SmallIntegerField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name="indexedcomment",
            name="n_claims",
            field=models.SmallIntegerField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name="retagging",
            name="n_claims",
            field=models.SmallIntegerField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name="textimport",
            name="n_claims",
            field=models.SmallIntegerField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name="usecount",
            name="n_claims",
            field=models.SmallIntegerField(editable=False, null=True),
        ),
    ]
