"""Whether a row was made due, or taken out of work, after its last claim.

The columns may be empty, so that they are added without writing a row.
"""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("feeds", "0008_publication_paused_at"),
    ]

    operations = [
        migrations.AddField(
            model_name="crawl",
            name="is_rescheduled",
            field=models.BooleanField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name="page",
            name="is_rescheduled",
            field=models.BooleanField(editable=False, null=True),
        ),
    ]
