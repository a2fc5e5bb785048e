"""Extractors on one page: read once for all of them, each run timed, its answer as text and lines.

The time of an algorithm is that of reading the page (decode, parse, clean, outline, metadata) and
its own; the default extractor does all of this itself. CPU time of this process, for a peer of its
child's.
"""

import time
from dataclasses import dataclass, replace

from extraction.evaluation.page_scores import score_lines, score_text, shingles, tokens_of
from extraction.evaluation.peers import Compared, Peer, ask_peer
from extraction.evaluation.summaries import PageRow
from extraction.html.algorithms.registry import AUTO, ExtractorChoice
from extraction.html.algorithms.scored_page import ReadPage, kept_text, read_page
from extraction.html.extract_page import extract_page
from extraction.html.page import PageInput
from extraction.html.site.fragments import SiteSample
from extraction.html.training.training_pages import body_labels

# 3 s in the worst case, unrelated texts: characters of the page times characters of the text.
MAX_CHARACTER_PAIRS = 2_000_000_000


@dataclass(frozen=True, slots=True)
class PreparedPage:
    """A page read once."""

    given: PageInput
    read: ReadPage
    milliseconds: float  # what reading it cost


@dataclass(frozen=True, slots=True)
class ExtractorAnswer:
    """What one extractor made of a page; `lines` is None where it does not work by lines."""

    text: str
    lines: tuple[int, ...] | None
    milliseconds: float
    remark: str = ""
    error: str = ""


@dataclass(frozen=True, slots=True)
class Reference:
    """What a page is scored against: the text, and the positions of the lines that hold it."""

    text: str
    lines: frozenset[int]
    as_published: bool = False


def prepare(given: PageInput, site: SiteSample | None = None) -> PreparedPage:
    """Read a page for `run`; what SiteLevel needs of the site's other pages comes with it."""
    start = time.process_time()
    read = read_page(given, site)
    return PreparedPage(given, read, 1000 * (time.process_time() - start))


def run(choice: Compared, page: PreparedPage) -> ExtractorAnswer:
    """One extractor on one page; an exception is the answer's error and its text is empty."""
    if isinstance(choice, Peer):
        return run_peer(choice, page.given)
    start = time.process_time()
    try:
        answer = _run(choice, page)
    except Exception as error:  # noqa: BLE001 (one extractor of a table; its failure is a figure)
        answer = ExtractorAnswer("", (), 0.0, error=f"{type(error).__name__}: {error}")
    own = 1000 * (time.process_time() - start)
    read = 0.0 if choice.is_auto else page.milliseconds
    return ExtractorAnswer(answer.text, answer.lines, own + read, answer.remark, answer.error)


def run_peer(peer: Peer, given: PageInput) -> ExtractorAnswer:
    """One library on one page, which need not be read for it."""
    found = ask_peer(peer, given)
    remark = f"Version {peer.version}." if peer.version else ""
    return ExtractorAnswer(found.text, None, found.milliseconds, remark, found.error)


def _run(choice: ExtractorChoice, page: PreparedPage) -> ExtractorAnswer:
    if choice.is_auto:
        extracted = extract_page(replace(page.given, extractor=AUTO))
        return ExtractorAnswer(extracted.text, None, 0.0, extracted.reason)
    scored = choice.run(page.read)
    return ExtractorAnswer(kept_text(page.read, scored), scored.kept_lines, 0.0, scored.remark)


def line_labels(page: PreparedPage, text: str) -> frozenset[int]:
    """Positions of the outline's lines of which most words stand in a text, in its order.

    On very long pages the order is left aside, since looking for it would take minutes.
    """
    texts = tuple(line.text for line in page.read.outline.lines)
    if sum(map(len, texts)) * len(text) > MAX_CHARACTER_PAIRS:
        return _lines_by_shingles(texts, text)
    labels, _ = body_labels(texts, text)
    return frozenset(position for position, label in enumerate(labels.tolist()) if label > 0.5)


def _lines_by_shingles(texts: tuple[str, ...], text: str) -> frozenset[int]:
    """Lines of which at least half of the four-word runs stand in the text; linear."""
    known = shingles(tokens_of(text))
    whole = {tuple(tokens_of(line)) for line in text.split("\n")}
    found = set()
    for position, line in enumerate(texts):
        own = tokens_of(line)
        runs = shingles(own)
        n_known = sum(count for run, count in runs.items() if run in known)
        if tuple(own) in whole or (runs and 2 * n_known >= runs.total()):
            found.add(position)
    return frozenset(found)


def reference_of(page: PreparedPage, text: str, *, as_published: bool = False) -> Reference:
    """Make a reference of a page: the text with the lines of the page that hold it."""
    return Reference(text, line_labels(page, text), as_published)


def score(page: PreparedPage, answer: ExtractorAnswer, reference: Reference) -> PageRow:
    """Score an answer against a reference."""
    kept = line_labels(page, answer.text) if answer.lines is None else answer.lines
    return PageRow(
        text=score_text(reference.text, answer.text, as_published=reference.as_published),
        lines=score_lines(reference.lines, kept),
        milliseconds=answer.milliseconds,
        error=answer.error,
    )
