"""Why a line of a page is not text of its article: the strongest sign, as a short code.

A step of the cascade that takes a line out says why itself (`LineChoice.reasons`); what the line
model never wanted is explained here by what stands on the page: the part of it around the line (its
tag, class or id), phrases, links. The model weighs all signs together, so the sign that is
named tells most but is never the whole reason.
"""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from extraction.html.lines.phrases import PHRASE_GROUPS, phrase_bits
from extraction.html.markup.block_kinds import kind_of_line
from extraction.html.markup.blocks import BlockKind
from extraction.html.markup.class_words import Hint
from extraction.html.markup.outline import Outline
from presentation.wording.figures import percent


class DropReason(StrEnum):
    """Codes; the words for readers are in `REASON_WORDS`."""

    RULE = "rule"
    HIDDEN = "hidden"
    COMMENTS = "comments"
    TEMPLATE = "template"
    HEADLINE = "headline"
    BYLINE = "byline"
    DATE = "date"
    STANDFIRST = "standfirst"
    CAPTION = "caption"
    NOTICE = "notice"
    NAVIGATION = "navigation"
    RELATED = "related"
    SHARE = "share"
    ADVERT = "advert"
    APPEAL = "appeal"
    TAGS = "tags"
    FRAME = "frame"
    LINKS = "links"
    TABLE = "table"
    LONE = "lone"
    AGAIN = "again"
    MODEL = "model"
    TOO_LONG = "too_long"
    EARLIER = "earlier"


REASON_WORDS: Mapping[DropReason, str] = {
    DropReason.RULE: "removed by a rule of this publication",
    DropReason.HIDDEN: "hidden by the page",
    DropReason.COMMENTS: "readers’ comments",
    DropReason.TEMPLATE: "template",
    DropReason.HEADLINE: "headline, kept as title",
    DropReason.BYLINE: "byline or dateline",
    DropReason.DATE: "date",
    DropReason.STANDFIRST: "standfirst, repeated",
    DropReason.CAPTION: "caption of another picture",
    DropReason.NOTICE: "notice of rights",
    DropReason.NAVIGATION: "navigation",
    DropReason.RELATED: "links to other articles",
    DropReason.SHARE: "share buttons",
    DropReason.ADVERT: "advertisement",
    DropReason.APPEAL: "appeal: newsletter, subscription, cookies",
    DropReason.TAGS: "tags or author’s note",
    DropReason.FRAME: "header, footer or margin",
    DropReason.LINKS: "link density",
    DropReason.TABLE: "table of the layout",
    DropReason.LONE: "alone, far from the article",
    DropReason.AGAIN: "the text once more",
    DropReason.MODEL: "line model: unlike the article",
    DropReason.TOO_LONG: "behind what is read of a page this long",
    DropReason.EARLIER: "left out when the text was read, would be kept now",
}
# What a part of the page promises, the surest first.
_BY_HINT: tuple[tuple[Hint, DropReason], ...] = (
    (Hint.COMMENTS, DropReason.COMMENTS),
    (Hint.NAVIGATION, DropReason.NAVIGATION),
    (Hint.SHARE, DropReason.SHARE),
    (Hint.RELATED, DropReason.RELATED),
    (Hint.ADVERT, DropReason.ADVERT),
    (Hint.APPEAL, DropReason.APPEAL),
    (Hint.BYLINE, DropReason.BYLINE),
    (Hint.FRAME, DropReason.FRAME),
)
_TELLING = sum(hint.value for hint, _ in _BY_HINT)
_BY_PHRASE: Mapping[str, DropReason] = {
    "read_also": DropReason.RELATED,
    "share": DropReason.SHARE,
    "subscribe": DropReason.APPEAL,
    "copyright": DropReason.NOTICE,
    "advert": DropReason.ADVERT,
    "comments": DropReason.COMMENTS,
    "byline": DropReason.BYLINE,
    "tags": DropReason.TAGS,
    "about_author": DropReason.TAGS,
}
_MOSTLY_LINKS = 0.5  # of a line's characters
_NAME_CHARACTERS = 40  # a longer class name is generated


@dataclass(frozen=True, slots=True)
class Explanation:
    """A reason with what it rests on: the name of the page's part, or a figure; may be empty."""

    reason: DropReason
    detail: str = ""


def explain(outline: Outline, position: int, kept: Sequence[int]) -> Explanation:
    """Name the strongest sign against a line that was not chosen.

    Parameters
    ----------
    kept
        Positions of the chosen lines, ascending; a part of the page that holds one of them says
        nothing against its other lines.
    """
    line = outline.lines[position]
    node, part = line.node, -1
    while node >= 0 and not _holds_any(outline, node, kept):
        if outline.own_hints[node] & _TELLING:
            part = node
        node = outline.parents[node]
    if part >= 0:
        return _by_part(outline, part)
    share = line.n_link_chars / max(1, len(line.text))
    if share >= _MOSTLY_LINKS:
        return Explanation(DropReason.LINKS, f"{percent(min(share, 1))} of its letters")
    by_phrase = _by_phrase(line.text)
    if by_phrase is not None:
        return Explanation(by_phrase)
    if kind_of_line(outline, position) is BlockKind.CAPTION:
        return Explanation(DropReason.CAPTION)
    return Explanation(DropReason.MODEL)


def _holds_any(outline: Outline, node: int, kept: Sequence[int]) -> bool:
    at = bisect_left(kept, outline.first_line[node])
    return at < len(kept) and kept[at] < outline.end_line[node]


def _by_part(outline: Outline, node: int) -> Explanation:
    """Explain by the outermost part that speaks, so that all its lines have the same reason."""
    hints = outline.own_hints[node]
    reason = next(reason for hint, reason in _BY_HINT if hints & hint.value)
    names = outline.classes[node].split()
    name = next((name for name in names if len(name) <= _NAME_CHARACTERS), "")
    return Explanation(reason, outline.tags[node] + (f".{name}" if name else ""))


def _by_phrase(text: str) -> DropReason | None:
    bits = phrase_bits(text)
    for number, group in enumerate(PHRASE_GROUPS):
        if bits >> number & 1 and group in _BY_PHRASE:
            return _BY_PHRASE[group]
    return None
