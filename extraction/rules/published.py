"""The rules of publications as the extractor takes them: by version, with a fingerprint of them."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from extraction.html.site_rules.rules import Rule, RuleField, RuleKind, SiteRules
from extraction.models import RuleVersion, SiteRule

# Raise it when the extractor's answers change; `manage.py reread` then reads stored pages anew.
EXTRACTOR_VERSION = 3
FINGERPRINT_BYTES = 6  # twelve digits: two sets of rules are never equal by chance
NO_RULES = SiteRules()


@dataclass(frozen=True, slots=True)
class VersionRules:
    """Rules of one published version; number 0 stands for no version at all."""

    number: int = 0
    valid_from: datetime | None = None
    rules: SiteRules = NO_RULES


NO_VERSION = VersionRules()


@dataclass(frozen=True, slots=True)
class PublishedRules:
    """Published versions of a publication, the highest number first."""

    versions: tuple[VersionRules, ...] = ()

    def at(self, fetched_at: datetime) -> VersionRules:
        """Version that a page fetched at this moment is read with."""
        for version in self.versions:
            if version.valid_from is None or version.valid_from <= fetched_at:
                return version
        return NO_VERSION


NO_PUBLISHED_RULES = PublishedRules()


def rules_of(publication_ids: Iterable[int]) -> dict[int, PublishedRules]:
    """Give published rules by publication; publications without any are absent."""
    versions = (
        RuleVersion.objects.filter(publication__in=set(publication_ids))
        .exclude(published_at=None)
        .order_by("publication", "-number")
        .prefetch_related("rules")
    )
    found: dict[int, list[VersionRules]] = {}
    for version in versions:
        own = VersionRules(version.number, version.valid_from, rules_in(version))
        found.setdefault(version.publication_id, []).append(own)
    return {publication: PublishedRules(tuple(own)) for publication, own in found.items()}


def rules_at(publication_id: int, fetched_at: datetime) -> VersionRules:
    """Version that a page of the publication, fetched at this moment, is read with."""
    return rules_of([publication_id]).get(publication_id, NO_PUBLISHED_RULES).at(fetched_at)


def rules_in(version: RuleVersion) -> SiteRules:
    """Rules of a version, published or not, in the order they are tried."""
    return SiteRules(tuple(as_rule(row) for row in version.rules.all()))


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


def fingerprint(rules: SiteRules, template: int = 0, extractor: str = "") -> str:
    """Twelve hexadecimal digits that change with rules, the site's template and the extractor.

    Two versions with the same rules have one fingerprint: they read a page alike.
    """
    material = f"{EXTRACTOR_VERSION} {rules!r}{template or ''}{extractor}".encode()
    return hashlib.blake2b(material, digest_size=FINGERPRINT_BYTES).hexdigest()
