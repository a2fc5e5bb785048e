"""`{% load articles %}`: words for what the extraction stores of an article."""

from django import template

register = template.Library()

_KINDS = {
    "list_item": "item of a list",
    "table_row": "row of a table",
    "preformatted": "preformatted text",
    "embed": "post of another site",
}
_EXTRACTORS = {
    "rule": "the editor’s rule",
    "line_model": "the line model",
    "json_ld": "the page’s JSON-LD",
    "text_density": "composite text density",
    "tag_ratio": "the text-to-tag ratio",
    "qread": "qRead",
    "dgwc": "DGWC",
    "site_level": "SiteLevel",
    "fallback": "every line of running text",
    "post": "as its author wrote it",
}


@register.filter
def kind_word(value: str) -> str:
    """Words of a block's kind."""
    return _KINDS.get(value, value.replace("_", " "))


@register.filter
def extractor_word(value: str) -> str:
    """Words of the way by which a text was found."""
    return _EXTRACTORS.get(value, value.replace("_", " "))
