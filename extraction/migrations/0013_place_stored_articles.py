"""Place what is stored already: a word of an address makes no gallery of an article any more."""

from django.db import migrations
from django.utils import timezone


def place(apps, _):
    publications = apps.get_model("feeds", "Publication").objects.values_list("pk", "slug")
    placing = apps.get_model("extraction", "Placing")
    now = timezone.now()
    placing.objects.bulk_create(
        placing(publication_id=pk, slug=slug, due_at=now) for pk, slug in publications
    )


class Migration(migrations.Migration):
    dependencies = [("extraction", "0012_living_corpus")]

    operations = [migrations.RunPython(place, migrations.RunPython.noop)]
