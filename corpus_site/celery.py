"""The Celery application of the production path: the same stages, with Redis carrying hints.

Settings are the CELERY_ ones of settings.py. Messages may be lost: rows are the truth and beat's
sweep finds them.
"""

import os

from celery import Celery
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
