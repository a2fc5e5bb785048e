"""`/rights/`: what sites say of text and data mining, and the policy for all publications."""

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import permission_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from extraction import rights as review
from extraction.rights_status import general_setting, rights_counts
from feeds import rights
from feeds.crawler.rights.miners import CHECKED, MINERS
from feeds.models import GENERAL_POLICIES, RightsPolicy


class GeneralPolicyForm(forms.Form):
    """The policy for all publications that have none of their own."""

    policy = forms.ChoiceField(
        choices=GENERAL_POLICIES,
        label="Where a site reserves its rights",
        help_text=(
            "For all publications without a choice of their own. Each choice leaves out more than "
            "the one before it. Texts that are stored follow within minutes; what is archived "
            "stays archived."
        ),
    )


@require_safe
def rights_page(request: HttpRequest) -> HttpResponse:
    return _page(request)


@permission_required("feeds.change_rightssetting", raise_exception=True)
@require_POST
def change_policy(request: HttpRequest) -> HttpResponse:
    form = GeneralPolicyForm(request.POST)
    if not form.is_valid():
        return _page(request, form)
    policy = RightsPolicy(form.cleaned_data["policy"])
    rights.set_general_policy(policy, request.user.pk, timezone.now())
    messages.success(request, "The policy is saved; the stored texts follow by themselves.")
    return redirect("rights")


def _page(request: HttpRequest, form: GeneralPolicyForm | None = None) -> HttpResponse:
    setting = general_setting()
    policy = RightsPolicy(setting.policy) if setting else RightsPolicy.RECORD
    form = form or GeneralPolicyForm({"policy": policy})
    context = {
        "form": form,
        "setting": setting,
        "policy": policy,
        "rows": rights_counts(policy),
        "n_waiting": review.waiting(),
        "miners": MINERS,
        "checked": CHECKED,
    }
    return render(request, "extraction/rights.html", context, status=400 if form.errors else 200)
