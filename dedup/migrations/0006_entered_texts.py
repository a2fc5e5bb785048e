"""Fewer fingerprints, made anew: all articles are detected again, clusters stay until their turn.

What an article was entered under gets a row of its own instead of an index on the article.
"""

from django.db import migrations, models
from django.db.models import F, Value
from django.db.models.functions import Concat
from django.utils import timezone

# As small and as quick as each database allows; `dedup.stage.fingerprints` reads and writes by hand.
FINGERPRINTS = {
    "postgresql": (
        "CREATE TABLE dedup_fingerprint (hash bigint NOT NULL, article bigint NOT NULL)",
        "CREATE INDEX fingerprint_holders ON dedup_fingerprint (hash) INCLUDE (article)",
    ),
    "sqlite": (
        "CREATE TABLE dedup_fingerprint (hash integer NOT NULL, article integer NOT NULL,"
        " PRIMARY KEY (hash, article)) WITHOUT ROWID",
    ),
}


def make_anew(apps, schema_editor):
    schema_editor.execute("DROP TABLE dedup_fingerprint")
    for statement in FINGERPRINTS[schema_editor.connection.vendor]:
        schema_editor.execute(statement)


def make_index_on_article(apps, schema_editor):
    schema_editor.execute("DELETE FROM dedup_fingerprint")
    schema_editor.execute("CREATE INDEX fingerprint_article ON dedup_fingerprint (article)")


def detect_again(apps, schema_editor):
    rows = apps.get_model("dedup", "Detection").objects.filter(quarantined_at=None)
    detected = rows.filter(detected_at__isnull=False)
    detected.filter(done_digest__startswith="~").update(due_at=timezone.now())
    detected.exclude(done_digest__startswith="~").update(
        done_digest=Concat(Value("~"), F("done_digest")), due_at=timezone.now()
    )


class Migration(migrations.Migration):

    dependencies = [("dedup", "0005_story_passes")]

    operations = [
        migrations.CreateModel(
            name="EnteredText",
            fields=[
                ("article", models.BigIntegerField(help_text="Primary key of the article", primary_key=True, serialize=False)),
                ("fingerprints", models.BinaryField(help_text="64-bit little-endian integers")),
            ],
        ),
        migrations.SeparateDatabaseAndState(
            database_operations=[migrations.RunPython(make_anew, make_index_on_article)],
            state_operations=[
                migrations.AlterField(
                    model_name="fingerprint",
                    name="article",
                    field=models.BigIntegerField(help_text="Primary key of the article"),
                ),
            ],
        ),
        migrations.RunPython(detect_again, detect_again),
    ]
