"""Real processes ended by SIGKILL in the midst of a batch and of a pass: the end is the same.

Forked, so that a blow costs no start of Python; each falls while a certain statement runs, or
right after it.
"""

import os
import signal
from datetime import timedelta

import event_texts as texts
import pytest
from detected_articles import NOW, add_article, originals, prose
from django.db import connections

from dedup import detect
from dedup.models import Detection, Duplicate, EnteredText, Fingerprint, StoryReport
from dedup.stories import passes
from feeds.work.leases import Claim

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.sql]

N_BLOWS = 6
LEASE = timedelta(seconds=60)


def claim(number):
    """Each process has its turn when the leases of those before it are over."""
    return Claim(f"process {number}", NOW + 2 * number * LEASE, LEASE)


def run_killed(work, n_statements):
    """Let a process do the work; kill it when it has begun so many statements."""
    connections.close_all()
    read_end, write_end = os.pipe()
    pid = os.fork()
    if not pid:

        def say(execute, sql, params, many, context):
            os.write(write_end, b".")
            return execute(sql, params, many, context)

        try:
            with connections["default"].execute_wrapper(say):
                work()
        finally:
            os._exit(0)
    os.close(write_end)
    with os.fdopen(read_end, "rb", buffering=0) as statements:
        for _ in range(n_statements):
            statements.read(1)
        os.kill(pid, signal.SIGKILL)
        _, status = os.waitpid(pid, 0)
    return os.WIFSIGNALED(status)


def kill_again_and_again(run, n_statements):
    """Strike ever later, each time a little further; then let the work come to its end."""
    blows = [run_killed(lambda n=n: run(claim(n)), n * n_statements) for n in range(1, N_BLOWS)]
    while run(claim(N_BLOWS)).n_claimed:
        pass
    return blows


def test_processes_killed_while_they_detect_leave_nothing_half_done(settings):
    settings.MAX_ATTEMPTS = 100
    several = [[prose(f"text {n}")] * 3 for n in range(12)]
    articles = [[add_article(text) for text in copies] for copies in several]
    detect.pending(100, NOW)

    blows = kill_again_and_again(lambda terms: detect.run(10, terms), 7)

    assert any(blows)
    for first, *copies in articles:
        assert originals(first, *copies) == [first.pk] * 3
    firsts = {first.pk for first, *_ in articles}
    assert set(EnteredText.objects.values_list("article", flat=True)) == firsts
    assert set(Fingerprint.objects.values_list("article", flat=True)) == firsts
    assert Duplicate.objects.count() == 24
    assert not Detection.objects.waiting().exists()


def test_processes_killed_while_they_pass_over_stories_leave_nothing_half_done(settings):
    settings.MAX_ATTEMPTS = 100
    same = [add_article(text) for text in (texts.FIRE, texts.FIRE_ELSEWHERE)]
    other = [add_article(text) for text in (texts.OTHER_FIRE, texts.COURT, texts.CRICKET)]
    detect.pending(10, NOW)
    report = detect.run(10, claim(0))
    passes.register(report.next_ids["articles"], NOW)

    blows = kill_again_and_again(lambda terms: passes.run(1, terms), 5)

    assert any(blows)
    stories_of = dict(Detection.objects.values_list("article", "story"))
    assert stories_of[same[0].pk] == stories_of[same[1].pk] is not None
    assert [stories_of[article.pk] for article in other] == [None] * 3
    assert not StoryReport.objects.filter(placed_at=None).exists()
