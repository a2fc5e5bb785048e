"""Help: every example has hits in the demo newspapers, every worked number is the page's own."""

import itertools
import re
import shlex
from datetime import UTC, datetime
from html import unescape
from math import log2
from urllib.parse import urlsplit

import pytest
from django.test import Client
from factories import NOW, index_all, make_article, make_comment, make_publication, make_user
from inline_code import inline_code
from pages import markup
from shown_numbers import number_of, total_at

from corpus_site.accounts.models import ApiToken
from corpus_site.accounts.tokens import make_token
from corpus_site.help_pages import examples, worked_sketch, worked_statistics
from corpus_site.help_pages.api_examples import api_examples
from corpus_site.help_pages.outcomes import MEANINGS
from corpus_site.newsstand.pieces import read_pieces
from feeds.crawler.outcomes import Outcome
from search.answers.answering import hits_of, selection_of
from search.asking.request import asked
from search.asking.written_query import WrittenQuery
from search.engine.annotation.tagset import TAGS, UNIVERSAL_TAGS
from search.engine.statistics.collocation.collocates import CollocateRequest, collocates

pytestmark = pytest.mark.django_db
LOOKS = 50
SOON = datetime(2999, 1, 1, tzinfo=UTC)

ALL_EXAMPLES = (
    *examples.FIRST_SEARCH,
    *(example for topic in (*examples.SIMPLE, *examples.CQL) for example in topic.examples),
)
ADDRESSES = [
    "/help/",
    "/help/queries/",
    "/help/statistics/",
    "/help/editors/",
    "/help/admins/",
    "/help/words/",
    "/help/api/",
]


@pytest.fixture
def demo():
    """The English demo paper as a corpus, and a second paper with one article."""
    paper = make_publication()
    articles = [
        make_article("\n".join(piece.paragraphs), paper)
        for piece in read_pieces("karoo-courier")
        if piece.paragraphs
    ]
    make_article("“The water is back,” the mayor said that evening.", make_publication("cape"))
    make_comment(articles[0], "They say that every year. I say wait.")
    index_all()


def test_every_example_has_hits_in_the_demo(demo):
    counted = list(examples.count_examples(ALL_EXAMPLES, patience=60))

    assert [row.example.q for row in counted if not row.n_hits] == []


def whole_help_of_queries(client):
    """Ask until all examples are counted: a busy machine needs more than one page's time."""
    pages = (client.get("/help/queries/").content.decode() for _ in range(LOOKS))
    return next(page for page in pages if "not counted" not in page)


def test_a_number_of_hits_is_that_of_the_search(linguist, demo):
    page = whole_help_of_queries(linguist)
    rows = re.findall(
        r'href="(/search/[^"]+)"><code>.*?data-k="Hits now">(.*?)</td>', page, re.DOTALL
    )

    assert len(rows) == len(ALL_EXAMPLES) - len(examples.FIRST_SEARCH)
    for address, shown in rows[::4]:
        assert total_at(linguist, unescape(address)) == number_of(shown), address


def test_what_takes_too_long_has_no_number(demo):
    counted = list(examples.count_examples(ALL_EXAMPLES, patience=0))

    assert {row.n_hits for row in counted} == {None}


def test_the_worked_measures_are_those_of_the_collocates_page(demo):
    worked = worked_statistics.worked_association()
    request = asked(WrittenQuery(worked_statistics.NODE))
    counted = collocates(
        hits_of(request), selection_of(request.texts), CollocateRequest(least=2, limit=1)
    )

    numbers = {letter: value for letter, _, value in worked.numbers}
    assert numbers["E11"] == pytest.approx(numbers["R1"] * numbers["C1"] / numbers["N"])
    assert f"“{counted.rows[0].value}”" in worked.words
    values = {row.measure.name: row.value for row in worked.measures}
    assert values == pytest.approx(counted.rows[0].scores)


def test_the_worked_sketch_is_made_of_its_numbers(demo):
    worked = worked_sketch.worked_sketch()
    joint, of_word, of_collocate = (value for _, _, value in worked.numbers)

    (row,) = worked.measures
    assert row.value == pytest.approx(14 + log2(2 * joint / (of_word + of_collocate)))


def test_keyness_and_dispersion_are_worked(demo):
    keyness, spread = worked_statistics.worked_keyness(), worked_statistics.worked_dispersion()

    numbers = {letter: value for letter, _, value in keyness.numbers}
    values = {row.measure.name: row.value for row in keyness.measures}
    rates = numbers["a"] / numbers["n"], numbers["b"] / numbers["m"]
    assert values["percent_difference"] == pytest.approx(100 * (rates[0] / rates[1] - 1))
    assert {row.measure.name: row.value for row in spread.measures}["part_range"] == 2


@pytest.mark.parametrize("address", ADDRESSES)
def test_a_help_page_is_whole_and_safe_on_an_empty_corpus(linguist, address):
    page = linguist.get(address)

    text = page.content.decode()
    assert page.status_code == 200
    assert text.count("<h1>") == 1
    assert 'aria-current="page">' in text
    assert inline_code(text) == []


def test_links_of_the_help_pages_lead_somewhere(editor, demo):
    for address in ADDRESSES:
        text = editor.get(address).content.decode()
        links = set(re.findall(r'href="(/[^"#]*)"', text))
        for link in sorted(link for link in links if not link.startswith(("/static/", "/admin/"))):
            assert editor.get(unescape(link)).status_code == 200, link


def test_every_outcome_and_tag_is_explained(linguist):
    assert set(MEANINGS) == set(Outcome)
    page = markup(linguist.get("/help/queries/"))
    assert [tag for tag in TAGS if f"<code>{tag}</code>" not in unescape(page)] == []
    assert [tag for tag in UNIVERSAL_TAGS if f"<code>{tag}</code>" not in page] == []


def test_every_command_of_the_api_page_is_answered(linguist, demo):
    """Each command is read as a shell reads it, and asked of the site without a session."""
    token = make_token(ApiToken(owner=make_user(), name="R", scope="export", expires_at=SOON), NOW)
    page = unescape(linguist.get("/help/api/").content.decode())
    commands = re.findall(r'<pre class="scroll"><code>(.*?)</code></pre>', page, re.DOTALL)

    asked = [shlex.split(command.replace("$TOKEN", token.text)) for command in commands]
    assert len(asked) == len(api_examples()) > 10
    for program, *words in asked:
        address = next(word for word in words if word.startswith("http://testserver/"))
        after = list(itertools.pairwise(words))
        name, _, value = next(b for a, b in after if a == "-H").partition(": ")
        given = dict(b.split("=", 1) for a, b in after if a == "--data-urlencode")
        response = Client().get(urlsplit(address).path, given, headers={name: value})
        assert (program, response.status_code) == ("curl", 200), address


def test_admins_are_told_how_a_query_is_run(linguist, demo):
    shown = linguist.get("/help/admins/", {"cql": '"rain" within ("the" "rain")'}).content.decode()

    assert "Postings &quot;rain&quot;, " in shown
    assert "Rarest token of a row &quot;" in shown


def test_query_that_cannot_be_run_is_told_why(linguist, demo):
    shown = linguist.get("/help/admins/", {"cql": '[pos="JJ'}).content.decode()

    assert "The quote opened here is never closed." in shown
