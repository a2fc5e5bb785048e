"""Paragraphs in other languages on the article page, with the vocabulary ratio beside."""

import pytest
from factories import make_article
from pages import has, texts, values, words

pytestmark = pytest.mark.django_db

ENGLISH = "The council said on Monday that the road would be mended."
ZULU = "Umkhandlu uthe ngoMsombuluko umgwaqo uzolungiswa ngaphambi kobusika."


def page_of(reader, **changes):
    article = make_article(f"{ENGLISH}\n{ZULU}\n{ENGLISH}", **changes)
    return reader.get(f"/articles/{article.pk}/")


def test_a_paragraph_in_another_language_is_named_and_marked(reader):
    start = len(ENGLISH) + 1

    page = page_of(reader, other_languages=[[start, start + len(ZULU), "zu"]])

    assert texts(page, 'p.in-language[lang="en"]') == ["In isiZulu"]
    assert values(page, "p.paragraph", "lang") == [None, "zu", None]
    assert "1 paragraph in isiZulu" in words(page)


def test_what_is_none_of_the_official_languages_is_said_so(reader):
    page = page_of(reader, other_languages=[[0, len(ENGLISH), "und"]])

    assert has(page, 'p.paragraph[lang="und"]')
    assert "1 paragraph in another language" in words(page)


def test_an_article_in_one_language_names_no_other(reader):
    page = page_of(reader)

    assert "in-language" not in words(page)
    assert "other language" not in words(page)


def test_both_figures_of_the_vocabulary_test_are_shown(reader):
    page = page_of(reader, unknown_share=0.31, running_unknown_share=0.12)

    assert (
        "31 % of its distinct words, 12 % of its running words are not in the English word list"
    ) in words(page)


@pytest.mark.parametrize(("language", "is_told"), [("en", True), ("af", False), ("zu", False)])
def test_the_head_tells_of_the_english_word_list_under_english_texts_only(
    reader, language, is_told
):
    page = page_of(reader, language=language, unknown_share=0.96, running_unknown_share=0.9)

    assert ("96 % of its words not in the English word list" in words(page)) is is_told
    assert "96 % of its distinct words, 90 % of its running words are not" in words(page)


@pytest.mark.parametrize(
    ("share", "opinion"),
    [
        (0.07, "English by that test"),
        (0.66, "that test is unsure"),
        (0.96, "not English by that test"),
    ],
)
def test_the_second_opinion_is_said_in_words(reader, share, opinion):
    page = page_of(reader, language="af", unknown_share=share, running_unknown_share=share)

    assert f"; a second opinion: {opinion} (" in words(page)
