"""The rule studio `/sources/<slug>/rules/`: look, pick, try; and its framed page.

Everything shown is in the address: the stored page (`article`), the picked element (`pick`), the
field it is for, and which trials. Changes are `rule_changes`.
"""

from csp.constants import SELF
from csp.decorators import csp_update
from django.contrib.auth.decorators import permission_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.views.decorators.clickjacking import xframe_options_sameorigin
from django.views.decorators.http import require_safe

from extraction.forms import SiteRuleForm
from extraction.rules.trials import readable_articles, sample_articles, stored_pages
from extraction.views.rule_studio import (
    RecurringOf,
    StudioState,
    first_day,
    marked_page,
    not_removed,
    proposals_of,
    rule_jobs,
    studio_context,
)
from extraction.views.rule_try import tried_rule
from feeds.models import Publication
from presentation.fragments import part_of
from presentation.frames import confine

MAY_EDIT = permission_required("extraction.change_siterule", raise_exception=True)


@require_safe
@MAY_EDIT
@csp_update({"frame-src": [SELF]})  # type: ignore[arg-type] # its types forget the address's values
def studio(request: HttpRequest, slug: str, recurring_of: RecurringOf) -> HttpResponse:
    publication = get_object_or_404(Publication.sites, slug=slug)
    context = studio_context(publication, StudioState.of(request.GET), timezone.localtime())
    context["recurring"] = not_removed(recurring_of(publication.pk), context["version"])
    return render(request, "extraction/rules.html", context)


@require_safe
@MAY_EDIT
@xframe_options_sameorigin
def stored_page(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Show the archived page of an article, every element with its number, in a frame."""
    article = get_object_or_404(readable_articles(), pk=pk, publication__slug=slug)
    markup = marked_page(article, StudioState.of(request.GET).pick, timezone.now())
    response = render(request, "extraction/rules_frame.html", {"markup": markup})
    return confine(response)


@require_safe
@part_of("rules")
@MAY_EDIT
def jobs_part(request: HttpRequest, slug: str) -> HttpResponse:
    publication = get_object_or_404(Publication.sites, slug=slug)
    context = {"publication": publication} | rule_jobs(publication.pk, timezone.localtime())
    return render(request, "extraction/_rule_jobs.html", context)


@require_safe
@part_of("rules")
@MAY_EDIT
def try_part(request: HttpRequest, slug: str) -> HttpResponse:
    """Show what a rule that is being written finds on the stored pages, before it is saved."""
    publication = get_object_or_404(Publication.sites, slug=slug)
    asked = StudioState.of(request.GET)
    form = SiteRuleForm(request.GET)
    context = {"tried": tried_rule(publication, asked, form), "try_form": form}
    return render(request, "extraction/_rule_try.html", context)


@require_safe
@part_of("rules")
@MAY_EDIT
def proposals_part(request: HttpRequest, slug: str) -> HttpResponse:
    """Look where the known texts stand: seconds of work on heavy sites, so it follows the page."""
    publication = get_object_or_404(Publication.sites, slug=slug)
    asked = StudioState.of(request.GET)
    sample = stored_pages(sample_articles(publication.pk, first_day(publication.pk)))
    context = {"publication": publication, "asked": asked} | proposals_of(asked, sample)
    return render(request, "extraction/_proposals.html", context)
