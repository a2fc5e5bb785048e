"""Whether a row was made due, or taken out of work, after its last claim.

The columns may be empty, so that they are added without writing a row.
"""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("dedup", "0008_read_reports_again"),
    ]

    operations = [
        migrations.AddField(
            model_name="detection",
            name="is_rescheduled",
            field=models.BooleanField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name="storypass",
            name="is_rescheduled",
            field=models.BooleanField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name="thresholdtrial",
            name="is_rescheduled",
            field=models.BooleanField(editable=False, null=True),
        ),
    ]
