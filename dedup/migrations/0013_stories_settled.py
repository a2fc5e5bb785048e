"""Stories are grouped once more when the corpus rests; those that stand are not."""

from django.db import migrations, models
from django.db.models import F


def leave_what_stands(apps, schema_editor):
    passes = apps.get_model("dedup", "StoryPass").objects.using(schema_editor.connection.alias)
    passes.update(settled_at=F("last_run_at"))


class Migration(migrations.Migration):
    dependencies = [("dedup", "0012_parts_of_texts")]

    operations = [
        migrations.AddField(
            model_name="storypass",
            name="settled_at",
            field=models.DateTimeField(
                blank=True,
                help_text="Up to when what came was grouped once more, at rest",
                null=True,
            ),
        ),
        migrations.AddIndex(
            model_name="storyreport",
            index=models.Index(fields=["asked_at"], name="storyreport_asked"),
        ),
        migrations.RunPython(leave_what_stands, migrations.RunPython.noop, elidable=True),
    ]
