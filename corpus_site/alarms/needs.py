"""What needs a person now, in sentences, the costliest first: present rows → Need.

Each cause is told once: a host that refuses stands for its feeds and papers, a feed that fails for
its paper's silence. Counts come from partial indexes and from what the stages have counted.
"""

from dataclasses import replace
from datetime import datetime, timedelta

from django.urls import reverse

from corpus_site.accounts import untrusted_proxies
from corpus_site.alarms import picture as pictures
from corpus_site.alarms.crawl_needs import crawl_needs
from corpus_site.alarms.feed_needs import feed_needs, silenced
from corpus_site.alarms.host_needs import host_needs
from corpus_site.alarms.log_in_needs import log_in_needs
from corpus_site.alarms.need import Need, cost, moment
from corpus_site.alarms.paper_needs import paper_needs
from corpus_site.alarms.picture import Picture
from corpus_site.counts.stage_counts import counts_of, quarantined_by_model
from corpus_site.pipeline import MODELS, STAGES, active_rows
from corpus_site.retention.disk_days import outlooks
from corpus_site.running import disks
from extraction.stage.records_away import records_away
from feeds.archive.outside import files_away
from feeds.archive.uploading import UPLOADER, files_waiting
from feeds.models import Host, Page
from feeds.sources.naming import publication_names
from feeds.status import unexplained_quarantine, worker_rows
from presentation.wording.figures import counted, grouped, size
from search.stage.followers import (
    FOLLOWER,
    LATE_AFTER,
    PUBLISHER,
    FollowerRow,
    follower_rows,
)

# A file is closed and stored within two minutes; a store that is being restarted is no alarm.
_STORE_LATE = timedelta(minutes=10)
# A disk is ordered and built in within two weeks.
_WARNED_DAYS = 14
# Kinds of processes that carry files between machines and work on no stage.
_CARRIERS = frozenset({UPLOADER, FOLLOWER, PUBLISHER})


def all_needs(now: datetime) -> list[Need]:
    """List what stands still until somebody acts, the costliest first."""
    picture = pictures.take(now)
    machine = [
        *_disk(picture),
        *_idle(picture),
        *_records_away(),
        *_files_away(),
        *_not_stored(picture),
        *_late_copies(picture.now),
        *_quarantined(),
        *_proxy(),
    ]
    hosts = host_needs(picture)
    feeds = feed_needs(picture, {need.host for need in hosts} | _unreachable(picture, hosts))
    told = _told(picture, hosts) | silenced(picture, feeds)
    papers = [*feeds, *log_in_needs(picture), *paper_needs(picture, told), *crawl_needs(picture)]
    found = [*machine, *hosts, *_told_apart(picture, papers)]
    return sorted(found, key=lambda need: (-need.articles_a_day, need.subject))


def _told_apart(picture: Picture, needs: list[Need]) -> list[Need]:
    """Name the host too of a paper whose name another one has."""
    names = publication_names() if needs else {}

    def apart(need: Need) -> Need:
        paper = picture.papers.get(need.publication_id or 0)
        if paper is None:
            return need
        publication = paper.publication
        label = names.get(publication.slug, publication.name)
        return replace(need, subject=need.subject.replace(publication.name, label, 1))

    return [apart(need) for need in needs]


def _unreachable(picture: Picture, hosts: list[Need]) -> set[str]:
    """Give all hosts in trouble where the network is what is away."""
    if not any(need.kind == "network" for need in hosts):
        return set()
    of_articles = {host_id for _, host_id in picture.shares}
    troubled = Host.objects.filter(pk__in=of_articles).exclude(troubled_by="")
    return set(troubled.values_list("name", flat=True))


def _told(picture: Picture, hosts: list[Need]) -> set[int]:
    """Give the papers that lose most of their articles by a host that is told of."""
    if any(need.kind == "network" for need in hosts):
        return set(picture.papers)
    names = {need.host for need in hosts}
    named = Host.objects.filter(name__in=names).values_list("pk", flat=True) if names else ()
    ids = {host_id for _, host_id in picture.shares}.intersection(named)
    return {pk for host_id in ids for pk, lost in picture.served_by(host_id).items() if lost}


def _disk(picture: Picture) -> list[Need]:
    """Say that the work pauses for want of room, or soon will; it goes on by itself."""
    short = disks.shortage()
    if short is None:
        return _filling(picture)
    rate = picture.articles_a_day
    sentence = (
        f"has no room: {short}. Nothing is fetched or indexed until there is more, which costs "
        f"{cost(rate)}; what is stored stays searchable, and the work then goes on by itself."
    )
    address = reverse("status") + "#workers"
    return [
        Need(
            "disk", "bad", "■ Paused", "The disk", sentence, address, "See the workers",
            articles_a_day=rate,
        )
    ]  # fmt: skip


def _filling(picture: Picture) -> list[Need]:
    """Say of each machine's disk that fills soon when that is, while there is time to act."""
    address = reverse("retention")
    return [
        Need(
            "disk", "warn", "▲ Fills", f"The disk of {one.machine}",
            f"is full in about {counted(one.days_left, 'day')}: {size(one.free_bytes)} are "
            f"free, and a day takes {size(one.bytes_a_day)}, as the last two weeks did. Then all "
            "work pauses until there is room. Let old rows go, or give the corpus a larger disk.",
            address, "See what may go", cause=f"disk-fills:{one.machine}",
        )
        for one in outlooks(picture.now)
        if one.days_left is not None and one.days_left <= _WARNED_DAYS
    ]  # fmt: skip


