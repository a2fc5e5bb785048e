"""The API answers what the pages answer: every question of the list, counts, bases, refusals."""

import csv
import io
import json
import re
from datetime import UTC, datetime

import pytest
from factories import (
    NOW,
    index_all,
    make_article,
    make_comment,
    make_fetch,
    make_page,
    make_publication,
    make_user,
)
from pages import markup

from corpus_site.api.openapi import document
from corpus_site.api.operations import OPERATIONS

pytestmark = [pytest.mark.django_db, pytest.mark.sql]
VALUES = {
    "q": "rain",
    "ref": "pub=cape-meridian",
    "lemma": "rain",
}  # of parameters that must be given


@pytest.fixture
def corpus():
    """Six articles of two papers, two of them with a comment."""
    cape = make_publication("cape-meridian")
    found = []
    for number in range(3):
        found.append(make_article(f"Rain fell on the veld. The rain was number {number}."))
        make_article(f"The sea is cold and the rain is cold. {number}", cape)
    make_comment(found[0], "We saw no rain at all.")
    make_comment(found[1], "Gone.", is_deleted=True)
    index_all(NOW)
    return found


def answer(ask, path, **parameters):
    response = ask(f"/api/{path}/", **parameters)
    assert response.status_code == 200, response.content
    return response.json()


def fault(ask, path, **parameters):
    response = ask(f"/api/{path}/", **parameters)
    return response.status_code, response.json()["error"]


def test_every_question_is_answered_as_the_document_says(ask, new_token, corpus):
    """Each operation with least parameters: all members there, no others undocumented."""
    places = {"{key}": str(corpus[0].pk), "{form}": "rain"}
    asked = []
    for one in OPERATIONS:
        path = one.path
        for name, value in places.items():
            path = path.replace(name, value)
        if one.path == "stories/{key}":
            continue
        needed = {p.name for p in one.parameters if p.is_required and not p.is_in_path}
        given = {name: VALUES[name] for name in needed}
        if one.path == "withdrawals":  # for editors
            given["token"] = new_token(owner=make_user("editor")).text
        response = ask(f"/api/{path}/", **given)
        assert response.status_code == 200, (path, response.content)
        if not one.is_file:
            assert set(one.answers) <= set(response.json()), path
        asked.append(path)

    assert len(asked) == len(OPERATIONS) - 1


def test_the_document_names_each_place_of_each_path_once(ask):
    found = document("http://testserver/")
    names = [path["get"]["operationId"] for path in found["paths"].values()]
    for path, methods in found["paths"].items():
        taken = [(one["name"], one["in"]) for one in methods["get"]["parameters"]]
        places = {name for name, where in taken if where == "path"}
        assert places == set(re.findall(r"\{(\w+)\}", path))
        assert len(taken) == len(set(taken)), path

    assert len(set(names)) == len(names) == len(OPERATIONS)
    assert ask("/api/openapi.json").json() == found


def test_the_document_says_that_keyness_takes_a_reference_list():
    taken = document("http://testserver/")["paths"]["/api/search/keyness/"]["get"]["parameters"]

    (words,) = [one["description"] for one in taken if one["name"] == "ref"]

    assert "list: and the name of a reference list" in words


def test_a_search_has_the_numbers_of_its_page(ask, corpus, client, settings):
    settings.READING_WITHOUT_SIGN_IN = True

    found = answer(ask, "search", q="rain", n=2)
    page = markup(client.get("/search/?q=rain"))

    assert (found["hits"], found["texts"]) == (9, 6)
    assert "9 hits" in page
    assert found["base"]["words"] == "articles, copies counted once"
    assert found["per_million"] == pytest.approx(1e6 * 9 / found["base"]["tokens"])
    assert found["query"]["cql"] == '"rain"%c'
    assert client.get(found["page"]).status_code == 200
    assert f"asof={found['generation']}" in found["page"]


def test_pages_of_lines_follow_each_other_without_gap(ask, corpus):
    hits, after = [], ""
    while after is not None:
        found = answer(ask, "search", q="rain", n=4, after=after)
        hits += [line["hit"] for line in found["lines"]]
        after = found["next"]

    assert len(hits) == len(set(hits)) == found["hits"] == 9


def test_a_line_is_a_stretch_of_its_article(ask, corpus):
    line = answer(ask, "search", q="number", pub="karoo-courier")["lines"][0]
    text = answer(ask, f"articles/{line['article']}")["text"]

    assert line["left"] + line["node"] + line["right"] in text
    assert line["publication"] == "karoo-courier"


