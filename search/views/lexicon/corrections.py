"""`/words/lexicon/corrections/`: wrong tags that people marked, and what becomes of them."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required, permission_required
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from search.engine.annotation.lexicon import LexiconError
from search.lexicon.correction_list import corrections_in, expected_effect, is_gone, state_counts
from search.lexicon.corrections import accept, end, refuse
from search.models import CorrectionState, TagCorrection
from search.views.lexicon.entries import frame

ROWS_PER_PAGE = 50
MAX_REASON = 300
ALREADY = "Somebody else has decided this meanwhile."


@require_safe
@login_required
def corrections(request: HttpRequest) -> HttpResponse:
    state = request.GET.get("state", CorrectionState.OPEN)
    if state not in CorrectionState.values:
        state = CorrectionState.OPEN
    page = Paginator(corrections_in(state), ROWS_PER_PAGE).get_page(request.GET.get("p"))
    context = {
        "page": page,
        "state": state,
        "states": state_counts(),
        "rows": [(row, is_gone(row)) for row in page],
    }
    return render(request, "search/corrections.html", frame() | context)


@require_safe
@login_required
def correction(request: HttpRequest, correction_id: int) -> HttpResponse:
    """Show one correction with what accepting it would do."""
    row = get_object_or_404(
        TagCorrection.objects.filter(article__withdrawn_at=None).select_related(
            "article", "asked_by", "decided_by"
        ),
        pk=correction_id,
    )
    expected = expected_effect(row)
    context = {
        "correction": row,
        "is_gone": is_gone(row),
        "effect": expected.effect,
        "refusal": expected.refusal,
        "is_own": row.asked_by_id is not None and row.asked_by_id == request.user.pk,
    }
    return render(request, "search/correction.html", frame() | context)


@require_POST
@permission_required("search.change_lexiconentry", raise_exception=True)
def decide(request: HttpRequest, correction_id: int) -> HttpResponse:
    row = get_object_or_404(TagCorrection, pk=correction_id)
    now = timezone.now()
    act = request.POST.get("act")
    if act not in ("accept", "refuse"):
        return HttpResponseBadRequest("This is no decision.", content_type="text/plain")
    if act == "accept":
        try:
            done = accept(row, request.user, now)
        except LexiconError as error:
            messages.error(request, f"This cannot be accepted: {error}")
            return redirect("correction", row.pk)
        words = f"“{row.word}” is {row.tag}: {row.get_scope_display()}."
    else:
        reason = request.POST.get("reason", "").replace("\0", "").strip()[:MAX_REASON]
        done = refuse(row, request.user, reason, now)
        words = f"Refused: “{row.word}” stays {row.tag_was}."
    if done:
        messages.success(request, words)
    else:
        messages.warning(request, ALREADY)
    return redirect("corrections")


@require_POST
@login_required
def end_correction(request: HttpRequest, correction_id: int) -> HttpResponse:
    """End a correction: whoever asked may take an open one back, an editor any."""
    row = get_object_or_404(TagCorrection, pk=correction_id)
    is_own = row.asked_by_id == request.user.pk and row.state == CorrectionState.OPEN
    if not is_own and not request.user.has_perm("search.change_lexiconentry"):
        raise PermissionDenied
    if end(row, request.user, timezone.now()):
        messages.success(request, f"The correction of “{row.word}” is taken back.")
    else:
        messages.warning(request, ALREADY)
    return redirect("corrections")
