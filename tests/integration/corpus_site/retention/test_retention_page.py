"""The page of what is kept: looking, letting go, keeping for ever; and what is refused."""

import pytest

from corpus_site.retention.models import RetentionChange, RetentionPass
from corpus_site.running.executor import make_loop

pytestmark = pytest.mark.django_db(transaction=True)


def words(answer):
    return " ".join(answer.content.decode().split())


def test_an_admin_looks_then_lets_go_then_keeps(admin_client):
    def post(**data):
        return admin_client.post("/status/retention/requests/", data, follow=True)

    assert "Let 0 go" not in words(admin_client.get("/status/retention/"))
    assert "Nothing goes yet" in words(post(act="look", days="400"))
    make_loop(0, 1).run_until_idle()
    page = words(admin_client.get("/status/retention/"))
    assert "0 of 0 requests may go, older than 400 days" in page
    assert "Let 0 go" in page

    assert "they go from now on" in words(post(act="begin", days="400"))
    assert "kept for ever from now on" in words(post(act="keep"))
    assert [change.days for change in RetentionChange.objects.order_by("pk")] == [400, None]
    assert "Look at old rows" in words(admin_client.get("/status/jobs/"))


def test_erasing_posts_wants_a_word(admin_client):
    def post(**data):
        return admin_client.post("/status/retention/erased-posts/", data, follow=True)

    post(act="look", days="90")
    make_loop(0, 1).run_until_idle()
    assert "Type: erase posts" in words(admin_client.get("/status/retention/"))
    refused = post(act="begin", days="90", word="erase")
    assert (refused.status_code, RetentionChange.objects.exists()) == (400, False)
    assert "Type “erase posts” to confirm." in words(refused)
    assert "they go from now on" in words(post(act="begin", days="90", word="erase posts"))


@pytest.mark.parametrize("days", ["", "x", "-3", "3", "1e9", "99999", "９９", "4" * 400])
def test_what_is_no_age_is_refused_with_a_sentence(admin_client, days):
    answer = admin_client.post("/status/retention/requests/", {"act": "look", "days": days})

    assert answer.status_code == 400
    assert "Give " in words(answer)
    assert not RetentionPass.objects.exists()


def test_an_unknown_kind_is_not_there(admin_client):
    assert admin_client.post("/status/retention/articles/", {"act": "look"}).status_code == 404
