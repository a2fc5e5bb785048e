"""Keyness: numbers equal to the hits they open on both sides, stretches, floors, states, export."""

import json
from datetime import timedelta
from html import unescape
from urllib.parse import parse_qs, urlsplit

import pytest
from factories import NOW, index_all, make_article, make_comment, make_publication
from pages import markup
from shown_numbers import assert_numbers_open_their_hits

from feeds.models import Publication
from feeds.sources.tags import add_tags

pytestmark = pytest.mark.django_db
CAPE = "pub=cape-meridian"
OTHERS = "ref=pub%3D-cape-meridian"


@pytest.fixture
def corpus():
    """Cape writes of the sea, Karoo of the veld; comments of a braai; days forty days apart."""
    cape = make_publication("cape-meridian", name="Cape Meridian")
    for number in range(6):
        day = NOW - timedelta(days=8 * number)
        article = make_article(f"The veld is dry, and the veld is wide. {number}.", dated_at=day)
        make_article(f"The sea is cold, says Kosie. The sea is here. {number}.", cape, dated_at=day)
        make_comment(article, "We braai the fish in the rain.", posted_at=day)
    index_all()
    return cape


def see(client, query):
    return client.get(f"/search/keyness/?{query}")


def record_of(client, query):
    return json.loads(see(client, f"{query}&export=json").content)


def rows_of(client, query):
    return {row["form"]: row for row in record_of(client, query)["tables"][0]["rows"]}


@pytest.mark.parametrize(
    "query",
    [
        f"{CAPE}&{OTHERS}&error=1&min=1",
        f"{CAPE}&{OTHERS}&side=there&error=1&measure=logratio",
        f"{CAPE}&{OTHERS}&side=only&by=lemma&measure=diff",
        "in=comments&ref=in%3Darticles&error=1&by=pos&measure=ll",
        "from=2026-11-19&ref=from%3D2026-09-22%26to%3D2026-11-18&error=1&min=1&texts=1&by=word",
        "only=pub:cape-meridian&ref=only%3Dpub:karoo-courier&error=1&by=lemma%2Bpos",
        f"q=sea&near=cold&one=text&{CAPE}&{OTHERS}&error=1",
    ],
)
def test_every_number_opens_exactly_its_hits_on_either_side(reader, corpus, query):
    response = see(reader, query)

    assert response.status_code == 200
    assert_numbers_open_their_hits(reader, markup(response), least=1)


def test_key_words_are_those_of_the_stretch(reader, corpus):
    rows = rows_of(reader, f"{CAPE}&{OTHERS}")

    assert next(iter(rows)) == "sea"
    assert (rows["sea"]["hits"], rows["sea"]["hits_there"]) == (12, 0)
    assert rows["sea"]["score"] == pytest.approx(rows["sea"]["rate"] + 1)
    assert "the" not in rows
    assert set(rows_of(reader, f"{CAPE}&{OTHERS}&side=there")) == {"veld", "dry", "wide", "and"}


def test_sides_keep_their_columns(reader, corpus):
    row = rows_of(reader, f"{CAPE}&{OTHERS}&side=there")["veld"]

    assert (row["hits"], row["hits_there"], row["texts_there"]) == (0, 12, 6)
    assert row["score"] == pytest.approx(row["rate_there"] + 1)


@pytest.mark.parametrize(
    ("side", "form", "words"), [("here", "sea", "sea"), ("there", "veld", "veld")]
)
def test_example_lines_are_of_the_stretch_that_has_more(reader, corpus, side, form, words):
    rows = rows_of(reader, f"{CAPE}&{OTHERS}&side={side}&examples=1")

    assert f"The {words} is" in rows[form]["example"]
    assert "example" not in rows_of(reader, f"{CAPE}&{OTHERS}&side={side}")[form]


def test_names_and_function_words_can_be_hidden(reader, corpus):
    rows = rows_of(reader, f"{CAPE}&{OTHERS}&error=1&nonames=1&stop=1")

    assert "kosie" in rows_of(reader, f"{CAPE}&{OTHERS}&error=1")
    assert "kosie" not in rows
    assert "sea" in rows


def test_floors_leave_words_out(reader, corpus):
    assert rows_of(reader, f"{CAPE}&{OTHERS}&texts=7") == {}
    assert rows_of(reader, f"{CAPE}&{OTHERS}&pubs=2") == {}
    page = markup(see(reader, f"{CAPE}&{OTHERS}&pubs=2"))
    assert "No key words" in page
    assert "error=1" in page  # the way out: without the test


def test_overlapping_stretches_are_warned_about(reader, corpus):
    page = markup(see(reader, f"{CAPE}&ref=in%3Darticles"))

    assert "The two stretches overlap: 6\u202ftexts" in page.replace("6 texts", "6\u202ftexts")
    assert "overlap:" not in markup(see(reader, f"{CAPE}&{OTHERS}"))


