"""Which lines of a page are its article, by which of several ways, and how sure we are.

1. the editor's body rule, 2. the line model, 3. composite text density where the model finds
nothing, 4. every line of running text (the forgiving fallback). JSON-LD's `articleBody` replaces
the choice where the page shows much less than it says.

Where a publication's editor chose another extractor, it stands in the place of 2 to 4; where it
finds nothing, or its stored parameters are no longer allowed, they answer and the reason says so.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt
from lxml import etree

from extraction.html.algorithms.page_layout import Box
from extraction.html.algorithms.parameters import AlgorithmParameterError
from extraction.html.algorithms.registry import ALGORITHMS, AUTO, ExtractorChoice
from extraction.html.algorithms.scored_page import ReadPage
from extraction.html.lines.drop_reasons import DropReason
from extraction.html.lines.line_features import line_features
from extraction.html.lines.line_forms import PARAGRAPH_CHARACTERS
from extraction.html.lines.line_model import LineModel, default_model
from extraction.html.lines.line_places import PageContext
from extraction.html.lines.line_votes import loose_ends, voted
from extraction.html.lines.phrases import PHRASE_GROUPS, phrase_bits
from extraction.html.lines.repeated_parts import kept_together
from extraction.html.lines.second_copies import second_copies
from extraction.html.lines.text_density import content_elements, text_densities
from extraction.html.markup.class_words import Hint
from extraction.html.markup.outline import HEADING_TAGS, Outline, tag_bit
from extraction.html.page import Extractor, PageInput
from extraction.html.site.page_in_site import PageInSite
from extraction.html.site_rules.body_patterns import positions_of
from extraction.text.plain_words import plain

# The model is trained on the log loss, so a line is kept when it is more likely in than out.
KEEP_PROBABILITY = 0.5
# A doubtful line between two kept ones is kept, a doubtful one far from all others is not. Chosen
# on cross-validated probabilities of the development pages: mean F1 of the sets .9567 → .9583.
_FILL_PROBABILITY = 0.3
_LONE_PROBABILITY = 0.8
_LONE_LINES = 6
# The page shows a teaser: JSON-LD says at least this much, and the chosen text is at most this
# share of it.
_JSON_LD_CHARACTERS = 600
_TEASER_SHARE = 0.4
# A line that is likelier than this may be text; menus, notices and appeals lie far below.
_POSSIBLE_PROBABILITY = 0.05
_NOTICE_START = re.compile(r"(?:©|\(c\)|copyright\b|kopiereg\b)", re.IGNORECASE)
_COPYRIGHT = 1 << list(PHRASE_GROUPS).index("copyright")
_FRAMES = tag_bit("footer") | tag_bit("aside") | tag_bit("nav")
_FRAME_HINT = Hint.FRAME.value
# Below this much text of the model the density's opinion is asked.
_ENOUGH_CHARACTERS = 140
# The algorithms' scores are no probabilities: a text without a remark is as good as not, one with a
# remark is doubtful.
_CONFIDENCE, _DOUBTFUL = 0.5, 0.3


@dataclass(frozen=True, slots=True)
class LineChoice:
    """Chosen lines of the outline in page order.

    Or a text from elsewhere (JSON-LD) as paragraphs.
    """

    lines: tuple[int, ...]
    extractor: Extractor
    confidence: float
    reason: str
    paragraphs: tuple[str, ...] = ()
    # Why a step took out lines the model wanted, for the page view; by position.
    reasons: Mapping[int, DropReason] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class CascadeInput:
    """What a choice rests on."""

    outline: Outline
    context: PageContext
    ruled: tuple[etree._Element, ...] = ()  # what the editor's body rule matched
    ruled_texts: tuple[str, ...] = ()  # the lines of it where the rule is a pattern
    model: LineModel | None = None  # another than the shipped one, for cross-validation
    site: PageInSite | None = None  # what other pages of the site say about the lines
    feed_title: str = ""  # a headline for certain, however the page marks it up
    # Of its elements, where a browser drew the page.
    boxes: Mapping[etree._Element, Box] = field(default_factory=dict)


def choose(page: CascadeInput) -> LineChoice:
    """Choose the article of a page; an empty choice when there is no visible text at all."""
    outline = page.outline
    if page.ruled:
        choice = _by_rule(outline, page.ruled)
        if choice.lines:
            return choice
    if page.ruled_texts:
        return _by_pattern(outline, page.ruled_texts)
    if not outline.lines:
        return _by_json_ld(page) or LineChoice(
            (), Extractor.NONE, 0.0, "The page has no visible text."
        )
    model = page.model or default_model()
    probabilities = model.probabilities(line_features(outline, page.context))
    if page.site is not None:
        probabilities = page.site.adjusted(probabilities)
    choice = _by_model(page, probabilities)
    n_chars = _n_chars(outline, choice.lines)
    if n_chars < _TEASER_SHARE * len(page.context.json_ld_body):
        choice = _by_json_ld(page) or choice
    if choice.extractor is Extractor.LINE_MODEL and n_chars < _ENOUGH_CHARACTERS:
        return _second_opinion(page, choice, probabilities)
    return choice


def _by_rule(outline: Outline, elements: Sequence[etree._Element]) -> LineChoice:
    wanted = set(elements)
    positions = {
        position
        for index, element in enumerate(outline.elements)
        if element in wanted
        for position in range(outline.first_line[index], outline.end_line[index])
    }
    return LineChoice(
        tuple(sorted(positions)), Extractor.RULE, 1.0, "The editor's rule for the body matched."
    )


def _by_pattern(outline: Outline, texts: tuple[str, ...]) -> LineChoice:
    """Take the lines of a pattern's match; as they are where the page has them otherwise."""
    lines = positions_of(outline, texts)
    reason = "The editor's pattern for the body matched."
    return LineChoice(lines, Extractor.RULE, 1.0, reason, () if lines else texts)


