"""Rights of text mining as the crawler knows them: files of hosts, and the policy in force.

A host's tdmrep.json and ai.txt are pages of the frontier, so all that is polite about pages holds
for them: the host's delay, robots.txt, the archive, conditional requests. They are first visited
some minutes after the host has given an article that was stored, so no host is asked for them alone
and a first crawl is not held up; then once a week, after a failure every three days: at most five
requests a week for both.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, OuterRef

from feeds.crawler.addressing.canonical import BadUrl, canonicalize
from feeds.crawler.addressing.web_archive import original_address
from feeds.crawler.fetching.robots import RobotsPolicy, product_token
from feeds.crawler.outcomes import Outcome
from feeds.crawler.rights import ai_txt, tdm_file
from feeds.crawler.rights.ai_txt import AiTxt, parse_ai_txt
from feeds.crawler.rights.robots_names import miners_by_rules, names_statements
from feeds.crawler.rights.statements import RightsSource, Statement
from feeds.crawler.rights.tdm_file import TdmFile, TdmRule, parse_tdm_file
from feeds.frontier import NewPage, add_pages, ensure_hosts
from feeds.models import (
    Host,
    Page,
    PageKind,
    Publication,
    RightsFile,
    RightsPolicy,
    RightsSetting,
)

# The first articles of a host come in a burst, in which its turns are worth more.
FIRST_LOOK_AFTER = timedelta(minutes=10)
# Rules on rights change with contracts, not by the day; robots.txt, read daily, has the names.
LOOK_AGAIN_AFTER = timedelta(days=7)
LOOK_AGAIN_AFTER_FAILURE = timedelta(days=3)
MAX_FILE_BYTES = max(tdm_file.MAX_BYTES, ai_txt.MAX_BYTES)
_FIRST_LOOK = "what the site says of text mining"
_AGAIN = "what the site says of text mining, once a week"
_AFTER_FAILURE = "what the site says of text mining, after a failure"
_PATHS = {RightsSource.TDM_FILE: tdm_file.PATH, RightsSource.AI_TXT: ai_txt.PATH}
_NO_FILE = frozenset({Outcome.NOT_FOUND, Outcome.GONE})
_MAX_PROBLEM = 200

LEAVING_OUT = frozenset({RightsPolicy.NO_INDEX, RightsPolicy.NO_ARCHIVE})
UNEXPORTED = frozenset({RightsPolicy.NO_EXPORT, *LEAVING_OUT})


# The policy


def general_policy() -> RightsPolicy:
    """Return the policy of publications that have none of their own."""
    setting = RightsSetting.objects.first()
    return RightsPolicy(setting.policy) if setting else RightsPolicy.RECORD


def policy_of(publication: Publication, general: RightsPolicy) -> RightsPolicy:
    """Return the policy in force for a publication."""
    return RightsPolicy(publication.rights_policy) or general


def set_general_policy(policy: RightsPolicy, user_id: int | None, now: datetime) -> None:
    """Change the policy for all; stored texts follow with the next sweeps."""
    RightsSetting.objects.update_or_create(
        pk=1, defaults={"policy": policy, "changed_at": now, "changed_by_id": user_id}
    )


def unexported() -> tuple[str, ...]:
    """Name the publications whose reserved texts are left out of exports."""
    general = general_policy()
    rows = Publication.objects.only("slug", "rights_policy").order_by("slug")
    return tuple(row.slug for row in rows if policy_of(row, general) in UNEXPORTED)


def visit_refused_again(publication_id: int, now: datetime) -> int:
    """Make pages due of which the policy kept no copy; returns how many."""
    refused = Page.objects.filter(publication=publication_id, outcome=Outcome.RIGHTS_RESERVED)
    return refused.reschedule(
        now, quarantined_at=None, attempts=0, due_reason="the policy on rights has changed"
    )


# What hosts say


@dataclass(frozen=True, slots=True)
class HostRights:
    """The files of a host that say something of text mining."""

    robots: RobotsPolicy
    tdm: TdmFile
    ai: AiTxt

    def of(self, url: str) -> list[Statement]:
        """Return what they say of an address."""
        return [*self.tdm.of(url), *names_statements(self.robots, url), *self.ai.of(url)]

    def names_at_home(self, host: str) -> tuple[str, ...]:
        """Return the miners that are turned away from the front page of a host."""
        said = names_statements(self.robots, f"https://{host}/")
        return tuple(said[0].words.split(", ")) if said else ()


def rights_of_hosts(robots: Mapping[str, str]) -> dict[str, HostRights]:
    """Load what hosts say, given their robots.txt by name; one query."""
    rules: dict[tuple[str, str], Any] = {
        (name, source): found
        for name, source, found in RightsFile.objects.filter(host__name__in=robots)
        .exclude(rules=[])
        .values_list("host__name", "source", "rules")
    }
    agent = product_token(settings.CRAWL_USER_AGENT)
    return {
        name: HostRights(
            RobotsPolicy.of_text(text, agent),
            _tdm_of_json(rules.get((name, RightsSource.TDM_FILE), ())),
            AiTxt(tuple((pattern, bool(allowed)) for pattern, allowed in
                        rules.get((name, RightsSource.AI_TXT), ()))),
        )
        for name, text in robots.items()
    }  # fmt: skip


def known_rights(names: Collection[str]) -> dict[str, HostRights]:
    """Load what hosts say, with their stored robots.txt; two queries."""
    hosts = Host.objects.filter(name__in=names)
    return rights_of_hosts(dict(hosts.values_list("name", "robots_body"))) if names else {}


def host_of(url: str) -> str:
    """Return the name of the host of an address, empty for copies in a web archive and no address.

    What such an archive says of itself is not said of the paper.
    """
    try:
        return canonicalize(url).host if original_address(url) == url else ""
    except BadUrl:
        return ""


def _tdm_of_json(rows: Iterable[Any]) -> TdmFile:
    return TdmFile(tuple(TdmRule(location, value, policy) for location, value, policy in rows))


# Their files


def ask_sites(article_ids: Collection[int], now: datetime) -> None:
    """Plan to read the files of hosts that have given these articles; one query for known hosts."""
    known = RightsFile.objects.filter(host=OuterRef("host"))
    pages = Page.objects.filter(~Exists(known), article__in=article_ids, kind=PageKind.ARTICLE)
    fresh = list(pages.select_related("content_fetch", "host"))
    if fresh:
        with transaction.atomic():
            _add_files(fresh, now)


def _add_files(fresh: Sequence[Page], now: datetime) -> None:
    """Add the files of the hosts that answered, which may be others than those that were asked."""
    pages = {
        name: page
        for page in fresh
        if page.content_fetch is not None and (name := host_of(page.content_fetch.final_url))
    }
    offered = {
        (name, source): _file_page(page, path, now)
        for name, page in pages.items()
        for source, path in _PATHS.items()
    }
    ids = add_pages(list(offered.values()), now).ids
    hosts = ensure_hosts({*pages, *(page.host.name for page in fresh)}, now)
    rows = [
        RightsFile(host_id=hosts[name], source=source, page_id=ids[new.key])
        for (name, source), new in offered.items()
    ]
    rows += [
        RightsFile(host_id=host_id, source=RightsSource.ROBOTS_NAMES) for host_id in hosts.values()
    ]
    RightsFile.objects.bulk_create(rows, ignore_conflicts=True)


def _file_page(page: Page, path: str, now: datetime) -> NewPage:
    address = canonicalize(path, page.content_fetch.final_url if page.content_fetch else page.url)
    return NewPage(
        url=address.url,
        key=address.key,
        host=address.host,
        kind=PageKind.RIGHTS,
        publication_id=page.publication_id,
        due_at=now + FIRST_LOOK_AFTER,
        due_reason=_FIRST_LOOK,
    )


def next_look(outcome: Outcome, now: datetime) -> tuple[datetime, str]:
    """Say when a file is read again, and why."""
    if outcome.is_answer or outcome in _NO_FILE:
        return now + LOOK_AGAIN_AFTER, _AGAIN
    return now + LOOK_AGAIN_AFTER_FAILURE, _AFTER_FAILURE


def take_file(page: Page, outcome: Outcome, body: bytes, problem: str, now: datetime) -> None:
    """Keep what came for a host's file; one that cannot be had leaves the old one in its place."""
    row = RightsFile.objects.filter(page=page).first()
    if row is None:
        return
    changes: dict[str, Any] = {"read_at": now}
    if outcome is Outcome.OK:
        changes["rules"], changes["problem"] = _read(RightsSource(row.source), body)
    elif outcome in _NO_FILE:
        changes |= {"rules": [], "problem": ""}
    elif outcome is not Outcome.NOT_MODIFIED:
        changes["problem"] = problem[:_MAX_PROBLEM]
    if changes.get("rules", row.rules) != row.rules:
        changes |= {"changed_at": now, "is_applied": False}
    RightsFile.objects.filter(pk=row.pk).update(**changes)


