"""`manage.py set_up`: the tables, and the first admin where there is none.

For installations that are started by containers or systemd; `manage.py up` does the same by itself.
"""

from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand

from corpus_site.management.commands.up import first_admin


class Command(BaseCommand):
    help = "Make or update the tables; make the first admin and print the password once."
    requires_system_checks = ("settings",)

    def handle(self, *args: Any, **options: Any) -> None:
        call_command("migrate", verbosity=0)
        password = first_admin()
        if password:
            self.stdout.write(f"Sign in as   admin    password   {password}    (shown only once)")
