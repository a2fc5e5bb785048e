"""What a rule that is being written finds: on how many stored pages, and what on the shown one."""

from collections.abc import Sequence
from dataclasses import dataclass

from extraction.forms import SiteRuleForm, to_rule
from extraction.html.markup.limited_paths import PathTooSlow
from extraction.html.site_rules.body_patterns import body_html, lines_of_html
from extraction.html.site_rules.rule_warnings import match_rule, warnings_of
from extraction.html.site_rules.rules import Rule, RuleError, RuleField, RuleKind, find, value_of
from extraction.rules.trials import StoredPage, sample_articles, stored_pages
from extraction.views.rule_studio import StudioState, first_day
from feeds.crawler.documents.limited_work import (
    FOR_A_REQUEST,
    TOO_MUCH,
    WorkEndedError,
    run_limited,
)
from feeds.models import Publication

# Pages that are read at each pause of the keys: their parse is what it costs.
_TRIED_PAGES = 8
_SHOWN_VALUES = 5


@dataclass(frozen=True, slots=True)
class TriedRule:
    """A rule on the newest stored pages; `values` is what it finds on the shown one."""

    n_matches: int
    n_pages: int
    values: tuple[str, ...]
    warnings: tuple[str, ...]


def tried_rule(
    publication: Publication, asked: StudioState, form: SiteRuleForm
) -> TriedRule | None:
    """Try the rule of a form; None where the form says what is wrong with it."""
    if not form.is_valid():
        return None
    rule = to_rule(form.cleaned_data)
    articles = sample_articles(publication.pk, first_day(publication.pk))
    articles.sort(key=lambda article: article.pk != asked.article)  # the shown one first
    pages = stored_pages(articles[:_TRIED_PAGES])
    try:
        return run_limited(lambda: _tried(rule, pages), FOR_A_REQUEST)
    except WorkEndedError:
        return TriedRule(0, len(pages), (), (TOO_MUCH,))


def _tried(rule: Rule, pages: Sequence[StoredPage]) -> TriedRule:
    matched = match_rule(rule, [(page.root, page.html) for page in pages])
    (warnings,) = warnings_of([matched])
    values = _values(rule, pages[0]) if pages else ()
    return TriedRule(matched.n_matching, len(pages), values, warnings)


def _values(rule: Rule, page: StoredPage) -> tuple[str, ...]:
    if rule.kind is RuleKind.TEXT:
        return ()
    try:
        if rule.kind is RuleKind.REGEX and rule.field is RuleField.BODY:
            return lines_of_html(body_html(rule, page.html))[:_SHOWN_VALUES]
        found = find(rule, page.root, page.html)
    except (RuleError, PathTooSlow):
        return ()
    return tuple(value_of(rule, match) for match in found[:_SHOWN_VALUES])
