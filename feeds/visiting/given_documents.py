"""Documents of pages that no visit brought: what an import found is given to them."""

from feeds.crawler.outcomes import Outcome
from feeds.models import Fetch, Page

# Begins why a fetch was made that is none.
IMPORTED = "imported from "


def give_document(page_id: int, fetch: Fetch) -> bool:
    """Let a page show a newer document; False where a visit of it is under way.

    Needs the transaction that makes its reading due.
    """
    rows = Page.objects.filter(pk=page_id, lease_owner="")
    return bool(
        rows.update(
            content_fetch=fetch,
            content_digest=fetch.digest,
            visited_at=fetch.started_at,
            answered_whole_at=fetch.started_at,
            outcome=Outcome.OK.value,
        )
    )
