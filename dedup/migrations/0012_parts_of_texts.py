"""A text inside a longer one with a body of its own is a part of it, and no copy.

Only the articles of pairs that may be parts are detected again: those of which the longer text is
clearly longer, by the figures that are stored.
"""

from django.db import migrations, models
from django.db.models import F, Q, Value
from django.db.models.functions import Concat
from django.utils import timezone

_CLEARLY_LONGER = 0.6


def detect_again(apps, schema_editor):
    pairs = apps.get_model("dedup", "Duplicate").objects.filter(jaccard__lt=_CLEARLY_LONGER)
    ends = Q(article__in=pairs.values("article")) | Q(article__in=pairs.values("other"))
    rows = apps.get_model("dedup", "Detection").objects.filter(ends, quarantined_at=None)
    now = timezone.now()
    rows.exclude(done_digest__startswith="~").update(
        done_digest=Concat(Value("~"), F("done_digest")), due_at=now
    )


def forget_parts(apps, schema_editor):
    apps.get_model("dedup", "Duplicate").objects.filter(relation="part").update(relation="similar")


class Migration(migrations.Migration):
    dependencies = [("dedup", "0011_claims_of_an_attempt")]

    operations = [
        migrations.AlterField(
            model_name="duplicate",
            name="relation",
            field=models.CharField(
                choices=[
                    ("repost", "Same text"),
                    ("trimmed", "Trimmed"),
                    ("update", "Update"),
                    ("near", "Near-duplicate"),
                    ("part", "Part"),
                    ("similar", "Similar"),
                ],
                max_length=9,
            ),
        ),
        migrations.RunPython(detect_again, forget_parts),
    ]
