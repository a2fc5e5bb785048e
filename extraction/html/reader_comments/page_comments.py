"""Readers' comments that stand in the page itself: found, read, and marked as no text of its.

Tree → comments in page order with author, time, text, parent and likes. First what is named or
typed as a comment (`comment_items`: schema.org and RDFa, WordPress and what follows it, Drupal,
Blogger, wpDiscuz, Disqus without script, h-entry), then, where that finds nothing, items built
alike in a zone of comments (`like_items`); JSON-LD where it tells of more. Comment systems that
load by script alone are `feeds.crawler.comment_systems`.

What holds the headline or the article's body is no comment, nor is a pingback, a link to another
story, or the place of a deleted comment; and no comment is believed on a page that would have no
text left. Nothing fails, whatever the tree.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

import re2
from lxml import etree
from propcache.api import cached_property

from extraction.html.markup.comment_containers import COMMENT_MARK
from extraction.html.markup.elements import attribute, select, text_of
from extraction.html.page import PageComment
from extraction.html.reader_comments.boxed_answers import boxed_answers
from extraction.html.reader_comments.comment_counts import comment_count
from extraction.html.reader_comments.comment_ids import digest_id
from extraction.html.reader_comments.comment_items import (
    MAX_COMMENTS,
    Item,
    is_comment_element,
    named_items,
    with_answers,
)
from extraction.html.reader_comments.comment_names import (
    is_comment_list,
    is_comment_type,
)
from extraction.html.reader_comments.comment_parts import RawComment, read_parts
from extraction.html.reader_comments.comment_text import UNREAD_TAGS
from extraction.html.reader_comments.comment_threads import Thread, without_circles
from extraction.html.reader_comments.comment_times import Clock, Posted, is_month_first
from extraction.html.reader_comments.comment_words import is_gone, is_trackback
from extraction.html.reader_comments.comment_zones import (
    Zone,
    answer_buttons,
    comment_heads,
    comment_zones,
    is_beside,
    is_in_numbered,
    zone_of_anchors,
    zone_of_buttons,
)
from extraction.html.reader_comments.dated_zones import anchors_of, dated
from extraction.html.reader_comments.described_comments import described_comments
from extraction.html.reader_comments.item_runs import run_items
from extraction.html.reader_comments.item_slots import with_names, without_captions, without_notes
from extraction.html.reader_comments.like_items import like_items

# A page that keeps less than this outside of its comments is a page of comments.
_LEAST_OTHER_CHARACTERS = 250
# A text of Chinese, Japanese or Korean has about this share of an English one's characters.
_SIGNS_OF_WORDS = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]{4}")
_CHARACTERS_A_SIGN = 2.5
_RUN_CHARACTERS = 40  # shorter runs of text are menus and labels
# Bounds for pages that were made to exhaust us.
_MAX_CANDIDATES = 20_000
_MAX_MARKS = 200
_MAX_LEVELS = 60
_ARTICLE_BODY = etree.XPath("//@itemprop[. = 'articleBody']/..")
# A name with a sign of comments, among the classes and ids of a page with NUL between them. RE2
# reads all of them at once; asked of each element, the same took a page .61 ms instead of .44.
_SIGNED = re2.compile(
    r"[^\0]*(?:[cCkKr]omm?ent|COMMENT|h-cite|pini[ae]|eactie|[fF]orum|[dD]is[kc]u?c?uss?|bb_|pingback|alkback|omentar"
    r"|[yY]orum|ozz[aá]sz|inh-?luan|anggapan|tz[iy]v)[^\0]*"
)
_CLASSES = etree.XPath("//@class", smart_strings=False)
_IDS = etree.XPath("//@id", smart_strings=False)
# Only few elements name any type.
_TYPES = tuple(etree.XPath(f"//@{name}") for name in ("itemscope", "typeof", "itemprop"))
_LIST_LEVELS = 8  # from a comment up to the list of all
_LEAST_POSTS = 2  # of a forum's page, its first left out
_BOXED_MOMENTS = 2  # a comment's own and an answer's
_LISTED_MOMENTS = 3  # one comment may name its own time and that of an edit
# Of a text, at most this share may be the words of links to other pages: a teaser is one link.
_MOST_LINKED = 0.6
_LEAST_HEADLINE = 20  # characters; shorter texts are in many links by chance
# Items built alike must be signed comments for the most part, or they are something else.
_LEAST_SIGNED = 0.6


@dataclass(frozen=True, slots=True)
class ShownComments:
    """Comments that stand in a page, and how many the page says it has (0: it does not say)."""

    comments: tuple[PageComment, ...] = ()
    count: int = 0


def find_comments(
    root: etree._Element, described: Sequence[dict[str, Any]] = (), clock: Clock | None = None
) -> ShownComments:
    """Comments of a page by its markup or by its JSON-LD (`described`), whichever tells of more."""
    clock = clock or Clock()
    shown = read_page_comments(root, clock)
    told = described_comments(described, clock)
    return replace(shown, comments=told) if len(told) > len(shown.comments) else shown


def read_page_comments(root: etree._Element, clock: Clock | None = None) -> ShownComments:
    """Read the comments of an uncleaned tree and mark their elements; none where it has none.

    Parameters
    ----------
    root
        Tree of the whole page; the elements of comments get the attribute `COMMENT_MARK`.
    clock
        How written times are read.
    """
    named = list(islice(_named(root), _MAX_CANDIDATES))
    signs = _Signs(root, named)
    if not (named or signs.heads or signs.buttons):
        return ShownComments()
    around = _around_the_article(root)
    candidates = [one for one in named if is_comment_element(one)]
    items = _with_boxes(with_answers(_unlisted(named_items(candidates, around), around)))
    raws = _read(root, items, around)
    if not raws or _n_signed(raws) < len(raws):
        raws = max(raws, _alike(root, signs, around), key=_n_signed)
    comments = _comments(raws, clock or Clock())
    for raw in raws:
        for element in raw.run or (raw.item,):
            element.set(COMMENT_MARK, "1")
    count = comment_count(named, [raw.item for raw in raws], len(comments))
    return ShownComments(comments, count)


@dataclass(frozen=True)
class _Signs:
    """What in a page speaks of comments: names, headings, buttons to answer.

    Most comments are found by names alone: the others are looked for when they are needed.
    """

    root: etree._Element
    named: list[etree._Element]

    @cached_property
    def heads(self) -> list[etree._Element]:
        return comment_heads(self.root, self.named)

    @cached_property
    def buttons(self) -> list[etree._Element]:
        return answer_buttons(self.root)


def _alike(root: etree._Element, signs: _Signs, around: set[etree._Element]) -> list[RawComment]:
    """Comments as items built alike: in a zone named or headed so, else with buttons to answer."""
    zones = comment_zones(signs.named, signs.heads, around)
    zones += zone_of_anchors(root, around, zones)
    dated_zones = dated(zones)
    for with_words in (False, True):
        items = like_items(dated_zones, around, with_words=with_words)
        if raws := _mostly_signed(_read(root, items, around)):
            return raws
    if raws := _mostly_signed(_read(root, run_items(dated_zones), around)):
        return raws
    items = like_items(dated(zone_of_buttons(signs.buttons, around)), around)
    return _mostly_signed(_read(root, _answerable(items, signs.buttons), around))


def _answerable(items: list[Item], buttons: list[etree._Element]) -> list[Item]:
    """Items of the kinds that readers can answer: each of them has a button for it."""
    holding = {up for one in buttons for up in islice(one.iterancestors(), _MAX_LEVELS)}
    return [item for item in items if item.element in holding]


def _n_signed(raws: list[RawComment]) -> int:
    return sum(bool(raw.author and raw.times) for raw in raws)


def _named(root: etree._Element) -> Iterator[etree._Element]:
    """Elements with a sign of comments in their names or types; many pages have none."""
    names = {*_values(_CLASSES, root), *_values(_IDS, root)}
    signed = set(_SIGNED.findall("\0".join(names)))
    typed = _typed(root)
    if not (signed or typed):
        return
    for element in root.iter():
        if element.get("class") in signed or element.get("id") in signed or element in typed:
            yield element


def _typed(root: etree._Element) -> set[etree._Element]:
    """Elements whose microdata or RDFa has to do with comments."""
    elements = (value.getparent() for path in _TYPES for value in _values(path, root))
    return {element for element in elements if _is_typed(element)}


def _is_typed(element: etree._Element) -> bool:
    if element.get("itemscope") is not None or element.get("typeof") is not None:
        return is_comment_type(element)
    return attribute(element, "itemprop") == "commentCount"


def _values(path: etree.XPath, root: etree._Element) -> list[Any]:
    """Values of attributes; an empty list for whatever else a path may give."""
    found = path(root)
    return found if isinstance(found, list) else []


def _around_the_article(root: etree._Element) -> set[etree._Element]:
    """Elements that hold a headline or the article's body: no comments, whatever their names."""
    found: set[etree._Element] = set()
    for place, mark in enumerate(islice(root.iter("h1"), _MAX_MARKS)):
        if not place or not is_in_numbered(mark):
            _add_with_ancestors(found, mark)
    for body in select(_ARTICLE_BODY, root)[:_MAX_MARKS]:
        _add_with_ancestors(found, body)
    return found


