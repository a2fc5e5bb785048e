"""What the rule studio shows: draft, stored page, picked element, rules, trials, jobs."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from typing import Any, Protocol

from django.utils import timezone

from extraction.documents import taken
from extraction.evaluation.differences import Difference, changed_words
from extraction.forms import SiteRuleForm
from extraction.html.markup.decode import decode_html
from extraction.html.markup.parse import parse_html
from extraction.html.page import PageInput
from extraction.html.proposals.picking import OutlineRow, Picked, outline_rows, pick
from extraction.html.proposals.repeated_boxes import RepeatedBox
from extraction.html.proposals.verdicts import FieldChange, RuleOutcome
from extraction.html.site_rules.rules import RuleField, RuleKind, SiteRules
from extraction.html.trace.inert_page import MARK, NUMBER, WHY, inert_markup
from extraction.html.trace.line_groups import group_lines
from extraction.html.trace.marking import mark_page
from extraction.html.trace.page_trace import trace_page
from extraction.models import Article, DryRun, RuleVersion, SiteRule, StructureAlarm
from extraction.rules.dry_runs import is_of_these_rules
from extraction.rules.losses import losses_of
from extraction.rules.published import rules_at, rules_in
from extraction.rules.reread import RereadReport, reread_report
from extraction.rules.suggestions import are_remembered, suggest, without_proposal
from extraction.rules.trials import (
    StoredPage,
    Trial,
    counts_of,
    readable_articles,
    sample_articles,
    stored_pages,
    try_rules,
)
from extraction.rules.versions import (
    can_undo,
    draft_of,
    n_pages_stored,
    newest_published,
    published_versions,
)
from extraction.sites.alarms import open_alarms, sentence
from extraction.views.rule_list import (
    USES,
    ParsedPage,
    RuleRow,
    boxes_of,
    rule_rows,
    site_rules,
)
from feeds.crawler.documents.limited_work import (
    FOR_A_REQUEST,
    TOO_MUCH,
    WorkEndedError,
    run_limited,
)
from feeds.models import Publication
from presentation.primary_keys import primary_key

VIEWS = (("page", "Page"), ("outline", "Outline"), ("source", "Source"))
SHOWN_SOURCE_CHARACTERS = 200_000  # far more than anybody reads; a page may have megabytes
VERSIONS_SHOWN = 10  # older ones stand in the admin


class SharedSentence(Protocol):
    """A sentence that many texts of a publication hold; who compares texts finds them."""

    @property
    def text(self) -> str: ...

    @property
    def n_texts(self) -> int: ...


RecurringOf = Callable[[int], Sequence[SharedSentence]]  # by the key of a publication


@dataclass(frozen=True, slots=True)
class StudioState:
    """What the address asks for; anything unreadable in it is left out."""

    article: int | None = None
    pick: int | None = None
    field: RuleField | None = None
    view: str = "page"
    show: RuleOutcome | None = None
    edit: int | None = None
    is_proposal_wanted: bool = False
    is_for_all: bool = False  # pages of all times are tried, whatever the draft or an alarm says
    is_wait: bool = False  # the proposals are to stand in the page: for readers without script

    @classmethod
    def of(cls, values: Mapping[str, str]) -> "StudioState":
        view = values.get("view", "")
        return cls(
            article=primary_key(values.get("article")),
            pick=primary_key(values.get("pick")),
            field=_member(RuleField, values.get("field")),
            view=view if view in dict(VIEWS) else "page",
            show=_member(RuleOutcome, values.get("show")),
            edit=primary_key(values.get("edit")),
            is_proposal_wanted=values.get("propose") == "1",
            is_for_all=values.get("since") == "all",
            is_wait=values.get("whole") == "1",
        )


def _member(kind: Any, text: str | None) -> Any:
    return kind(text) if text in {member.value for member in kind} else None


@dataclass(frozen=True, slots=True)
class TrialRow:
    """A trial in the list, with the words that come and go."""

    trial: Trial
    differences: Sequence[Difference] = field(default_factory=tuple)

    @property
    def day(self) -> date | None:
        """Give the day that the draft reads."""
        text = self.trial.draft.day
        return date.fromisoformat(text) if text else None

    @property
    def unsaid(self) -> list[FieldChange]:
        """Give the fields that changed too, which the verdict's reasons do not name."""
        verdict = self.trial.verdict
        said = {reason.partition(":")[0] for reason in verdict.reasons}
        said |= {"published"} if "date" in said else set()
        # The words of a text stand beside.
        return [change for change in verdict.changes if change.name not in said | {"text"}]


@dataclass(frozen=True, slots=True)
class SampleRead:
    """What the pages of a sample say, read in a child; `problem` where that took too much."""

    outline: Sequence[OutlineRow] = ()
    source: str = ""
    picked: Picked | None = None
    rules: Sequence[RuleRow] = ()
    boxes: Sequence[RepeatedBox] = ()
    problem: str = ""