def _by_model(page: CascadeInput, probabilities: npt.NDArray[np.float32]) -> LineChoice:
    outline = page.outline
    titles = _Titles(plain(page.context.title), plain(page.feed_title))
    together = voted(outline, kept_together(outline, probabilities))
    reasons = {
        position: reason
        for position in np.flatnonzero(together >= _FILL_PROBABILITY).tolist()
        if (reason := _why_not(outline, position, titles)) is not None
    }
    together[list(reasons)] = 0.0  # a dropped headline is nobody's neighbour
    kept = settle(together)
    loose = loose_ends(outline, kept, together)
    reasons |= dict.fromkeys(loose, DropReason.LONE)
    reasons = _voted_out(outline, probabilities, together) | reasons
    once = [position for position in kept if position not in loose]
    again = second_copies(outline, once)
    reasons |= dict.fromkeys(again, DropReason.AGAIN)
    chosen = tuple(position for position in once if position not in again)
    return LineChoice(
        chosen,
        Extractor.LINE_MODEL,
        _confidence(outline, chosen, probabilities),
        "The line model's choice.",
        reasons=reasons,
    )


def _voted_out(
    outline: Outline, probabilities: npt.NDArray[np.float32], together: npt.NDArray[np.float32]
) -> dict[int, DropReason]:
    """Lines the model wanted and the part they stand in did not."""
    out = np.flatnonzero((probabilities >= KEEP_PROBABILITY) & (together < KEEP_PROBABILITY))
    table = tag_bit("table")
    return {
        position: DropReason.TABLE
        if outline.tag_bits[outline.lines[position].node] & table
        else DropReason.FRAME
        for position in out.tolist()
    }


# Lines that are longer are paragraphs for the most part: a look at one word comes first.
_LONG_LINE = 60


@dataclass(frozen=True, slots=True)
class _Titles:
    """What the headline may read, as `plain` writes it: as the page gives it, and as the feed."""

    of_page: str
    of_feed: str


def _why_not(outline: Outline, position: int, titles: _Titles) -> DropReason | None:
    """Give the reason against a line that the model wants."""
    if _is_headline(outline, position, titles):
        return DropReason.HEADLINE
    return DropReason.NOTICE if _is_notice(outline, position) else None


def settle(probabilities: npt.NDArray[np.float32]) -> list[int]:
    """Decide about every line, the doubtful ones by their neighbours.

    Parameters
    ----------
    probabilities : ndarray of shape (n_lines,)
        Of each line to belong to the article, in page order.

    Returns
    -------
    list of int
        Positions of the kept lines, ascending.

    Examples
    --------
    >>> settle(np.array([0.9, 0.4, 0.9, 0.1, 0, 0, 0, 0, 0, 0, 0.6], dtype=np.float32))
    [0, 1, 2]
    """
    kept = probabilities >= KEEP_PROBABILITY
    before, after = np.zeros_like(kept), np.zeros_like(kept)
    before[1:], after[:-1] = kept[:-1], kept[1:]
    filled = kept | ((probabilities >= _FILL_PROBABILITY) & before & after)
    positions = np.flatnonzero(filled)
    gaps = np.diff(positions, prepend=-np.inf, append=np.inf)
    is_lone = np.minimum(gaps[:-1], gaps[1:]) > _LONE_LINES
    is_doubtful = probabilities[positions] < _LONE_PROBABILITY
    settled: list[int] = positions[~(is_lone & is_doubtful)].tolist()
    return settled


