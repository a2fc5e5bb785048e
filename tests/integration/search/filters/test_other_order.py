"""Two ways to one paper: copies counted before or after it is chosen, said on both pages."""

from datetime import timedelta
from html import unescape
from urllib.parse import urlencode

import pytest
from factories import NOW, index_all, make_article, make_publication
from pages import markup

from dedup.models import Detection
from search.asking.form import form_at
from search.views.concordance.other_order import other_order

pytestmark = pytest.mark.django_db


@pytest.fixture
def corpus():
    """Cape brings two texts that Karoo had first, and one of its own; Karoo has one more."""
    cape = make_publication("cape-meridian", name="Cape Meridian")
    for number in range(2):
        text = f"They braai at dam {number}."
        original = make_article(text, dated_at=NOW - timedelta(days=1))
        copy = make_article(text, cape)
        Detection.objects.filter(article=copy).update(original=original)
    make_article("They braai snoek and braai yellowtail.", cape)
    make_article("They braai wors.", section="Food")
    index_all()


def see(client, **asked):
    return client.get("/search/", {"q": "braai"} | asked)


def hits(client, address):
    return client.get(address).context["page"].total


@pytest.mark.parametrize(
    ("asked", "n_hits", "n_other", "other"),
    [
        ({"only": "pub:cape-meridian"}, 2, 4, {"pub": "cape-meridian"}),
        ({"pub": "cape-meridian"}, 4, 2, {"only": "pub:cape-meridian"}),
        ({"only": "-pub:karoo-courier"}, 2, 4, {"pub": "-karoo-courier"}),
        ({"pub": "-karoo-courier"}, 4, 2, {"only": "-pub:karoo-courier"}),
        ({"only": "days:2026-11-20..2026-11-20"}, 3, 5, {"from": "2026-11-20", "to": "2026-11-20"}),
    ],
)
def test_each_way_to_a_paper_names_the_other_with_its_hits(
    reader, corpus, asked, n_hits, n_other, other
):
    page = see(reader, **asked)
    turned = page.context["other_order"]

    assert page.context["page"].total == n_hits
    assert (turned.n_hits, turned.n_texts) == (n_other, 2)
    assert turned.address == f"/search/?{urlencode({'q': 'braai'} | other, safe=':')}"
    assert hits(reader, turned.address) == n_other
    assert turned.address in unescape(markup(page))


@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"pub": "karoo-courier"},  # its texts are the originals
        {"only": "pub:karoo-courier"},
        {"pub": "cape-meridian", "copies": "all"},
        {"pub": "cape-meridian", "copies": "originals"},
        {"only": "quarter:1"},
        {"only": "sec:Food"},
        {"pub": ["karoo-courier", "cape-meridian"]},
    ],
)
def test_where_both_ways_come_to_the_same_nothing_is_said(reader, corpus, asked):
    assert see(reader, **asked).context["other_order"] is None


@pytest.mark.parametrize(
    "asked",
    ["pub=cape-meridian&only=pub:karoo-courier", "only=pub:cape-meridian&only=quarter:1"],
)
def test_a_choice_that_has_no_other_order_is_left_alone(corpus, asked):
    assert other_order(form_at(f"q=braai&{asked}", None)) is None


def test_a_paper_and_all_others_part_the_corpus_in_keyness(reader, corpus):
    presets = reader.get("/search/keyness/").context["presets"]
    address = next(one.address for one in presets if one.label == "Cape Meridian / all others")
    page = reader.get(address)
    whole = reader.get("/search/", {"q": "braai"}).context["page"]

    here, there = page.context["base"], page.context["there_base"]
    assert here.n_documents + there.n_documents == whole.base_texts == 4
    assert here.n_tokens + there.n_tokens == whole.base_tokens
    assert "copies of one another" not in markup(page)


def test_texts_that_stand_on_both_sides_of_keyness_are_told(reader, corpus):
    page = reader.get("/search/keyness/?pub=cape-meridian&ref=pub%3D-cape-meridian")

    assert page.context["found"].shared_copies == 2
    assert "texts stand on both sides as copies of one another" in markup(page)
