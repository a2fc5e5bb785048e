"""What was read of a page and what it is to the text that is stored of it, before it is written."""

from dataclasses import dataclass
from enum import StrEnum

from extraction.html.page import ExtractedPage
from extraction.models import VersionOutcome
from extraction.revisions.refusals import Refusal
from extraction.text.paragraph_languages import TextLanguages
from feeds.crawler.comment_systems.threads import ThreadReference
from feeds.models import Page


class Verdict(StrEnum):
    """What a new document of a stored article's page is."""

    SAME = "same"  # the text that is stored, but for noise
    REREAD = "reread"  # the same to the reader of today, which the stored text was not read with
    VERSION = "version"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class LaterDocument:
    """A new document of a page whose text is stored; `former` is the stored one, read today."""

    verdict: Verdict
    former: "ReadArticle | None" = None
    refusal: Refusal | None = None

    @property
    def words(self) -> str:
        """Say why it was refused."""
        return str(VersionOutcome(self.refusal.value).label) if self.refusal else ""


@dataclass(frozen=True, slots=True)
class ReadArticle:
    """A page read and judged before the transaction that stores it.

    `fetch_id` is that of the document; `later` is empty for a first reading and for the document of
    the stored text, read again.
    """

    page: Page
    url: str
    fetch_id: int | None
    extracted: ExtractedPage
    languages: TextLanguages
    thread: ThreadReference | None
    later: LaterDocument | None = None
    is_newest: bool = True
