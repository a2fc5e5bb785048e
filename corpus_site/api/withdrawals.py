"""`/api/withdrawals/`: the register, for editors and admins."""

from typing import Any

from django.http import HttpRequest

from corpus_site.api.access import endpoint
from corpus_site.api.articles import page_number
from corpus_site.api.refusals import Refusal
from extraction.withdrawal.register import RegisterFilter, as_rows

ENTRIES_AT_A_TIME = 200


@endpoint()
def withdrawals(request: HttpRequest) -> dict[str, Any]:
    """List the entries of the register, the newest first."""
    if not request.user.has_perm("extraction.view_withdrawal"):
        raise Refusal(403, "The register is for editors.", "Ask with a token of an editor.")
    entries, number = RegisterFilter().entries(), page_number(request, "p")
    total = entries.count()
    shown = entries[(number - 1) * ENTRIES_AT_A_TIME : number * ENTRIES_AT_A_TIME]
    return {
        "total": total,
        "entries": list(as_rows(shown)),
        "next": number + 1 if number * ENTRIES_AT_A_TIME < total else None,
    }
