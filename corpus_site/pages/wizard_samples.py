"""Samples of a draft: pick on a page what a field should be, and see it tried on all of them.

The picker is the rule studio's: stored page, outline, picked element, rules. What is shown is in
the address as there; changes are POSTs to one address with their `act`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from csp.constants import SELF
from csp.decorators import csp_update
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.views.decorators.clickjacking import xframe_options_sameorigin
from django.views.decorators.http import require_http_methods, require_safe
from lxml import etree
from propcache.api import cached_property

from corpus_site.adding import draft_rules
from corpus_site.adding.samples import SamplePage, kept_page, kept_pages
from corpus_site.drafts import Draft
from corpus_site.pages.wizard_draft import MAY_ADD, draft_address, drafts_for
from extraction.forms import SiteRuleForm, to_rule
from extraction.html.markup.decode import decode_html
from extraction.html.markup.parse import parse_html
from extraction.html.proposals.candidates import candidates
from extraction.html.proposals.picking import OutlineRow
from extraction.html.site_rules.rule_check import check_rule
from extraction.models import SiteRule
from extraction.views.rule_changes import rule_of
from extraction.views.rule_list import USES, RuleRow, rule_rows
from extraction.views.rule_studio import (
    VIEWS,
    SampleRead,
    StudioState,
    marked_markup,
    read_shown,
)
from feeds.crawler.documents.limited_work import (
    FOR_A_REQUEST,
    TOO_MUCH,
    WorkEndedError,
    run_limited,
)
from feeds.models import SourceDraft
from presentation.frames import confine
from presentation.primary_keys import primary_key

_KEPT = ("article", "pick", "field", "view")


@dataclass(frozen=True, slots=True)
class ShownPage:
    """Names of a sample, as the studio's templates ask an article for them."""

    pk: int
    url: str
    title: str


@dataclass(frozen=True)
class ShownSample:
    """A sample, a stranger's page: read in a child, where it is looked at first."""

    article: ShownPage
    page: SamplePage

    @cached_property
    def html(self) -> str:
        """Its characters."""
        return decode_html(self.page.body, self.page.content_type).text

    @cached_property
    def root(self) -> etree._Element:
        """Its tree."""
        return parse_html(self.html)


@dataclass(frozen=True, slots=True)
class SamplesRead:
    """What the samples say, read in a child; `problem` where that took too much."""

    shown: SampleRead
    candidates: Sequence[OutlineRow] = ()
    problem: str = ""


@MAY_ADD
@require_safe
@csp_update({"frame-src": [SELF]})  # type: ignore[arg-type] # its types forget the address's values
def samples(request: HttpRequest, pk: int) -> HttpResponse:
    row = get_object_or_404(drafts_for(request).filter(publication=None), pk=pk)
    if "feeds" not in row.findings or not row.pages.exists():
        return redirect(draft_address(pk))
    context = _context(row, StudioState.of(request.GET), timezone.localtime())
    return render(request, "corpus_site/add_samples.html", context)


def _context(
    row: SourceDraft, asked: StudioState, now: datetime, form: SiteRuleForm | None = None
) -> dict[str, Any]:
    """Everything the page shows, under the names of the studio's templates."""
    draft = Draft.from_json(row.findings)
    titles = {sample.url: sample.title for sample in draft.samples}
    sample = [
        ShownSample(ShownPage(key, page.url, titles.get(page.url, "")), page)
        for key, page in kept_pages(row)
    ]
    shown = next((one for one in sample if one.article.pk == asked.article), sample[0])
    read = _read(sample, shown, asked, _unwritten(row))
    tries = draft_rules.try_samples(row, now)
    return {
        "row": row,
        "draft_found": draft,
        "asked": asked,
        "now": now,
        "shown": shown,
        "views": VIEWS,
        "uses": USES,
        "frame": reverse("draft-sample-page", args=[row.pk, shown.article.pk]),
        "change": reverse("draft-samples-change", args=[row.pk]),
        "unread": read.problem,
        "outline": read.shown.outline,
        "source": read.shown.source,
        "picked": read.shown.picked,
        "candidates": read.candidates,
        "rules": read.shown.rules[::-1],  # the newest first
        "rule_form": form or SiteRuleForm(),
        "tries": tries,
        "is_changed": any(field.is_changed for one in tries for field in one.fields),
        **_neighbours(shown, sample),
    }


