"""Whether a row was made due, or taken out of work, after its last claim.

The columns may be empty, so that they are added without writing a row.
"""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("search", "0006_macro"),
    ]

    operations = [
        migrations.AddField(
            model_name="indexedarticle",
            name="is_rescheduled",
            field=models.BooleanField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name="indexedcomment",
            name="is_rescheduled",
            field=models.BooleanField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name="retagging",
            name="is_rescheduled",
            field=models.BooleanField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name="usecount",
            name="is_rescheduled",
            field=models.BooleanField(editable=False, null=True),
        ),
    ]
