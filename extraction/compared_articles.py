"""One stored article under several extractors, held against what is known of its text.

There are no texts by hand for most articles, so each answer is held against up to three references:
what an editor confirmed, what the page's JSON-LD says, and what is stored. The page is read in a
child, since somebody waits for it; libraries of others have children of their own before that.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from extraction.documents import HAS_DOCUMENT, taken
from extraction.evaluation.differences import ReferencePiece, differences
from extraction.evaluation.extractor_runs import (
    ExtractorAnswer,
    PreparedPage,
    prepare,
    reference_of,
    run,
    run_peer,
    score,
)
from extraction.evaluation.peers import Compared, Peer
from extraction.evaluation.summaries import PageRow
from extraction.html.algorithms.scored_page import ReadPage
from extraction.html.page import PageInput
from extraction.html.site.fragments import SiteSample
from extraction.models import Article, ArticleKind
from extraction.page_inputs import page_input
from extraction.rules.published import rules_at
from extraction.sites.samples import sample_of
from feeds.archive.fetches import read_exchange
from feeds.crawler.documents.limited_work import FOR_A_REQUEST, run_limited
from feeds.models import Publication

# Shorter bodies in JSON-LD are teasers.
_JSON_LD_CHARACTERS = 600


class ReferenceKind(StrEnum):
    """What an answer is held against."""

    CONFIRMED = "confirmed"  # by an editor: the only one that is a gold text
    JSON_LD = "json_ld"
    STORED = "stored"


@dataclass(frozen=True, slots=True)
class GivenPage:
    """An article's archived page, and what SiteLevel needs of the site's others."""

    page: PageInput
    site: SiteSample | None = None


@dataclass(frozen=True, slots=True)
class ComparedText:
    """What one extractor made of an article; `pieces` are paragraphs, for those that are shown."""

    name: str
    answer: ExtractorAnswer
    row: PageRow | None  # None where there is nothing to hold it against
    pieces: tuple[tuple[ReferencePiece, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class ComparedArticle:
    """All answers over one reference, and which references there are, the surest first."""

    texts: tuple[ComparedText, ...]
    kind: ReferenceKind | None
    kinds: tuple[ReferenceKind, ...]
    right_text: str  # the surest text by hand, else the stored one


def newest_articles(publication: Publication, n_pages: int) -> Iterator[int]:
    """Primary keys of the newest articles whose page is in the archive."""
    rows = Article.shown.filter(HAS_DOCUMENT, publication=publication)
    rows = rows.exclude(kind=ArticleKind.POST)
    yield from rows.order_by("-dated_at", "-pk").values_list("pk", flat=True)[:n_pages]


def given_page(article: Article, extractors: Iterable[Compared]) -> GivenPage | None:
    """Find what extractors are given of an article; None where the archive has it no more."""
    fetch = taken(article)
    exchange = read_exchange(fetch) if fetch is not None else None
    if fetch is None or exchange is None or article.page is None:
        return None
    version = rules_at(article.publication_id, fetch.document_at)
    given = page_input(article.page, exchange, version.rules, headline=article.title)
    needs_site = any(choice.name == "site_level" for choice in extractors)
    return GivenPage(given, sample_of(article.publication_id) if needs_site else None)


def prepare_article(article: Article, extractors: Iterable[Compared]) -> PreparedPage | None:
    """Read an article's archived page for all extractors; None where the archive has it no more."""
    given = given_page(article, extractors)
    return prepare(given.page, given.site) if given else None


def references(article: Article, read: ReadPage) -> dict[ReferenceKind, str]:
    """Texts that an answer is held against, the surest first; empty ones are left out."""
    confirmed = getattr(article, "reference_text", None)
    json_ld = read.json_ld_body
    found = {
        ReferenceKind.CONFIRMED: confirmed.text if confirmed else "",
        ReferenceKind.JSON_LD: json_ld if len(json_ld) >= _JSON_LD_CHARACTERS else "",
        ReferenceKind.STORED: article.text,
    }
    return {kind: text for kind, text in found.items() if text.strip()}


def scored(
    prepared: PreparedPage, answers: Mapping[str, ExtractorAnswer], text: str
) -> dict[str, PageRow]:
    """Score answers against one reference."""
    reference = reference_of(prepared, text)
    return {name: score(prepared, answer, reference) for name, answer in answers.items()}


def compare_article(
    article: Article,
    extractors: Mapping[str, Compared],
    shown: Iterable[str],
    kind: ReferenceKind | None = None,
) -> ComparedArticle | None:
    """Run extractors on an article and lay the texts of those that are `shown` over a reference.

    The reference is the surest one where the article has none of that kind. None where the archive
    has the page no more; `article` comes with its reference text.

    Raises
    ------
    WorkEndedError
        When reading the page took too much.
    """
    given = given_page(article, extractors.values())
    if given is None:
        return None
    peers = {
        name: run_peer(choice, given.page)
        for name, choice in extractors.items()
        if isinstance(choice, Peer)
    }
    in_pieces = frozenset(shown)

    def compare() -> ComparedArticle:
        prepared = prepare(given.page, given.site)
        own = {
            name: run(choice, prepared) for name, choice in extractors.items() if name not in peers
        }
        answers = {name: peers.get(name) or own[name] for name in extractors}
        texts = references(article, prepared.read)
        chosen = kind if kind in texts else next(iter(texts), None)
        reference = texts[chosen] if chosen else ""
        rows = scored(prepared, answers, reference) if reference else {}
        return ComparedArticle(
            texts=tuple(
                ComparedText(
                    name,
                    answer,
                    rows.get(name),
                    tuple(_paragraphs(reference, answer.text)) if name in in_pieces else (),
                )
                for name, answer in answers.items()
            ),
            kind=chosen,
            kinds=tuple(texts),
            right_text=texts.get(ReferenceKind.CONFIRMED, article.text),
        )

    return run_limited(compare, FOR_A_REQUEST)


def text_of(article: Article, choice: Compared) -> str:
    """Give an extractor's text of an article; empty where the archive has the page no more.

    Raises
    ------
    WorkEndedError
        When reading the page took too much.
    """
    given = given_page(article, [choice])
    if given is None:
        return ""
    if isinstance(choice, Peer):
        return run_peer(choice, given.page).text
    return run_limited(lambda: run(choice, prepare(given.page, given.site)).text, FOR_A_REQUEST)


def _paragraphs(reference: str, text: str) -> Iterator[tuple[ReferencePiece, ...]]:
    current: list[ReferencePiece] = []
    for piece in differences(reference or text, text):
        if piece.text:
            current.append(piece)
        if piece.ends_paragraph and current:
            yield tuple(current)
            current = []
    if current:
        yield tuple(current)
