"""Which method is in force, and what putting another one in force does."""

from datetime import timedelta

import pytest
from detected_articles import NOW, add_article, detect_all

from dedup.models import Detection, DetectionMethod
from dedup.stage import detect_methods
from dedup.stage.detect_methods import Method

pytestmark = [pytest.mark.django_db, pytest.mark.sql]

AFTER = NOW + timedelta(minutes=1)


def test_asking_for_the_method_writes_nothing(django_assert_num_queries):
    with django_assert_num_queries(1):
        assert detect_methods.current() == Method("shingles", 1.0)

    assert not DetectionMethod.objects.exists()
    assert detect_methods.settle(NOW) == detect_methods.settle(NOW) == Method("shingles", 1.0)
    assert DetectionMethod.objects.count() == 1


def test_another_method_makes_every_article_due():
    add_article("Rain fell on the Karoo all night and the farmers danced.")
    detect_all()

    assert detect_methods.use_method("sentences", None, AFTER)

    assert detect_methods.current() == Method("sentences", 1.0)
    assert Detection.objects.filter(due_at=AFTER).count() == 1
    assert not detect_methods.use_method("sentences", None, AFTER)


def test_going_back_is_not_offered_across_a_change_of_method():
    detect_methods.set_limit(0.9, None, NOW)
    assert detect_methods.former() is not None
    detect_methods.use_method("sentences", None, AFTER)

    assert detect_methods.former() is None
