"""Section, description, address, language, tags and paywall as the most trusted source says them.

Beside each value the sources that say something else.
"""

from dataclasses import dataclass
from typing import Self

from extraction.html.disagreements import text_disagreements
from extraction.html.field_choices import (
    Offer,
    canonical_offers,
    description_offers,
    language_offers,
    paywall_offers,
    section_offers,
    tag_offers,
)
from extraction.html.metadata_candidates import MetadataRequest, rule_value
from extraction.html.page import Disagreement
from extraction.html.page_sources import PageSources


@dataclass(frozen=True, slots=True)
class TrustedChoices:
    """What the sources say of the fields that the most trusted one decides."""

    texts: dict[str, list[Offer]]
    tags: list[tuple[str, tuple[str, ...]]]
    paywall: list[tuple[str, bool]]

    @classmethod
    def of(cls, sources: PageSources, request: MetadataRequest) -> Self:
        marks = sources.marks
        ruled = rule_value(request, "section")
        texts = {
            "section": [*([Offer("rule", ruled)] if ruled else []), *section_offers(marks)],
            "description": description_offers(marks, request.feed.description),
            "canonical_url": canonical_offers(marks, request.url),
            "declared_language": language_offers(marks),
        }
        return cls(texts, tag_offers(marks), paywall_offers(marks))

    def value(self, name: str) -> str:
        return next((offer.value for offer in self.texts[name]), "")

    def sources(self) -> list[tuple[str, str]]:
        firsts = [(name, offers[0].source) for name, offers in self.texts.items() if offers]
        lists = (("tags", self.tags), ("is_paywalled", self.paywall))
        return [*firsts, *((name, found[0][0]) for name, found in lists if found)]

    def disagreements(self) -> list[Disagreement]:
        texts = [*self.texts.items()]
        texts.append(("tags", [Offer(source, ", ".join(tags)) for source, tags in self.tags]))
        texts.append(
            (
                "is_paywalled",
                [Offer(source, "yes" if is_paid else "no") for source, is_paid in self.paywall],
            )
        )
        return [
            disagreement
            for name, offers in texts
            if offers
            for disagreement in text_disagreements(name, offers[0].value, offers[1:])
        ]