def _add_with_ancestors(found: set[etree._Element], element: etree._Element | None) -> None:
    while element is not None and element not in found:
        found.add(element)
        element = element.getparent()


def _unlisted(items: list[Item], around: set[etree._Element]) -> list[Item]:
    """Put the comments in place of an element that is named as one and lists several.

    A comment that lists its answers stays, before them.
    """
    found: list[Item] = []
    for item in items:
        listed = []
        if item.n_moments >= _LISTED_MOMENTS:
            zones = dated([Zone(item.element)])
            listed = like_items(zones, around)
            if not (listed or item.has_author) and (runs := run_items(zones)):
                found.extend(runs)
                continue
        if not listed or _is_said_beside(item, listed):
            found.append(item)
        found.extend(listed)
    return found


def _is_said_beside(item: Item, listed: list[Item]) -> bool:
    """Whether a signed comment is left of an item without those it lists: before the first."""
    elements = {one.element for one in listed}
    first = anchors_of(Zone(item.element))[0]
    if first in elements or not elements.isdisjoint(islice(first.iterancestors(), _MAX_LEVELS)):
        return False
    own = read_parts(item, elements)
    return bool(own.text and own.author and own.times)


def _with_boxes(items: list[Item]) -> list[Item]:
    """Add the answers in boxes of another kind, behind the comment that each stands in."""
    elements = [item.element for item in items]
    found: list[Item] = []
    for item in items:
        found.append(item)
        if item.n_moments < _BOXED_MOMENTS:
            continue
        lines = [
            [anchor, *islice(anchor.iterancestors(), _MAX_LEVELS)]
            for anchor in anchors_of(Zone(item.element))
        ]
        found.extend(Item(one, one, has_time=True) for one in boxed_answers(lines, elements))
    return found


