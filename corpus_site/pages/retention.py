"""`/status/retention/`: what is kept how long, what would go, and how long the disk will last."""

from django.contrib import messages
from django.contrib.auth.decorators import permission_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from corpus_site.retention import policies
from corpus_site.retention.disk_days import outlooks
from corpus_site.retention.policies import NotConfirmedError, PolicyRefusedError
from presentation.fragments import part_of

_ADMINS = permission_required("feeds.add_parameterchange", raise_exception=True)


@require_safe
def retention(request: HttpRequest) -> HttpResponse:
    return _page(request)


@require_safe
@part_of("retention")
def retention_part(request: HttpRequest) -> HttpResponse:
    return render(request, "corpus_site/_retention.html", _shown())


@_ADMINS
@require_POST
def change_retention(request: HttpRequest, name: str) -> HttpResponse:
    """Look at what would go, let it go from now on, or keep it for ever."""
    kind, act = policies.BY_NAME.get(name), request.POST.get("act", "")
    if kind is None:
        raise Http404
    now, typed = timezone.now(), request.POST.get("days", "").strip()
    try:
        if act == "keep":
            if policies.keep_for_ever(kind, request.user.pk, now):
                messages.success(request, f"{kind.label}: kept for ever from now on.")
            else:
                messages.info(request, f"{kind.label}: that was kept for ever already.")
            return redirect("retention")
        days = policies.read_days(typed)
        if act == "begin":
            policies.begin(kind, days, request.user.pk, now, request.POST.get("word", ""))
            messages.success(request, f"{kind.label}: they go from now on, as the jobs show.")
        else:
            policies.look(kind, days, request.user.pk, now)
            messages.success(request, f"{kind.label}: we look at what would go. Nothing goes yet.")
    except PolicyRefusedError as refusal:
        where = "unconfirmed" if isinstance(refusal, NotConfirmedError) else "refused"
        return _page(request, {where: kind.name, "typed": typed, "why": str(refusal)})
    return redirect("retention")


def _page(request: HttpRequest, refusal: dict[str, object] | None = None) -> HttpResponse:
    context = _shown() | (refusal or {})
    return render(request, "corpus_site/retention.html", context, status=400 if refusal else 200)


def _shown() -> dict[str, object]:
    now = timezone.localtime()
    found = policies.policies()
    return {
        "now": now,
        "policies": found,
        "is_looking": any(policy.is_open for policy in found),
        "outlooks": outlooks(now),
    }
