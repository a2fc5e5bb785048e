"""The client for Python: its source is a module, its methods ask, its answers carry citations."""

import json
import subprocess
import sys
import types

import pytest
from cut_connections import CutConnections
from factories import index_all, make_article, make_comment

from corpus_site.api.clients.asking import CorpusError
from corpus_site.api.clients.python_client import python_client
from corpus_site.api.clients.questions import method_name
from corpus_site.api.openapi import document
from corpus_site.api.operations import OPERATIONS
from corpus_site.help_pages.api_examples import PYTHON_RECIPE, RECOUNT_RECIPE

pytestmark = pytest.mark.django_db


def loaded(source):
    """Make a module of the client's source."""
    module = types.ModuleType("broadsheet")
    exec(compile(source, "broadsheet.py", "exec"), module.__dict__)  # noqa: S102 (our own)
    return module


@pytest.fixture
def corpus(live_server, new_token):
    """A client of a corpus of three articles and a comment."""
    first = make_article("The rain fell. The dam is full.", title="Rain")
    make_article("The wind.")
    make_article("Snow.")
    make_comment(first, "The river too.")
    index_all()
    client = loaded(python_client(document(live_server.url)))
    return client.Corpus(token=new_token(scope="export").text)


@pytest.mark.django_db(transaction=True)
def test_answers_are_rows_with_their_citation(corpus, live_server):
    lines = corpus.lines("the", in_="both", n=3)

    assert [line["node"] for line in lines] == ["The"] * 3
    assert lines.about["hits"] == 4
    assert lines.citation.startswith("“the” (simple); 18 tokens in 4 texts: ")
    assert "; generation 1 of the corpus; " in lines.citation
    assert lines.citation.endswith(lines.about["page"])
    assert [len(page) for page in corpus.all_lines("the", in_="both", n=3)] == [3, 1]
    article = corpus.articles()[0]["id"]
    [tokens] = corpus.all_article_sentences(article)
    assert [(token["sentence"], token["word"]) for token in tokens] == [(1, "Snow"), (1, ".")]
    assert corpus.corpus()[0]["articles"] == 3
    assert corpus.word("rain").about["view"]
    assert corpus.export("the", format="jsonl").count(b"\n") == 1 + 3
    assert {row["hits"] for row in corpus.texts("the", zeros=True)} == {2, 1, 0}
    assert len(corpus.lines("the", in_="both", only=["kind:article", "quarter:1"])) == 2


@pytest.mark.django_db(transaction=True)
def test_refusals_are_errors_in_words(corpus, new_token):
    with pytest.raises(Exception, match="no table nowhere") as wrong:
        corpus.trend("the", table="nowhere")
    assert wrong.value.status == 404
    with pytest.raises(Exception, match="parameter") as wrong:
        corpus.lines("the", sort="up")
    assert (wrong.value.status, wrong.value.faults[0]["parameter"]) == (400, "sort")
    corpus.token = "bs_wrong"
    with pytest.raises(Exception, match="token") as wrong:
        corpus.corpus()
    assert wrong.value.status == 401
    assert type(wrong.value).__name__ == CorpusError.__name__


@pytest.mark.django_db(transaction=True)
def test_the_recipe_of_the_help_page_runs(corpus, live_server, tmp_path, linguist):
    source = linguist.get("/api/client.py", headers={"host": live_server.url[7:]}).content
    (tmp_path / "broadsheet.py").write_bytes(source)
    asked = PYTHON_RECIPE.replace("Corpus(", f"Corpus({live_server.url!r}, ")

    done = subprocess.run(
        [sys.executable, "-c", asked, corpus.token],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.stderr == ""
    assert "2026 3 14" in done.stdout
    assert "3 lines" in done.stdout
    assert "tokens in 4 texts" in done.stdout
    recount = [sys.executable, "-c", RECOUNT_RECIPE, "the.jsonl"]
    found = subprocess.check_output(recount, cwd=tmp_path, text=True).strip()
    manifest = json.loads((tmp_path / "the.jsonl.manifest.json").read_text())
    assert found == manifest["hash"]["value"]
    assert PYTHON_RECIPE.splitlines()[0] in linguist.get("/help/api/").content.decode()


def test_each_question_has_a_method_and_each_parameter_a_name():
    client = loaded(python_client(document("https://corpus.example"))).Corpus
    code = {name: method.__code__ for name, method in vars(client).items() if callable(method)}

    for one in OPERATIONS:
        name = method_name(one.name)
        taken = {p.rstrip("_") for p in code[name].co_varnames}
        assert {p.name for p in one.parameters} <= taken, name
    assert all(
        method.__doc__ for name, method in vars(client).items() if name in code and name[0] != "_"
    )


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("form", ["csv", "jsonl"])
def test_a_file_whose_connection_is_killed_goes_on_to_the_same_bytes(
    corpus, live_server, tmp_path, form, monkeypatch
):
    make_article("The braai " * 400)
    index_all()
    asked = {"format": form, "sort": "old", "asof": 2}
    monkeypatch.setattr(sys.modules["time"], "sleep", lambda _: None)
    line = CutConnections(live_server.url, [None, 700, 30_000, 20_000])
    corpus.site = line.site
    whole = corpus.file("search/export", {"q": "the", **asked})

    manifest = corpus.save(tmp_path / "the.txt", "the", **asked)

    line.close()
    found = (tmp_path / "the.txt").read_bytes()
    beside = json.loads((tmp_path / "the.txt.manifest.json").read_text())
    assert line.n_killed == 3
    assert _without_moment(found) == _without_moment(whole)
    assert manifest["lines"] == 403
    assert beside["hash"] == manifest["hash"]


def _without_moment(file):
    """Leave the moment of the download out of what stands first."""
    return b"".join(
        one for one in file.replace(b', "', b"\n").splitlines() if not one.startswith(b"date")
    )
