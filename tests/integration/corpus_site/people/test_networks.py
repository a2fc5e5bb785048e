"""Where the site may be used from, under which names, and what a refusal says."""

import ipaddress
import os

import pytest
from axes.models import AccessAttempt
from django.test import Client
from django.utils import timezone
from factories import make_user
from pages import markup

from corpus_site import checks
from corpus_site.accounts import untrusted_proxies
from corpus_site.alarms.needs import all_needs

pytestmark = pytest.mark.django_db
CAMPUS = [ipaddress.ip_network("146.231.0.0/16"), ipaddress.ip_network("2001:4200::/32")]


@pytest.mark.parametrize(
    ("proxies", "address", "forwarded", "status"),
    [
        (0, "146.231.128.1", "", 200),
        (0, "::ffff:146.231.128.1", "", 200),
        (0, "2001:4200:7000::5", "", 200),
        (0, "41.0.0.1", "", 403),
        (0, "41.0.0.1", "146.231.128.1", 403),
        (1, "10.0.0.2", "146.231.128.1", 200),
        (1, "10.0.0.2", "146.231.128.1, 41.0.0.1", 403),
        (2, "10.0.0.2", "41.0.0.1, 146.231.128.1, 10.0.0.3", 200),
        (1, "10.0.0.2", "", 403),
        (1, "10.0.0.2", "no address", 403),
    ],
)
def test_only_allowed_networks_see_pages(client, settings, proxies, address, forwarded, status):
    settings.ALLOWED_NETWORKS, settings.TRUSTED_PROXIES = CAMPUS, proxies
    headers = {"X-Forwarded-For": forwarded} if forwarded else {}

    answer = client.get("/sign-in/", REMOTE_ADDR=address, headers=headers)

    assert answer.status_code == status
    assert ("Not from this network" in markup(answer)) is (status == 403)
    assert client.get("/healthz", REMOTE_ADDR=address, headers=headers).status_code == 200


def test_lock_out_behind_a_proxy_shuts_out_the_guesser_alone(client, settings):
    settings.TRUSTED_PROXIES = 1
    make_user("linguist", username="thandi")
    wrong = {"username": "thandi", "password": "guessed"}

    for _ in range(5):
        client.post("/sign-in/", wrong, headers={"X-Forwarded-For": "41.0.0.1"})
    guesser = client.post("/sign-in/", wrong, headers={"X-Forwarded-For": "1.2.3.4, 41.0.0.1"})
    other = client.post("/sign-in/", wrong, headers={"X-Forwarded-For": "146.231.128.1"})

    assert (guesser.status_code, other.status_code) == (429, 200)
    assert set(AccessAttempt.objects.values_list("ip_address", flat=True)) == {
        "41.0.0.1",
        "146.231.128.1",
    }


def test_unknown_host_name_is_named_with_the_setting_and_monitors_need_none(client, caplog):
    answer = client.get("/sign-in/", headers={"Host": "corpus.example<b>"})

    assert answer.status_code == 400
    assert "<code>corpus.example&lt;b&gt;</code>" in markup(answer)
    assert "<code>ALLOWED_HOSTS</code>" in markup(answer)
    assert [record.exc_info for record in caplog.records] == [None]
    assert client.get("/healthz", headers={"Host": "10.0.0.7"}).status_code == 200


def test_monitors_are_not_sent_to_https(client, settings):
    settings.SECURE_SSL_REDIRECT = True

    assert client.get("/healthz").status_code == 200
    assert client.get("/sign-in/").status_code == 301


def test_form_from_another_origin_says_which_setting_to_look_at(csrf_client):
    answer = csrf_client.post("/sign-in/", {}, headers={"Origin": "https://corpus.example"})

    assert answer.status_code == 403
    assert "CSRF_TRUSTED_ORIGINS" in markup(answer)


@pytest.fixture
def csrf_client():
    return Client(enforce_csrf_checks=True)


@pytest.mark.parametrize(
    ("proxies", "address", "forwarded", "seen"),
    [
        (0, "10.0.0.2", "41.0.0.1", "10.0.0.2"),
        (0, "127.0.0.1", "41.0.0.1", "127.0.0.1"),
        (0, "fd00::2", "41.0.0.1", "fd00::2"),
        (0, "41.0.0.9", "41.0.0.1", ""),
        (0, "10.0.0.2", "", ""),
        (1, "10.0.0.2", "41.0.0.1", ""),
    ],
)
def test_a_proxy_that_no_setting_names_is_told_of(
    client, settings, proxies, address, forwarded, seen
):
    settings.TRUSTED_PROXIES = proxies
    headers = {"X-Forwarded-For": forwarded} if forwarded else {}

    client.get("/sign-in/", REMOTE_ADDR=address, headers=headers)
    needs = [need for need in all_needs(timezone.now()) if need.kind == "proxy"]
    cautions = checks.untrusted_proxy(None)

    assert [need.sentence.partition(" passes")[0] for need in needs] == [f"at {seen}"] * bool(seen)
    assert [found.id for found in cautions] == ["corpus_site.W026"] * bool(seen)
    settings.TRUSTED_PROXIES = 1
    assert checks.untrusted_proxy(None) == []


def test_a_proxy_seen_the_day_before_is_told_of_no_more(client, settings):
    client.get("/sign-in/", REMOTE_ADDR="10.0.0.2", headers={"X-Forwarded-For": "41.0.0.1"})
    path = settings.DATA_DIR / untrusted_proxies.FILE_NAME
    earlier = path.stat().st_mtime - untrusted_proxies.REMEMBERED_SECONDS - 1
    os.utime(path, (earlier, earlier))

    assert checks.untrusted_proxy(None) == []


def test_status_shows_the_proxy_that_no_setting_names(browse):
    linguist = browse("linguist")
    linguist.get("/status/", REMOTE_ADDR="10.0.0.2", headers={"X-Forwarded-For": "41.0.0.1"})

    page = markup(linguist.get("/status/"))

    assert "TRUSTED_PROXIES=1" in page