def test_scope_filters_and_cql_are_those_of_the_page(ask, corpus):
    comments = answer(ask, "search", q="rain", **{"in": "comments"})
    cql = answer(ask, "search", q='[lemma="be"] "cold"', ql="cql", pub="-karoo-courier")

    assert (comments["hits"], comments["lines"][0]["kind"]) == (1, "comment")
    assert (cql["hits"], cql["base"]["texts"]) == (6, 3)


@pytest.mark.parametrize(
    ("path", "page", "parameters"),
    [
        ("search/frequency", "/search/frequency/", {"q": "rain", "by": "pub"}),
        ("search/collocates", "/search/collocates/", {"q": "rain", "min": "1", "more": "1"}),
        ("search/ngrams", "/search/ngrams/", {"q": "rain", "min": "1"}),
        ("search/trend", "/search/trend/", {"q": "rain"}),
        ("search/distribution", "/search/distribution/", {"q": "rain"}),
        (
            "search/keyness",
            "/search/keyness/",
            {"pub": "cape-meridian", "ref": "pub=-cape-meridian", "error": "1", "min": "1"},
        ),
        ("words", "/words/", {}),
        ("words/zipf", "/words/zipf/", {}),
        ("words/sketch", "/words/sketch/", {"lemma": "rain", "min": "1"}),
        ("word/rain", "/words/rain/", {}),
    ],
)
def test_tables_are_those_of_the_page(ask, corpus, client, settings, path, page, parameters):
    settings.READING_WITHOUT_SIGN_IN = True

    found = answer(ask, path, **parameters)
    file = json.loads(client.get(page, parameters | {"export": "json"}).content)

    assert [table["rows"] for table in found["tables"]] == [t["rows"] for t in file["tables"]]
    assert found["tables"][0]["rows"]
    base = found["base"]
    assert file["about"]["base"] == (
        f"{base['tokens']} tokens in {base['texts']} texts, {base['words']}"
    )


def test_an_export_is_the_file_of_the_page(ask, corpus):
    address = answer(ask, "search", q="rain", n=2)["export"]
    response = ask(f"{address}&format=csv")
    rows = list(csv.reader(io.StringIO(b"".join(response.streaming_content).decode())))

    assert response["Content-Type"].startswith("text/csv")
    assert len(rows[rows.index([]) + 2 :]) == 9


def test_an_article_with_tokens_comments_and_duplicates(ask, corpus):
    key = corpus[0].pk
    found = answer(ask, f"articles/{key}")
    tagged = answer(ask, f"articles/{key}/sentences")
    second = answer(ask, f"articles/{key}/sentences", s=2)
    comments = answer(ask, f"articles/{key}/comments")
    deleted = answer(ask, f"articles/{corpus[1].pk}/comments")["comments"][0]

    token = tagged["sentences"][0][0]
    assert found["text"][token["start"] : token["end"]] == token["word"] == "Rain"
    assert (tagged["n_sentences"], tagged["next"], len(second["sentences"])) == (2, None, 1)
    assert (comments["total"], comments["comments"][0]["text"]) == (1, "We saw no rain at all.")
    assert deleted["is_deleted"]
    assert "text" not in deleted
    assert answer(ask, f"articles/{key}/duplicates")["cluster"] == []


def test_lists_and_figures(ask, corpus):
    listed = answer(ask, "articles", pub="cape-meridian")
    publications = answer(ask, "publications")["publications"]
    figures = answer(ask, "corpus")

    assert (listed["total"], listed["next"]) == (3, None)
    assert {row["publication"] for row in listed["articles"]} == {"cape-meridian"}
    assert {row["slug"]: row["articles"] for row in publications} == {
        "cape-meridian": 3,
        "karoo-courier": 3,
    }
    assert (figures["articles"], figures["comments"]) == (6, 2)


