import pytest

from feeds.forms import PublicationForm
from feeds.models import Publication

pytestmark = pytest.mark.django_db

VALUES = {"name": "Herald", "home_url": "https://herald.example/"}


@pytest.mark.parametrize("zone", ["", "Africa/Johannesburg", "Asia/Kathmandu"])
def test_zone_of_a_publication_is_one_of_the_database(zone):
    assert PublicationForm(VALUES | {"time_zone": zone}).errors == {}


def test_unknown_zone_is_refused_with_the_reason():
    form = PublicationForm(VALUES | {"time_zone": "GMT+2 or so"})

    assert form.errors == {
        "time_zone": ["“GMT+2 or so” is no zone of the IANA database, such as Africa/Johannesburg."]
    }


@pytest.mark.parametrize(
    ("given", "stored"), [("", ""), ("en", "en"), (" EN,af , nso,en,", "en, af, nso")]
)
def test_expected_languages_are_codes_with_commas(given, stored):
    form = PublicationForm(VALUES | {"expected_languages": given})

    assert form.errors == {}
    assert form.cleaned_data["expected_languages"] == stored


def test_a_language_without_a_code_is_refused():
    form = PublicationForm(VALUES | {"expected_languages": "en, isiZulu"})

    assert form.errors == {
        "expected_languages": ["“isizulu” is no code of a language, such as en or nso."]
    }


@pytest.mark.parametrize(
    ("expected", "declared", "prior"),
    [("", "", ()), ("", "af-ZA", ("af",)), ("", "en_GB", ("en",)), ("zu, en", "af", ("zu", "en"))],
)
def test_the_declared_language_is_expected_while_no_editor_says_otherwise(
    expected, declared, prior
):
    publication = Publication(expected_languages=expected, language=declared)

    assert publication.prior_languages == prior
