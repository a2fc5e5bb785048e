"""How long a text took to be found, whatever was done to it afterwards."""

from datetime import timedelta

import pytest
from factories import NOW, make_article

from search.models import IndexedArticle
from search.status import latency_since

pytestmark = [pytest.mark.django_db, pytest.mark.sql]

HOUR = timedelta(hours=1)


def index(*, stored, changed, indexed):
    article = make_article(f"Text {stored}.", created_at=stored, updated_at=changed)
    IndexedArticle.objects.create(article=article, indexed_at=indexed)


def test_a_text_extracted_again_counts_from_then():
    index(stored=NOW - HOUR, changed=NOW, indexed=NOW + timedelta(seconds=2))

    assert latency_since(NOW - HOUR).median == 2


def test_a_text_that_waits_again_and_an_old_one_do_not_count():
    index(stored=NOW - HOUR, changed=NOW, indexed=NOW - timedelta(minutes=50))
    index(stored=NOW - 9 * HOUR, changed=NOW - 9 * HOUR, indexed=NOW)

    assert latency_since(NOW - HOUR).n == 0
