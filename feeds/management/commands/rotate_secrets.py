"""Seal all secrets at rest under the first of the present keys."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from feeds.models import Account
from feeds.secrets_at_rest import SecretLostError, reseal


class Command(BaseCommand):
    help = "Seal passwords at newspapers under the first key of SECRETS_KEYS."

    def handle(self, *args: Any, **options: Any) -> None:
        n_done, lost = 0, []
        with transaction.atomic():
            for account in Account.objects.select_for_update():
                try:
                    sealed = reseal(account.sealed_secret)
                except SecretLostError:
                    lost.append(str(account))
                else:
                    Account.objects.filter(pk=account.pk).update(sealed_secret=sealed)
                    n_done += 1
        self.stdout.write(f"{n_done} sealed under the first key.")
        if lost:
            raise CommandError("No present key opens: " + "; ".join(lost))
