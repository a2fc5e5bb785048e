"""Changes in the rule studio: every button of it is a POST to one address with its `act`.

Each change goes to the draft, which is begun where there is none; publishing and undoing alone
change what the extraction does.
"""

from collections.abc import Callable
from urllib.parse import urlencode

from csp.constants import SELF
from csp.decorators import csp_update
from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from extraction.forms import PublishForm, SiteRuleForm, to_rule
from extraction.html.site_rules.body_patterns import between
from extraction.html.site_rules.rule_check import check_rule
from extraction.html.site_rules.rules import Rule, RuleField, RuleKind
from extraction.models import DryRun, RuleVersion, SiteRule
from extraction.rules import dry_runs
from extraction.rules.losses import Losses, losses_of
from extraction.rules.published import as_rule, rules_in
from extraction.rules.trials import sample_articles, stored_pages, try_rules
from extraction.rules.versions import (
    add_rules,
    change_rule,
    discard_draft,
    draft_of,
    keep_reason,
    move_rule,
    newest_published,
    open_draft,
    publish,
    remove_rule,
    set_valid_from,
    undo,
)
from extraction.views.rule_studio import (
    RecurringOf,
    StudioState,
    not_removed,
    studio_context,
)
from extraction.views.rules import MAY_EDIT
from feeds.models import Publication
from presentation.primary_keys import primary_key
from presentation.wording.figures import grouped

_KEPT = ("article", "pick", "field", "view")


class RefusedRuleError(Exception):
    """Raised where a rule written by hand is not taken, caught by `change`; its form says why."""

    def __init__(self, form: SiteRuleForm) -> None:
        super().__init__(str(form.errors))
        self.form = form


# The studio that a refused rule is answered with has its frame too.
@require_http_methods(["GET", "POST"])
@MAY_EDIT
@csp_update({"frame-src": [SELF]})  # type: ignore[arg-type] # its types forget the address's values
def change(request: HttpRequest, slug: str, recurring_of: RecurringOf) -> HttpResponse:
    publication = get_object_or_404(Publication.sites, slug=slug)
    if request.method != "POST":
        # A refused rule leaves this address in the browser.
        return redirect("rules", slug=slug)
    act = _ACTS.get(request.POST.get("act", ""))
    if act is None:
        return HttpResponseBadRequest("This is no change of rules.", content_type="text/plain")
    try:
        return act(request, publication) or _back(request, publication)
    except RefusedRuleError as refused:
        asked = StudioState.of(request.POST)
        context = studio_context(publication, asked, timezone.localtime(), refused.form)
        context["recurring"] = not_removed(recurring_of(publication.pk), context["version"])
        return render(request, "extraction/rules.html", context, status=400)


def _back(
    request: HttpRequest, publication: Publication, part: str = "", *, is_for_all: bool = False
) -> HttpResponse:
    """Return to the same place of the studio, or to a part of it."""
    kept = {name: request.POST[name] for name in _KEPT if request.POST.get(name)}
    kept |= {"since": "all"} if is_for_all else {}
    address = reverse("rules", args=[publication.slug])
    query = f"?{urlencode(kept)}" if kept else ""
    return redirect(f"{address}{query}{'#' if part else ''}{part}")


def _save(request: HttpRequest, publication: Publication) -> HttpResponse | None:
    """Add a rule written by hand, or put it in the place of the one that was edited."""
    form = SiteRuleForm(request.POST)
    if form.is_valid():
        rule = to_rule(form.cleaned_data)
        if _put(publication, rule, request.POST.get("edited", "")):
            return None
        form.add_error(None, "This rule is there already.")
    raise RefusedRuleError(form)


@transaction.atomic
def _put(publication: Publication, rule: Rule, edited: str) -> bool:
    draft = open_draft(publication.pk, timezone.now())
    row = draft.rules.filter(pk=primary_key(edited) or 0).first()
    if row is None:
        return add_rules(draft, [rule]) == 1
    return change_rule(row, rule)


