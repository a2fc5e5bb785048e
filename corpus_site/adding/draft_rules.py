"""Rules that are picked while a source is added: kept in its draft, tried on its samples at once.

They become the source's first version of rules when it is started. Of a source that is there
already they are tried before its published ones, and become its draft in the rule studio.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone

from corpus_site.adding.samples import kept_pages, read_sample, with_common_words
from corpus_site.drafts import Draft, DraftSample
from extraction.html.site_rules.rules import Rule, RuleField, RuleKind, SiteRules
from extraction.rules.published import rules_in
from extraction.rules.versions import add_rules, newest_published, open_draft, publish
from feeds.models import Publication, SourceDraft
from feeds.sources.publications import find_publication_by_slug
from presentation.wording.figures import counted

NOTE = "Picked while the publication was added."
MAX_RULES = 50  # far more than anybody picks on three samples


@dataclass(frozen=True, slots=True)
class FieldTried:
    """A field of a sample: what it says without the picked rules, and with them."""

    name: str
    before: str
    after: str
    doubt: str = ""

    @property
    def is_changed(self) -> bool:
        return self.before != self.after


@dataclass(frozen=True, slots=True)
class SampleTried:
    """A sample with its key and its fields, read both ways."""

    page: int
    url: str
    fields: tuple[FieldTried, ...]


def picked_rules(row: SourceDraft) -> list[Rule]:
    """Give the rules of a draft in the order in which they were picked."""
    return [
        Rule(**{**rule, "field": RuleField(rule["field"]), "kind": RuleKind(rule["kind"])})
        for rule in row.rules
    ]


def rules_of(row: SourceDraft) -> SiteRules:
    """Give the rules that samples are read with: the newest picked first, then published ones."""
    return SiteRules((*reversed(picked_rules(row)), *_published(row).rules))


def _published(row: SourceDraft) -> SiteRules:
    """Rules of the source that the draft joins; none for a new one."""
    publication = find_publication_by_slug(row.findings.get("joins", ""))
    version = newest_published(publication.pk) if publication else None
    return rules_in(version) if version else SiteRules()


def pick(row: SourceDraft, rules: Sequence[Rule], now: datetime) -> int:
    """Add rules to a draft and read its samples anew; returns how many were new."""
    with transaction.atomic():
        held = SourceDraft.objects.select_for_update().get(pk=row.pk)
        present = picked_rules(held)
        fresh = [rule for rule in dict.fromkeys(rules) if rule not in present]
        _keep(held, [*present, *fresh][:MAX_RULES], now)
    return len(fresh)


def drop(row: SourceDraft, place: int, now: datetime) -> bool:
    """Drop the rule at a place (from 0, in the order of picking; -1: the last)."""
    with transaction.atomic():
        held = SourceDraft.objects.select_for_update().get(pk=row.pk)
        present = picked_rules(held)
        if not -len(present) <= place < len(present):
            return False
        del present[place]
        _keep(held, present, now)
    return True


def _keep(row: SourceDraft, rules: Sequence[Rule], now: datetime) -> None:
    """Write the rules, and what the samples are by them."""
    row.rules = [asdict(rule) for rule in rules]
    draft = Draft.from_json(row.findings)
    wanted = rules_of(row)
    read = {page.url: read_sample(page, draft.name, now, wanted) for _, page in kept_pages(row)}
    samples = [read.get(sample.url, sample) for sample in draft.samples]
    row.findings = replace(draft, samples=with_common_words(samples)).to_json()
    SourceDraft.objects.filter(pk=row.pk).update(rules=row.rules, findings=row.findings)


def try_samples(row: SourceDraft, now: datetime) -> list[SampleTried]:
    """Read each kept sample without the picked rules and with them."""
    draft = Draft.from_json(row.findings)
    published = _published(row)
    after = {sample.url: sample for sample in draft.samples}
    tried = []
    for key, page in kept_pages(row):
        before = read_sample(page, draft.name, now, published)
        tried.append(SampleTried(key, page.url, _fields(before, after.get(page.url, before))))
    return tried


def _fields(before: DraftSample, after: DraftSample) -> tuple[FieldTried, ...]:
    doubts, said = after.doubts or {}, _words(after)
    return tuple(
        FieldTried(name, words, said[name], doubts.get(name, ""))
        for name, words in _words(before).items()
    )


def _words(sample: DraftSample) -> dict[str, str]:
    at = sample.published_at
    beginning = " ".join(sample.paragraphs)[:80]
    return {
        "title": sample.title,
        "author": ", ".join(sample.authors),
        "date": f"{timezone.localtime(at):%Y-%m-%d %H:%M}" if at else "",
        "section": sample.section,
        "body": f"{counted(sample.n_words, 'word')}: {beginning}…" if sample.n_words else "",
    }


def save_rules(row: SourceDraft, publication: Publication, user_id: int, now: datetime) -> None:
    """Make the picked rules the source's first version; of a known source they become a draft.

    Needs a transaction.
    """
    rules = list(reversed(picked_rules(row)))
    if not rules:
        return
    draft = open_draft(publication.pk, now, NOTE)
    add_rules(draft, rules, is_first=True)
    if not row.findings.get("joins"):
        publish(draft, user_id, now, reread=False)


def columns_of(rule: Rule) -> dict[str, Any]:
    """Give a rule as the columns of its row."""
    return asdict(rule)
