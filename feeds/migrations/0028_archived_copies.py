"""When a web archive had seen what it gave; of copies that came before, as their addresses say."""

import re
from datetime import UTC, datetime

from django.db import migrations, models

_COPY = re.compile(r"/(\d{14})(?:[a-z]{2}_)?/https?:/")


def fill(apps, schema_editor):
    Fetch = apps.get_model("feeds", "Fetch")
    kept = Fetch.objects.filter(page__crawled_as__crawl__kind="archive", outcome="ok").distinct()
    for fetch in kept.only("final_url").iterator():
        match = _COPY.search(fetch.final_url)
        if match is None:
            continue
        try:
            seen_at = datetime.strptime(match[1], "%Y%m%d%H%M%S").replace(tzinfo=UTC)
        except ValueError:
            continue
        Fetch.objects.filter(pk=fetch.pk).update(seen_at=seen_at)


class Migration(migrations.Migration):
    dependencies = [("feeds", "0027_timelines")]

    operations = [
        migrations.AddField(
            model_name="fetch",
            name="seen_at",
            field=models.DateTimeField(
                blank=True,
                help_text="When the web archive that gave it had seen the page",
                null=True,
            ),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
