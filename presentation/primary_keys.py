"""Primary keys in addresses and forms: what a request holds → a number that a table may have."""

# Any number of so many digits fits into a column; Python refuses to read endless ones.
_MAX_DIGITS = 18


def primary_key(text: str | None) -> int | None:
    """Read a key; None for anything that cannot be one.

    >>> primary_key("17"), primary_key(""), primary_key("²"), primary_key("9" * 5000)
    (17, None, None, None)
    """
    is_key = text and text.isascii() and text.isdigit() and len(text) <= _MAX_DIGITS
    return int(text) if text and is_key else None
