"""Comments whose page names no time have stood under the moment at which they were first seen."""

from django.db import migrations, models


def mark_undated(apps, schema_editor):
    """Mark comments of pages that were, to the microsecond, posted when they were stored."""
    rows = apps.get_model("extraction", "Comment").objects.using(schema_editor.connection.alias)
    seen = rows.filter(system="page", posted_at=models.F("created_at"))
    seen.update(is_undated=True)


class Migration(migrations.Migration):
    dependencies = [("extraction", "0033_corrected_agencies")]

    operations = [
        migrations.AddField(
            model_name="comment",
            name="is_undated",
            field=models.BooleanField(
                default=False,
                help_text="Its page names no time: it was posted before it was seen",
            ),
        ),
        migrations.RunPython(mark_undated, migrations.RunPython.noop),
    ]
