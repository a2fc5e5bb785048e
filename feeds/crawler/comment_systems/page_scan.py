"""A page as comment systems look for themselves in it: bytes of its scripts and attributes.

Only ASCII parts matter, so any charset will do.
"""

import html
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import re2
from propcache.api import cached_property

from feeds.crawler.addressing.canonical import BadUrl, canonicalize
from feeds.crawler.comment_systems.threads import storable
from feeds.crawler.documents.byte_patterns import any_case, in_bytes

MAX_PAGE_BYTES = 4_000_000  # scripts of a larger page are not searched
MAX_IDENTIFIER_LENGTH = 500  # characters
_STRING = rb"""\s*(?:"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)')"""
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(.))", re.DOTALL)


def signs_in_bytes(signs: Iterable[bytes]) -> Any:
    """Set of words that are looked for together; `Match` gives the numbers of those found."""
    found = re2.Set.SearchSet(any_case())
    for sign in signs:
        found.Add(re2.escape(sign.decode()))
    found.Compile()
    return found


def assigned(names: bytes) -> re2._Regexp:
    """Pattern of a quoted value behind one of these names: attribute, variable or JSON."""
    return in_bytes(rb"(?:" + names + rb")(?:['\"]|&quot;)?\s*[:=]" + _STRING)


@dataclass(frozen=True)
class PageScan:
    """The start of a page's bytes, and its address."""

    body: bytes
    url: str

    @cached_property
    def page(self) -> bytes:
        return self.body[:MAX_PAGE_BYTES]

    @cached_property
    def lowered(self) -> bytes:
        # Lowered once: a search that ignores case costs 5 ms on a page, this 0.1.
        return self.page.lower()

    @property
    def scheme(self) -> str:
        return urlsplit(self.url).scheme or "https"

    def has(self, *signs: bytes) -> bool:
        """Whether one of these, in lower case, stands in the page."""
        return any(sign in self.lowered for sign in signs)

    def string(self, pattern: re2._Regexp) -> str:
        """First value of a pattern made by `assigned` that is no unfilled template."""
        for match in pattern.finditer(self.page):
            value = (match[1] or match[2] or b"").decode("utf-8", "replace")
            found = html.unescape(_unescape(value)).strip()
            if found and "{{" not in found:
                return found[:MAX_IDENTIFIER_LENGTH]
        return ""

    def origin(self, named: str) -> str:
        """Give an address that the page names in full, without a slash at its end; else "".

        Query and fragment are no part of where a system stands.
        """
        try:
            whole = canonicalize(named, self.url).url if named else ""
        except BadUrl:
            return ""
        return whole.partition("#")[0].partition("?")[0].rstrip("/")

    def link(self, named: str) -> str:
        """Give the address by which the page calls itself to a system; its own where it has none.

        What cannot be an address is passed over.
        """
        try:
            return canonicalize(named, self.url).url if named else self.url
        except BadUrl:
            return self.url


def _unescape(value: str) -> str:
    def replaced(match: re.Match[str]) -> str:
        code = match[1] or match[2]
        return chr(int(code, 16)) if code else match[3]

    return storable(_ESCAPE.sub(replaced, value)) if "\\" in value else value
