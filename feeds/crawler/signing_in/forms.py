"""The log-in form of a page: HTML → where it is sent, its hidden fields, the names of the two.

It is the form with one field for a password: two of them are for a new account or a new password.
"""

import re
from dataclasses import dataclass, field

from lxml import etree

from feeds.crawler.documents.byte_patterns import in_bytes
from feeds.crawler.documents.html_tree import html_tree
from feeds.crawler.fetching.connections import parse_target
from feeds.crawler.fetching.exchange import FetchStoppedError

# Most pages are of people who are signed in: those need no parser.
_PASSWORD_FIELD = in_bytes(rb"<input\b[^>]*\btype\s*=\s*[\"']?password")
_NAME_TYPES = frozenset({"", "text", "email", "tel"})
# What a field for the user's name is called, where there are several of text.
_NAME_WORDS = re.compile(r"user|mail|log|name|gebruiker", re.IGNORECASE)
_NOT_SENT = frozenset({"submit", "button", "image", "reset", "file"})


@dataclass(frozen=True, slots=True)
class LogInForm:
    """A form as it is to be sent; `fields` are those that its page has filled in."""

    action: str
    is_post: bool
    user_field: str
    password_field: str
    fields: tuple[tuple[str, str], ...] = field(default=(), repr=False)

    def filled(self, user: str, password: str) -> list[tuple[str, str]]:
        """Give all fields with their values: hidden ones as they came."""
        own = {self.user_field, self.password_field}
        kept = [pair for pair in self.fields if pair[0] not in own]
        return [*kept, (self.user_field, user), (self.password_field, password)]


def shows_log_in(body: bytes, url: str, content_type: str = "") -> bool:
    """Whether a page shows a log-in form: nobody is signed in."""
    return bool(_PASSWORD_FIELD.search(body)) and find_form(body, url, content_type) is not None


def find_form(
    body: bytes, url: str, content_type: str = "", names: tuple[str, str] = ("", "")
) -> LogInForm | None:
    """Find the log-in form of a page.

    Parameters
    ----------
    body
        HTML of the page.
    url
        Its final address.
    content_type
        Header of the answer, for the charset.
    names
        Of the fields for the user and the password, where an editor has said them.
    """
    root = html_tree(body, content_type)
    if root is None:
        return None
    base = str(root.xpath("string(//base/@href)")) or ""
    found = (_read(form, (url, base), names) for form in root.iter("form"))
    return next((form for form in found if form is not None), None)


def _read(form: etree._Element, bases: tuple[str, str], names: tuple[str, str]) -> LogInForm | None:
    inputs = [one for one in form.iter("input") if one.get("name") and one.get("disabled") is None]
    password = _password_field(inputs, names[1])
    user = _user_field(inputs, names[0])
    if password is None or user is None:
        return None
    action = _action(str(form.get("action") or ""), *bases)
    if action is None:
        return None
    is_post = str(form.get("method", "")).lower() == "post"
    return LogInForm(action, is_post, user, password, tuple(_filled_in(form, inputs)))


def _password_field(inputs: list[etree._Element], named: str) -> str | None:
    if named:
        return named if any(one.get("name") == named for one in inputs) else None
    found = [str(one.get("name")) for one in inputs if _type(one) == "password"]
    return found[0] if len(found) == 1 else None


def _user_field(inputs: list[etree._Element], named: str) -> str | None:
    if named:
        return named if any(one.get("name") == named for one in inputs) else None
    found = [str(one.get("name")) for one in inputs if _type(one) in _NAME_TYPES]
    likely = [name for name in found if _NAME_WORDS.search(name)]
    return next(iter([*likely, *found]), None)


def _filled_in(form: etree._Element, inputs: list[etree._Element]) -> list[tuple[str, str]]:
    """List what the page itself has filled in, and the button that is pressed."""
    pairs = []
    for one in inputs:
        kind = _type(one)
        is_off = kind in {"checkbox", "radio"} and one.get("checked") is None
        if kind not in _NOT_SENT and not is_off:
            default = "on" if kind in {"checkbox", "radio"} else ""
            pairs.append((str(one.get("name")), str(one.get("value", default))))
    presses = [one for one in form.iter("input", "button") if _presses(one)]
    pairs += [(str(one.get("name")), str(one.get("value", ""))) for one in presses[:1]]
    return pairs


def _presses(one: etree._Element) -> bool:
    default = "submit" if one.tag == "button" else ""
    return bool(one.get("name")) and str(one.get("type", default)).lower() == "submit"


def _type(one: etree._Element) -> str:
    return str(one.get("type", "")).strip().lower()


def _action(action: str, url: str, base: str) -> str | None:
    try:
        root = parse_target(base, base=url).url if base else url
        return parse_target(action or url, base=root).url
    except FetchStoppedError:
        return None
