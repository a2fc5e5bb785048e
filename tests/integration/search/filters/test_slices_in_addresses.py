"""The parameter `only`: slices of the corpus on the concordance page."""

from datetime import timedelta

import pytest
from factories import NOW, index_all, make_article, make_publication
from pages import markup

pytestmark = pytest.mark.django_db


@pytest.fixture
def corpus():
    cape = make_publication("cape-meridian", name="Cape Meridian")
    make_article(
        "We braai on Saturday. The braai was cold.", section="", dated_at=NOW - timedelta(days=40)
    )
    make_article("They braai snoek.", cape, dated_at=NOW, section="Food")
    index_all()


@pytest.mark.parametrize(
    ("only", "n_hits", "chip"),
    [
        ("pub:cape-meridian", 1, "Only <b>Cape Meridian</b>"),
        ("sec:Food", 1, "Only <b>section “Food”</b>"),
        ("sec:", 2, "Only <b>no section given</b>"),
        ("kind:article", 3, "Only <b>articles</b>"),
        ("quarter:1", 1, "Only <b>first quarter of each text</b>"),
        ("text:c1", 0, "Only <b>comment 1</b>"),
    ],
)
def test_a_slice_narrows_the_hits_and_has_a_chip(reader, corpus, only, n_hits, chip):
    page = markup(reader.get("/search/", {"q": "braai", "only": only}))

    assert f"<strong>{n_hits}</strong> hit" in page
    assert chip in page
    assert f'<input type="hidden" name="only" value="{only}">' in page


def test_slices_are_cut_one_behind_the_other(reader, corpus):
    page = markup(reader.get("/search/", {"q": "braai", "only": ["sec:", "quarter:1"]}))

    assert "only first quarter of each text; only no section given." in page
    assert "<strong>1</strong> hit" in page


def test_a_wrong_slice_is_refused(reader, corpus):
    response = reader.get("/search/", {"q": "braai", "only": "hour:25"})

    assert response.status_code == 400
    assert "“25” is no hour: 0 to 23." in markup(response)


def test_a_slice_is_cut_from_the_hits_kept_of_each_text(reader, corpus):
    asked = {"q": "braai", "one": "text"}

    kept = markup(reader.get("/search/", asked))
    second = markup(reader.get("/search/", asked | {"only": "r1.word:was"}))

    assert "<strong>2</strong> hits" in kept
    assert "<strong>0</strong> hits" in second


@pytest.mark.parametrize(
    ("only", "n_hits"),
    [
        ("block:heading", 1), ("block:quote", 2), ("block:caption", 1), ("block:running", 4),
        ("block:paragraph", 1), ("", 5),
    ],
)  # fmt: skip
def test_headings_quotes_and_captions_are_searched_apart(reader, only, n_hits):
    text = "A braai\nThe braai was cold.\nBraai? “We braai.”"
    blocks = [["heading", 0, 7], ["caption", 47, 59], ["paragraph", 8, 27], ["quote", 28, 46]]
    article = make_article(text, captions="At the braai", blocks=blocks)
    assert article.whole_text[47:59] == "At the braai"
    index_all()

    page = markup(reader.get("/search/", {"q": "braai", "only": only}))

    assert f"<strong>{n_hits}</strong> hit" in page
    if only:
        assert f'<option value="{only}" selected>' in page


def test_a_hit_in_a_caption_is_marked_where_the_caption_stands(reader):
    blocks = [["caption", 10, 22], ["paragraph", 0, 9]]
    article = make_article("Cold maas", captions="At the braai", blocks=blocks)
    index_all()

    page = markup(reader.get(f"/articles/{article.pk}/", {"q": "braai"}))

    assert 'At the <b class="hit"' in page
    assert page.index("At the <b") < page.index("Cold maas")
