"""Celery's side of the pipeline.

A task runs one batch of a stage, and hints go to the stages that follow.

A hint says "something may be due"; losing one costs the time to the next sweep.
"""

import functools
import logging
import os
from datetime import datetime

from celery import shared_task
from django.db import InterfaceError, OperationalError, close_old_connections, transaction
from django.utils import timezone
from kombu.exceptions import OperationalError as BrokerError

from corpus_site import pipeline
from corpus_site.alarms.keeping import keep_if_due
from corpus_site.counts.keeping import keep_counts
from corpus_site.messaging.heartbeat import beat_if_due
from corpus_site.pipeline import Stage
from corpus_site.running import disks, executor
from corpus_site.running.trouble_log import TroubleLog
from feeds.work.batches import Report
from feeds.work.leases import Claim, release_lock, take_lock

logger = logging.getLogger(__name__)

SWEEP_LOCK = "sweep"
_trouble = TroubleLog(logger)


def owner() -> str:
    """Name of this process as leases and the status page show it."""
    return _heartbeat(os.getpid()).name


@shared_task(name="corpus_site.run_stage")  # type: ignore[untyped-decorator]  # Celery has no types
def run_stage(name: str) -> None:
    """Run one batch; when there was work, hint at the same stage again and at those that follow."""
    stage = pipeline.BY_NAME[name]
    try:
        report = _run(stage)
    except disks.TROUBLES as error:
        if not disks.is_machines_fault(error):
            raise
        _trouble.note(f"stage {name} stopped, the sweep tries again: {error}")
        if not isinstance(error, OSError):
            close_old_connections()
        _give_back(stage)
        return
    if report.n_claimed:
        _trouble.over("working again")
        for following in (stage, *pipeline.after(name)):
            hint(following)


def _run(stage: Stage) -> Report:
    """Run one batch, unless the disk is so full that the work pauses."""
    now = timezone.now()
    short = disks.shortage()
    if short:
        _trouble.note(f"the work pauses: {short}")
        _heartbeat(os.getpid()).stamp("waiting for room on the disk", now)
        return Report()
    _heartbeat(os.getpid()).stamp(stage.name, now)
    return stage.run(Claim.make(owner(), now))


def _give_back(stage: Stage) -> None:
    """Return the stage's rows uncounted; without a database their leases run out."""
    try:
        disks.give_back(stage.models, owner())
    except (OperationalError, InterfaceError):
        return


@shared_task(name="corpus_site.sweep")  # type: ignore[untyped-decorator]  # as above
def sweep() -> None:
    """Find stragglers and hint at every stage that has something due. Two beats do no harm."""
    try:
        _sweep(timezone.now())
    except disks.TROUBLES as error:
        if not disks.is_machines_fault(error):
            raise
        _trouble.note(f"sweep stopped, the next one tries again: {error}")


def _sweep(now: datetime) -> None:
    keep_if_due(owner(), now)
    beat_if_due(owner(), now)
    if disks.shortage():
        return  # the work pauses; the next sweep looks again
    if not take_lock(SWEEP_LOCK, Claim.make(owner(), now)):
        return
    executor.forget_dead_workers(now)
    pipeline.sweep(now)
    keep_counts(now)
    for stage in pipeline.STAGES:
        if pipeline.has_due(stage, now):
            hint(stage)
    release_lock(SWEEP_LOCK, owner(), timezone.now())


@functools.cache
def _heartbeat(pid: int) -> executor.Heartbeat:  # noqa: ARG001 (a forked child has its own)
    return executor.Heartbeat("celery")


def hint(stage: Stage) -> None:
    """Publish after the commit; a broker that is away is logged, never waited for."""
    transaction.on_commit(lambda: _publish(stage))


def _publish(stage: Stage) -> None:
    try:
        run_stage.apply_async((stage.name,), queue=stage.queue, retry=False)
    except BrokerError as error:
        logger.warning("no hint for %s: %s", stage.name, error)
