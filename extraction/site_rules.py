"""The rules of publications as the extractor takes them, with a fingerprint of them."""

import hashlib
from collections.abc import Iterable

from extraction.html.rules import Rule, RuleField, RuleKind, SiteRules
from extraction.models import SiteRule

# Raise it when the extractor's answers change, so that pages can be extracted anew.
EXTRACTOR_VERSION = 1
FINGERPRINT_BYTES = 6


def rules_of(publication_ids: Iterable[int]) -> dict[int, SiteRules]:
    """Active rules by publication; publications without rules are absent."""
    found: dict[int, list[Rule]] = {}
    for row in SiteRule.objects.filter(publication__in=set(publication_ids), is_active=True):
        found.setdefault(row.publication_id, []).append(as_rule(row))
    return {publication: SiteRules(tuple(rules)) for publication, rules in found.items()}


def as_rule(row: SiteRule) -> Rule:
    """Turn a row into the value that the extractor runs."""
    return Rule(
        field=RuleField(row.field),
        kind=RuleKind(row.kind),
        selector=row.selector,
        tag_type=row.tag_type,
        attribute_name=row.attribute_name,
        attribute_value=row.attribute_value,
        value_is_regex=row.value_is_regex,
        split_string=row.split_string,
        split_index=row.split_index,
    )


def fingerprint(rules: SiteRules) -> str:
    """Twelve hexadecimal digits that change with the rules and the extractor's version."""
    material = f"{EXTRACTOR_VERSION} {rules!r}".encode()
    return hashlib.blake2b(material, digest_size=FINGERPRINT_BYTES).hexdigest()
