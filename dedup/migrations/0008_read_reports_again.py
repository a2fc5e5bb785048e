"""Words of reports are stored with marks now: all are read, and placed, once more."""

from django.db import migrations
from django.db.migrations.state import StateApps


def forget_words(apps: StateApps, _: object) -> None:
    reports = apps.get_model("dedup", "StoryReport").objects
    reports.exclude(digest="").update(digest="", terms=b"", placed_at=None)


class Migration(migrations.Migration):
    dependencies = [("dedup", "0007_hidden_copies")]
    operations = [migrations.RunPython(forget_words, forget_words)]
