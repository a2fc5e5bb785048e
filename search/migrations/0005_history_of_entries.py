"""Begin the history of the entries that there are already."""

from django.db import migrations


def begin_history(apps, schema_editor):
    entries = apps.get_model("search", "LexiconEntry").objects.filter(is_active=True)
    change = apps.get_model("search", "LexiconChange")
    change.objects.bulk_create(
        [
            change(
                word=entry.word,
                kind="added",
                tag=entry.tag,
                lemma=entry.lemma,
                language_of_origin=entry.language_of_origin,
                note=entry.note,
                made_by_id=entry.created_by_id,
                made_at=entry.created_at,
            )
            for entry in entries.order_by("created_at", "pk")
        ],
        batch_size=500,
    )


def forget_history(apps, schema_editor):
    apps.get_model("search", "LexiconChange").objects.all().delete()


class Migration(migrations.Migration):
    dependencies = [("search", "0004_lexicon_history_and_corrections")]

    operations = [migrations.RunPython(begin_history, forget_history)]
