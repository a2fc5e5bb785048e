"""How often the latest attempt at a row was claimed: more than once where its workers died.

The columns may be empty, and have no check: they are added without writing or reading a row.
"""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("retention", "0001_policies_and_disk_days"),
    ]

    operations = [
        migrations.AddField(
            model_name="retentionpass",
            name="n_claims",
            field=models.SmallIntegerField(editable=False, null=True),
        ),
    ]
