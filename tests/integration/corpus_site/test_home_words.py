"""Home: new words and words more frequent than usual, as the pages behind them count them."""

from datetime import timedelta
from html import unescape

import pytest
from django.utils import timezone
from factories import index_all, make_article, make_publication
from pages import markup
from shown_numbers import number_of, total_at

pytestmark = pytest.mark.django_db
PART = "/part/words-today/"


def part_of(client):
    return markup(client.get(PART, headers={"HX-Request": "true"}))


@pytest.fixture
def corpus():
    cape = make_publication("cape-meridian", name="Cape Meridian")
    now = timezone.now()
    for number in range(12):
        old = now - timedelta(days=5 + number)
        make_article(f"The dam is full and the town is quiet. {number}.", dated_at=old)
    for number in range(6):
        make_article(f"The loadshedding of the dam, loadshedding again. {number}.", dated_at=now)
    make_article("Loadshedding and snoekonomics.", cape, dated_at=now)
    make_article("Snoekonomics of the dam.", dated_at=now)
    index_all(now)


def test_home_asks_for_the_words_after_it_has_been_shown(linguist, corpus):
    page = markup(linguist.get("/"))

    assert f'hx-get="{PART}" hx-trigger="load"' in page
    assert "New words today" in page
    assert 'href="/words/new/"' in page


def test_new_words_are_those_of_their_page(linguist, corpus):
    part = part_of(linguist)

    assert '<a class="w" href="/words/snoekonomics/">snoekonomics</a>' in part
    assert "2\u202fpublications, first seen" in part.replace(
        "2 publications", "2\u202fpublications"
    )
    page = markup(linguist.get("/words/new/"))
    assert "<strong>2</strong> new words" in page
    assert "All 2" in part


def test_words_more_frequent_than_usual_open_exactly_their_hits(linguist, corpus):
    part = part_of(linguist)
    row = part.split("More than usual")[1].split("<tbody>")[1].split("</tr>")[0]
    address = unescape(row.split('href="')[1].split('"')[0])
    hits = number_of(row.split('<td class="num">')[1].split("<")[0])

    assert ">loadshedding</a>" in row
    assert total_at(linguist, address) == hits == 13


def test_the_keyness_page_shows_the_same_words(linguist, corpus):
    part = part_of(linguist)
    before = part.split(">Keyness</a>")[0]
    address = unescape(before.rsplit('href="', 1)[1].split('"')[0])

    page = markup(linguist.get(address))

    assert "loadshedding" in page
    assert "The two stretches overlap" not in page


def test_nothing_new_is_said_in_words(linguist):
    make_article("The dam.", dated_at=timezone.now() - timedelta(days=3))
    index_all()

    part = part_of(linguist)

    assert "None yet in two publications." in part
    assert "No word stands out." in part


def test_the_part_alone_leads_to_home(linguist):
    response = linguist.get(PART)

    assert response.status_code == 400
    assert 'href="/"' in markup(response)
