"""`/duplicates/limit/`: method and limit in force, trials of other limits, the history."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from dedup.judging import threshold_trials
from dedup.judging.review import with_articles
from dedup.judging.threshold_trials import LimitError
from dedup.models import DetectionMethod, Duplicate, ThresholdTrial
from dedup.stage import detect_methods
from dedup.stage.detect_methods import SENTENCES, SHINGLES, LimitChangedError
from dedup.views.duplicates import MAY_JUDGE, tabs
from presentation.fragments import part_of
from presentation.primary_keys import primary_key

SHOWN_TRIALS = 20


class LimitForm(forms.Form):
    """Another limit, as a share of the method's own."""

    limit = forms.FloatField(label="Limit to try", widget=forms.NumberInput(attrs={"step": "0.01"}))


@require_safe
def duplicate_limit(request: HttpRequest) -> HttpResponse:
    return _page(request, LimitForm())


def _page(request: HttpRequest, form: LimitForm, status: int = 200) -> HttpResponse:
    method = detect_methods.current()
    context = {
        "tabs": tabs("duplicates-limit"),
        "form": form,
        "method": method,
        "former": detect_methods.former(),
        "highest": threshold_trials.CERTAINTY[method.name],
        "bounds": threshold_trials.bounds(method.limit),
        "trials": ThresholdTrial.objects.select_related("asked_by")[:SHOWN_TRIALS],
        "history": DetectionMethod.objects.select_related("by")[:SHOWN_TRIALS],
        "has_pairs": Duplicate.objects.exists(),
    }
    return render(request, "dedup/duplicate_limit.html", context, status=status)


@require_POST
@MAY_JUDGE
def try_limit(request: HttpRequest) -> HttpResponse:
    form = LimitForm(request.POST)
    if not form.is_valid():
        return _page(request, form, status=400)
    try:
        trial = threshold_trials.start(
            round(form.cleaned_data["limit"], 4), request.user.pk, timezone.now()
        )
    except LimitError as refusal:
        form.add_error("limit", str(refusal))
        return _page(request, form, status=400)
    return redirect("threshold-trial", pk=trial.pk)


@require_safe
def threshold_trial(request: HttpRequest, pk: int) -> HttpResponse:
    trial = get_object_or_404(ThresholdTrial.objects.select_related("asked_by"), pk=pk)
    return render(request, "dedup/threshold_trial.html", _trial_context(trial))


@require_safe
@part_of("threshold-trial")
def threshold_trial_part(request: HttpRequest, pk: int) -> HttpResponse:
    trial = get_object_or_404(ThresholdTrial.objects.select_related("asked_by"), pk=pk)
    answer = render(request, "dedup/_threshold_trial.html", _trial_context(trial))
    if trial.finished_at or trial.quarantined_at:
        # The whole page again: it has the report, and nothing to refresh any more.
        answer["HX-Refresh"] = "true"
    return answer


@require_POST
@MAY_JUDGE
def use_limit(request: HttpRequest, pk: int) -> HttpResponse:
    trial = get_object_or_404(ThresholdTrial, pk=pk)
    try:
        threshold_trials.use(trial, request.user.pk, timezone.now())
    except LimitError as refusal:
        messages.error(request, str(refusal))
    else:
        messages.success(
            request, f"Limit {trial.limit:.2f} is in force; all articles are compared again."
        )
    return redirect("threshold-trial", pk=pk)


@require_POST
@MAY_JUDGE
def use_method(request: HttpRequest) -> HttpResponse:
    """Find duplicates by the other method."""
    name = request.POST.get("method", "")
    if name not in {SHINGLES, SENTENCES}:
        return HttpResponseBadRequest("There is no such method.", content_type="text/plain")
    if detect_methods.use_method(name, request.user.pk, timezone.now()):
        messages.success(
            request, f"The method {name} is in force; all articles are compared again."
        )
    else:
        messages.info(request, f"The method {name} was in force already; nothing was done.")
    return redirect("duplicates-limit")


@require_POST
@MAY_JUDGE
def take_back_limit(request: HttpRequest) -> HttpResponse:
    """Put the limit before in force again; the form names the row that the page had shown."""
    try:
        key = primary_key(request.POST.get("seen")) or 0
        method = detect_methods.take_back(key, request.user.pk, timezone.now())
    except LimitChangedError as refusal:
        messages.warning(request, str(refusal))
    else:
        messages.success(
            request, f"Limit {method.limit:.2f} is in force again; all articles are compared again."
        )
    return redirect("duplicates-limit")


def _trial_context(trial: ThresholdTrial) -> dict[str, Any]:
    keys = [int(key) for key, _ in (*trial.joined, *trial.parted)]
    pairs = with_articles(Duplicate.objects.filter(pk__in=keys)).in_bulk()
    examples = [
        ("It would join", _found(trial.joined, pairs), trial.counts.get("joined", 0)),
        ("It would part", _found(trial.parted, pairs), trial.counts.get("parted", 0)),
    ]
    return {
        "tabs": tabs("duplicates-limit"),
        "trial": trial,
        "examples": examples,
        "counts": {name.replace(" ", "_"): n for name, n in trial.counts.items()},
        "is_current": threshold_trials.is_current(trial),
        "is_in_force": trial.limit == detect_methods.current().limit,
    }


def _found(listed: list[list[float]], pairs: dict[int, Duplicate]) -> list[Duplicate]:
    """Pairs of a report that are still there; texts may have changed since."""
    return [pairs[int(key)] for key, _ in listed if int(key) in pairs]