def _read(
    sample: Sequence[ShownSample], shown: ShownSample, asked: StudioState, rows: Sequence[SiteRule]
) -> SamplesRead:
    """Read the samples in a child, somebody waits; where it takes too much the page says so."""

    def read() -> SamplesRead:
        found = replace(read_shown(shown, asked, sample), rules=rule_rows(rows, sample))
        return SamplesRead(found, candidates(shown.root, asked.field) if asked.field else [])

    try:
        return run_limited(read, FOR_A_REQUEST)
    except WorkEndedError:
        unread = [RuleRow(row, 0, len(sample)) for row in rows]
        return SamplesRead(SampleRead(rules=unread), problem=TOO_MUCH)


def _neighbours(shown: ShownSample, sample: Sequence[ShownSample]) -> dict[str, int | None]:
    ids = [one.article.pk for one in sample]
    at = ids.index(shown.article.pk)
    return {
        "older": ids[at + 1] if at + 1 < len(ids) else None,
        "newer": ids[at - 1] if at else None,
    }


def _unwritten(row: SourceDraft) -> list[SiteRule]:
    """Give the picked rules, as they were picked, as rows that were not written; by their place."""
    picked = enumerate(draft_rules.picked_rules(row), start=1)
    return [SiteRule(pk=place, **draft_rules.columns_of(rule)) for place, rule in picked]


@MAY_ADD
@require_safe
@xframe_options_sameorigin
def sample_page(request: HttpRequest, pk: int, page: int) -> HttpResponse:
    """Show a sample's page as it came, made inert, every element with its number, in a frame."""
    row = get_object_or_404(drafts_for(request), pk=pk)
    sample = kept_page(get_object_or_404(row.pages, pk=page))
    read = sample.to_input(str(row.findings.get("name", "")), draft_rules.rules_of(row))
    markup = marked_markup(read, StudioState.of(request.GET).pick, timezone.now())
    return confine(render(request, "extraction/rules_frame.html", {"markup": markup}))


@require_http_methods(["GET", "POST"])
@MAY_ADD
@csp_update({"frame-src": [SELF]})  # type: ignore[arg-type] # its types forget the address's values
def change(request: HttpRequest, pk: int) -> HttpResponse:
    """Take, write or drop a rule; a refused one is answered with the page and its form."""
    row = get_object_or_404(drafts_for(request).filter(publication=None), pk=pk)
    if request.method != "POST" or "feeds" not in row.findings or not row.pages.exists():
        return redirect("draft-samples", pk=pk)
    act = _ACTS.get(request.POST.get("act", ""))
    if act is None:
        return HttpResponseBadRequest("This is no change of rules.", content_type="text/plain")
    refused = act(request, row)
    if refused is not None:
        context = _context(row, StudioState.of(request.POST), timezone.localtime(), refused)
        return render(request, "corpus_site/add_samples.html", context, status=400)
    kept = {name: request.POST[name] for name in _KEPT if request.POST.get(name)}
    if request.POST.get("use"):
        kept["field"] = request.POST["use"]
    return redirect(f"{reverse('draft-samples', args=[pk])}?{urlencode(kept)}#tries")


def _take(request: HttpRequest, row: SourceDraft) -> None:
    """Take a picked selector as a rule, before those that were picked earlier."""
    rule = rule_of(request.POST.get("rule", ""), request.POST.get("use", ""))
    problems = (
        [problem.sentence for problem in check_rule(rule) if problem.is_error] if rule else []
    )
    if rule is None or problems:
        messages.error(request, " ".join(problems) or "This is no rule.")
    elif not draft_rules.pick(row, [rule], timezone.now()):
        messages.info(request, "This rule was picked already.")


def _save(request: HttpRequest, row: SourceDraft) -> SiteRuleForm | None:
    """Take a rule that was written by hand."""
    form = SiteRuleForm(request.POST)
    if form.is_valid() and draft_rules.pick(row, [to_rule(form.cleaned_data)], timezone.now()):
        return None
    if not form.errors:
        form.add_error(None, "This rule is there already.")
    return form


def _delete(request: HttpRequest, row: SourceDraft) -> None:
    place = primary_key(request.POST.get("pk")) or 0
    if place < 1 or not draft_rules.drop(row, place - 1, timezone.now()):
        messages.info(request, "This rule is gone already.")


def _undo(request: HttpRequest, row: SourceDraft) -> None:
    """Drop the rule that was picked last."""
    if draft_rules.drop(row, -1, timezone.now()):
        messages.success(request, "Undone: the samples are read without that rule again.")


_ACTS: dict[str, Callable[[HttpRequest, SourceDraft], SiteRuleForm | None]] = {
    "take": _take,
    "save": _save,
    "delete": _delete,
    "undo": _undo,
}
