"""Whether a row was made due, or taken out of work, after its last claim.

The columns may be empty, so that they are added without writing a row.
"""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("extraction", "0010_article_languages"),
    ]

    operations = [
        migrations.AddField(
            model_name="dryrun",
            name="is_rescheduled",
            field=models.BooleanField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name="evaluationrun",
            name="is_rescheduled",
            field=models.BooleanField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name="extraction",
            name="is_rescheduled",
            field=models.BooleanField(editable=False, null=True),
        ),
    ]
