"""Passwords at newspapers: sealed in the database, opened by any key, rotated."""

import io

import pytest
from cryptography.fernet import Fernet
from django.core.management import call_command
from factories import make_host, make_page, make_publication
from hypothesis import given
from hypothesis import strategies as st

from feeds.models import Account, AccountKind
from feeds.network import credentials
from feeds.secrets_at_rest import SealBrokenError, seal, unseal

pytestmark = pytest.mark.django_db

CANARY = "canary-of-the-password"
OLD, NEW = (Fernet.generate_key().decode() for _ in range(2))


def make_account(publication, secret=CANARY, **changes):
    account = Account(publication=publication, kind=AccountKind.COOKIE, **changes)
    account.secret = secret
    account.save()
    return account


def signed_in(page):
    return dict(credentials(page.host, page)).get("Cookie")


@given(st.text())
def test_what_is_sealed_is_opened_again(text):
    assert unseal(seal(text)) == text
    assert not text or seal(text) != seal(text)


def test_nothing_of_a_secret_stands_in_its_row():
    account = make_account(make_publication())

    assert CANARY not in str(Account.objects.values().get())
    assert Account.objects.get(pk=account.pk).secret == CANARY


def test_every_key_opens_and_the_first_seals(settings):
    settings.SECRETS_KEYS = [OLD]
    sealed = seal(CANARY)
    settings.SECRETS_KEYS = [NEW, OLD]
    call = unseal(sealed)
    settings.SECRETS_KEYS = [NEW]

    assert call == CANARY
    with pytest.raises(SealBrokenError):
        unseal(sealed)


def test_rotation_lets_the_old_key_go(settings):
    settings.SECRETS_KEYS = [OLD]
    account = make_account(make_publication())
    settings.SECRETS_KEYS = [NEW, OLD]

    call_command("reseal_secrets")

    settings.SECRETS_KEYS = [NEW]
    assert Account.objects.get(pk=account.pk).secret == CANARY


def test_a_lost_key_is_named_and_changes_nothing(settings):
    settings.SECRETS_KEYS = [OLD]
    make_account(make_publication())
    sealed = Account.objects.get().sealed_secret
    settings.SECRETS_KEYS = [NEW]

    said = io.StringIO()
    call_command("reseal_secrets", stderr=said)

    assert "no key opens" in said.getvalue()
    assert Account.objects.get().sealed_secret == sealed


def test_a_page_is_fetched_without_an_account_whose_key_is_lost(settings, caplog):
    settings.SECRETS_KEYS = [OLD]
    page = make_page(make_publication())
    make_account(page.publication)
    settings.SECRETS_KEYS = [NEW]

    assert signed_in(page) is None
    assert "The account of karoo-courier is not used" in caplog.text


def test_accounts_of_hosts_are_sent_to_these_alone():
    publication = make_publication()
    make_account(publication, "all")
    make_account(publication, "premium", host="premium.karoo-courier.example")
    page = make_page(publication)
    premium = make_page(publication, host=make_host("premium.karoo-courier.example"))

    assert signed_in(page) == "all"
    assert signed_in(premium) in {"all", "premium"}


def test_accounts_take_turns_by_the_page():
    publication = make_publication()
    for secret in ("first", "second"):
        make_account(publication, secret)
    make_account(publication, "asleep", is_active=False)
    pages = [make_page(publication) for _ in range(8)]

    sent = [signed_in(page) for page in pages]

    assert set(sent) == {"first", "second"}
    assert sent == [signed_in(page) for page in pages]
