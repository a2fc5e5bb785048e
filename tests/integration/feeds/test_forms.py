import pytest

from feeds.forms import PublicationForm

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