def _take(request: HttpRequest, publication: Publication) -> HttpResponse | None:
    """Take proposed or picked rules, before the others of their fields."""
    rules, problems = [], []
    for line in request.POST.getlist("rule"):
        rule = rule_of(line, request.POST.get("use", ""))
        found = check_rule(rule) if rule else ()
        problems += [problem.sentence for problem in found if problem.is_error]
        if rule is None:
            problems.append("This is no rule.")
        else:
            rules.append(rule)
    if problems:
        messages.error(request, " ".join(problems))
    elif rules:
        draft = open_draft(publication.pk, timezone.now(), request.POST.get("note", "")[:500])
        if not add_rules(draft, rules, is_first=True):
            messages.info(request, "The draft has this rule already.")
    return None


def _between(request: HttpRequest, publication: Publication) -> None:
    """Take the body that stands between two pieces of the source, as a pattern."""
    start, end = (request.POST.get(name, "").strip() for name in ("start", "end"))
    if not start or not end:
        messages.error(request, "Write both pieces: the body stands between them.")
        return
    rule = Rule(RuleField.BODY, RuleKind.REGEX, between(start, end))
    problems = [problem.sentence for problem in check_rule(rule) if problem.is_error]
    if problems:
        messages.error(request, " ".join(problems))
    elif not _put(publication, rule, ""):
        messages.info(request, "The draft has this rule already.")


def rule_of(line: str, use: str) -> Rule | None:
    """Read `field:kind:selector`; a button's `use` names the field instead."""
    field, _, rest = line.partition(":")
    kind, _, selector = rest.partition(":")
    field = use or field
    if field not in {f.value for f in RuleField} or kind not in {k.value for k in RuleKind}:
        return None
    return Rule(RuleField(field), RuleKind(kind), selector.strip())


def _row(request: HttpRequest, publication: Publication) -> SiteRule | None:
    """Find the draft's row that a button stands for.

    A published rule stands for its copy in the draft, which is begun for it.
    """
    pk = primary_key(request.POST.get("pk")) or 0
    row = SiteRule.objects.filter(pk=pk, version__publication=publication).first()
    if row is None or row.version.published_at is None:
        return row
    draft = open_draft(publication.pk, timezone.now())
    wanted = as_rule(row)
    return next((copy for copy in draft.rules.all() if as_rule(copy) == wanted), None)


def _delete(request: HttpRequest, publication: Publication) -> None:
    row = _row(request, publication)
    if row is None:
        messages.info(request, "This rule is gone already.")
    else:
        remove_rule(row)


def _up(request: HttpRequest, publication: Publication) -> None:
    row = _row(request, publication)
    if row is not None:
        move_rule(row, -1)


def _down(request: HttpRequest, publication: Publication) -> None:
    row = _row(request, publication)
    if row is not None:
        move_rule(row, 1)


def _discard(request: HttpRequest, publication: Publication) -> None:
    if discard_draft(publication.pk):
        messages.success(request, "The draft is thrown away; what is published stays.")


def _asked(
    request: HttpRequest, publication: Publication
) -> tuple[RuleVersion | None, PublishForm]:
    """Give the draft and what is asked of it; the reason that was typed stays with the draft."""
    draft, form = draft_of(publication.pk), PublishForm(request.POST)
    form.is_valid()
    if draft is not None and "reason" in form.cleaned_data:
        keep_reason(draft, form.cleaned_data["reason"])
    return draft, form


def _dry_run(request: HttpRequest, publication: Publication) -> None:
    draft, form = _asked(request, publication)
    if draft is None or not form.is_valid():
        messages.error(request, _refusal(form))
        return
    set_valid_from(draft, form.moment)
    dry_runs.start(draft, timezone.now())
    messages.success(request, "The draft is tried on all stored articles that it will be for.")


