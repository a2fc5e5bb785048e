"""`manage.py work`: do what is due, in one or more processes, and say what was done."""

import contextlib
import json
import multiprocessing
import os
import signal
import time
from multiprocessing.connection import Connection
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connections
from django.utils import timezone

from corpus_site import pipeline
from corpus_site.management.database import demand_tables
from corpus_site.running import executor, memory
from feeds.fetch import FETCHED
from feeds.work.batches import Report


class Command(BaseCommand):
    help = "Run everything that is due: fetch, extract, find duplicates, index."
    requires_system_checks = ("settings",)

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--until-idle", action="store_true", help="stop when nothing is due any more"
        )
        parser.add_argument("--json", action="store_true", help="print the summary as JSON")
        parser.add_argument(
            "--processes", type=int, default=settings.WORKER_PROCESSES, help="worker processes"
        )
        parser.add_argument("--worker", type=int, default=0, help="number of this worker, from 0")

    def handle(self, *args: Any, **options: Any) -> None:
        demand_tables()
        if not options["until_idle"]:
            executor.run_worker(options["worker"], options["processes"])
            return
        if options["processes"] < 1:
            raise CommandError("--processes takes 1 or more.")
        started = time.monotonic()
        pipeline.sweep(timezone.now())
        report = run_until_idle(options["processes"])
        told = summary(report, time.monotonic() - started)
        if options["json"]:
            self.stdout.write(json.dumps(told))
        else:
            self.stdout.write("\n".join(f"{key}: {value}" for key, value in told.items()))


def run_until_idle(n_processes: int) -> Report:
    """Work in `n_processes` processes until nothing is due; the sum of what they did."""
    memory.settle()
    if n_processes == 1:
        return _work(0, 1)
    # Forked after everything is imported: the workers share the loaded code and models.
    connections.close_all()
    context = multiprocessing.get_context("fork")
    pipes, children = [], []
    for number in range(n_processes):
        receiver, sender = context.Pipe(duplex=False)
        child = context.Process(target=_work_and_send, args=(number, n_processes, sender))
        child.start()
        sender.close()
        pipes.append(receiver)
        children.append(child)
    total = Report()
    for receiver, child in zip(pipes, children, strict=True):
        # A worker that was killed sends nothing: its leases run out, the next run does its work.
        with contextlib.suppress(EOFError):
            total = total + receiver.recv()
        child.join()
    return total


def _work(number: int, n_processes: int) -> Report:
    loop = executor.make_loop(number, n_processes)
    signal.signal(signal.SIGTERM, lambda *_: loop.stop.set())
    report = loop.run_until_idle()
    loop.heartbeat.remove()
    return report


def _work_and_send(number: int, n_processes: int, sender: Connection) -> None:
    sender.send(_work(number, n_processes))
    sender.close()
    connections.close_all()
    os._exit(0)


def summary(report: Report, seconds: float) -> dict[str, Any]:
    """Name what was done by the keys that scripts rely on."""
    fetched = {
        name.removeprefix(FETCHED): n for name, n in report.done.items() if name.startswith(FETCHED)
    }
    return {
        "feeds_polled": report.done["feeds_polled"],
        "pages_found": report.done["pages_found"],
        "fetched": fetched,
        "archived": report.done["archived"],
        "articles": report.done["articles"],
        "comments": report.done["comments"],
        "duplicates": report.done["duplicates"],
        "indexed": report.done["indexed"],
        "quarantined": report.quarantined,
        "seconds": round(seconds, 3),
    }
