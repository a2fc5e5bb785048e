"""`/api/alarms/`: what needs a person."""

from typing import Any

from django.http import HttpRequest
from django.utils import timezone

from corpus_site.alarms.keeping import open_alarms
from corpus_site.api.access import endpoint


@endpoint()
def alarms(request: HttpRequest) -> dict[str, Any]:
    """List the open alarms, the costliest first."""
    del request
    found = open_alarms(timezone.now())
    return {"total": len(found), "alarms": found}
