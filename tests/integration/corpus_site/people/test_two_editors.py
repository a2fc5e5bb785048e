"""Two editors who press different buttons on the same sight at the same moment, as real threads."""

import threading

import pytest
from django.contrib.messages import get_messages
from django.db import connection, transaction
from django.utils import timezone
from like_texts import sentences, store
from waiting import wait_until

from dedup.models import Decision, Duplicate, Verdict
from dedup.stage.rows import take_turn

pytestmark = pytest.mark.sql

ADDRESS = "/duplicates/change/"


def n_waiting():
    """How many others wait for a lock of this database; SQLite does not say."""
    if connection.vendor != "postgresql":
        return 2
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_stat_clear_snapshot()")  # else all of a transaction see one state
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity"
            " WHERE wait_event_type = 'Lock' AND datname = current_database()"
        )
        return cursor.fetchone()[0]


@pytest.mark.django_db(transaction=True)
def test_of_two_who_saw_the_same_one_decides_and_the_other_is_told(browse):
    text = sentences("a")
    first, second = store([" ".join(text), " ".join(text[:17])])
    clients = {verdict: browse("editor") for verdict in (Verdict.SAME, Verdict.DIFFERENT)}
    said = {}

    def press(verdict):
        fields = {"act": "judge", "article": first.pk, "other": second.pk, "seen": "open"}
        answer = clients[verdict].post(ADDRESS, fields | {"verdict": verdict})
        said[verdict] = [str(message) for message in get_messages(answer.wsgi_request)]
        connection.close()

    editors = [threading.Thread(target=press, args=(verdict,)) for verdict in clients]
    with transaction.atomic():
        take_turn(timezone.now())  # both have read their pages and come while this turn lasts
        for editor in editors:
            editor.start()
        wait_until(lambda: n_waiting() == 2)
    for editor in editors:
        editor.join()

    decision = Decision.objects.get()
    [refused] = {*clients} - {Verdict(decision.verdict)}
    assert said[refused][0].startswith("Meanwhile somebody has said of these two")
    assert Duplicate.objects.get().verdict == decision.verdict
