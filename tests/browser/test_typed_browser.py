"""A session that ends while somebody types: after signing in the form has it all again."""

import pytest
from django.contrib.auth import get_user_model
from django.contrib.sessions.models import Session
from factories import make_publication, make_user

from search.models import WordList

pytestmark = pytest.mark.django_db(transaction=True)
SECRET = "a good long one"


@pytest.fixture
def people(transactional_db):
    make_publication()
    for name in ("anna", "ben"):
        user = make_user("linguist", username=name)
        user.set_password(SECRET)
        user.save()


def sign_in(page, name):
    page.fill("[name=username]", name)
    page.fill("[name=password]", SECRET)
    page.click("button.go >> text=Sign in")
    page.wait_for_load_state()


def type_a_list(window, name="anna"):
    """Fill in the form of word lists, and send it when the session is over."""
    page = window.open("/sign-in/?next=/words/lists/")
    sign_in(page, name)
    form = page.locator("form:has(textarea[name=words])").first
    form.locator("[name=name]").fill("Hedges")
    form.locator("textarea[name=words]").fill("perhaps\nI think")
    Session.objects.all().delete()
    form.locator("button[type=submit], button:not([type])").first.click()
    page.wait_for_selector("[name=username]")
    return page


def typed(page):
    form = page.locator("form:has(textarea[name=words])").first
    return (
        form.locator("[name=name]").input_value(),
        form.locator("textarea[name=words]").input_value(),
    )


def test_what_was_typed_is_there_after_signing_in_again(open_window, people):
    window = open_window()
    page = type_a_list(window)

    assert "What you typed is kept in this window" in page.inner_text("main")
    sign_in(page, "anna")

    assert window.path == "/words/lists/"
    assert typed(page) == ("Hedges", "perhaps\nI think")
    assert "What you had typed is here again, and not sent yet." in page.inner_text("main")
    assert WordList.objects.count() == 0
    page.reload()
    assert typed(page) == ("", "")
    assert window.complaints == []


def test_nobody_else_gets_what_somebody_typed(open_window, people):
    page = type_a_list(open_window())

    sign_in(page, "ben")

    assert typed(page) == ("", "")
    assert page.evaluate("sessionStorage.getItem('typed')") is None


def test_what_has_arrived_is_not_kept(open_window, people):
    page = type_a_list(open_window())
    sign_in(page, "anna")
    page.locator(
        "form:has(textarea[name=words]) button.go, form:has(textarea[name=words]) button"
    ).first.click()
    page.wait_for_load_state()

    assert WordList.objects.get().owner == get_user_model().objects.get(username="anna")
    assert page.evaluate("sessionStorage.getItem('typed')") is None
