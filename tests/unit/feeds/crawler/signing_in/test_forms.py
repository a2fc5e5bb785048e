"""Log-in forms of pages: which form it is, what is sent, what is none."""

import pytest

from feeds.crawler.signing_in.forms import LogInForm, find_form, shows_log_in

URL = "https://karoo.example/members/log-in?next=/a"
WORDPRESS = b"""<form name="loginform" action="/wp-login.php" method="post">
<input type="text" name="log"><input type="password" name="pwd">
<input name="rememberme" type="checkbox" value="forever">
<input type="submit" name="wp-submit" value="Log In">
<input type="hidden" name="redirect_to" value="/wp-admin/">
<input type=hidden name=testcookie value=1>
</form>"""


def test_the_form_of_wordpress():
    assert find_form(WORDPRESS, URL) == LogInForm(
        action="https://karoo.example/wp-login.php",
        is_post=True,
        user_field="log",
        password_field="pwd",
        fields=(
            ("log", ""),
            ("pwd", ""),
            ("redirect_to", "/wp-admin/"),
            ("testcookie", "1"),
            ("wp-submit", "Log In"),
        ),
    )


def test_it_is_filled_in_and_the_rest_goes_as_it_came():
    form = find_form(WORDPRESS, URL)

    assert form.filled("desk", "word") == [
        ("redirect_to", "/wp-admin/"),
        ("testcookie", "1"),
        ("wp-submit", "Log In"),
        ("log", "desk"),
        ("pwd", "word"),
    ]


@pytest.mark.parametrize(
    ("page", "found"),
    [
        (b"", None),
        (b"<p>No form", None),
        (b"<form method=post><input name=q></form>", None),
        # a new password, a new account
        (
            b"<form><input name=u><input type=password name=a><input type=password name=b></form>",
            None,
        ),
        (b"<form method=post><input type=password name=p></form>", None),
        (b"<form method=post><input type=email name=m><input type=password name=p></form>", "m"),
        (
            b"<form method=post><input name=no><input name=user><INPUT TYPE='PASSWORD' name=p>",
            "user",
        ),
        (
            b"<form></form><form method=post><input name=m><input type=password name=p>",
            "m",
        ),
        (
            b"<form method=post action='javascript:x()'><input name=m><input type=password name=p>",
            None,
        ),
    ],
)
def test_which_form_is_one(page, found):
    form = find_form(page, URL)

    assert (form.user_field if form else None) == found
    assert shows_log_in(page, URL) == (form is not None)


@pytest.mark.parametrize(
    ("action", "base", "sent_to"),
    [
        ("", "", URL),
        ("do", "", "https://karoo.example/members/do"),
        ("do", "<base href='/else/'>", "https://karoo.example/else/do"),
        ("//other.example/do", "", "https://other.example/do"),
    ],
)
def test_where_it_is_sent(action, base, sent_to):
    page = f"{base}<form method=post action='{action}'><input name=m><input type=password name=p>"

    assert find_form(page.encode(), URL).action == sent_to


def test_fields_can_be_named():
    page = b"<form method=post><input name=a><input name=b><input name=c></form>"

    form = find_form(page, URL, names=("b", "c"))

    assert (form.user_field, form.password_field) == ("b", "c")
    assert find_form(page, URL, names=("b", "missing")) is None