def _read(source: RightsSource, body: bytes) -> tuple[list[Any], str]:
    if source is RightsSource.AI_TXT:
        return [list(rule) for rule in parse_ai_txt(body).rules], ""
    found = parse_tdm_file(body)
    rows = [[rule.location, rule.reservation, rule.policy] for rule in found.rules]
    return rows, found.problem


def take_robots(host: Host, before: str, now: datetime) -> None:
    """Note that a host's robots.txt turns other miners away than it did."""
    if miners_by_rules(before) != miners_by_rules(host.robots_body):
        RightsFile.objects.filter(host=host, source=RightsSource.ROBOTS_NAMES).update(
            changed_at=now, is_applied=False
        )


def publications_of_changed_files(limit: int) -> tuple[list[int], set[int]]:
    """Return files that are not applied yet, and the publications with pages of their hosts."""
    rows = list(RightsFile.objects.filter(is_applied=False).order_by("pk")[:limit])
    pages = Page.objects.filter(host__in={row.host_id for row in rows}, kind=PageKind.ARTICLE)
    found = pages.order_by().values_list("publication", flat=True).distinct() if rows else ()
    return [row.pk for row in rows], set(found)


def mark_applied(file_ids: Collection[int]) -> None:
    """Note that the texts of the files' hosts are being judged by them."""
    RightsFile.objects.filter(pk__in=file_ids).update(is_applied=True)
