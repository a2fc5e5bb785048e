"""Patterns for bytes of any charset: only their ASCII parts matter."""

from typing import Any

import re2


def in_bytes(pattern: bytes) -> re2._Regexp:
    """Pattern for bytes of any charset in either case; `re` needs 3 ms a page to find none."""
    return re2.compile(pattern, any_case())


def any_case() -> Any:
    """Options of re2 for such patterns: a byte is a character, and cases are equal."""
    options = re2.Options()
    options.case_sensitive = False
    options.encoding = re2.Options.Encoding.LATIN1
    return options
