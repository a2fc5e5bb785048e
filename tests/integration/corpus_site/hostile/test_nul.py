"""NUL in addresses and fields: PostgreSQL takes none, so it must not get that far."""

import pytest
from factories import make_article

from dedup.models import Decision

pytestmark = [pytest.mark.django_db, pytest.mark.sql]


@pytest.mark.parametrize("path", ["/hosts/%00/", "/words/lexicon/entry/%00/"])
def test_an_address_with_nul_leads_nowhere(editor, path):
    assert editor.get(path).status_code == 404


def test_an_article_named_with_nul_is_not_found(editor):
    article = make_article()

    answer = editor.post(
        "/duplicates/change/", {"act": "join", "article": article.pk, "with": "a\0b"}
    )

    assert answer.status_code in {302, 404}
    assert Decision.objects.count() == 0


def test_a_filter_with_nul_finds_nothing_and_breaks_nothing(editor):
    answer = editor.get("/evaluation/", {"pub": "karoo\0courier"})

    assert answer.status_code == 200
