"""The texts of the site's index for other tools: with titles, in order of publication.

Input → output: which texts and a format → strings of a corpus file. Tokens, lemmas and tags are
those of the index, so a file says what searches find. Earlier versions of texts, which the index
does not hold, are annotated anew where they are wanted; their original is the newest text.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice

from extraction.models import Article
from extraction.versions import TextVersion, former_versions
from search.answers.exportable import exportable
from search.engine.annotation.annotate import annotate
from search.engine.annotation.lexicon import LexiconOverrides
from search.engine.annotation.tagger import shared_tagger
from search.engine.exchange.ascii_form import in_ascii
from search.engine.exchange.formats import Format, write_texts
from search.engine.exchange.stored import stored_texts
from search.engine.exchange.texts import CorpusText
from search.engine.exchange.vertical_tokens import VerticalOptions
from search.engine.index.documents import DocumentKind
from search.engine.query.filters import DocumentFilter, select
from search.lexicon import entries
from search.opened_index import current_snapshot

TEXTS_PER_LOOKUP = 200


class UnreadableIndexError(Exception):
    """Raised when part of the index cannot be read; an export without it would not say so."""


def name_of(kind: DocumentKind, key: int) -> str:
    """Return the id of a text in files: ``article-12``, ``comment-7``."""
    return f"{kind.label}-{key}"


def exported_corpus(
    kind: Format,
    wanted: DocumentFilter,
    vertical: VerticalOptions,
    *,
    has_versions: bool = False,
    is_ascii: bool = False,
) -> Iterator[str]:
    """Write the texts that a filter lets through, but those that may not be exported.

    On wish each has its earlier versions behind it, and all are in ASCII letters.

    Raises
    ------
    UnreadableIndexError
    """
    snapshot = current_snapshot()
    if snapshot.damaged:
        raise UnreadableIndexError(", ".join(map(str, snapshot.damaged)))
    texts = stored_texts(select(snapshot, exportable(wanted)), name_of, by_time=True)
    titled = _titled(texts)
    wanted_texts = _with_versions(titled) if has_versions else titled
    return write_texts(kind, in_ascii(wanted_texts) if is_ascii else wanted_texts, vertical)


def _with_versions(texts: Iterable[CorpusText]) -> Iterator[CorpusText]:
    waiting = iter(texts)
    in_force = entries.overrides()
    while batch := list(islice(waiting, TEXTS_PER_LOOKUP)):
        keys = {key for text in batch if (key := _article_key(text))}
        changed = Article.objects.filter(pk__in=keys, n_versions__gt=1)
        articles = changed.select_related("page", "publication").in_bulk()
        for text in batch:
            yield text
            article = articles.get(_article_key(text))
            if article is not None:
                yield from (_version(text, one, in_force) for one in former_versions(article))


def _version(newest: CorpusText, version: TextVersion, lexicon: LexiconOverrides) -> CorpusText:
    """Annotate an earlier version; it stands behind the newest one, with a number in its id."""
    was = version.as_article
    found = annotate(was.whole_text, shared_tagger(), lexicon, was.language)
    columns = replace(
        newest.columns,
        name=f"{newest.columns.name}-v{version.number}",
        title=was.title,
        section=was.section,
        author="; ".join(str(author) for author in was.authors),
        language=was.language,
        ingested_seconds=int(version.seen_at.timestamp()),
        original=newest.columns.name,
    )
    return CorpusText(
        columns,
        [(token.word, token.lemma, token.tag) for token in found.tokens],
        found.sentence_starts,
        found.space_before(),
    )


def _titled(texts: Iterable[CorpusText]) -> Iterator[CorpusText]:
    """Give articles their titles, some hundred at a time."""
    waiting = iter(texts)
    while batch := list(islice(waiting, TEXTS_PER_LOOKUP)):
        keys = [_article_key(text) for text in batch]
        titles = dict(Article.objects.filter(pk__in=set(keys)).values_list("pk", "title"))
        for text, key in zip(batch, keys, strict=True):
            title = titles.get(key, "")
            yield replace(text, columns=replace(text.columns, title=title))


def _article_key(text: CorpusText) -> int:
    """Return the article's key, 0 for a comment, which has no title."""
    is_article = text.columns.kind is DocumentKind.ARTICLE
    return int(text.columns.name.rpartition("-")[2]) if is_article else 0
