"""Settings of a publication: what is taken into the corpus, and whose name and home it has."""

import pytest
from factories import make_publication

from feeds.forms import PublicationForm

pytestmark = pytest.mark.django_db


@pytest.fixture
def publication():
    make_publication("daily-dune")
    return make_publication(min_characters=300, taken_kinds=["video"])


def form_of(publication, **changes):
    values = {
        name: value or "" for name, value in PublicationForm(instance=publication).initial.items()
    }
    return PublicationForm(values | changes, instance=publication)


def test_terms_of_the_corpus_are_kept(publication):
    form = form_of(publication, min_characters="120", taken_kinds=["gallery", "twin"])

    assert form.is_valid(), form.errors
    form.save()
    publication.refresh_from_db()
    assert (publication.min_characters, publication.taken_kinds) == (120, ["gallery", "twin"])


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"min_characters": "-1"}, "greater than or equal to 0"),
        ({"min_characters": "900000"}, "no article is left"),
        ({"taken_kinds": ["poem"]}, "poem is not one of"),
        ({"name": " daily  DUNE "}, "has this name already"),
        ({"home_url": "http://www.daily-dune.example"}, "already has this home page"),
        ({"home_url": "http://"}, "valid URL"),
    ],
)
def test_what_cannot_be_is_refused(changes, sentence, publication):
    form = form_of(publication, **changes)

    assert sentence in str(form.errors)


def test_name_and_home_page_may_stay_as_they_are(publication):
    assert form_of(publication).is_valid()


def test_no_length_given_is_the_usual_one(publication):
    form = form_of(publication, min_characters="")

    assert form.is_valid()
    assert form.save().min_characters == 500


def test_the_page_offers_the_terms(editor, publication):
    page = editor.get(f"/sources/{publication.slug}/settings/").content.decode()

    assert 'name="min_characters" value="300"' in page
    assert page.count('name="taken_kinds"') == 3
