"""`/hosts/<name>/` and what an editor does there, with a reason: `/hosts/<name>/<action>/`."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import permission_required
from django.db.models import Exists, OuterRef
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from feeds import status
from feeds.acts import Act, ActRefusedError
from feeds.forms import ReasonForm
from feeds.models import Feed, Host, Page
from feeds.visiting import host_acts
from feeds.visiting.host_acts import LEAST_DELAY_SECONDS, MOST_DELAY_SECONDS, Means
from feeds.visiting.probes import chosen_way

_PERMITS = {"permit": True, "forbid": False, "paper": None}


class PermitForm(ReasonForm):
    """Whether a way round a refusal is permitted."""

    permit = forms.ChoiceField(
        choices=[
            ("paper", "As its publications say"),
            ("permit", "Permitted here"),
            ("forbid", "Forbidden here"),
        ],
        label="On this host",
    )
    field_order = ("permit", "reason")


class DelayForm(ReasonForm):
    """How long to wait between two requests."""

    seconds = forms.FloatField(
        required=False,
        error_messages={"invalid": "A delay is a number of seconds."},
        widget=forms.NumberInput(
            attrs={"min": f"{LEAST_DELAY_SECONDS:g}", "max": f"{MOST_DELAY_SECONDS:.0f}"}
        ),
    )
    field_order = ("seconds", "reason")


@require_safe
def host_page(request: HttpRequest, name: str) -> HttpResponse:
    # PostgreSQL takes no NUL, and no host's name has one.
    if "\0" in name:
        raise Http404
    host = get_object_or_404(Host.objects.select_related("proxy"), name=name)
    acts = acts_of(host) if request.user.has_perm("feeds.change_host") else []
    return _page(request, host, acts)


@permission_required("feeds.change_host", raise_exception=True)
@require_POST
def host_action(request: HttpRequest, name: str, action: str) -> HttpResponse:
    do = _ACTIONS.get(action)
    if do is None or "\0" in name:
        raise Http404
    host = get_object_or_404(Host.objects.select_related("proxy"), name=name)
    form = _form(action, data=request.POST)
    if form.is_valid():
        act = Act(request.user.pk, timezone.now(), form.cleaned_data["reason"])
        try:
            messages.success(request, do(host, form.cleaned_data, act))
        except ActRefusedError as refusal:
            value = next(iter(form.fields))
            form.add_error(None if value == "reason" else value, str(refusal))
        else:
            return redirect("host", name=name)
    return _refused(request, host, action, form)


def _refused(request: HttpRequest, host: Host, action: str, form: ReasonForm) -> HttpResponse:
    """Show the page again with what was typed; as a notice where the act is offered no more."""
    form.focus_first_error()
    acts = acts_of(host, {action: form})
    if all(act.action != action for act in acts):
        for error in (str(one) for some in form.errors.values() for one in some):
            messages.error(request, error)
    return _page(request, host, acts, status_code=400)


def _page(
    request: HttpRequest, host: Host, acts: "list[HostAct]", status_code: int = 200
) -> HttpResponse:
    now = timezone.localtime()
    # Asked feed by feed, of which there are few: SQLite would begin with all pages of the host.
    of_host = Exists(Page.objects.filter(pk=OuterRef("page"), host=host))
    row = status.host_rows(Host.objects.filter(pk=host.pk), now)[0]
    context = {
        "now": now,
        "row": row,
        "host": row.host,
        "events": status.host_events(row.host),
        "feeds": status.feed_rows(Feed.objects.filter(of_host), now),
        "robots_lines": row.host.robots_body.splitlines(),
        "decisions": status.last_decisions(row.host),
        "acts": acts,
        "chosen_way": chosen_way(row.host),
    }
    return render(request, "feeds/host.html", context, status=status_code)


def _permit(means: Means) -> "_Do":
    def do(host: Host, given: dict[str, Any], act: Act) -> str:
        said = _PERMITS[given["permit"]]
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


_FORMS: dict[str, type[ReasonForm]] = {
    "proxy": PermitForm,
    "browser": PermitForm,
    "delay": DelayForm,
}


def _form(action: str, **more: Any) -> ReasonForm:
    return _FORMS.get(action, ReasonForm)(auto_id=f"{action}-%s", **more)


@dataclass(frozen=True, slots=True)
class HostAct:
    """An act as the host's page offers it."""

    action: str
    name: str
    sentence: str
    button: str
    form: ReasonForm


def acts_of(host: Host, refused: Mapping[str, ReasonForm] | None = None) -> list[HostAct]:
    """List what can be done to a host as it stands; `refused` are forms to be mended, by action."""
    typed = refused or {}
    delay = host.editor_delay_seconds
    values = {
        "proxy": {"permit": _said(host, Means.PROXY)},
        "browser": {"permit": _said(host, Means.BROWSER)},
        "delay": {"seconds": "" if delay is None else f"{delay:g}"},
    }
    return [
        HostAct(*words, typed.get(words[0]) or _form(words[0], initial=values.get(words[0])))
        for words in _offered(host)
    ]


def _said(host: Host, means: Means) -> str:
    said = getattr(host, means.column)
    return next(name for name, permits in _PERMITS.items() if permits is said)


def _offered(host: Host) -> list[tuple[str, str, str, str]]:
    """Give action, name, sentence and words of the button of each act."""
    wish = host_acts.wish_overridden(host, timezone.now())
    keeps = "Asks for one page. The delay between two requests and robots.txt are kept."
    overrides = (
        f"{keeps} Overridden is: {wish}" if wish else f"{keeps} Nothing else stands in its way."
    )
    permission = "After a refusal. What stands here goes before the settings of the publications."
    return [
        ("try", "Try now", overrides, "Ask for one page"),
        (
            "robots",
            "Ask robots.txt again",
            "It is read once a day; this reads it with the next turn of the host.",
            "Read it again",
        ),
        *_to_forget(host),
        ("proxy", Means.PROXY.words, permission, "Set"),
        ("browser", Means.BROWSER.words, permission, "Set"),
        (
            "delay",
            "Delay",
            (
                "Seconds between two requests; empty: as its publications say. A longer "
                "Crawl-delay of robots.txt holds all the same."
            ),
            "Set the delay",
        ),
    ]


def _to_forget(host: Host) -> list[tuple[str, str, str, str]]:
    acts = []
    if host.blocked_since or host.failures:
        sentence = "The host is asked again, and pages that were put aside meanwhile come back."
        acts.append(("forget-block", "Forget the block", sentence, "Forget it"))
    if host.proxy:
        sentence = f"It is asked without the proxy {host.proxy}, until it refuses again."
        acts.append(("forget-proxy", "Forget the proxy", sentence, "Forget it"))
    if host.needs_browser_agent:
        sentence = "It is asked under our own name, until it refuses again."
        acts.append(("forget-browser", "Forget the browser’s name", sentence, "Forget it"))
    return acts