def _read(root: etree._Element, items: list[Item], around: set[etree._Element]) -> list[RawComment]:
    """Read items; none where the page would have no text of its own without them."""
    elements = {item.element for item in items}
    raws = []
    for item in items[:MAX_COMMENTS]:
        if item.is_pingback:
            continue
        raw = read_parts(item, elements)
        if _is_comment(raw) and not is_beside(raw.item, around):
            raws.append(raw)
    return _without_the_text(root, without_notes(with_names(without_captions(raws), items)))


def _without_the_text(root: etree._Element, raws: list[RawComment]) -> list[RawComment]:
    """Leave out a forum's first post: what a page without other text is about is its text.

    Where an element named as the list of comments holds them, no text of their own is asked for:
    pages of pictures and videos have none.
    """
    if not raws or all(map(_is_in_a_list, raws)):
        return raws
    if _leaves_a_text(root, {one for raw in raws for one in raw.run or (raw.item,)}):
        return raws
    rest = raws[1:]
    is_thread = len(rest) >= _LEAST_POSTS and all(raw.author and raw.times for raw in raws)
    return rest if is_thread and len(raws[0].text) >= _RUN_CHARACTERS else []


def _is_in_a_list(raw: RawComment) -> bool:
    return any(is_comment_list(one) for one in islice(raw.item.iterancestors(), _LIST_LEVELS))


