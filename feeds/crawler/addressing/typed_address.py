"""What somebody typed into the field for a newspaper's address → an address, or what to do.

Names, e-mail addresses, lists and slips of the keyboard get a sentence of their own, with the
address that was probably meant where there is one.
"""

import re

from feeds.crawler.addressing.canonical import BadUrl, CanonicalUrl, canonicalize

_EMAIL = re.compile(r"^(?:mailto:)?[^\s@/:]+@([a-z0-9\-]+(?:\.[a-z0-9\-]+)+)$", re.IGNORECASE)
# Their home pages are no newspapers.
_MAIL_HOSTS = frozenset(
    {
        "gmail.com",
        "googlemail.com",
        "yahoo.com",
        "outlook.com",
        "hotmail.com",
        "icloud.com",
        "webmail.co.za",
        "mweb.co.za",
        "telkomsa.net",
        "iafrica.com",
    }
)
_SCHEME = re.compile(r"^[a-z][a-z0-9+.\-]*:", re.IGNORECASE)
_ADDRESS_LIKE = re.compile(r"^(?:https?://)?[^\s/@:,]+\.[a-z]{2,}(?:[:/?#]\S*)?$", re.IGNORECASE)
_HOST = re.compile(r"^[a-z0-9\-]+(?:\.[a-z0-9\-]+)*\.[a-z]{2,}$", re.IGNORECASE)
_MAX_SHOWN = 80  # characters of what was typed: the sentence stays readable


class BadAddressError(ValueError):
    """Raised by `read_typed` with a sentence for the form; `suggestion` may be empty."""

    def __init__(self, sentence: str, suggestion: str = "") -> None:
        super().__init__(sentence)
        self.suggestion = suggestion


def read_typed(text: str) -> CanonicalUrl:
    """Give the address that was typed.

    Parameters
    ----------
    text
        What stands in the field.

    Raises
    ------
    BadAddressError
        With a sentence that says what it is instead, what to do, and which address may be meant.

    Examples
    --------
    >>> read_typed("www.karoocourier.example").url
    'https://www.karoocourier.example/'
    >>> try:
    ...     read_typed("news@karoocourier.example")
    ... except BadAddressError as problem:
    ...     print(problem.suggestion)
    https://karoocourier.example/
    """
    typed = text.strip()
    _check_email(typed)
    _check_several(typed)
    _check_slips(typed)
    _check_name(typed)
    try:
        return canonicalize(typed)
    except BadUrl as problem:
        raise BadAddressError(f"{problem} {_PASTE}") from problem


_PASTE = "Open the newspaper in a browser and paste what stands in its address field."


def _check_email(typed: str) -> None:
    match = _EMAIL.match(typed)
    if not match:
        return
    host = match[1].lower()
    suggestion = "" if host in _MAIL_HOSTS else f"https://{host}/"
    raise BadAddressError(
        f"“{_shown(typed)}” is an e-mail address, not a page. {_PASTE}", suggestion
    )


def _check_several(typed: str) -> None:
    words = [word.strip(",;") for word in typed.split()]
    if len(words) > 1 and all(_ADDRESS_LIKE.match(word) for word in words):
        raise BadAddressError(
            f"{len(words)} addresses stand here. Add one newspaper at a time; the list of a feed "
            "reader (OPML) is taken as “a file of sources” below.",
            words[0],
        )


def _check_slips(typed: str) -> None:
    """Notice commas and blanks between the parts of a host."""
    if not re.search(r"[\s,]", typed.partition("?")[0]):
        return
    scheme, rest = "", typed
    if "://" in typed:
        scheme, _, rest = typed.partition("://")
    host, slash, path = rest.partition("/")
    meant = re.sub(r"\s*[.,]\s*", ".", host.strip())
    if meant != host and _HOST.match(meant):
        address = f"{scheme.strip() or 'https'}://{meant}/{path.strip() if slash else ''}"
        raise BadAddressError(f"“{_shown(typed)}” is not a web address.", address)


def _check_name(typed: str) -> None:
    """Notice words that name a newspaper instead of its page."""
    if not typed or _SCHEME.match(typed) or "/" in typed or typed == "localhost":
        return
    has_blank = bool(re.search(r"\s", typed))
    if has_blank or ("." not in typed and ":" not in typed):
        what = "is a name, not a web address" if has_blank else "lacks its end, such as .co.za"
        raise BadAddressError(f"“{_shown(typed)}” {what}. {_PASTE}")


def _shown(typed: str) -> str:
    return typed if len(typed) <= _MAX_SHOWN else typed[: _MAX_SHOWN - 1] + "…"
