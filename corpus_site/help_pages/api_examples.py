"""Questions to the API that the help page shows as commands; a test asks each of them.

Any corpus has an answer to these; numbers of articles are filled in from this one.
"""

from dataclasses import dataclass
from shlex import quote
from urllib.parse import urlencode

from extraction.models import Article
from search.asking.address import UNQUOTED

# What the help page shows of the client for Python; a test runs it.
PYTHON_RECIPE = """\
import sys

from broadsheet import Corpus

corpus = Corpus(token=sys.argv[1])
years = corpus.trend("the", by="year", table="trend")
for year in years:
    print(year["period"], year["hits"], year["tokens"])
texts = corpus.texts("the", zeros=True, in_="both")
longest = max(texts, key=lambda text: text["tokens"])
corpus.save("the.jsonl", "the", format="jsonl")
for page in corpus.all_lines("the", n=100):
    print(len(page), "lines")
print(texts.citation)
"""
# The same with the client for R; a test runs it.
R_RECIPE = """\
source("broadsheet.R")

corpus <- broadsheet(token = commandArgs(trailingOnly = TRUE)[1])
years <- corpus$trend("the", by = "year", table = "trend")
print(years[, c("period", "hits", "tokens")])
texts <- corpus$texts("the", zeros = TRUE, in_ = "both")
model <- glm(hits ~ offset(log(tokens)), family = poisson, data = texts)
corpus$save("the.jsonl", "the", format = "jsonl")
lines <- corpus$all_lines("the", n = 100)
cat(nrow(lines), "lines\\n")
cat(citation_of(texts), "\\n")
"""
# How the hash of a saved list is worked out again; a test runs it.
RECOUNT_RECIPE = """\
import hashlib
import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    next(file)  # what the list is
    lines = [json.loads(line) for line in file]


def order(line):
    kind, number = line["text"].split("-")
    return kind, int(number), line["position"], line["tokens"]


found = hashlib.sha256()
for line in sorted(lines, key=order):
    found.update(f"{line['text']}\\t{line['position']}\\t{line['node']}\\n".encode())
print(found.hexdigest())
"""


@dataclass(frozen=True, slots=True)
class ApiExample:
    """A question: what it is for, where it is asked and with what."""

    words: str
    path: str
    parameters: tuple[tuple[str, str], ...] = ()

    @property
    def address(self) -> str:
        """Path with parameters; a reader who is signed in may follow it."""
        return f"{self.path}?{urlencode(self.parameters, safe=UNQUOTED)}".removesuffix("?")

    def command(self, site: str) -> str:
        """Write it for a shell, the token in a variable."""
        given = [f"--data-urlencode {quote(f'{name}={value}')}" for name, value in self.parameters]
        get = ["-G"] if given else []
        key = '-H "Authorization: Bearer $TOKEN"'
        is_file = self.path.startswith("/api/search/export/")
        return " ".join(
            ["curl", *get, key, *given, site + self.path, *(["-O -J"] if is_file else [])]
        )


_QUERY = ("q", "the")
_CQL = (("q", '[pos="JJ"] "water"'), ("ql", "cql"))
_OF_SEARCH = (
    ApiExample("ten lines, newest first", "/api/search/", (_QUERY, ("n", "10"))),
    ApiExample("in CQL, in comments too", "/api/search/", (*_CQL, ("in", "both"))),
    ApiExample("the same a year at a time", "/api/search/trend/", (*_CQL, ("by", "year"))),
    ApiExample("hits counted by publication", "/api/search/frequency/", (_QUERY, ("by", "pub"))),
    ApiExample(
        "lemmas near the hits", "/api/search/collocates/", (_QUERY, ("min", "1"), ("n", "20"))
    ),
    ApiExample("all lines as a file", "/api/search/export/", (_QUERY, ("format", "csv"))),
    ApiExample("one word", "/api/word/water/"),
    ApiExample("articles of a kind", "/api/articles/", (("kind", "text"),)),
    ApiExample("how much there is", "/api/corpus/"),
    ApiExample("what can be asked", "/api/openapi.json"),
)


def api_examples() -> tuple[ApiExample, ...]:
    """Give the examples, those of one article with the newest article of this corpus."""
    newest = Article.shown.order_by("-dated_at", "-pk").values_list("pk", flat=True).first()
    if newest is None:
        return _OF_SEARCH
    one = f"/api/articles/{newest}/"
    of_article = (
        ApiExample("one article with its text", one),
        ApiExample("its tokens with tags and lemmas", f"{one}sentences/"),
        ApiExample("its comments", f"{one}comments/"),
    )
    return (*_OF_SEARCH[:-2], *of_article, *_OF_SEARCH[-2:])
