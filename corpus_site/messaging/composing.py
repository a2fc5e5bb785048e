"""Puts notices into words: what happened in a while → one `Content`.

Three hundred alarms are one message, an alarm that opens and closes again and again is one line of
it, and texts that tell of one event stand together.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.conf import settings
from django.urls import reverse

from corpus_site.crawl_report import CrawlFigures, crawl_report
from corpus_site.messaging.alarm_events import CLOSED, OPENED
from corpus_site.messaging.content import MOST_ITEMS, Content, Item, absolute
from corpus_site.messaging.models import Notice, Subscription
from dedup.models import Detection
from extraction.models import Article
from presentation.wording.figures import counted, grouped, size
from presentation.wording.times import stamp
from search.asking.address import Address

_SUBJECT_CHARS = 120  # of a mail; longer ones are cut by those who show them
_PAPERS_NAMED = 6  # that also tell of an event


@dataclass(slots=True)
class _Story:
    """What happened to one alarm in a while: its last state, and how often it opened and closed."""

    item: Item
    what: str
    counts: Counter[str]

    @property
    def line(self) -> Item:
        if self.counts[OPENED] < 2:
            return self.item
        often = f" Opened {self.counts[OPENED]} times, closed {self.counts[CLOSED]} times."
        return replace(self.item, sentence=f"{self.item.sentence}{often}")


def alarms_content(notices: Sequence[Notice]) -> Content:
    """Tell what became of alarms, those that are open first, in the order of their opening."""
    found: dict[str, _Story] = {}
    for notice in notices:
        plain = notice.content
        one = found.setdefault(plain["group"], _Story(Item(""), "", Counter()))
        one.item, one.what = Item(**plain["item"]), plain["what"]
        one.counts[one.what] += 1
    ordered = sorted(found.values(), key=lambda one: one.what == CLOSED)
    n_closed = sum(one.what == CLOSED for one in ordered)
    n_open = len(ordered) - n_closed
    return _listed(
        Content(
            kind="alarms",
            title=_alarms_title(ordered, n_open, n_closed),
            lead=_alarms_lead(ordered),
            address=absolute(reverse("alarms")),
        ),
        [one.line for one in ordered],
    )


def _alarms_title(ordered: list[_Story], n_open: int, n_closed: int) -> str:
    if len(ordered) == 1:
        item = ordered[0].item
        return f"{item.label}: {item.subject}"[:_SUBJECT_CHARS]
    parts = [counted(n_open, "alarm") if n_open else "", f"{n_closed} closed" if n_closed else ""]
    return ", ".join(part for part in parts if part)


def _alarms_lead(ordered: list[_Story]) -> str:
    labels = Counter(one.item.label.split(" ", 1)[-1] for one in ordered)
    if len(ordered) == 1:
        return "An alarm has changed."
    said = ", ".join(f"{n} × {label}" for label, n in labels.most_common())
    return f"{counted(len(ordered), 'alarm has', 'alarms have')} changed: {said}."


def _listed(content: Content, items: Sequence[Item]) -> Content:
    shown = tuple(items[:MOST_ITEMS])
    return replace(content, items=shown, n_more=content.n_more + len(items) - len(shown))


def hits_content(subscription: Subscription, notices: Sequence[Notice]) -> Content | None:
    """Tell of texts with new hits, by event; None if all of them have left since, or are copies."""
    query = subscription.query
    if query is None:
        return None
    texts = _still_there([one for one in notices if one.content["article"]])
    n_beyond = sum(one.content.get("n_more", 0) for one in notices)
    if not texts and not n_beyond:
        return None
    items = [_told_item(group) for group in _by_story(texts)]
    address = Address.parse(query.parameters).without("asof").at(reverse("search"))
    n_texts = len(texts) + n_beyond
    words = counted(n_texts, "text with new hits", "texts with new hits")
    events = f", {counted(len(items), 'event')}" if len(items) < len(texts) else ""
    content = Content(
        kind="query",
        title=f"{query}: {words}"[:_SUBJECT_CHARS],
        lead=f"Your saved query “{query}” has {words}{events}.",
        address=absolute(address),
        n_more=n_beyond,
    )
    return _listed(content, items)


def _still_there(notices: Sequence[Notice]) -> list[tuple[Notice, int]]:
    """Leave out what was withdrawn and what a copy is of another; give each text its story or 0."""
    ids = {one.content["article"] for one in notices}
    there = set(Article.objects.filter(pk__in=ids, withdrawn_at=None).values_list("pk", flat=True))
    rows = Detection.objects.filter(article__in=ids)
    known = {
        article: (original, story)
        for article, original, story in rows.values_list("article_id", "original_id", "story_id")
    }
    found = []
    for one in notices:
        article = one.content["article"]
        original, story = known.get(article, (article, None))
        is_copy_of_told = original in ids and original != article
        is_comment = one.key.startswith("text:c")
        if article in there and (is_comment or not is_copy_of_told):
            found.append((one, story or 0))
    return found


def _by_story(texts: Sequence[tuple[Notice, int]]) -> list[list[Item]]:
    """Put texts of one event together; a text of no story stands alone."""
    groups: dict[object, list[Item]] = {}
    for notice, story in texts:
        groups.setdefault(story or f"alone {notice.pk}", []).append(Item(**notice.content["item"]))
    return list(groups.values())


def _told_item(group: Sequence[Item]) -> Item:
    first, others = group[0], group[1:]
    if not others:
        return first
    papers = list(dict.fromkeys(item.source or item.subject for item in others))
    named = ", ".join(papers[:_PAPERS_NAMED]) + (" …" if len(papers) > _PAPERS_NAMED else "")
    told = f"Also told by {named} ({counted(len(others), 'text')})."
    return replace(first, sentence=f"{first.sentence} {told}".strip())


def report_content(since: datetime, until: datetime) -> Content:
    """Tell what the crawl did between two moments."""
    report = crawl_report(since, until)
    return _listed(
        Content(
            kind="report",
            title=f"Crawl: {counted(report.total.n_new, 'new article')}",
            lead=f"What was done from {stamp(report.since)} to {stamp(until)}.",
            address=absolute(reverse("status-report")),
            figures=_figures(report),
        ),
        [
            Item(
                subject=publication.name,
                sentence=(
                    f"{counted(work.n_new, 'new article')}, {counted(work.n_pages, 'page')} asked "
                    f"for, {grouped(work.n_refused)} not answered."
                ),
                address=absolute(reverse("source", args=[publication.slug])),
            )
            for publication, work in sorted(
                report.by_publication, key=lambda pair: (-pair[1].n_new, pair[0].name)
            )
        ],
    )


def _figures(report: CrawlFigures) -> tuple[tuple[str, str], ...]:
    total = report.total
    return (
        ("Articles new", grouped(total.n_new)),
        ("Visits to feeds", grouped(total.n_feeds)),
        ("Other pages asked for", grouped(total.n_pages)),
        ("Requests not answered", grouped(total.n_refused)),
        ("Over the wire", size(total.n_bytes)),
    )


def trial_content(name: str, confirm: str = "") -> Content:
    """Say what *Send a test* sends; `confirm` is where the reader of a mail agrees to more."""
    agree = " Open the address below and agree to get messages; nothing else comes before."
    return Content(
        kind="test",
        title="Broadsheet: please confirm" if confirm else "Broadsheet: this is a test",
        lead=(
            f"Somebody at {settings.SITE_URL} asked for messages to this address.{agree}"
            if confirm
            else f"This is a test of “{name}”. If you can read it, messages arrive here."
        ),
        address=confirm or absolute(reverse("messages")),
    )
