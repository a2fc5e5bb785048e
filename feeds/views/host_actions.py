"""`/hosts/<name>/<action>/`: what an editor does to a host, with a reason (POST only)."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import permission_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.views.decorators.http import require_POST

from feeds.acts import MAX_REASON, Act, ActRefusedError
from feeds.models import Host
from feeds.visiting import host_acts
from feeds.visiting.host_acts import Means

_PERMITS = {"permit": True, "forbid": False, "paper": None}
NO_REASON = "Say why: it stands in the log with your name."


class HostActForm(forms.Form):
    """Why, and what a permission or the delay shall be."""

    reason = forms.CharField(
        max_length=MAX_REASON,
        error_messages={
            "required": NO_REASON,
            "max_length": "The reason has at most %(limit_value)s characters.",
        },
    )
    permit = forms.ChoiceField(choices=[(name, name) for name in _PERMITS], required=False)
    seconds = forms.FloatField(
        required=False, error_messages={"invalid": "A delay is a number of seconds."}
    )


@permission_required("feeds.change_host", raise_exception=True)
@require_POST
def host_action(request: HttpRequest, name: str, action: str) -> HttpResponse:
    do = _ACTIONS.get(action)
    if do is None or "\0" in name:
        raise Http404
    host = get_object_or_404(Host.objects.select_related("proxy"), name=name)
    form = HostActForm(request.POST)
    if form.is_valid():
        act = Act(request.user.pk, timezone.now(), form.cleaned_data["reason"])
        try:
            messages.success(request, do(host, form.cleaned_data, act))
        except ActRefusedError as refusal:
            messages.error(request, str(refusal))
    else:
        messages.error(request, " ".join(str(one) for some in form.errors.values() for one in some))
    return redirect("host", name=name)


def _permit(means: Means) -> "_Do":
    def do(host: Host, given: dict[str, Any], act: Act) -> str:
        said = _PERMITS[given["permit"] or "paper"]
        return host_acts.permit(host, means, is_permitted=said, act=act)

    return do


_Do = Callable[[Host, dict[str, Any], Act], str]
_ACTIONS: dict[str, _Do] = {
    "try": lambda host, _, act: host_acts.try_now(host, act),
    "robots": lambda host, _, act: host_acts.ask_robots(host, act),
    "forget-block": lambda host, _, act: host_acts.forget_block(host, act),
    "forget-proxy": lambda host, _, act: host_acts.forget_proxy(host, act),
    "forget-browser": lambda host, _, act: host_acts.forget_browser(host, act),
    "proxy": _permit(Means.PROXY),
    "browser": _permit(Means.BROWSER),
    "delay": lambda host, given, act: host_acts.set_delay(host, given["seconds"], act),
}


@dataclass(frozen=True, slots=True)
class HostAct:
    """An act as the host's page offers it; `field` asks for a value beside the reason."""

    action: str
    name: str
    sentence: str
    button: str
    field: str = ""
    value: str = ""


def acts_of(host: Host) -> list[HostAct]:
    """List what can be done to a host as it stands."""
    wish = host_acts.wish_overridden(host, timezone.now())
    keeps = "Asks for one page. The delay between two requests and robots.txt are kept."
    overrides = (
        f"{keeps} Overridden is: {wish}" if wish else f"{keeps} Nothing else stands in its way."
    )
    return [
        HostAct("try", "Try now", overrides, "Ask for one page"),
        HostAct(
            "robots",
            "Ask robots.txt again",
            "It is read once a day; this reads it with the next turn of the host.",
            "Read it again",
        ),
        *_to_forget(host),
        _permission(host, Means.PROXY, "proxy"),
        _permission(host, Means.BROWSER, "browser"),
        HostAct(
            "delay",
            "Delay",
            "Seconds between two requests; empty: as its publications say. A longer Crawl-delay "
            "of robots.txt holds all the same.",
            "Set the delay",
            "seconds",
            f"{host.editor_delay_seconds:g}" if host.editor_delay_seconds is not None else "",
        ),
    ]


def _to_forget(host: Host) -> list[HostAct]:
    acts = []
    if host.blocked_since or host.failures:
        sentence = "The host is asked again, and pages that were put aside meanwhile come back."
        acts.append(HostAct("forget-block", "Forget the block", sentence, "Forget it"))
    if host.proxy:
        sentence = f"It is asked without the proxy {host.proxy}, until it refuses again."
        acts.append(HostAct("forget-proxy", "Forget the proxy", sentence, "Forget it"))
    if host.needs_browser_agent:
        sentence = "It is asked under our own name, until it refuses again."
        acts.append(HostAct("forget-browser", "Forget the browser’s name", sentence, "Forget it"))
    return acts


def _permission(host: Host, means: Means, action: str) -> HostAct:
    said = getattr(host, means.column)
    value = next(name for name, permits in _PERMITS.items() if permits is said)
    sentence = "After a refusal. What stands here goes before the settings of the publications."
    return HostAct(action, means.words, sentence, "Set", "permit", value)
