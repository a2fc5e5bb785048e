"""`python -m corpus_site.running.supervise CHILDREN`: what `manage.py up` becomes when prepared.

The tables of the whole site bring numpy and parsers with them, which a supervisor has no use for:
it loads those of feeds alone, to see which workers are stuck, and takes half the memory.
"""

import json
import os
import sys
from collections.abc import Sequence
from typing import NoReturn

import django
from django.apps import apps
from django.conf import settings
from django.utils import timezone

from corpus_site.running.supervisor import Child, Supervisor
from feeds.work.machine import machine_mark
from feeds.work.own_programs import own_environment, own_program

WATCH_EVERY_TICKS = 25  # 5 s
# Of glibc, in all children: with one for each thread, pages keep 25 MB more that nothing uses.
MEMORY_ARENAS = "2"
_APPS = ("django.contrib.auth", "django.contrib.contenttypes", "corpus_site.accounts", "feeds")


def become_supervisor(children: Sequence[Child]) -> NoReturn:
    """Go on as the supervisor of some children, in the same process; open locks stay held."""
    plans = [(child.name, child.command, child.environment, child.is_quiet) for child in children]
    environment = {"MALLOC_ARENA_MAX": MEMORY_ARENAS, **own_environment()}
    arguments = own_program("corpus_site.running.supervise", json.dumps(plans))
    os.execve(sys.executable, arguments, environment)  # noqa: S606 (ourselves)


class StuckWorkers:
    """Process ids of this machine's workers whose work has outlived its hard limit.

    Asks the database now and then. Another machine has a supervisor of its own.
    """

    def __init__(self) -> None:
        self.ticks = 0

    def __call__(self) -> list[int]:
        self.ticks += 1
        if self.ticks % WATCH_EVERY_TICKS:
            return []
        workers = apps.get_model("feeds", "Worker")._default_manager
        rows = workers.filter(name__startswith=machine_mark(), hard_limit_at__lt=timezone.now())
        pids = list(rows.values_list("pid", flat=True))
        if pids:
            rows.delete()
        return pids


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "corpus_site.settings")
    settings.INSTALLED_APPS = _APPS
    django.setup()
    children = [Child(*plan) for plan in json.loads(sys.argv[1])]
    sys.exit(Supervisor(children, _say, watch=StuckWorkers()).run())


if __name__ == "__main__":
    main()
