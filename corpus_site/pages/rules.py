"""Site rules of a publication in their first form: add one, take one out.

The studio with picking, test pages and versions takes their place later.
"""

from django.contrib import messages
from django.contrib.auth.decorators import permission_required
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from corpus_site.pages.sources import source_context
from corpus_site.wording import group_digits
from extraction.extract import register_publication
from extraction.forms import SiteRuleForm
from extraction.models import SiteRule
from feeds.models import Publication

_TWICE = "This rule is there already."


@permission_required("extraction.add_siterule", raise_exception=True)
@require_http_methods(["GET", "POST"])
def add_rule(request: HttpRequest, slug: str) -> HttpResponse:
    publication = get_object_or_404(Publication, slug=slug)
    if request.method != "POST":
        # A refused rule leaves this address in the browser.
        return redirect("source", slug=slug)
    form = SiteRuleForm(request.POST, instance=SiteRule(publication=publication))
    if form.is_valid():
        try:
            with transaction.atomic():
                form.save()
        except IntegrityError:
            form.add_error(None, _TWICE)
        else:
            messages.success(request, f"The rule is saved; {_extract_again(publication)}.")
            return redirect("source", slug=slug)
    context = source_context(publication, form)
    return render(request, "corpus_site/source.html", context, status=400)


@permission_required("extraction.delete_siterule", raise_exception=True)
@require_http_methods(["GET", "POST"])
def delete_rule(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    rule = get_object_or_404(SiteRule, pk=pk, publication__slug=slug)
    if request.method == "POST":
        rule.delete()
        messages.success(request, f"The rule is taken out; {_extract_again(rule.publication)}.")
        return redirect("source", slug=slug)
    context = {"rule": rule, "publication": rule.publication}
    return render(request, "corpus_site/rule_delete.html", context)


def _extract_again(publication: Publication) -> str:
    n = register_publication(publication.pk, timezone.now())
    pages = "stored page is" if n == 1 else "stored pages are"
    return f"{group_digits(n)} {pages} extracted again"
