"""Which pages of a web archive are taken: by host, address, language, day and type."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from fnmatch import translate
from urllib.parse import urlsplit

from propcache.api import cached_property

from feeds.crawler.addressing.canonical import is_same_site
from feeds.crawler.addressing.links import BadPattern, LinkFilter
from feeds.crawler.fetching.exchange import FetchResult
from feeds.crawler.outcomes import Outcome
from feeds.crawler.timing.conditional import header

_TYPES = frozenset({"text/html", "application/xhtml+xml", ""})
# A document's own word on its language stands in its first tag.
_BEGINNING_BYTES = 4096
_LANGUAGE = re.compile(rb"<html[^>]{0,1000}?\slang\s*=\s*[\"']?([A-Za-z]{2,3})", re.IGNORECASE)
# ISO 639 codes, with whatever stands behind them: en, zul, en-ZA.
_LANGUAGE_CODE = re.compile(r"[a-z]{2,3}([-_][a-z0-9]+)*")
_NOT_A_HOST = re.compile(r"[^a-z0-9.*?\[\]_:-]")


@dataclass(frozen=True)  # no slots: compiled patterns are kept
class WarcChoice:
    """What is asked of a page; what is empty asks nothing.

    `hosts` are patterns with `*`; one without takes the host's subdomains too. `address_pattern` is
    a regular expression that stands somewhere in the address. A page that names no language passes.
    """

    hosts: tuple[str, ...] = ()
    address_pattern: str = ""
    languages: tuple[str, ...] = ()
    first_day: date | None = None
    last_day: date | None = None

    def check(self) -> None:
        """Raise BadPattern with a sentence where a pattern is none."""
        bad = next((one for one in self.hosts if _NOT_A_HOST.search(one)), None)
        if bad is not None:
            raise BadPattern(f"“{bad[:60]}” is no host; write one as *.example.com.")
        if self.first_day and self.last_day and self.first_day > self.last_day:
            raise BadPattern("The first day lies behind the last.")
        LinkFilter.compile([self.address_pattern] if self.address_pattern else [])

    def reason_against(self, result: FetchResult) -> str:
        """Say why an answer is left out; empty for one that is taken."""
        return (
            self._against_address(result.url)
            or self._against_day(result.started_at.date())
            or _against_answer(result)
            or self._against_language(result)
        )

    def _against_address(self, url: str) -> str:
        parts = urlsplit(url)
        host = (parts.hostname or "").lower()
        if self.hosts and not any(self._is_host(host, one) for one in self.hosts):
            return "another host"
        if parts.path.strip("/") == "" and not parts.query:
            return "a front page"
        if self.address_pattern and not self._addresses.decide(url).accepted:
            return "another address"
        return ""

    def _is_host(self, host: str, wanted: str) -> bool:
        if "*" in wanted or "?" in wanted:
            return bool(re.fullmatch(translate(wanted), host))
        return is_same_site(host, wanted)

    @cached_property
    def _addresses(self) -> LinkFilter:
        return LinkFilter.compile([self.address_pattern])

    def _against_day(self, day: date) -> str:
        is_early = self.first_day is not None and day < self.first_day
        is_late = self.last_day is not None and day > self.last_day
        return "another day" if is_early or is_late else ""

    def _against_language(self, result: FetchResult) -> str:
        if not self.languages:
            return ""
        declared = _LANGUAGE.search(result.body[:_BEGINNING_BYTES])
        said = declared[1].decode() if declared else header(result.headers, "content-language")
        is_other = bool(said) and str(said)[:2].lower() not in self.languages
        return "another language" if is_other else ""


def hosts_of(words: str) -> tuple[str, ...]:
    """Read hosts that are separated by blanks or commas."""
    return tuple(words.lower().replace(",", " ").split())


def languages_of(words: str | Sequence[str]) -> tuple[str, ...]:
    """Read codes of languages; of a longer one its first two letters count.

    Raises
    ------
    BadPattern
        When a word is no code: a name such as Zulu must not be taken for its first two letters.
    """
    text = words if isinstance(words, str) else " ".join(words)
    codes = text.lower().replace(",", " ").split()
    bad = next((code for code in codes if not _LANGUAGE_CODE.fullmatch(code)), None)
    if bad is not None:
        raise BadPattern(f"“{bad[:60]}” is no code of a language; write one as en or af.")
    return tuple(code[:2] for code in codes)


def _against_answer(result: FetchResult) -> str:
    kind = result.content_type.partition(";")[0].strip().lower()
    if result.status != 200:
        return f"answered {result.status}"
    if kind not in _TYPES:
        return "no page"
    if result.outcome is not Outcome.OK:
        return result.outcome.value.replace("_", " ")
    return "" if result.body.strip() else "empty"