def studio_context(
    publication: Publication, asked: StudioState, now: datetime, form: SiteRuleForm | None = None
) -> dict[str, Any]:
    """Everything the studio shows; `form` is a refused one."""
    draft, published = draft_of(publication.pk), newest_published(publication.pk)
    version = draft or published
    alarms = open_alarms(publication.pk)
    valid_from = None if asked.is_for_all else _valid_from(draft, alarms)
    sample = stored_pages(sample_articles(publication.pk, valid_from))
    shown = _shown(publication, asked, sample)
    tried = _tried(draft, sample, shown, now)
    trials = [trial for trial in tried if _is_in(trial.article, sample)]
    read = _read(sample, shown, asked, site_rules(version))
    jobs = rule_jobs(publication.pk, now)
    edited = draft.rules.filter(pk=asked.edit).first() if draft and asked.edit else None
    return {
        "publication": publication,
        "asked": asked,
        "now": now,
        "draft": draft,
        "published": published,
        "version": version,
        "sample_size": len(sample),
        "shown": shown,
        "views": VIEWS,
        "uses": USES,
        "unread": read.problem,
        "outline": read.outline,
        "source": read.source,
        "picked": read.picked,
        "rules": read.rules,
        "boxes": read.boxes,
        "n_warnings": sum(len(row.warnings) for row in read.rules),
        "rule_form": form or _rule_form(edited, asked),
        "edited": edited,
        "trials": _trial_rows(tried, asked),
        "losses": losses_of(trials, jobs["dry_run"] if jobs["is_dry_run_current"] else None),
        "counts": [(outcome, n) for outcome, n in counts_of(trials).items()],
        "n_trials": len(trials),
        "n_untried": len(sample) - len(trials) if draft else 0,
        "articles": sample if not draft else [],
        **_proposals(asked, draft, sample),
        **_neighbours(shown, sample),
        **jobs,
        "n_pages_all": n_pages_stored(publication.pk, timezone.now()),
        "alarms": [(alarm, sentence(alarm)) for alarm in alarms],
        "valid_from": valid_from,
    }


def _valid_from(draft: RuleVersion | None, alarms: Sequence[StructureAlarm]) -> datetime | None:
    """Moment that is offered: the draft's own, else that of the layout change, else none.

    To the second, as a form writes it: so what is shown is what will be published.
    """
    if draft and draft.valid_from:
        return draft.valid_from
    return alarms[-1].since.replace(microsecond=0) if alarms else None


def _tried(
    draft: RuleVersion | None, sample: Sequence[StoredPage], shown: StoredPage | None, now: datetime
) -> list[Trial]:
    """Try the draft on the sample, and on the page that is looked at beside it."""
    if draft is None:
        return []
    beside = [] if shown is None or _is_in(shown.article, sample) else [shown]
    return try_rules([*sample, *beside], rules_in(draft), now)


def _is_in(article: Article, sample: Sequence[StoredPage]) -> bool:
    return any(page.article.pk == article.pk for page in sample)


def first_day(publication_id: int) -> datetime | None:
    """Moment from which on the studio shows pages: see `_valid_from`."""
    return _valid_from(draft_of(publication_id), open_alarms(publication_id))


def _shown(
    publication: Publication, asked: StudioState, sample: Sequence[StoredPage]
) -> StoredPage | None:
    """Choose the stored page in the frame: the one asked for, else the newest."""
    found = next((page for page in sample if page.article.pk == asked.article), None)
    if found is not None or asked.article is None:
        return found or next(iter(sample), None)
    rows = readable_articles().filter(publication=publication, pk=asked.article)
    return next(iter([*stored_pages(list(rows)), *sample]), None)


def _rule_form(edited: SiteRule | None, asked: StudioState) -> SiteRuleForm:
    """Give the form of the rule that is edited, else of a selector for the field asked about."""
    if edited is not None:
        return SiteRuleForm(instance=edited)
    return SiteRuleForm(initial={"field": asked.field, "kind": RuleKind.CSS})


def _neighbours(shown: StoredPage | None, sample: Sequence[StoredPage]) -> dict[str, Any]:
    ids = [page.article.pk for page in sample]
    at = ids.index(shown.article.pk) if shown and shown.article.pk in ids else None
    return {
        "older": ids[at + 1] if at is not None and at + 1 < len(ids) else None,
        "newer": ids[at - 1] if at else None,
    }


def read_shown(
    shown: ParsedPage | None, asked: StudioState, pages: Sequence[ParsedPage]
) -> SampleRead:
    """Read what the address asks for of the shown page. Parses: for a child."""
    if shown is None:
        return SampleRead()
    wanted, is_picked = asked.field or RuleField.BODY, asked.pick is not None
    roots = [page.root for page in pages] if is_picked else []
    return SampleRead(
        outline=outline_rows(shown.root) if asked.view == "outline" else [],
        source=shown.html[:SHOWN_SOURCE_CHARACTERS] if asked.view == "source" else "",
        picked=pick(shown.root, asked.pick or 0, wanted, roots) if is_picked else None,
    )


