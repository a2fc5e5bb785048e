"""What the rule studio's address makes of posted values that no form of it sends."""

import pytest
from django.utils import timezone
from factories import make_publication

from extraction.rules.versions import open_draft

pytestmark = pytest.mark.django_db

CHANGE = "/sources/karoo-courier/rules/change/"
ENDLESS = "9" * 5000


@pytest.mark.parametrize(
    "posted",
    [
        {"act": "delete", "pk": ENDLESS},
        {"act": "up", "pk": ENDLESS},
        {"act": "save", "field": "title", "kind": "css", "selector": "h1", "split_index": 0}
        | {"edited": ENDLESS},
        {"act": "publish", "valid_from": "0001-01-01"},
        {"act": "dry-run", "valid_from": "0001-01-01"},
    ],
    ids=lambda posted: posted["act"],
)
def test_numbers_and_days_beyond_all_bounds_break_nothing(editor, posted):
    paper = make_publication(time_zone="UTC")
    open_draft(paper.pk, timezone.now())

    assert editor.post(CHANGE, posted).status_code == 302
