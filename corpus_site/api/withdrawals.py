"""`/api/withdrawals/`: the register, for editors and admins."""

from typing import Any

from django.http import HttpRequest

from corpus_site.api.access import endpoint
from corpus_site.api.articles import page_number
from corpus_site.api.refusals import Refusal, refuse_faults
from corpus_site.removal.withdrawal_forms import RegisterForm
from extraction.withdrawal.register import as_rows

ENTRIES_AT_A_TIME = 200


@endpoint()
def withdrawals(request: HttpRequest) -> dict[str, Any]:
    """List the entries of the register that the filters of its page let through, newest first."""
    if not request.user.has_perm("extraction.view_withdrawal"):
        raise Refusal(403, "The register is for editors.", "Ask with a token of an editor.")
    form = RegisterForm(request.GET)
    if not form.is_valid():
        refuse_faults((name, str(errors[0])) for name, errors in form.errors.items())
    entries, number = form.to_filter().entries(), page_number(request, "p")
    total = entries.count()
    shown = entries[(number - 1) * ENTRIES_AT_A_TIME : number * ENTRIES_AT_A_TIME]
    return {
        "total": total,
        "entries": list(as_rows(shown)),
        "next": number + 1 if number * ENTRIES_AT_A_TIME < total else None,
    }
