"""The Celery application of the production path: the same stages, with Redis carrying hints.

Settings are the CELERY_ ones of settings.py. Messages may be lost: rows are the truth and beat's
sweep finds them.
"""

import os
from typing import Any

from celery import Celery
from celery.signals import beat_init, worker_init
from django.conf import settings
from kombu import Exchange, Queue  # type: ignore[attr-defined]  # kombu fills its names in lazily

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "corpus_site.settings")

QUEUES = ("default", "crawl", "extract", "index", "maintenance")

app = Celery("corpus_site")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.conf.task_queues = [Queue(name, Exchange(name), routing_key=name) for name in QUEUES]  # type: ignore[no-untyped-call]
app.conf.beat_schedule = {
    "sweep": {
        "task": "corpus_site.sweep",
        "schedule": settings.SWEEP_SECONDS,
        "options": {"queue": "maintenance", "expires": settings.SWEEP_SECONDS},
    },
}
app.autodiscover_tasks()


@worker_init.connect  # type: ignore[untyped-decorator]  # Celery has no types
@beat_init.connect  # type: ignore[untyped-decorator]
def _demand_tables(**_: Any) -> None:
    """End at once on an empty database or one of another version, with a sentence."""
    from django.core.management.base import CommandError  # noqa: PLC0415 (apps are loaded by now)

    from corpus_site.management.database import demand_tables  # noqa: PLC0415

    try:
        demand_tables()
    except CommandError as error:
        raise SystemExit(str(error)) from None