@pytest.mark.parametrize(
    ("path", "parameters", "status", "words"),
    [
        ("search", {}, 400, "a query is missing"),
        ("search", {"q": "rain", "n": "9999"}, 400, "n: Write a whole number"),
        ("search", {"q": "rain", "pub": "nowhere"}, 400, "pub: “nowhere”"),
        ("search", {"q": "rain", "after": "soon"}, 400, "is no place in this list"),
        ("search/frequency", {"q": "rain", "by": "colour"}, 400, "by: “colour” is not among"),
        ("search/trend", {}, 400, "a query is missing"),
        ("search/export", {"q": "rain", "format": "exe"}, 400, "“exe” is no kind of file."),
        ("search/export", {"q": '["', "ql": "cql"}, 400, ""),
        ("articles", {"day": "soon"}, 400, "day: This is no day"),
        ("articles/999999", {}, 404, "There is no article 999999."),
        ("articles/99999999999999999999999999", {}, 404, "There is no article"),
        ("articles/one/comments", {}, 404, "There is no article one."),
        ("stories/7", {}, 404, "There is no story 7."),
        ("stories", {"p": "0"}, 400, "p: “0” is no number from 1 to"),
        ("stories", {"pub": "no\0where"}, 400, "has a report in a story."),
        ("articles/{first}/comments", {"p": "9" * 18}, 400, "is no number from 1 to"),
        ("articles", {"day": "0001-01-01"}, 400, "day: No newspaper is of that day."),
        ("articles", {"day": "9999-12-31"}, 400, "day: No newspaper is of that day."),
        ("search/keyness", {}, 400, "ref: This is missing."),
        ("search", {"q": "rain", "asof": "9999"}, 400, "asof: There is no generation"),
    ],
)
def test_what_is_wrong_is_said_with_what_to_do(ask, corpus, path, parameters, status, words):
    got, error = fault(ask, path.format(first=corpus[0].pk), **parameters)

    assert (got, error["status"]) == (status, status)
    assert words in error["happened"]
    assert error["to_do"]


def test_a_wrong_query_says_where(ask, corpus):
    status, error = fault(ask, "search", q='[lemma="go"', ql="cql")

    assert (status, error["position"]) == (400, 12)


def test_unknown_parameters_are_named_and_ignored(ask, corpus):
    assert answer(ask, "search", q="rain", colour="red")["ignored"] == ["colour"]
    assert answer(ask, "search/trend", q="rain", colour="red")["ignored"] == ["colour"]


def test_subcorpora_are_those_of_the_tokens_owner(ask, corpus, new_token):
    owner = make_user()
    owner.subcorpora.create(name="Cape", slug="cape", filters="pub=cape-meridian", created_at=NOW)

    own = ask("/api/search/", new_token(owner=owner).text, q="rain", sub="cape")
    foreign = ask("/api/search/", new_token().text, q="rain", sub="cape")

    assert own.json()["hits"] == 3
    assert foreign.status_code == 400


@pytest.mark.parametrize(
    "address", ["word/a%00b/", "articles/?pub=%00", "search/?q=a%00b&sub=%00&author=%00"]
)
def test_nul_never_reaches_the_database(ask, corpus, address):
    assert ask(f"/api/{address}").status_code in {200, 400, 404}


@pytest.mark.parametrize(
    ("path", "given"), [("search/frequency", {"q": "*"}), ("search/ngrams", {})]
)
def test_lists_have_as_many_rows_as_were_asked_for(ask, corpus, path, given):
    short = answer(ask, path, n=3, **given)["tables"][0]
    whole = answer(ask, path, **given)["tables"][0]

    assert (len(short["rows"]), short["is_complete"]) == (3, False)
    assert short["rows"] == whole["rows"][:3]
    assert len(whole["rows"]) == whole["n_all"] == short["n_all"] > 3


def test_an_article_says_which_archive_had_seen_it(ask):
    page = make_page()
    copy = f"https://web.archive.org/web/20131229080000id_/{page.url}"
    fetch = make_fetch(
        page, url=copy, final_url=copy, seen_at=datetime(2013, 12, 29, 8, tzinfo=UTC)
    )
    of_copy, own = make_article(page=page, fetch=fetch), make_article()

    assert answer(ask, f"articles/{of_copy.pk}")["from_archive"] == {
        "host": "web.archive.org",
        "seen": "2013-12-29T10:00:00+02:00",
        "copy": copy,
    }
    assert answer(ask, f"articles/{own.pk}")["from_archive"] is None


@pytest.mark.parametrize(
    ("by", "near"), [("lemna", "lemma"), ("publication", "pub"), ("r1.lema", "r1.lemma")]
)
def test_a_wrong_way_to_count_is_answered_with_those_like_it(ask, corpus, by, near):
    status, error = fault(ask, "search/frequency", q="braai", by=by)

    said = error["happened"]
    assert status == 400
    assert near in said.partition("like it are: ")[2].rstrip(".").split(", ")
    assert len(said) < 200


def test_a_way_to_count_like_no_other_is_answered_with_some(ask, corpus):
    _, error = fault(ask, "search/frequency", q="braai", by="qqqq")

    assert "“qqqq” is not among the" in error["happened"]
    assert "lower, word" in error["happened"]
