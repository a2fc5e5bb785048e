"""Languages of a publication's articles, and what an editor expects of the next."""

import pytest
from factories import make_article, make_publication, make_user
from pages import links, texts, words

from feeds.models import Publication

pytestmark = pytest.mark.django_db


@pytest.fixture
def mixed():
    publication = make_publication("mixed-paper")
    for language, n in {"en": 15, "zu": 4, "und": 2, "af": 1}.items():
        for number in range(n):
            make_article(f"{language} {number}", publication, language=language)
    return publication


def page_of(client, role, publication):
    client.force_login(make_user(role))
    return client.get(f"/sources/{publication.slug}/")


def test_shares_of_its_articles_open_these_articles(client, mixed):
    page = page_of(client, "linguist", mixed)

    shown = [link for link, address in links(page) if address.endswith("pub=mixed-paper&lang=zu")]
    assert shown[0].startswith("isiZulu 18")
    opened = client.get("/articles/?pub=mixed-paper&lang=zu")
    assert len(texts(opened, "tr[data-row]")) == 4
    assert "none is expected more than others" in words(page)
    assert "Expect these" not in words(page)


def test_an_editor_takes_the_suggestion_and_it_is_no_longer_made(client, mixed):
    assert "Its articles suggest to expect en, zu." in words(page_of(client, "editor", mixed))

    answer = client.post(
        f"/sources/{mixed.slug}/languages/", {"expected_languages": "en, zu"}, follow=True
    )

    assert Publication.objects.get(pk=mixed.pk).prior_languages == ("en", "zu")
    page = answer
    assert "expected: en, zu" in words(page)
    assert "Expect these" not in words(page)


def test_few_articles_suggest_nothing(client):
    publication = make_publication("new-paper")
    make_article("Eish.", publication)

    assert "Expect these" not in page_of(client, "editor", publication)


def test_wrong_codes_change_nothing_and_are_named(client, mixed):
    client.force_login(make_user("editor"))

    answer = client.post(
        f"/sources/{mixed.slug}/languages/", {"expected_languages": "english"}, follow=True
    )

    assert "“english” is no code of a language" in answer.content.decode()
    assert Publication.objects.get(pk=mixed.pk).expected_languages == ""


def test_only_editors_change_what_is_expected(client, mixed):
    client.force_login(make_user("linguist"))

    answer = client.post(f"/sources/{mixed.slug}/languages/", {"expected_languages": "zu"})

    assert answer.status_code == 403
    assert client.get(f"/sources/{mixed.slug}/languages/").status_code in {403, 405}