def _read(
    sample: Sequence[StoredPage],
    shown: StoredPage | None,
    asked: StudioState,
    rows: Sequence[SiteRule],
) -> SampleRead:
    """Read the sample in a child, somebody waits; where it takes too much the page says so."""

    def read() -> SampleRead:
        found = read_shown(shown, asked, sample)
        return replace(found, rules=rule_rows(rows, sample), boxes=boxes_of(rows, sample))

    try:
        return run_limited(read, FOR_A_REQUEST)
    except WorkEndedError:
        unread = [RuleRow(row, 0, len(sample)) for row in rows]
        return SampleRead(rules=unread, problem=TOO_MUCH)


def _proposals(
    asked: StudioState, draft: RuleVersion | None, sample: Sequence[StoredPage]
) -> dict[str, Any]:
    """Proposals that are known already; else the page comes first, and they follow as a part."""
    is_for_field = asked.field is not None and asked.pick is None and draft is None
    if not (asked.is_proposal_wanted or is_for_field):
        return {}
    if asked.is_wait or are_remembered(sample, _field_proposed(asked)):
        return proposals_of(asked, sample)
    return {"is_proposing": True}


def proposals_of(asked: StudioState, sample: Sequence[StoredPage]) -> dict[str, Any]:
    """Proposals for the field that is wrong, or for all when they were asked for."""
    suggested = suggest(sample, _field_proposed(asked))
    unproposed = without_proposal(suggested) if asked.is_proposal_wanted else []
    return {
        "is_proposed": True,
        "suggested": suggested,
        "has_best": any(found.is_best for found in suggested),
        "unproposed": unproposed,
    }


def _field_proposed(asked: StudioState) -> RuleField | None:
    return None if asked.is_proposal_wanted else asked.field


def not_removed(
    recurring: Sequence[SharedSentence], version: RuleVersion | None
) -> list[SharedSentence]:
    """Sentences that many texts hold, but for those that a rule removes already."""
    removed = set(_wordings(version)) if version else set()
    return [found for found in recurring if found.text not in removed]


def _wordings(version: RuleVersion) -> list[str]:
    rows = version.rules.filter(field=RuleField.REMOVE, kind=RuleKind.TEXT)
    return list(rows.values_list("selector", flat=True))


def _trial_rows(trials: Sequence[Trial], asked: StudioState) -> list[TrialRow]:
    wanted = [trial for trial in trials if asked.show in {None, trial.verdict.outcome}]
    return [TrialRow(trial, changed_words(trial.now.text, trial.draft.text)) for trial in wanted]


def rule_jobs(publication_id: int, now: datetime) -> dict[str, Any]:
    """Read what runs in the background or has run: dry run, re-reading; and what can be undone."""
    draft, published = draft_of(publication_id), newest_published(publication_id)
    run = DryRun.objects.filter(version=draft).select_related("version").first() if draft else None
    report: RereadReport | None = reread_report(published) if published else None
    return {
        "dry_run": run,
        "is_dry_run_current": run is not None and is_of_these_rules(run),
        "reread": report,
        "undoable": published if published and can_undo(published, now) else None,
        "versions": list(published_versions(publication_id)[:VERSIONS_SHOWN]),
        "is_busy": (run is not None and run.due_at is not None and run.quarantined_at is None)
        or (report is not None and report.n_left > 0),
    }


def marked_page(article: Article, picked: int | None, now: datetime) -> str:
    """Inert markup of an archived page: numbers on all elements, marks of what the rules do."""
    stored = next(iter(stored_pages([article])), None)
    if stored is None:
        return ""
    rules = _rules_for(article, draft_of(article.publication_id))
    return marked_markup(replace(stored.page, rules=rules), picked, now)


def marked_markup(page: PageInput, picked: int | None, now: datetime) -> str:
    """Mark a page, in a child; what takes too much says so instead."""
    try:
        return run_limited(lambda: _marked_markup(page, picked, now), FOR_A_REQUEST)
    except WorkEndedError:
        return f"<p>{TOO_MUCH}</p>"


def _marked_markup(page: PageInput, picked: int | None, now: datetime) -> str:
    root = parse_html(decode_html(page.body, page.content_type).text)
    trace = trace_page(page, now=now)
    elements = list(root.iter())
    mark_page(root, group_lines(trace, root), trace)
    for number, element in enumerate(elements):
        element.set(NUMBER, str(number))
    if picked is not None and picked < len(elements):
        elements[picked].set(MARK, "picked")
        elements[picked].set(WHY, "picked")
    return inert_markup(root)


def _rules_for(article: Article, draft: RuleVersion | None) -> SiteRules:
    """Choose what a page is read with once the draft is live: older pages keep their rules."""
    fetch = taken(article)
    is_for_it = draft is not None and (
        draft.valid_from is None or (fetch is not None and fetch.document_at >= draft.valid_from)
    )
    if draft is not None and is_for_it:
        return rules_in(draft)
    return rules_at(article.publication_id, fetch.document_at).rules if fetch else SiteRules()
