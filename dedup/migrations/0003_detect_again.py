"""Pairs of the sentence method get today's names of relations; every article is detected again.

Editors' verdicts were kept on the pairs alone: each becomes a decision of the history, by nobody.
"""

from django.db import migrations
from django.db.models import F, Value
from django.db.models.functions import Concat
from django.utils import timezone

RELATIONS = {"exact": "repost", "duplicate": "near"}


def to_new_relations(apps, schema_editor):
    pairs = apps.get_model("dedup", "Duplicate").objects
    for former, relation in RELATIONS.items():
        pairs.filter(relation=former).update(relation=relation, joins=True)


def to_former_relations(apps, schema_editor):
    pairs = apps.get_model("dedup", "Duplicate").objects
    pairs.filter(relation="repost", similarity=1).update(relation="exact")
    pairs.filter(relation__in=["repost", "trimmed", "update", "near"]).update(relation="duplicate")


def verdicts_into_history(apps, schema_editor):
    Decision = apps.get_model("dedup", "Decision")
    Judgement = apps.get_model("dedup", "Judgement")
    judged = apps.get_model("dedup", "Duplicate").objects.exclude(verdict="open").order_by("pk")
    for pair in judged.iterator():
        decision = Decision.objects.create(
            kind="judge", verdict=pair.verdict, decided_at=pair.detected_at
        )
        Judgement.objects.create(
            decision=decision,
            article_id=pair.article_id,
            other_id=pair.other_id,
            verdict=pair.verdict,
        )


def detect_again(apps, schema_editor):
    rows = apps.get_model("dedup", "Detection").objects
    rows.filter(detected_at__isnull=False, quarantined_at=None).update(
        done_digest=Concat(Value("~"), F("done_digest")), due_at=timezone.now()
    )


class Migration(migrations.Migration):

    dependencies = [("dedup", "0002_near_duplicates")]

    operations = [
        migrations.RunPython(to_new_relations, to_former_relations),
        migrations.RunPython(verdicts_into_history, migrations.RunPython.noop),
        migrations.RunPython(detect_again, migrations.RunPython.noop),
    ]
