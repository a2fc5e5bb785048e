"""The client for R, by R itself: answers are data frames with their citation, files go on."""

import json
import os
import shutil
import subprocess

import pytest
from cut_connections import CutConnections
from factories import index_all, make_article, make_comment

from corpus_site.api.clients.questions import questions
from corpus_site.api.clients.r_client import r_client
from corpus_site.api.openapi import document
from corpus_site.help_pages.api_examples import R_RECIPE

pytestmark = pytest.mark.django_db


def r_path():
    path = shutil.which("Rscript")
    if path is not None:
        return path
    if os.environ.get("REQUIRE_SERVICES") == "1":
        pytest.fail("R is absent")
    pytest.skip("R is absent")


@pytest.fixture
def told(live_server, new_token, tmp_path):
    """Run a program of R after the client's source, on three articles and a comment."""
    first = make_article("The rain fell. The dam is full.", title="Rain")
    make_article("The wind.")
    make_article("Snow.")
    make_comment(first, "The river too.")
    index_all()
    token = new_token(scope="export").text

    def run(program, site=live_server.url):
        (tmp_path / "broadsheet.R").write_text(r_client(document(site)))
        done = subprocess.run(
            [r_path(), "--vanilla", "-e", program, token],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
            env=os.environ | {"LC_ALL": "C.UTF-8"},
        )
        assert done.stderr == ""
        return done.stdout

    return run


ASKED = """\
source("broadsheet.R")
corpus <- broadsheet(token = commandArgs(trailingOnly = TRUE)[1])
lines <- corpus$lines("the", in_ = "both", n = 3)
pages <- corpus$all_lines("the", in_ = "both", n = 3)
article <- corpus$articles()$id[[1]]
refused <- tryCatch(corpus$lines("the", sort = "up"), corpus_error = identity)
nowhere <- tryCatch(corpus$trend("the", table = "nowhere"), corpus_error = identity)
cat(jsonlite::toJSON(auto_unbox = TRUE, list(
  nodes = I(lines$node),
  hits = about(lines)$hits,
  citation = citation_of(lines),
  n_pages_lines = nrow(pages),
  words = I(corpus$all_article_sentences(article)$word),
  articles = corpus$corpus()$articles,
  texts = I(corpus$texts("the", zeros = TRUE)$hits),
  slices = nrow(corpus$lines("the", in_ = "both", only = c("kind:article", "quarter:1"))),
  none = nrow(corpus$lines("xyzzy")),
  titles = sum(corpus$articles()$title == "Rain"),
  exported = length(corpus$export("the", format = "jsonl")) > 0,
  refused = c(refused$status, class(refused)[[1]], conditionMessage(refused)),
  nowhere = conditionMessage(nowhere)
)))
"""


@pytest.mark.django_db(transaction=True)
def test_answers_are_data_frames_with_their_citation(told):
    found = json.loads(told(ASKED))

    refused, nowhere, citation = (found.pop(name) for name in ("refused", "nowhere", "citation"))
    assert found == {
        "nodes": ["The"] * 3,
        "hits": 4,
        "n_pages_lines": 4,
        "words": ["Snow", "."],
        "articles": 3,
        "texts": [2, 1, 0],
        "slices": 2,
        "none": 0,
        "titles": 1,
        "exported": True,
    }
    assert citation.startswith("“the” (simple); 18 tokens in 4 texts: ")
    assert "; generation 1 of the corpus; http" in citation
    assert refused[:2] == ["400", "corpus_error"]
    assert "parameter" in refused[2]
    assert nowhere.startswith("There is no table nowhere. ")


@pytest.mark.django_db(transaction=True)
def test_the_recipe_of_the_help_page_runs(told, linguist, live_server):
    said = told(R_RECIPE)

    assert "2026" in said
    assert "3 lines" in said
    assert "tokens in 4 texts" in said
    host = {"host": live_server.url.removeprefix("http://")}
    source = linguist.get("/api/client.R", headers=host).content.decode()
    assert source == r_client(document(live_server.url))


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("form", ["csv", "jsonl"])
def test_a_file_whose_connection_is_killed_goes_on_to_the_same_bytes(
    told, live_server, tmp_path, form
):
    make_article("The braai " * 400)
    index_all()
    line = CutConnections(live_server.url, [None, 700, 900, 800])  # of packed bytes

    told(
        f"""
        source("broadsheet.R")
        corpus <- broadsheet(token = commandArgs(trailingOnly = TRUE)[1])
        asked <- list(format = "{form}", sort = "old", asof = 2)
        writeBin(do.call(corpus$export, c(q = "the", asked)), "whole.txt")
        invisible(do.call(corpus$save, c(list("the.txt", "the"), asked)))
        """,
        line.site,
    )

    line.close()
    assert line.n_killed == 3
    found, whole = ((tmp_path / name).read_bytes() for name in ("the.txt", "whole.txt"))
    assert _without_moment(found) == _without_moment(whole)
    manifest = json.loads((tmp_path / "the.txt.manifest.json").read_text())
    assert manifest["lines"] == 403


def test_each_question_has_a_function():
    source = r_client(document("https://corpus.example"))

    names = [one.name for one in questions(document("https://corpus.example"))]
    assert [name for name in names if f"\n    {name} = function(" not in source] == []


def _without_moment(file):
    """Leave the moment of the download out of what stands first."""
    return b"".join(
        one for one in file.replace(b', "', b"\n").splitlines() if not one.startswith(b"date")
    )
