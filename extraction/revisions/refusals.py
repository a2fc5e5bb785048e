"""Why a later document of a page is no version of its text: two readings → a reason, or none.

A page that was an article may answer with a login, a bot guard, a note that the article is gone, a
front page, a translation or a teaser. The stored text must outlive all of these, so what is judged
here is only ever a page whose text is stored; the first reading of a page is never refused.
"""

import re
from dataclasses import dataclass
from enum import StrEnum

from extraction.text.comparable import comparable
from feeds.crawler.addressing.slugs import is_section_page

# A guard's page and a note of removal are short; an article that tells of one is not.
MAX_NOTICE_WORDS = 150
# A text that is cut off keeps less than this share of the words that stood there …
CUT_SHARE = 0.6
# … and says nothing else: this share of its words stands in the text before.
KEPT_SHARE = 0.8
# Behind a wall that the page does not declare, or cut to a teaser: a half is what editors cut at
# most in what they call a correction, while teasers hold the first tenth to third.
SHRUNK_SHARE = 0.5
# So few words are no rewritten text, whatever they say: the 500 characters of a short text.
TEASER_WORDS = 85
# Texts of fewer words are not judged by their length, nor by their language.
LEAST_WORDS = 60
_UNDETERMINED = frozenset({"", "und", "other"})

_GUARD = re.compile(
    r"access (?:to this page )?(?:has been |is )?denied|are you a (?:robot|human)|not a robot"
    r"|verify (?:that )?you are (?:a )?human|unusual (?:traffic|activity)|captcha|just a moment"
    r"|checking your browser|enable (?:javascript|cookies)|request (?:was|has been) blocked"
    r"|you have been blocked|pardon our interruption|403 forbidden|security check|too many requests"
)
_THING = r"(?:article|story|page|content|item|post|report|artikel|berig|storie)"
_REMOVED = re.compile(
    rf"\b{_THING} (?:that )?(?:you (?:are|were) looking for )?"
    r"(?:has been|have been|was|is|has since been|is no longer|no longer|is not|could not be"
    r"|cannot be|can't be|does not|doesn't) (?:now |currently |temporarily )?"
    r"(?:removed|deleted|withdrawn|unpublished|taken down|available|unavailable|found|exists?"
    r"|expired|retracted)"
    rf"|\bno longer available\b|\bpage not found\b|\b{_THING} is (?:verwyder|nie meer beskikbaar)"
    r"|\bwe have removed this (?:article|story)\b"
)
_WALL = re.compile(
    r"subscribe (?:now |today )?to (?:continue|read|unlock|get)|subscribers? only|for subscribers"
    r"|already a subscriber|(?:log|sign) in to (?:continue|read)|to continue reading"
    r"|continue reading (?:this|with)"
    r"|become a member|free trial|unlock this|register (?:for free )?to read|premium content"
    r"|this (?:article|content) is (?:only )?(?:for|available to)|teken in om"
)
_WORD = re.compile(r"\w+")


class Refusal(StrEnum):
    """Why a document is no version."""

    EMPTY = "empty"
    FRONT_PAGE = "front_page"
    BLOCKED = "blocked"
    REMOVED = "removed"
    PAYWALL = "paywall"
    LANGUAGE = "language"
    SHRUNK = "shrunk"


@dataclass(frozen=True, slots=True)
class ShownText:
    """What a document shows, as far as it is judged.

    `url` is where the redirects ended; `page_words` are all words of the page, which tell what it
    is where it has no text of its own.
    """

    title: str
    text: str
    language: str
    url: str = ""
    canonical_url: str = ""
    is_paywalled: bool = False
    page_words: str = ""

    @property
    def n_words(self) -> int:
        return len(self.text.split())


def refusal(former: ShownText, later: ShownText) -> Refusal | None:
    """Say why a later document is no version of a stored text; None where it is one.

    Examples
    --------
    >>> text = " ".join(f"Witness {n} saw the fire." for n in range(40))
    >>> former = ShownText("Fire", text, "en")
    >>> refusal(former, ShownText("Fire", text[:300], "en", is_paywalled=True)).value
    'paywall'
    >>> refusal(former, ShownText("Fire", text + " All are safe.", "en")) is None
    True
    """
    if _is_front_page(former, later):
        return Refusal.FRONT_PAGE
    if not later.text:
        return _told_by_page(later) or Refusal.EMPTY
    found = _by_words(former, later) or _by_language(former, later) or _by_length(former, later)
    return (_told_by_page(later) or found) if found is Refusal.SHRUNK else found


def _told_by_page(later: ShownText) -> Refusal | None:
    """Name what a page without a text says of itself around it."""
    said = comparable(f"{later.title}\n{later.page_words}")
    reasons = (
        (_GUARD, Refusal.BLOCKED),
        (_REMOVED, Refusal.REMOVED),
        (_WALL, Refusal.PAYWALL),
    )
    return next((reason for pattern, reason in reasons if pattern.search(said)), None)


def _is_front_page(former: ShownText, later: ShownText) -> bool:
    """Whether the document is, or newly says that it is, a home or section page."""
    if not former.url:
        return False
    said = later.canonical_url if later.canonical_url != former.canonical_url else ""
    return any(is_section_page(address, former.url) for address in (later.url, said) if address)


def _by_words(former: ShownText, later: ShownText) -> Refusal | None:
    """Refuse a short page that says itself what it is, in words that did not stand there."""
    if later.n_words > MAX_NOTICE_WORDS or later.n_words >= former.n_words:
        return None
    said = comparable(f"{later.title}\n{later.text}")
    before = comparable(f"{former.title}\n{former.text}")
    for pattern, reason in ((_GUARD, Refusal.BLOCKED), (_REMOVED, Refusal.REMOVED)):
        found = pattern.search(said)
        if found and found[0] not in before:
            return reason
    return None


def _by_language(former: ShownText, later: ShownText) -> Refusal | None:
    if min(former.n_words, later.n_words) < LEAST_WORDS:
        return None
    codes = [shown.language.partition("-")[0] for shown in (former, later)]
    if codes[0] == codes[1] or not _UNDETERMINED.isdisjoint(codes):
        return None
    return Refusal.LANGUAGE


def _by_length(former: ShownText, later: ShownText) -> Refusal | None:
    """Refuse a text that is cut off, at a wall or for a teaser; one that was rewritten is none."""
    if former.n_words < LEAST_WORDS:
        return None
    share = later.n_words / former.n_words
    has_wall = later.is_paywalled or bool(_WALL.search(comparable(later.text)))
    if has_wall and share < CUT_SHARE:
        return Refusal.PAYWALL
    if share < SHRUNK_SHARE and (later.n_words < TEASER_WORDS or _is_part(former, later)):
        return Refusal.SHRUNK
    return None


def _is_part(former: ShownText, later: ShownText) -> bool:
    """Whether nearly all that a text says stood in the one before."""
    known = set(_WORD.findall(comparable(former.text)))
    words = _WORD.findall(comparable(later.text))
    return sum(word in known for word in words) >= KEPT_SHARE * len(words)
