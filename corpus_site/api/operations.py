"""All questions that the API answers: routes, OpenAPI and help page are made from this list."""

from collections.abc import Callable
from dataclasses import dataclass

from django.http.response import HttpResponseBase

from corpus_site.api import alarms, articles, corpus, searching, withdrawals
from corpus_site.api.parameters import (
    FORM,
    KEY,
    OF_ARTICLES,
    OF_REGISTER,
    OF_STORIES,
    OF_STORY,
    PAGE,
    SENTENCE,
    ApiParameter,
    of_export,
    of_manifest,
    of_search,
    of_statistic,
)
from corpus_site.api.statistics import STATISTICS, statistic_view, word_profile
from search.views.words import word


@dataclass(frozen=True, slots=True)
class Operation:
    """A question.

    Parameters
    ----------
    path : str
        Below ``/api/``; ``{key}`` is a number, ``{form}`` a word.
    answers : tuple of str
        Members that every answer has; none for a file.
    """

    path: str
    view: Callable[..., HttpResponseBase]
    words: str
    parameters: tuple[ApiParameter, ...] = ()
    answers: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """Its name in the document and among the addresses."""
        return self.path.replace("{key}", "one").replace("{form}", "one").replace("/", "-")

    @property
    def is_file(self) -> bool:
        return not self.answers


_BASE = ("query", "generation", "base", "page", "ignored", "damaged")
_LINES = (*_BASE, "newest_generation", "is_complete", "hits", "texts", "per_million", "n_lines",
          "first", "next", "previous", "lines", "remarks", "export")  # fmt: skip
_MANIFEST = ("manifest", "query", "filters", "generation", "base", "hits", "texts", "per_million",
             "lines", "of_lines", "lines_a_file", "order", "hash", "rights", "kept_back", "damaged",
             "columns", "date", "page", "licence", "list", "files")  # fmt: skip
_TABLES = (*_BASE, "view", "parameters", "notes", "tables")
_HITS = ("hits", "texts", "per_million")
_ARTICLE = ("id", "title", "authors", "agencies", "section", "publication", "published", "dated",
            "kind", "language", "words", "n_versions", "changed", "in_corpus", "url", "page",
            "text", "blocks")  # fmt: skip
# Where a statistic is asked for, and what it answers in words.
_STATISTICS = {
    "frequency": ("search/frequency", "Hits counted by up to three things"),
    "collocates": ("search/collocates", "Words near the hits, with eleven measures"),
    "ngrams": ("search/ngrams", "Runs of words at the hits"),
    "trend": ("search/trend", "Hits over time"),
    "distribution": ("search/distribution", "Hits by parts of the corpus, and their spread"),
    "texts": ("search/texts", "Hits of each text, those without hits too"),
    "keyness": ("search/keyness", "Words by which two parts of the corpus differ"),
    "words": ("words", "The word list"),
    "zipf": ("words/zipf", "Ranks and frequencies"),
    "new-words": ("words/new", "Words never seen before"),
    "sketch": ("words/sketch", "What a lemma goes with, by grammatical relation"),
}


def _statistics() -> tuple[Operation, ...]:
    found = []
    for name, (path, words) in _STATISTICS.items():
        spec = STATISTICS[name].spec
        needs = (*STATISTICS[name].needs, *(("q",) if spec.needs_query else ()))
        taken = of_statistic(spec.parameters, needs)
        answers = (*_TABLES, *_HITS) if spec.needs_query else _TABLES
        found.append(Operation(path, statistic_view(name), words, taken, answers))
    return tuple(found)


OPERATIONS = (
    Operation("search", searching.search_lines, "Lines of a concordance", of_search(), _LINES),
    Operation("search/export", searching.export, "A concordance as a file", of_export()),
    Operation(
        "search/manifest", searching.export_manifest, "What such a file is: query, base, hash",
        of_manifest(), _MANIFEST,
    ),
    *_statistics(),
    Operation(
        "word/{form}",
        word_profile,
        "What the corpus knows of a word",
        (FORM, *of_statistic(word.SPEC.parameters, ())),
        _TABLES,
    ),
    Operation(
        "articles", articles.articles, "Articles, newest first", OF_ARTICLES,
        ("total", "articles", "next", "page", "ignored"),
    ),
    Operation("articles/{key}", articles.article, "One article with its text", (KEY,), _ARTICLE),
    Operation(
        "articles/{key}/sentences", articles.article_sentences,
        "Its sentences: tokens with tag and lemma", (KEY, SENTENCE),
        ("n_sentences", "n_tokens", "first", "next", "sentences"),
    ),
    Operation(
        "articles/{key}/comments", articles.article_comments, "The comments under it", (KEY, PAGE),
        ("total", "comments", "next"),
    ),
    Operation(
        "articles/{key}/duplicates", articles.article_duplicates, "The same text elsewhere", (KEY,),
        ("is_looked_at", "n_cluster", "cluster", "parts", "others", "story", "same_event"),
    ),
    Operation(
        "articles/{key}/versions", articles.article_versions,
        "All texts that its page has shown, oldest first", (KEY,),
        ("n_versions", "versions", "refused", "page"),
    ),
    Operation(
        "stories", articles.stories, "Events with more than one report", OF_STORIES,
        ("total", "stories", "next"),
    ),
    Operation(
        "stories/{key}", articles.story, "One event with its reports", OF_STORY,
        ("id", "articles", "texts", "publications", "reports", "left_out", "summary"),
    ),
    Operation(
        "publications", corpus.publications, "Publications, their texts, the states of their feeds",
        (), ("publications",),
    ),
    Operation(
        "corpus", corpus.corpus, "How much is stored and searched", (),
        ("generation", "articles", "comments", "tokens", "first", "last", "feeds", "damaged"),
    ),
    Operation(
        "alarms", alarms.alarms, "What needs a person, the costliest first", (),
        ("total", "alarms"),
    ),
    Operation(
        "withdrawals", withdrawals.withdrawals, "The register: what was withdrawn, erased, held",
        (*OF_REGISTER, PAGE), ("total", "entries", "next"),
    ),
    Operation("token", corpus.token, "Who asks, and until when the token may", (),
              ("user", "token")),
)  # fmt: skip