def _show_since(request: HttpRequest, publication: Publication) -> HttpResponse | None:
    """Try the draft on the pages that were fetched since another moment."""
    draft, form = _asked(request, publication)
    if draft is None or not form.is_valid():
        messages.error(request, _refusal(form))
        return None
    set_valid_from(draft, form.moment)
    return _back(request, publication, "trials", is_for_all=form.moment is None)


def _publish(request: HttpRequest, publication: Publication) -> HttpResponse | None:
    draft, form = _asked(request, publication)
    if draft is None or not form.is_valid():
        messages.error(request, _refusal(form))
        return None
    former = newest_published(publication.pk)
    if not draft.rules.exists() and (former is None or not former.rules.exists()):
        messages.error(request, "The draft has no rules: there is nothing to publish.")
        return None
    draft.valid_from = form.moment
    unsaid = _unsaid(form, _losses(draft, form.n_tried))
    if unsaid:
        # What is shown next is for the moment that was asked for.
        set_valid_from(draft, form.moment)
        messages.error(request, unsaid, extra_tags="unsaid")  # said in the bar of the button
        # Where it is accepted, right above the bar, which does not stay in view on a phone.
        return _back(request, publication, "accept", is_for_all=form.moment is None)
    _publish_now(request, draft, form)
    return None


def _unsaid(form: PublishForm, losses: Losses) -> str:
    """Say what the editor has to say before so many articles may get worse; "" for nothing."""
    if losses.n and not form.cleaned_data["reason"]:
        return f"{losses.words}: say why it is right."
    if losses.n > form.n_accepted:
        return f"{losses.words}: look at them above the button, and confirm it."
    return ""


def _publish_now(request: HttpRequest, draft: RuleVersion, form: PublishForm) -> None:
    try:
        n = publish(draft, request.user.pk, timezone.now(), reread=form.cleaned_data["reread"])
    except ValueError:  # another editor was a moment faster
        messages.error(request, f"Version {draft.number} has been published already.")
        return
    pages = "page is" if n == 1 else "pages are"
    done = f"; {grouped(n)} stored {pages} read again" if form.cleaned_data["reread"] else ""
    messages.success(request, f"Version {draft.number} is published{done}.")


def _refusal(form: PublishForm) -> str:
    reasons = [str(error) for errors in form.errors.values() for error in errors]
    return " ".join(reasons) or "There is no draft."


def _losses(draft: RuleVersion, n_tried: int | None) -> Losses:
    """Find what gets worse, on the pages that were tried before, and in a dry run of the same."""
    articles = sample_articles(draft.publication_id, draft.valid_from)
    pages = stored_pages(articles)[:n_tried]
    trials = try_rules(pages, rules_in(draft), timezone.now(), limit_seconds=None)
    run = DryRun.objects.filter(version=draft).first()
    if run is not None:
        run.version = draft  # with the moment that it is to be published for
    is_same = run is not None and dry_runs.is_of_these_rules(run)
    return losses_of(trials, run if is_same else None)


def _undo(request: HttpRequest, publication: Publication) -> None:
    version = newest_published(publication.pk)
    if version is None or str(version.pk) != request.POST.get("version"):
        messages.error(request, "Another version has been published since then.")
        return
    try:
        n = undo(version, request.user.pk, timezone.now())
    except ValueError:
        messages.error(request, f"Version {version.number} is too old to be undone.")
    else:
        messages.success(
            request,
            f"Version {version.number} is undone: the former rules are version"
            f" {version.number + 1}, and {grouped(n)} pages are read again.",
        )


_ACTS: dict[str, Callable[[HttpRequest, Publication], HttpResponse | None]] = {
    "save": _save,
    "take": _take,
    "between": _between,
    "delete": _delete,
    "up": _up,
    "down": _down,
    "discard": _discard,
    "dry-run": _dry_run,
    "since": _show_since,
    "publish": _publish,
    "undo": _undo,
}
