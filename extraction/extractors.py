"""Which extractor each publication's pages are read with, and editors' changes of it."""

from collections.abc import Iterable
from dataclasses import replace

from django.db import transaction

from extraction.html.algorithms.registry import AUTO
from extraction.html.page import PageInput
from extraction.models import Extraction, ExtractorSetting
from extraction.sites.samples import sample_of
from feeds.models import PageKind, Publication

_NEEDS_SITE = "site_level"


def settings_of(publication_ids: Iterable[int]) -> dict[int, ExtractorSetting]:
    """Find settings other than the default, by publication."""
    rows = ExtractorSetting.objects.filter(publication__in=set(publication_ids))
    chosen = rows.exclude(extractor=AUTO).select_related("publication")
    return {row.publication_id: row for row in chosen}


def setting_of(publication: Publication) -> ExtractorSetting | None:
    """Find a publication's setting; None where the default extractor reads its pages."""
    setting: ExtractorSetting | None = getattr(publication, "extractor_setting", None)
    return setting if setting is not None and setting.extractor != AUTO else None


def with_extractor(page: PageInput, publication: Publication) -> PageInput:
    """Give a page the extractor of its publication, and what that needs of the site."""
    setting = setting_of(publication)
    if setting is None:
        return page
    return replace(
        page,
        extractor=setting.extractor,
        extractor_values=tuple(sorted(setting.parameters.items())),
        site_sample=sample_of(publication.pk) if setting.extractor == _NEEDS_SITE else None,
    )


def setting_mark(publication: Publication) -> str:
    """Say in the digest of an extraction what the setting is; nothing for the default."""
    setting = setting_of(publication)
    return f"{setting.extractor}{sorted(setting.parameters.items())}" if setting else ""


@transaction.atomic
def choose_extractor(setting: ExtractorSetting) -> int:
    """Keep a publication's setting, saved or not, and make its pages due again.

    Returns how many pages are read anew. Raises ValidationError for parameters that are not
    allowed.
    """
    setting.clean_fields()
    setting.clean()
    ExtractorSetting.objects.update_or_create(
        publication=setting.publication,
        defaults={
            "extractor": setting.extractor,
            "parameters": setting.parameters,
            "changed_at": setting.changed_at,
            "changed_by": setting.changed_by,
        },
    )
    return Extraction.objects.filter(
        page__publication=setting.publication, page__kind=PageKind.ARTICLE
    ).reschedule(setting.changed_at, quarantined_at=None, attempts=0)
