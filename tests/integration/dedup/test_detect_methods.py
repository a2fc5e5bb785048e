"""Which method is in force when the setting changes, and when processes are set differently."""

from datetime import timedelta

import pytest
from detected_articles import NOW, add_article, detect_all

from dedup import detect_methods
from dedup.detect_methods import Method, follow_setting
from dedup.models import Detection, DetectionMethod

pytestmark = [pytest.mark.django_db, pytest.mark.sql]

BEFORE, AFTER = NOW - timedelta(minutes=1), NOW + timedelta(minutes=1)


def test_asking_for_the_method_writes_nothing(django_assert_num_queries):
    with django_assert_num_queries(1):
        assert detect_methods.current() == Method("shingles", 1.0)

    assert not DetectionMethod.objects.exists()
    assert detect_methods.settle(NOW) == detect_methods.settle(NOW) == Method("shingles", 1.0)
    assert DetectionMethod.objects.count() == 1


def test_a_process_started_after_the_method_was_put_in_force_changes_it(settings):
    add_article("Rain fell on the Karoo all night and the farmers danced.")
    detect_all()
    settings.DEDUP_METHOD = "sentences"

    assert follow_setting(AFTER, started=AFTER)

    assert detect_methods.current() == Method("sentences", 1.0)
    assert Detection.objects.filter(due_at=AFTER).count() == 1
    assert not follow_setting(AFTER, started=AFTER)


def test_of_two_processes_set_differently_the_one_started_last_wins_once(settings, caplog):
    detect_methods.settle(NOW)
    settings.DEDUP_METHOD = "sentences"
    follow_setting(AFTER, started=AFTER)
    settings.DEDUP_METHOD = "shingles"

    changed = [follow_setting(AFTER, started=BEFORE) for _ in range(3)]

    assert changed == [False, False, False]
    assert detect_methods.current() == Method("sentences", 1.0)
    [said] = {record.message for record in caplog.records}
    assert said == detect_methods.disagreement()
    assert "DEDUP_METHOD is shingles here, but sentences is in force since" in said
    settings.DEDUP_METHOD = "sentences"
    assert detect_methods.disagreement() == ""


def test_going_back_is_not_offered_across_a_change_of_method(settings):
    detect_methods.set_limit(0.9, None, NOW)
    assert detect_methods.former() is not None
    settings.DEDUP_METHOD = "sentences"
    follow_setting(AFTER, started=AFTER)

    assert detect_methods.former() is None