def _is_comment(raw: RawComment) -> bool:
    """Whether something is said and signed: a line that is but its time says nothing."""
    if not raw.text or not (raw.author or raw.times) or set(raw.times) == {raw.text}:
        return False
    if is_gone(raw.text) or is_trackback(raw.text):
        return False
    return not _is_teaser(raw)


def _is_teaser(raw: RawComment) -> bool:
    """Whether a text is but a link to another page."""
    first = raw.text.partition("\n")[0]
    linked = 0
    for link in raw.item.iter("a"):
        is_own = {"nofollow", "ugc"} & set(attribute(link, "rel").split())
        address, _, place = attribute(link, "href").partition("#")
        if is_own or not address or (raw.own_id and place.endswith(raw.own_id)):
            continue
        text = text_of(link, " ")
        is_headline = len(first) >= _LEAST_HEADLINE and first in text
        linked += len(text) if is_headline or text in raw.text else 0
    return linked > _MOST_LINKED * len(raw.text)


def _mostly_signed(raws: list[RawComment]) -> list[RawComment]:
    """Keep items built alike that are comments: most of them must have author, time and text."""
    signed = [raw for raw in raws if raw.author and raw.times]
    return signed if len(signed) >= max(1, _LEAST_SIGNED * len(raws)) else []


def _comments(raws: list[RawComment], clock: Clock) -> tuple[PageComment, ...]:
    written = [text for raw in raws for text in raw.times]
    clock = replace(clock, day_first=not is_month_first(written))
    thread = Thread(raws)
    parents = without_circles({place: thread.parent_of(place) for place in range(len(raws))})
    ids = _ids(raws)
    found: dict[str, PageComment] = {}
    for place, raw in enumerate(raws):
        posted = _posted(raw, clock)
        parent = parents[place]
        found[ids[place]] = PageComment(
            id=ids[place],
            text=raw.text,
            author=raw.author,
            posted_at=posted.at if posted else None,
            parent=ids[parent] if parent is not None else "",
            likes=raw.likes,
            is_near=posted.is_near if posted else False,
        )
    return tuple(found.values())


def _posted(raw: RawComment, clock: Clock) -> Posted | None:
    """Moment of a comment: the first that is exact, else the first at all."""
    read = [one for text in raw.times if (one := clock.read(text)) is not None]
    return next((one for one in read if not one.is_near), read[0] if read else None)


def _ids(raws: list[RawComment]) -> list[str]:
    """Id of each comment; what two comments share is none, and gives way to what they say."""
    found: list[str] = []
    taken: set[str] = set()
    for raw in raws:
        own = raw.own_id
        n_before = 0
        while not own or own in taken:
            again = (str(n_before),) if n_before else ()
            own = digest_id(raw.author, raw.text, *again)
            n_before += 1
        taken.add(own)
        found.append(own)
    return found


def _leaves_a_text(root: etree._Element, inside: set[etree._Element]) -> bool:
    """Whether enough running text stands outside of the comments."""
    n_characters = 0.0
    walker = etree.iterwalk(root, events=("start",))
    for _, element in walker:
        if (
            element in inside
            or element.tag in UNREAD_TAGS
            or element.tag in {"head", "aside", "footer"}
        ):
            walker.skip_subtree()
            continue
        for text in (element.text, *(child.tail for child in element)):
            words = (text or "").strip()
            weight = _CHARACTERS_A_SIGN if _SIGNS_OF_WORDS.search(words) else 1
            n_characters += weight * len(words) if weight * len(words) > _RUN_CHARACTERS else 0
        if n_characters >= _LEAST_OTHER_CHARACTERS:
            return True
    return False
