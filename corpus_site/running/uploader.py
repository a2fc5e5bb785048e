"""The uploader process: closed files of this machine's archive go to the object store.

A process of its own on each machine that fetches: a slow store keeps no worker, and the threads of
its client never meet a fork.
"""

import logging
import threading

from django.conf import settings
from django.db import InterfaceError, OperationalError, close_old_connections
from django.utils import timezone

from corpus_site.running.executor import Heartbeat, stop_on_signal
from corpus_site.running.trouble_log import TroubleLog
from feeds.archive.uploading import UPLOADER, upload_closed

logger = logging.getLogger(__name__)

# Others wait for what this machine fetched; a look lists one folder.
_PAUSE_SECONDS = 5.0


def run_uploader() -> None:
    """Upload until told to stop; a store, a disk or a database that is away is waited for."""
    # A large file by a slow line takes hours; each of its requests has an end of its own.
    heartbeat, stop = Heartbeat(UPLOADER, hard_limit=None), threading.Event()
    trouble = TroubleLog(logger)
    stop_on_signal(stop)
    while not stop.is_set():
        now = timezone.now()
        try:
            heartbeat.stamp("upload", now)
            report = upload_closed(now)
            if report.problem:
                trouble.note(f"{report.n_waiting} files wait for the store: {report.problem}")
            else:
                trouble.over("the store takes files again")
        except (OperationalError, InterfaceError, OSError) as error:
            trouble.note(f"uploading failed, trying again: {error}")
            close_old_connections()
        stop.wait(_PAUSE_SECONDS)
    heartbeat.remove()


def is_wanted() -> bool:
    """Whether there is a store to take files to."""
    return bool(settings.ARCHIVE_URL)
