"""Learning what the pages of a publication have in common: the one writer of its tables.

The extract stage leaves the sketch of each page it has read (`keep`): a small row. The sweep takes
the waiting sketches of a publication up at once (`learn`): so a template is rewritten every few
pages, not for each, and two workers never learn into one template. Then it looks whether the site
has changed its design, in which case a new template begins with the first changed page, and which
of the newest pages would be read otherwise by now: those become due again. When a site has brought
nothing for some hours, all of its newest pages are looked at once more, so what they are read as
does not depend on which of them came first.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction

from extraction.html.lines_digest import lines_digest
from extraction.html.page import ExtractedPage, Extractor
from extraction.html.site.evidence import LEAST_ARTICLES
from extraction.html.site.knowledge import SiteKnowledge
from extraction.html.site.site_codec import (
    CodecError,
    decode_sketch,
    encode_knowledge,
    encode_sketch,
)
from extraction.html.site.sketch import PageSketch
from extraction.html.site.structure_alarm import FIELDS, SERIES_PAGES
from extraction.models import Extraction, SiteSketch, SiteTemplate
from extraction.sites import alarms
from extraction.sites.lookup import KnownSite, decoded
from feeds.models import Page, WorkQuerySet
from feeds.work.row_updates import update_rows

# A page is looked at again whenever its site's evidence has grown by this factor: at most eight
# times, since the counters fade at 256 articles.
_GROWTH = 2
# A site is at rest that has brought nothing for so long: most papers are so every night.
_REST = timedelta(hours=3)
# Publications a turn of the sweep takes, and pages of each; the next turn takes the rest.
_PUBLICATIONS = 50
_PAGES = 100
_UPDATED = ["fetched_at", "data", "n_characters", "fields", "rules", "lines", "n_known"]


@dataclass(frozen=True, slots=True)
class SketchedPage:
    """A page that was read, with what it was read with."""

    page: Page
    extracted: ExtractedPage
    site: KnownSite


def keep(pages: Iterable[SketchedPage]) -> None:
    """Leave the sketches of a batch to be learnt; needs a transaction."""
    rows = [row for page in pages if (row := _row(page)) is not None]
    if rows:
        SiteSketch.objects.bulk_create(
            rows, update_conflicts=True, unique_fields=["page"], update_fields=_UPDATED
        )


def _row(read: SketchedPage) -> SiteSketch | None:
    page, extracted = read.page, read.extracted
    sketch, fetch = extracted.sketch, page.content_fetch
    if sketch is None or fetch is None or not len(sketch.keys.lines):
        return None
    if fetch.seen_at is not None:  # an archive's copy shows how the site looked then
        return None
    values = (extracted.title, extracted.authors or extracted.agencies, extracted.published_at)
    is_ruled = extracted.extractor is Extractor.RULE
    return SiteSketch(
        page=page,
        publication_id=page.publication_id,
        fetched_at=fetch.started_at,
        data=encode_sketch(sketch),
        n_characters=len(extracted.text),
        fields=[name for name, value in zip(FIELDS, values, strict=True) if value],
        rules={report.part: report.matched for report in extracted.rule_reports},
        lines="" if is_ruled else lines_digest(sketch, read.site.knowledge),
        n_known=read.site.n_articles,
    )


def learn(now: datetime) -> int:
    """Take up what waits; returns how many pages became due again."""
    waiting = SiteSketch.objects.filter(is_learnt=False).order_by("publication")
    publications = waiting.values_list("publication_id", flat=True).distinct()[:_PUBLICATIONS]
    found = list(publications)
    alarms.close_repaired(now)
    n_due = sum(learn_site(publication, now) for publication in found)
    at_rest = SiteTemplate.objects.filter(is_settled=False, updated_at__lte=now - _REST)
    resting = list(at_rest.order_by("updated_at").values_list("pk", flat=True)[:_PUBLICATIONS])
    return n_due + sum(_settle(template, now) for template in resting)


@transaction.atomic
def _settle(template_id: int, now: datetime) -> int:
    """Look at the pages of a site at rest once with all that is known; returns how many are due."""
    template = (
        SiteTemplate.objects.select_for_update()
        .filter(pk=template_id, is_settled=False, updated_at__lte=now - _REST)
        .first()
    )
    if template is None:
        return 0
    template.is_settled = True
    template.save(update_fields=["is_settled"])
    knowledge = decoded(bytes(template.knowledge))
    if knowledge is None:
        return 0
    return _read_again(template, knowledge, now, knowledge.n_articles - 1)


@transaction.atomic
def learn_site(publication_id: int, now: datetime) -> int:
    """Take up what waits of one publication; returns how many pages became due again.

    While other pages wait for it to be learnt none does: they would be due with each of its waves.
    """
    waiting = list(
        SiteSketch.objects.select_for_update()
        .filter(publication=publication_id, is_learnt=False)
        .order_by("fetched_at", "pk")[:_PAGES]
    )
    if not waiting:
        return 0
    template, knowledge = _present(publication_id, waiting[0].fetched_at, now)
    former = _former(template)
    for row in waiting:
        sketch = _sketch(row)
        # A page of the former design, read again, says nothing about the present one.
        if sketch is not None and (template.number == 1 or row.fetched_at >= template.valid_from):
            row.familiarity = _familiarity(sketch, knowledge, former)
            knowledge.learn(sketch)
        row.is_learnt = True
    update_rows(waiting, ["familiarity", "is_learnt"])
    changed_since = alarms.judge(publication_id, now)
    if changed_since is not None and changed_since > template.valid_from:
        template, knowledge = _begin_anew(template, changed_since, now)
    _write(template, knowledge, now)
    n_due = 0
    if not awaiting(now).filter(unknown_site=publication_id).exists():
        n_due = _read_again(template, knowledge, now, knowledge.n_articles // _GROWTH)
    _forget(publication_id)
    return n_due


def _present(
    publication_id: int, first_at: datetime, now: datetime
) -> tuple[SiteTemplate, SiteKnowledge]:
    template = (
        SiteTemplate.objects.select_for_update()
        .filter(publication=publication_id)
        .order_by("-number")
        .first()
    )
    if template is None:
        template = SiteTemplate(publication_id=publication_id, valid_from=first_at, updated_at=now)
        return template, SiteKnowledge()
    return template, decoded(bytes(template.knowledge)) or SiteKnowledge()


def _former(template: SiteTemplate) -> SiteKnowledge | None:
    """Find what was known of the design before this one: sites take a redesign back."""
    if template.number == 1:
        return None
    rows = SiteTemplate.objects.filter(publication=template.publication_id)
    former = rows.filter(number=template.number - 1).first()
    return decoded(bytes(former.knowledge)) if former else None


def _familiarity(
    sketch: PageSketch, knowledge: SiteKnowledge, former: SiteKnowledge | None
) -> float | None:
    """Share of the common places that a page shows, of the present design or of the former.

    A page of the former design is no new one: pages that were drawn by scripts for some days, or a
    redesign that was taken back, would else be told a second time when all is well again.
    """
    present = knowledge.familiarity(sketch.keys)
    if present is None:
        return None
    before = former.familiarity(sketch.keys) if former else None
    return max(present.places, before.places) if before else present.places


def _begin_anew(
    former: SiteTemplate, since: datetime, now: datetime
) -> tuple[SiteTemplate, SiteKnowledge]:
    """Begin the template of a new design with the pages that were fetched since it came.

    Pages of the former design were fetched before, and nothing more will be known of them.
    """
    SiteTemplate.objects.filter(pk=former.pk).update(is_settled=True)
    knowledge = SiteKnowledge()
    rows = SiteSketch.objects.filter(publication=former.publication_id, fetched_at__gte=since)
    for row in rows.order_by("fetched_at", "pk"):
        sketch = _sketch(row)
        if sketch is not None:
            knowledge.learn(sketch)
    template = SiteTemplate(
        publication_id=former.publication_id,
        number=former.number + 1,
        valid_from=since,
        updated_at=now,
    )
    return template, knowledge


def _write(template: SiteTemplate, knowledge: SiteKnowledge, now: datetime) -> None:
    template.n_articles, template.n_pages = knowledge.n_articles, knowledge.n_pages
    template.knowledge = encode_knowledge(knowledge)
    template.updated_at, template.is_settled = now, False
    template.save()


def awaiting(now: datetime) -> WorkQuerySet[Extraction]:
    """Find the pages that wait until their site is learnt, and for nothing else."""
    return Extraction.objects.filter(
        unknown_site__isnull=False,
        due_at__gt=now,
        lease_owner="",
        attempts=0,
        unread_since=None,
        quarantined_at=None,
    )


def _newest(publication_id: int) -> Sequence[SiteSketch]:
    rows = SiteSketch.objects.filter(publication=publication_id)
    return list(rows.order_by("-fetched_at", "-pk")[:SERIES_PAGES])


def _forget(publication_id: int) -> None:
    """Drop the sketches that no series and no new template will ask for."""
    kept = [row.pk for row in _newest(publication_id)]
    rows = SiteSketch.objects.filter(publication=publication_id, is_learnt=True)
    rows.exclude(pk__in=kept).delete()


def _read_again(
    template: SiteTemplate, knowledge: SiteKnowledge, now: datetime, most_known: int
) -> int:
    """Make those pages due whose lines would be chosen otherwise, now that more is known.

    Looks at those that were read when at most `most_known` articles were.
    """
    if knowledge.n_articles <= LEAST_ARTICLES:
        return 0
    rows = SiteSketch.objects.filter(
        publication=template.publication_id, n_known__lte=most_known
    ).exclude(lines="")
    if template.number > 1:
        rows = rows.filter(fetched_at__gte=template.valid_from)
    looked_at, due = list(rows), []
    for row in looked_at:
        sketch = _sketch(row)
        row.n_known = knowledge.n_articles
        if sketch is not None and lines_digest(sketch, knowledge) != row.lines:
            due.append(row.page_id)
    update_rows(looked_at, ["n_known"])
    return Extraction.objects.filter(page__in=due).at_rest_or_held().reschedule(now, tree_digest="")


def _sketch(row: SiteSketch) -> PageSketch | None:
    try:
        return decode_sketch(bytes(row.data))
    except CodecError:
        return None
