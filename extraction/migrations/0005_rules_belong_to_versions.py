"""Rules stand in a version and nowhere else."""

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models

PARTS = ["field", "kind", "selector", "tag_type", "attribute_name", "attribute_value", "split_string", "split_index"]


class Migration(migrations.Migration):
    dependencies = [("extraction", "0004_rules_into_versions")]

    operations = [
        migrations.RemoveConstraint("siterule", "siterule_once"),
        migrations.AlterModelOptions("siterule", {"ordering": ["version", "field", "position", "pk"]}),
        migrations.AlterField(
            "siterule", "created_at", models.DateTimeField(default=django.utils.timezone.now)
        ),
        migrations.RemoveField("siterule", "publication"),
        migrations.RemoveField("siterule", "is_active"),
        migrations.RemoveField("siterule", "created_at"),
        migrations.AlterField(
            "siterule",
            "version",
            models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="rules", to="extraction.ruleversion"),
        ),
        migrations.AddConstraint(
            "siterule", models.UniqueConstraint(fields=("version", *PARTS), name="siterule_once")
        ),
    ]