def _idle(picture: Picture) -> list[Need]:
    rows = worker_rows(picture.now)
    if any(row.is_alive and row.worker.kind not in _CARRIERS for row in rows):
        return []
    n_due = sum(counts_of(*(active_rows(model).unfinished(picture.now) for model in MODELS)))
    if not n_due:
        return []
    rate = picture.articles_a_day
    sentence = (
        f"gives a sign, and {grouped(n_due)} rows are due, which costs {cost(rate)}. "
        "Start the program with “make up” or look at its log."
    )
    address = reverse("status") + "#workers"
    return [
        Need(
            "worker", "bad", "■ Stopped", "No worker", sentence, address, "See the workers",
            articles_a_day=rate,
        )
    ]  # fmt: skip


def _records_away() -> list[Need]:
    """Say that archived copies cannot be read; their pages wait, and come back by themselves."""
    away = records_away()
    if away is None:
        return []
    sentence = (
        f"cannot be read for {counted(away.n_pages, 'page')} since {moment(away.since)}: "
        f"{away.example} Put the file back, mount the archive, or copy it from the machine that "
        "its name says; nothing was lost of these pages, and they are read by themselves then."
    )
    address = reverse("stage", args=["extract"])
    return [
        Need(
            "archive", "bad", "■ Unread", "The archive", sentence, address, "See the pages",
            since=away.since, cause="archive:unread",
        )
    ]  # fmt: skip


def _files_away() -> list[Need]:
    """Say that files are gone whose records were imported by reference."""
    away = files_away()
    if away is None:
        return []
    sentence = (
        f"by reference lie in {counted(away.n_files, 'file')} that are gone or shorter than they "
        f"were, since {moment(away.since)}: {', '.join(away.paths)}. Put them back, or say where "
        "they are with manage.py archive moved OLD NEW; texts stay, their archived pages are shown "
        "again by themselves."
    )
    return [
        Need(
            "archive", "bad", "■ Gone", f"{grouped(away.n_fetches)} pages imported", sentence,
            reverse("warc-imports"), "See the imports", since=away.since, cause="archive:outside",
        )
    ]  # fmt: skip


def _not_stored(picture: Picture) -> list[Need]:
    """Say that files of the archive do not reach the object store; they go there by themselves."""
    waiting = files_waiting(picture.now - _STORE_LATE)
    if waiting is None:
        return []
    sentence = (
        f"does not take files: {counted(waiting.n_files, 'file')} of {', '.join(waiting.machines)} "
        f"since {moment(waiting.since)}. {waiting.example} Until it does, only the machine that "
        "fetched a page can read it; nothing is lost while its disk has room."
    )
    address = reverse("status") + "#workers"
    return [
        Need(
            "store", "bad", "■ Not stored", "The archive’s store", sentence, address,
            "See the workers", since=waiting.since, cause="archive:store",
        )
    ]  # fmt: skip


def _late_copies(now: datetime) -> list[Need]:
    """Say which machines serve an older index than there is; they catch up by themselves."""
    return [
        Need(
            "index", "bad", "■ Late", f"The index on {row.machine}",
            f"is that of {moment(row.current_at)}: {counted(row.behind, 'generation')} behind "
            f"{row.source}. {_cause(row, now)} Its pages go on with what they have.",
            reverse("status") + "#followers", "See the copies",
            since=row.current_at, cause=f"index:{row.machine}",
        )
        for row in follower_rows(now)
        if row.is_late
    ]  # fmt: skip


def _cause(row: FollowerRow, now: datetime) -> str:
    if now - row.checked_at > LATE_AFTER:
        return (
            "Its follower gives no sign: start “manage.py follow_index” there, or remove the "
            "machine under All tables, Index followers, if it is no more."
        )
    return row.problem or "It is still fetching, or its source publishes no more."


def _quarantined() -> list[Need]:
    """List stages with errors of ours; pages that the web itself refuses are no such errors."""
    of_model = quarantined_by_model()
    of_model[Page] = unexplained_quarantine()
    return [
        Need(
            "quarantine",
            "warn",
            "▲ Put aside",
            f"Stage {stage.name}",
            f"gave up on {counted(n, 'row')} after repeated errors; each was tried as often as "
            "is allowed: look at the errors, mend their cause and try them again.",
            reverse("stage", args=[stage.name]) + "?state=quarantined",
            "See the errors",
        )
        for stage in STAGES
        if (n := sum(of_model[model] for model in stage.models))
    ]


def _proxy() -> list[Need]:
    """Say that all readers have one address, since nobody has named the proxy before the site."""
    address = untrusted_proxies.seen()
    if not address:
        return []
    sentence = (
        f"at {address} passes on requests, and TRUSTED_PROXIES is 0: all its readers count as one "
        "address, so one who guesses passwords or asks too much shuts all of them out. Set "
        "TRUSTED_PROXIES=1 if it is the proxy before this site."
    )
    return [
        Need(
            "proxy", "warn", "▲ Unnamed", "A proxy", sentence, reverse("status"), "See Status",
            cause="proxy:unnamed",
        )
    ]  # fmt: skip