def _is_headline(outline: Outline, position: int, titles: _Titles) -> bool:
    """Tell the headline: it is metadata, and goes where a template repeats it above the text.

    The page's own title is looked for in headings only: without that, exact pages of `sites` fall
    from .138 to .058, where editors kept the headline.
    """
    line = outline.lines[position]
    is_heading = outline.tags[line.node] in HEADING_TAGS
    wanted = {titles.of_feed, titles.of_page if is_heading else ""} - {""}
    if line.text.isascii() and len(line.text) > _LONG_LINE:
        folded = line.text.lower()  # all words of a headline are in it, or it is none
        wanted = {title for title in wanted if title.rsplit(" ", 1)[-1] in folded}
    return bool(wanted) and plain(line.text) in wanted


def _is_notice(outline: Outline, position: int) -> bool:
    """Tell a copyright notice by its first words, or by its words and its place."""
    line = outline.lines[position]
    if _NOTICE_START.match(line.text):
        return True
    is_framed = outline.tag_bits[line.node] & _FRAMES or outline.own_hints[line.node] & _FRAME_HINT
    return bool(is_framed and phrase_bits(line.text) & _COPYRIGHT)


def _confidence(
    outline: Outline, kept: Sequence[int], probabilities: npt.NDArray[np.float32]
) -> float:
    """How decided the model is, 0 to 1.

    Mean distance of the probabilities from one half, weighted by characters.
    """
    lengths = np.array([len(line.text) for line in outline.lines], dtype=np.float64)
    weights = np.where(probabilities >= KEEP_PROBABILITY, lengths, np.minimum(lengths, 100.0))
    if not kept:
        return 0.0
    decided = np.abs(probabilities - KEEP_PROBABILITY) * 2
    return round(float((decided * weights).sum() / weights.sum()), 3)


def _by_json_ld(page: CascadeInput) -> LineChoice | None:
    body = page.context.json_ld_body
    if len(body) < _JSON_LD_CHARACTERS:
        return None
    paragraphs = tuple(text for part in body.split("\n") if (text := " ".join(part.split())))
    return LineChoice(
        (), Extractor.JSON_LD, 0.7, "The page shows much less than its JSON-LD.", paragraphs
    )


def _second_opinion(
    page: CascadeInput, choice: LineChoice, probabilities: npt.NDArray[np.float32]
) -> LineChoice:
    """Ask the density, then take any running text, where the model finds next to nothing.

    What the model is sure of is left out in either case: on a short page the copyright notice is
    the densest part.
    """
    outline = page.outline
    possible = {
        position
        for position in np.flatnonzero(probabilities >= _POSSIBLE_PROBABILITY).tolist()
        if _is_running(outline, position) and not _is_notice(outline, position)
    }
    densities = text_densities(outline)
    dense = tuple(
        position
        for element in content_elements(outline, densities)
        for position in range(outline.first_line[element], outline.end_line[element])
        if position in possible
    )
    if _n_chars(outline, dense) > _n_chars(outline, choice.lines):
        reason = "The model found next to nothing; the densest part of the page."
        return LineChoice(dense, Extractor.TEXT_DENSITY, 0.3, reason)
    if choice.lines:
        return choice
    if not possible:
        return LineChoice((), Extractor.NONE, 0.0, "No algorithm found a text.")
    reason = "No algorithm found a text; every line of running text."
    return LineChoice(tuple(sorted(possible)), Extractor.FALLBACK, 0.1, reason)


def _is_running(outline: Outline, position: int) -> bool:
    line = outline.lines[position]
    return len(line.text) >= PARAGRAPH_CHARACTERS and line.n_link_chars < 0.5 * len(line.text)


def _n_chars(outline: Outline, lines: Sequence[int]) -> int:
    return sum(len(outline.lines[position].text) for position in lines)


def choose_for(page: PageInput, candidates: CascadeInput) -> LineChoice:
    """Choose the article of a page with the publication's extractor."""
    if page.extractor == AUTO:
        return choose(candidates)
    try:
        chosen = ExtractorChoice.of(page.extractor, dict(page.extractor_values))
    except AlgorithmParameterError as error:
        return _instead(candidates, f"The chosen extractor cannot run: {error}")
    if candidates.ruled or candidates.ruled_texts:
        return choose(candidates)
    read = ReadPage(
        candidates.outline,
        candidates.context.title,
        page.url,
        candidates.ruled,
        page.site_sample,
        boxes=candidates.boxes,
    )
    scored = chosen.run(read)
    label = ALGORITHMS[chosen.name].label
    if not scored.kept_lines:
        return _instead(candidates, f"{label} found no text.")
    return LineChoice(
        lines=scored.kept_lines,
        extractor=Extractor(chosen.name),
        confidence=_DOUBTFUL if scored.remark else _CONFIDENCE,
        reason=f"{label}, chosen for this publication. {scored.remark}".rstrip(),
    )


def _instead(candidates: CascadeInput, why: str) -> LineChoice:
    choice = choose(candidates)
    return replace(choice, reason=f"{why} {choice.reason}")
