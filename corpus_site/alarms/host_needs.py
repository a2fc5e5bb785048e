"""Hosts that refuse, forbid, slow down or fail: one alarm a host, whatever depends on it.

A host is judged by its own row where it gives nothing at all, and by the articles in a row that
gave no text where it still answers for feeds. Where most hosts fail at once, it is the network.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import ceil, log

from django.db.models import Count
from django.urls import reverse

from corpus_site.alarms.need import Need, cost, moment, names
from corpus_site.alarms.picture import Picture, n_lost
from feeds.article_flow import Loss
from feeds.crawler.outcomes import HOST_REFUSALS, Outcome
from feeds.models import IN_TROUBLE, ArticleFlow, BlockChoice, Host, HostDecision
from feeds.planning.recovery import BLOCK_AFTER
from presentation.wording.figures import counted

# Waiting is what a host asks for with a 429; who still does after a day is not mended by waiting.
SLOWED_AFTER = timedelta(days=1)
# So many articles in a row without a text have a chance below one in a million by how often single
# ones gave none; of a newcomer's, one in ten is believed to, with the weight of twenty.
_CHANCE, _PRIOR_SHARE, _PRIOR_ARTICLES = 1e-6, 0.1, 20.0
LEAST_LOST = 6
# As many hosts at once, and half of all, cannot be their fault.
_NETWORK_HOSTS, _NETWORK_SHARE = 5, 0.5
_UNREACHABLE = {Outcome.DNS_ERROR, Outcome.CONNECTION_ERROR, Outcome.TIMEOUT}
_KINDS = {
    Loss.REFUSED: "block",
    Loss.FORBIDDEN: "robots",
    Loss.SLOWED: "slowed",
    Loss.FAILED: "down",
}
_LABELS = {
    "block": ("bad", "■ Blocked"),
    "robots": ("bad", "■ Forbidden"),
    "slowed": ("warn", "▲ Slowed"),
    "down": ("bad", "▲ Failing"),
}
_TRIED = {
    BlockChoice.WAIT: "waited",
    BlockChoice.BROWSER: "asked as a browser",
    BlockChoice.PROXY: "changed the proxy",
}
_TO_DO = {
    "block": "ask the newspaper, or permit another way in its settings",
    "robots": "ask the newspaper, or pause what it forbids",
    "slowed": "ask more rarely, or ask the newspaper for leave",
    "down": "look whether the site has moved",
}


@dataclass(frozen=True, slots=True)
class Trouble:
    """What is wrong with a host, since when, and of which papers (all, where none is named)."""

    kind: str
    host: Host
    since: datetime
    what: str
    papers: tuple[int, ...] = ()


def host_needs(picture: Picture) -> list[Need]:
    """List the hosts that need a person; those that no running paper needs are left out."""
    found = {trouble.host.pk: trouble for trouble in _of_hosts(picture.now)}
    for trouble in _of_articles(picture, set(found)):
        known = found.get(trouble.host.pk)
        found[trouble.host.pk] = _joined(known, trouble) if known else trouble
    served = {pk: _served(picture, trouble) for pk, trouble in found.items()}
    told = [trouble for pk, trouble in found.items() if served[pk]]
    network, told = _network(picture, told)
    tried = _tried([trouble.host.pk for trouble in told])
    return network + [
        _need(picture, trouble, served[trouble.host.pk], tried.get(trouble.host.pk, ""))
        for trouble in told
    ]


def is_lost(flow: ArticleFlow) -> bool:
    """Whether more articles in a row gave no text than chance explains."""
    lost = sum(n_lost(flow).values())
    before = max(flow.recent_lost - lost, 0.0)
    share = (before + _PRIOR_SHARE * _PRIOR_ARTICLES) / (
        flow.recent_stored + before + _PRIOR_ARTICLES
    )
    return lost >= max(LEAST_LOST, ceil(log(_CHANCE) / log(min(share, 0.9))))


# --- Finding --------------------------------------------------------------------------------------


def _of_hosts(now: datetime) -> list[Trouble]:
    rows = Host.objects.filter(IN_TROUBLE)
    return [
        trouble
        for host in rows.defer("robots_body")
        if (trouble := _of_host(host, now)) is not None
    ]


def _of_host(host: Host, now: datetime) -> Trouble | None:
    by = host.troubled_by
    if host.forbidden_since:
        what = "forbids by its robots.txt whatever we ask for"
        return Trouble("robots", host, host.forbidden_since, what)
    since = host.troubled_since or host.blocked_since or now
    if by == Outcome.RATE_LIMITED:
        is_old = now - since >= SLOWED_AFTER
        return Trouble("slowed", host, since, "answers “too many requests”") if is_old else None
    if host.blocked_since:
        what = f"refuses us ({_ended(host.block_reason) or 'no reason given'})"
        return Trouble("block", host, min(since, host.blocked_since), what)
    if host.failures < BLOCK_AFTER or by in HOST_REFUSALS:
        return None
    words = by.replace("_", " ") or "failures"
    return Trouble("down", host, since, f"gives no answer ({words})")


def _of_articles(picture: Picture, told: set[int]) -> Iterable[Trouble]:
    """Find hosts that answer, but not for articles."""
    lost: dict[tuple[int, str], list[ArticleFlow]] = defaultdict(list)
    for flow in picture.losing:
        if flow.host_id not in told and is_lost(flow):
            loss = n_lost(flow).most_common(1)[0][0]
            if loss in _KINDS:
                lost[flow.host_id, _KINDS[loss]].append(flow)
    for (_, kind), flows in lost.items():
        since = min(flow.lost_since for flow in flows if flow.lost_since)
        if kind != "slowed" or picture.now - since >= SLOWED_AFTER:
            papers = tuple(flow.publication_id for flow in flows)
            yield Trouble(kind, flows[0].host, since, _what(kind, flows), papers)


def _what(kind: str, flows: Sequence[ArticleFlow]) -> str:
    n = sum(sum(n_lost(flow).values()) for flow in flows)
    words = {
        "block": "refused",
        "robots": "forbidden by its robots.txt",
        "slowed": "answered with “too many requests”",
        "down": "answered with an error",
    }[kind]
    return f"answers, but the last {counted(n, 'request')} for articles were {words}"


def _joined(one: Trouble, other: Trouble) -> Trouble:
    """Keep the first of two troubles of one host, for the papers of both."""
    papers = one.papers + other.papers
    return Trouble(one.kind, one.host, min(one.since, other.since), one.what, papers)


def _served(picture: Picture, trouble: Trouble) -> dict[int, float]:
    served = picture.served_by(trouble.host.pk)
    if not trouble.papers:
        return served
    return {pk: served.get(pk, 0.0) for pk in trouble.papers if pk in picture.papers}


def _network(picture: Picture, told: list[Trouble]) -> tuple[list[Need], list[Trouble]]:
    """Take hosts that cannot be reached for one cause where they are most of all."""
    away = [one for one in told if one.kind == "down" and one.host.troubled_by in _UNREACHABLE]
    n_hosts = len(picture.host_ids)
    if len(away) < _NETWORK_HOSTS or len(away) < _NETWORK_SHARE * n_hosts:
        return [], told
    since = min(one.since for one in away)
    lost = sum(sum(_served(picture, one).values()) for one in away)
    sentence = (
        f"is away: {len(away)} of {counted(n_hosts, 'host')} cannot be reached since "
        f"{moment(since)}; each is asked again by itself, which costs {cost(lost)} meanwhile: "
        "look at this machine’s connection and its proxy."
    )
    need = Need(
        "network", "bad", "■ Network", "The network", sentence, reverse("status") + "#hosts",
        "See the hosts", since=since, articles_a_day=lost, cause="network",
    )  # fmt: skip
    return [need], [one for one in told if one not in away]


# --- Saying ---------------------------------------------------------------------------------------


def _need(picture: Picture, trouble: Trouble, served: Mapping[int, float], tried: str) -> Need:
    tone, label = _LABELS[trouble.kind]
    host, lost = trouble.host, sum(served.values())
    papers = names([picture.name(pk) for pk in served])
    sentence = (
        f"{trouble.what} since {moment(trouble.since)}; {tried or 'we ask again by ourselves'}, "
        f"and {papers} {'lose' if len(served) > 1 else 'loses'} {cost(lost)}: "
        f"{_TO_DO[trouble.kind]}."
    )
    return Need(
        trouble.kind, tone, label, host.name, sentence, reverse("host", args=[host.name]),
        "See the host", host=host.name, since=trouble.since, articles_a_day=lost,
        publication_id=next(iter(served)) if len(served) == 1 else None,
        cause=f"host:{host.name}",
    )  # fmt: skip


def _tried(host_ids: Sequence[int]) -> dict[int, str]:
    """Say what was tried at each host: “we waited 3 times, changed the proxy once”."""
    rows = (
        HostDecision.objects.filter(host__in=host_ids, choice__in=_TRIED)
        .order_by()
        .values_list("host", "choice")
        .annotate(n=Count("*"))
    )
    counts: dict[int, Counter[str]] = defaultdict(Counter)
    for host_id, choice, n in rows:
        counts[host_id][choice] = n
    return {
        host_id: "we " + ", ".join(_times(choice, n) for choice, n in own.most_common())
        for host_id, own in counts.items()
    }


def _times(choice: str, n: int) -> str:
    return f"{_TRIED[BlockChoice(choice)]} {'once' if n == 1 else f'{n} times'}"


def _ended(words: str) -> str:
    return words.rstrip(".")
