"""kill -9 of workers while mails and webhooks leave: each arrives, and what was noted only once."""

import random
import signal
import sqlite3
from collections import Counter
from contextlib import closing
from pathlib import Path

import psutil
import pytest
from message_receivers import HookServer, MailServer
from services import free_port
from waiting import wait_until

N_EACH = 60
N_KILLS = 6
PATIENCE_SECONDS = 900
# Webhooks of a batch leave side by side, mails one after the other.
MOST_AT_ONCE = 10
MAKE = f"""
from django.utils import timezone
from corpus_site.accounts.models import User
from corpus_site.messaging import channels
from corpus_site.messaging.models import Channel, Message
import sys
now = timezone.now()
owner = User.objects.create_user("thandi", "thandi@example.org", "x", role="editor")
for kind, address in (("mail", "thandi@example.org"), ("webhook", "HOOK")):
    row = channels.add_channel(Channel(owner=owner, kind=kind, name=kind), address, now).row
    channels.confirm(row.pk, now)
    content = {{"kind": "alarms", "title": "t", "lead": "l", "address": "http://a.example/",
               "items": [], "n_more": 0, "figures": []}}
    Message.objects.bulk_create(
        Message(channel=row, key=f"{{kind}}-{{n}}", content=content, made_at=now, due_at=now)
        for n in range({N_EACH}))
"""


@pytest.mark.timeout(3600)
def test_killed_workers_lose_no_message_and_send_none_again_that_was_noted(site_on):
    with MailServer() as mails, SlowHooks() as hooks:
        site = site_on(
            "",
            EMAIL_URL=f"smtp://127.0.0.1:{mails.port}",
            SITE_URL="https://corpus.example.org",
        )
        site.manage("shell", "-c", MAKE.replace("HOOK", hooks.url))
        base = Path(site.environment["DATA_DIR"]) / "broadsheet.sqlite3"
        noted_twice = kill_while_they_leave(site, base, mails, hooks)

    expected = {f"{kind}-{n}" for kind in ("mail", "webhook") for n in range(N_EACH)}
    arrived = Counter(hooks.ids)
    mailed = Counter(mails.ids)
    assert ask(base, "SELECT key FROM messaging_message WHERE sent_at IS NOT NULL") == expected
    assert arrived.keys() == {key for key in expected if key.startswith("webhook")}
    assert len(mailed) == N_EACH
    # What a blow hit between handing over and noting comes again, under the same id: no more.
    assert (mailed + arrived).total() <= 2 * N_EACH + N_KILLS * 2 * MOST_AT_ONCE
    assert noted_twice == set()


class SlowHooks(HookServer):
    """Takes a moment for each post, so that blows fall while they leave."""

    def _handler(self):
        handler, stopping = super()._handler(), self._stopping

        class Slow(handler):
            def do_POST(self):  # noqa: N802 (as http.server calls it)
                stopping.wait(0.2)
                super().do_POST()

        return Slow


def kill_while_they_leave(site, base, mails, hooks):
    """Strike whenever something more has arrived; give the keys of which two deliveries stand."""
    chance, port = random.Random(20261123), str(free_port())
    up = site.start("manage.py", "up", "--port", port)

    def n_arrived():
        return len(mails.mails) + len(hooks.posts)

    for _ in range(N_KILLS):
        before = n_arrived()
        wait_until(lambda before=before: n_arrived() > before or is_done(base), PATIENCE_SECONDS)
        kill_a_worker(up, chance)
        if up.poll() is not None:
            up.communicate()
            up = site.start("manage.py", "up", "--port", port)
    wait_until(lambda: is_done(base), PATIENCE_SECONDS)
    return ask(
        base,
        "SELECT key FROM messaging_message m JOIN messaging_delivery d ON d.message_id = m.id "
        "WHERE d.is_taken GROUP BY key HAVING count(*) > 1",
    )


def kill_a_worker(up, chance):
    try:
        below = psutil.Process(up.pid).children(recursive=True)
        chance.choice(below or [psutil.Process(up.pid)]).send_signal(signal.SIGKILL)
    except psutil.NoSuchProcess:
        return


def is_done(base):
    waiting = ask(base, "SELECT key FROM messaging_message WHERE sent_at IS NULL")
    return not waiting


def ask(base, query):
    with closing(sqlite3.connect(f"file:{base}?mode=ro", uri=True, timeout=20)) as books:
        return {key for (key,) in books.execute(query)}
