"""`manage.py reseal_secrets`: seal all that is kept secret with the first of SECRETS_KEYS."""

from typing import Any

from django.core.management.base import BaseCommand
from django.db.models import Model

from corpus_site.messaging.models import Channel
from feeds.models import Account, HubSubscription
from feeds.secrets_at_rest import SealBrokenError, reseal
from presentation.wording.figures import counted

# Every table that keeps something sealed, with its columns.
SEALED: tuple[tuple[type[Model], tuple[str, ...]], ...] = (
    (Channel, ("sealed",)),
    (Account, ("sealed_secret", "sealed_session")),
    (HubSubscription, ("sealed",)),
)


class Command(BaseCommand):
    help = "Seal all secrets anew with the first key of SECRETS_KEYS, so that older keys can go."
    requires_system_checks = ("settings",)

    def handle(self, *_: Any, **options: Any) -> None:
        for model, columns in SEALED:
            counts, lost = zip(*(_sealed_anew(model, column) for column in columns), strict=True)
            name = model._meta.verbose_name_plural
            self.stdout.write(f"{name}: {counted(sum(counts), 'secret')} sealed anew.")
            if ids := sorted({pk for some in lost for pk in some}):
                self.stderr.write(f"{name}: no key opens {', '.join(map(str, ids))}.")


def _sealed_anew(model: type[Model], column: str) -> tuple[int, list[int]]:
    """Seal a column anew; returns how many were, and the rows that no key opens."""
    n_sealed, lost = 0, []
    rows = model._default_manager.exclude(**{column: ""})
    for pk, sealed in rows.values_list("pk", column):
        try:
            anew = reseal(sealed)
        except SealBrokenError:
            lost.append(pk)
            continue
        # Somebody may have entered another one meanwhile: that one is sealed already.
        n_sealed += rows.filter(pk=pk, **{column: sealed}).update(**{column: anew})
    return n_sealed, lost