def test_both_bases_stand_above_the_table_and_in_the_export(reader, corpus):
    page = markup(see(reader, f"{CAPE}&{OTHERS}"))
    about = record_of(reader, f"{CAPE}&{OTHERS}")["about"]

    assert "articles of Cape Meridian" in page
    assert "articles without Cape Meridian" in page
    assert about["reference"].endswith(
        "in 6 texts, articles without Cape Meridian, copies counted once"
    )
    assert about["texts in both"] == "0"


def test_without_a_second_stretch_presets_are_offered(reader, corpus):
    page = markup(see(reader, "from=2026-11-01"))

    for label in ("since yesterday / the 30 days before", "Cape Meridian / all others",
                  "comments / articles", "since 1 Nov 2026 / before"):  # fmt: skip
        assert label in page
    assert "<table" not in page


def test_presets_open_comparisons(reader, corpus):
    page = markup(see(reader, CAPE))
    before = page.split(">comments / articles</a>")[0]
    address = unescape(before.rsplit('href="', 1)[1].split('"')[0])

    parameters = parse_qs(urlsplit(address).query)

    assert parameters["in"] == ["comments"]
    assert parameters["ref"] == ["pub=cape-meridian"]
    assert reader.get(address).status_code == 200


def test_tags_of_publications_are_sides(reader, corpus):
    karoo = Publication.objects.exclude(pk=corpus.pk).get()
    add_tags({corpus.pk: ["coast"], karoo.pk: ["inland"]})

    offered = see(reader, "from=2026-01-01").context["presets"]
    chosen = see(reader, "tag=coast").context["presets"]
    by_label = {preset.label: preset.address for preset in chosen}
    page = see(reader, by_label["coast / inland"].partition("?")[2])

    labels = {preset.label for preset in offered}
    assert {"coast / all without it", "inland / all without it", "coast / inland"} <= labels
    assert "sea" in markup(page).partition("<table")[2]
    assert reader.get(by_label["coast / all without it"]).status_code == 200


def test_the_form_of_the_second_stretch_becomes_one_parameter(reader, corpus):
    response = see(reader, "ref_in=comments&ref_pub=cape-meridian&ref_from=&by=lemma")

    assert response.status_code == 302
    assert parse_qs(urlsplit(response["Location"]).query) == {
        "by": ["lemma"], "ref": ["in=comments&pub=cape-meridian"],
    }  # fmt: skip


def test_a_form_left_as_it_is_compares_with_all_articles(reader, corpus):
    response = see(reader, "ref_in=articles&ref_copies=once")

    assert parse_qs(urlsplit(response["Location"]).query) == {"ref": ["in=articles"]}


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ("ref=from%3Dx", "Compared with: From: “x” is no date"),
        ("ref=in%3Darticles&measure=x", "“x” is not among"),
        ("ref=only%3Dquarter:1", "Parts of texts are no base for this view."),
        ("ref=pub%3Dnowhere", "is no publication"),
        ("ref=in%3Darticles&smooth=0", "“0” is not a whole number from 1"),
    ],
)
def test_wrong_values_are_answered_with_a_sentence(reader, corpus, query, sentence):
    response = see(reader, query)

    assert response.status_code == 400
    assert sentence in markup(response)
    assert "<legend>There</legend>" in markup(response)


def test_an_empty_second_stretch_says_so(reader, corpus):
    page = markup(see(reader, "ref=from%3D2020%26to%3D2020"))

    assert "Nothing to compare with" in page
    assert "key items" not in page


def test_the_picture_links_each_word(reader, corpus):
    page = markup(see(reader, f"{CAPE}&{OTHERS}"))
    picture = page.split('class="second-view"')[1].split("</details>")[0]

    assert picture.count('<circle class="pt"') == len(rows_of(reader, f"{CAPE}&{OTHERS}"))
    assert "per million there" in picture


def test_numbers_of_an_older_generation_stay(reader, corpus):
    before = rows_of(reader, f"{CAPE}&{OTHERS}&asof=1")
    make_article("The sea, the sea, the sea.", corpus)
    index_all(NOW + timedelta(minutes=5))

    assert rows_of(reader, f"{CAPE}&{OTHERS}&asof=1") == before
    assert rows_of(reader, f"{CAPE}&{OTHERS}") != before
    page = markup(see(reader, f"{CAPE}&{OTHERS}&asof=1"))
    assert_numbers_open_their_hits(reader, page, least=1)


def test_the_form_keeps_a_side_that_is_not_the_usual_one(reader, corpus):
    kept = '<input type="hidden" name="side" value="there">'

    assert kept in markup(reader.get("/search/keyness/?side=there"))
    assert 'name="side"' not in markup(reader.get("/search/keyness/"))
