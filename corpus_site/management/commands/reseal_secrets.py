"""`manage.py reseal_secrets`: seal all that is kept secret with the first of SECRETS_KEYS."""

from typing import Any

from django.core.management.base import BaseCommand
from django.db.models import Model

from corpus_site.messaging.models import Channel
from feeds.models import Account
from feeds.secrets_at_rest import SealBrokenError, reseal
from presentation.wording.figures import counted

# Every table that keeps something sealed, with its column.
SEALED: tuple[tuple[type[Model], str], ...] = ((Channel, "sealed"), (Account, "sealed_secret"))


class Command(BaseCommand):
    help = "Seal all secrets anew with the first key of SECRETS_KEYS, so that older keys can go."
    requires_system_checks = ("settings",)

    def handle(self, *_: Any, **options: Any) -> None:
        for model, column in SEALED:
            self._table(model, column)

    def _table(self, model: type[Model], column: str) -> None:
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
        name = model._meta.verbose_name_plural
        self.stdout.write(f"{name}: {counted(n_sealed, 'secret')} sealed anew.")
        if lost:
            self.stderr.write(f"{name}: no key opens {', '.join(map(str, lost))}.")
