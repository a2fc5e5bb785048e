"""Lemmas and tags beside the words of lines, and in columns of files."""

import csv
import io
import json
import re
from html import unescape

import pytest
from factories import index_all, make_article
from pages import markup

pytestmark = pytest.mark.django_db
NOTE = re.compile(r'<i class="note">([^<]*)</i>')


@pytest.fixture
def corpus():
    make_article("The dogs barked loudly.")
    index_all()


def lines_of(page):
    """Text of the three cells of each line, notes in brackets."""
    noted = NOTE.sub(r"[\1]", markup(page))
    cells = re.findall(
        r'<div class="l">(.*?)</div>.*?data-open>(.*?)</a>.*?<div class="r">(.*?)</div>',
        noted,
        re.DOTALL,
    )
    return [tuple(" ".join(re.sub("<[^>]*>", "", cell).split()) for cell in line) for line in cells]


@pytest.mark.parametrize(
    ("show", "line"),
    [
        ("", ("The", "dogs", "barked loudly.")),
        ("tags", ("The[DT]", "dogs[NNS]", "barked[VBD] loudly[RB].[.]")),
        ("lemmas", ("The[the]", "dogs[dog]", "barked[bark] loudly[loudly].[.]")),
        ("both", ("The[the/DT]", "dogs[dog/NNS]", "barked[bark/VBD] loudly[loudly/RB].[./.]")),
    ],
)
@pytest.mark.parametrize("sort", ["new", "r1,l1"])
def test_lines_show_what_is_asked_for(reader, corpus, show, line, sort):
    page = reader.get(f"/search/?q=dogs&show={show}&sort={sort}")

    assert lines_of(page) == [line]


def test_the_words_sorted_by_stay_marked_with_their_notes(reader, corpus):
    page = markup(reader.get("/search/?q=dogs&show=tags&sort=r1"))

    assert re.search(r'<b>\s*barked<i class="note">VBD</i></b>', page)


def test_a_marked_token_of_the_node_stays_marked(reader, corpus):
    page = markup(
        reader.get("/search/", {"q": '@[pos="NNS"] [pos="VBD"]', "ql": "cql", "show": "tags"})
    )

    assert re.search(r'<mark\s*>dogs<i class="note">NNS</i></mark>', page)


@pytest.mark.parametrize("view", ["sentence", "wide"])
def test_sentences_show_them_too(reader, corpus, view):
    page = markup(reader.get(f"/search/?q=dogs&show=tags&view={view}"))

    assert (
        'The<i class="note">DT</i> <b class="hit">dogs<i class="note">NNS</i></b>'
        ' barked<i class="note">VBD</i> loudly<i class="note">RB</i>.<i class="note">.</i>'
    ) in page


def test_files_have_a_column_for_each(linguist, corpus):
    content = b"".join(linguist.get("/search/export/?q=dogs&show=both&format=data.csv")).decode()
    (row,) = csv.DictReader(io.StringIO(content))

    assert (row["left"], row["node"], row["right"]) == ("The", "dogs", "barked loudly.")
    assert (row["left_lemmas"], row["node_lemmas"]) == ("the", "dog")
    assert (row["node_tags"], row["right_tags"]) == ("NNS", "VBD RB .")
    plain = b"".join(linguist.get("/search/export/?q=dogs&format=data.csv")).decode()
    assert "lemmas" not in plain


def test_the_api_gives_them_too(reader, corpus):
    (line,) = json.loads(reader.get("/api/search/?q=dogs&show=tags").content)["lines"]

    assert (line["left_tags"], line["node_tags"], line["right_tags"]) == ("DT", "NNS", "VBD RB .")
    assert "node_lemmas" not in line


def test_the_choice_goes_with_the_page_but_not_with_other_views(reader, corpus):
    page = unescape(markup(reader.get("/search/?q=dogs&show=tags")))

    assert '<option value="tags" selected>' in page
    assert "/search/frequency/?q=dogs&show" not in page
    assert "/search/export/?q=dogs&show=tags" in page
    wrong = markup(reader.get("/search/?q=dogs&show=cases"))
    assert "“cases” is nothing to show with words" in wrong
    assert "barked loudly." in wrong
