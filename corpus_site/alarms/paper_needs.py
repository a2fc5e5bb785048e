"""Papers that bring nothing, too little, nothing but empty pages, or were missed in part.

What a host's alarm tells already is left out here: one cause is one alarm.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from urllib.parse import urlencode

from django.db.models import Max
from django.urls import reverse

from corpus_site.alarms.drawing import Shell, how_to_draw, sent_shells
from corpus_site.alarms.examples import newest_visited
from corpus_site.alarms.host_needs import is_lost
from corpus_site.alarms.need import Need, cost, moment
from corpus_site.alarms.picture import Picture, n_lost
from extraction.models import StructureAlarm
from extraction.sites.alarms import has_changed, open_alarms, sentence
from feeds.article_flow import Loss
from feeds.crawler.timing.publishing import WINDOW
from feeds.models import ArticleFlow, Crawl, CrawlKind, Feed, Publication
from feeds.watching.rhythms import Flowing, RunningPaper
from presentation.wording.figures import counted, grouped
from presentation.wording.times import day, span

# What was missed is told for so long: later it has left most sites' lists.
MISSED_TOLD = timedelta(days=7)
# A few items more or less are not worth a crawl of the site.
LEAST_MISSED = 3
DAY = timedelta(days=1)


def paper_needs(picture: Picture, told: Collection[int]) -> list[Need]:
    """List papers that need a person; `told` are those whose host or feeds are told of."""
    lost = _lost(picture, told)
    silent = {need.publication_id for need in lost} | set(told)
    return [
        *lost,
        *(
            need
            for pk, paper in picture.papers.items()
            if pk not in silent and picture.n_feeds.get(pk) and (need := _low(paper, picture.now))
        ),
        *_missed(picture),
        *(need for need in _changed(picture) if need.publication_id not in silent),
    ]


# --- Articles in a row without a text -------------------------------------------------------------


def _lost(picture: Picture, told: Collection[int]) -> list[Need]:
    """List papers that are asked for articles and store none."""
    by_paper: dict[int, list[ArticleFlow]] = defaultdict(list)
    for flow in picture.losing:
        if flow.publication_id not in told and is_lost(flow):
            by_paper[flow.publication_id].append(flow)
    shells = sent_shells(by_paper)
    needs = [_of_flows(picture, pk, flows, shells.get(pk)) for pk, flows in by_paper.items()]
    return _with_examples([need for need in needs if need is not None])


def _with_examples(needs: list[Need]) -> list[Need]:
    """Lead to the newest article that shows it, where there is one."""
    found: dict[str, dict[int, str]] = {}
    for kind in ("empty", "scripts", "unstored"):
        papers = {
            need.publication_id for need in needs if need.publication_id and need.kind == kind
        }
        found[kind] = newest_visited(papers, is_read=kind != "unstored")
    return [
        replace(need, address=address, action="See the newest such page")
        if (address := found[need.kind].get(need.publication_id or 0))
        else need
        for need in needs
    ]


def _of_flows(
    picture: Picture, pk: int, flows: list[ArticleFlow], shell: Shell | None
) -> Need | None:
    counts = sum((n_lost(flow) for flow in flows), start=n_lost(flows[0]))
    counts.subtract(n_lost(flows[0]))
    reason, n = counts.most_common(1)[0]
    if reason not in {Loss.EMPTY, Loss.MISSING}:
        return None
    since = min(flow.lost_since for flow in flows if flow.lost_since)
    host = flows[0].host.name
    rate = sum(
        picture.shares.get((pk, flow.host_id), 1.0) * picture.papers[pk].articles_a_day
        for flow in flows
    )
    if reason is Loss.EMPTY and shell:
        words = (
            f"brings pages without a text since {moment(since)}: scripts draw it, {host} does not "
            f"send it; the last {grouped(n)} were read, and {cost(rate)} are lost: "
            f"{_drawing_words(shell)}."
        )
        said = (picture.papers[pk], words, rate, since, host)
        if shell.is_to_be_drawn:
            return _paper("empty", "bad", "■ Not drawn", said)
        return _paper("scripts", "bad", "■ Scripts", said)
    if reason is Loss.EMPTY:
        words = (
            f"brings pages without a text since {moment(since)}: the last {grouped(n)} of {host} "
            f"were read and are as good as empty, as on sites that scripts draw; the site’s rules "
            f"and all extractors were tried, and {cost(rate)} are lost: look at a page and mend "
            "its rules."
        )
        return _paper("empty", "bad", "■ Empty", (picture.papers[pk], words, rate, since, host))
    words = (
        f"stores nothing of what it is asked for since {moment(since)}: the last "
        f"{counted(n, 'request')} for articles at {host} found no article, each was tried as often "
        f"as can help, and {cost(rate)} are lost: look whether its addresses have changed."
    )
    return _paper("unstored", "bad", "■ Nothing", (picture.papers[pk], words, rate, since, host))


def _drawing_words(shell: Shell) -> str:
    """Say what to do about pages that scripts draw."""
    if not shell.is_to_be_drawn:
        return how_to_draw()
    if not shell.failure:
        return "a browser is to draw them, from their next visits on"
    failure = shell.failure.removesuffix(".")
    return f"a browser is to draw them and did not ({failure}): mend that"


def _paper(
    kind: str, tone: str, label: str, said: tuple[Flowing, str, float, datetime, str]
) -> Need:
    paper, words, rate, since, host = said
    publication = paper.publication
    return Need(
        kind, tone, label, publication.name, words, reverse("source", args=[publication.slug]),
        "See the newspaper", host=host, since=since, articles_a_day=rate,
        publication_id=publication.pk, cause=f"paper:{publication.slug}",
    )  # fmt: skip


# --- Silence, and less than usual -----------------------------------------------------------------


def _low(paper: Flowing, now: datetime) -> Need | None:
    if paper.is_quiet:
        return _quiet(paper, now)
    if not paper.is_fewer:
        return None
    rate = (paper.expected - paper.n_stored) / (WINDOW / DAY)
    words = (
        f"brings fewer articles than usual since {moment(now - WINDOW)}: "
        f"{grouped(paper.n_stored)} in three days instead of about {grouped(round(paper.expected))}"
        f"; its feeds were asked as planned and answer, and {cost(rate)} are missing: compare its "
        "feeds with its home page."
    )
    said = (paper, words, rate, now - WINDOW, _host(paper.publication))
    return _paper("fewer", "warn", "▲ Fewer", said)


def _quiet(paper: Flowing, now: datetime) -> Need:
    days = paper.publication.quiet_after_days
    limit = f"the limit of {counted(days, 'day')} set for it" if days else "its own pattern allows"
    words = (
        f"has brought nothing new since {moment(paper.silent_since)}, longer than {limit}; its "
        f"feeds were asked as planned and answer, and {cost(paper.articles_a_day)} are missing: "
        f"look whether it still appears, {_patterns(paper.publication)}or set its quiet limit in "
        "its settings."
    )
    del now
    said = (
        paper, words, paper.articles_a_day, paper.silent_since, _host(paper.publication)
    )  # fmt: skip
    return _paper("quiet", "warn", "◇ Quiet", said)


def _patterns(publication: RunningPaper) -> str:
    """Advise to look at the patterns that may leave all of it out."""
    has_some = publication.include_pattern or publication.exclude_pattern
    return "whether its patterns still let its stories in, " if has_some else ""


def _host(publication: RunningPaper | Publication) -> str:
    return publication.home_url.partition("://")[2].partition("/")[0]


# --- Items that came and went, and changed pages --------------------------------------------------


def _missed(picture: Picture) -> list[Need]:
    """List papers whose feed was asked too late, until a crawl has looked for what is missing."""
    since = picture.now - MISSED_TOLD
    rows = Feed.objects.filter(is_active=True, missed_at__gte=since).select_related("page__host")
    by_paper: dict[int, list[Feed]] = defaultdict(list)
    for feed in rows.defer("page__host__robots_body"):
        if feed.publication_id in picture.papers:
            by_paper[feed.publication_id].append(feed)
    looked_at = _looked_at(list(by_paper))
    needs = []
    for pk, feeds in by_paper.items():
        last = max(feed.missed_at for feed in feeds if feed.missed_at)
        n = sum(feed.n_missed for feed in feeds)
        is_dated = all(feed.n_missed or feed.newest_item_at for feed in feeds)
        if (n >= LEAST_MISSED or not is_dated) and not _is_after(looked_at.get(pk), last):
            needs.append(_missed_need(picture.papers[pk].publication, feeds, n))
    return needs


def _is_after(looked_at: datetime | None, missed_at: datetime) -> bool:
    return looked_at is not None and looked_at >= missed_at


def _looked_at(publication_ids: Collection[int]) -> Mapping[int, datetime]:
    kinds = (CrawlKind.SITE, CrawlKind.SITEMAP, CrawlKind.ARCHIVE)
    rows = Crawl.objects.filter(publication__in=publication_ids, kind__in=kinds).order_by()
    return dict(rows.values_list("publication").annotate(at=Max("created_at")))


def _missed_need(publication: RunningPaper, feeds: list[Feed], n: int) -> Need:
    since = min(feed.missed_at for feed in feeds if feed.missed_at)
    every = span(min(feed.interval_seconds or 0 for feed in feeds) or 1800)
    some = f"about {counted(n, 'item')}" if n else "some items, nobody can say how many,"
    host = feeds[0].page.host.name
    words = (
        f"has missed {some} at {host} on {moment(since)}: nothing in its feed was known from the "
        f"visit before; it is now asked every {every}, and what was missed, "
        f"{cost(n / (MISSED_TOLD / DAY))} of this week, comes back only if you look in its sitemap."
    )
    asked = urlencode({"pub": publication.slug, "kind": CrawlKind.SITEMAP.value})
    return Need(
        "missed", "warn", "▲ Missed", publication.name, words, f"{reverse('crawl-new')}?{asked}",
        "Look in the sitemap", host=host, since=since, articles_a_day=n / (MISSED_TOLD / DAY),
        publication_id=publication.pk, cause=f"missed:{publication.slug}",
    )  # fmt: skip


def _changed(picture: Picture) -> list[Need]:
    """List publications whose pages are no longer what they were."""
    needs = []
    for alarm in open_alarms():
        paper = picture.papers.get(alarm.publication_id)
        rate = paper.articles_a_day if paper else 0.0
        needs.append(
            Need(
                "structure",
                "warn",
                "▲ Structure",
                alarm.publication.name,
                _structure_words(alarm, rate),
                reverse("source", args=[alarm.publication.slug]) + "#structure",
                "See a page before and after" if has_changed(alarm) else "See a page",
                host=_host(alarm.publication),
                since=alarm.since,
                articles_a_day=rate,
                publication_id=alarm.publication_id,
            )
        )
    return needs


def _structure_words(alarm: StructureAlarm, rate: float) -> str:
    if not has_changed(alarm):
        return (
            f"has rules that do nothing: on pages since {day(alarm.since)} {sentence(alarm)}, "
            f"which touches {cost(rate)}: look at a page, and mend its rules or take them out."
        )
    return (
        f"has changed: since {day(alarm.since)} {sentence(alarm)}; pages are read by what was "
        f"learnt so far, which touches {cost(rate)}: compare a page before and after, and mend its "
        "rules."
    )
