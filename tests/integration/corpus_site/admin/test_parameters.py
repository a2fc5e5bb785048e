"""Parameters: changed while everything runs, with reason and history, and put back."""

import pytest
from factories import NOW, make_publication, make_user
from pages import markup, parsed

from feeds.acts import Act
from feeds.models import ParameterChange
from feeds.network import min_delay_seconds
from feeds.parameters import values
from feeds.parameters.crawling import CRAWLING
from feeds.parameters.parameter import ParameterRefusedError

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.sql]

DELAY = CRAWLING[0]
PAGE = "/settings/parameters/"


@pytest.fixture
def word():
    return Act(make_user("admin").pk, NOW, "the hosts are slow")


def test_a_changed_value_holds_and_the_settings_hold_again(word, settings):
    settings.CRAWL_MIN_DELAY_SECONDS = 5.0
    publication = make_publication()

    values.change(DELAY, 7.5, word)
    changed = min_delay_seconds(publication)
    values.change(DELAY, None, word)

    assert (changed, min_delay_seconds(publication)) == (7.5, 5.0)


def test_every_change_is_kept_and_the_last_one_holds(word, settings):
    settings.CRAWL_MIN_DELAY_SECONDS = 5.0
    for wanted in (7.0, 8.0, 8.0, None):
        values.change(DELAY, wanted, word)

    rows = ParameterChange.objects.order_by("pk").values_list("before", "value", "is_latest")
    assert list(rows) == [(5.0, 7.0, False), (7.0, 8.0, False), (8.0, None, True)]


def test_a_large_value_is_offered_as_it_is_typed(client):
    client.force_login(make_user("admin"))

    assert 'value="10000000"' in markup(client.get(PAGE))


def test_another_process_reads_the_change_in_time(word):
    values.change(DELAY, 9.0, word)
    values.hold(read_at=-values.READ_EVERY_SECONDS)
    before = values.value(DELAY.name)
    values.refresh()

    assert (before == 9.0, values.value(DELAY.name)) == (False, 9.0)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("soon", "Give a number."),
        ("-1", "Give a number from 0 to 600."),
        ("nan", "Give a number from 0 to 600."),
        ("1e9", "Give a number from 0 to 600."),
    ],
)
def test_a_wrong_value_is_refused(text, said):
    with pytest.raises(ParameterRefusedError, match=said):
        DELAY.read(text)


@pytest.mark.parametrize(("text", "number"), [("7", 7.0), ("7,5", 7.5), (" 60 ", 60.0)])
def test_numbers_are_read_as_people_write_them(text, number):
    assert DELAY.read(text) == number


def test_an_admin_changes_one_on_the_page_and_puts_it_back(browse, settings):
    settings.CRAWL_MIN_DELAY_SECONDS = 5.0
    admin = browse("admin")
    address = f"{PAGE}{DELAY.name}/"

    admin.post(address, {"value": "7.5", "reason": "slow hosts"})
    shown = markup(admin.get(PAGE))
    admin.post(address, {"reset": "1", "reason": "they are quick again"})
    row = parsed(admin.get(PAGE)).xpath(f"//tr[@id='{DELAY.name}']")[0]

    assert "slow hosts" in shown
    assert row.xpath("string(td[2]/b)") == "5.0"
    assert ParameterChange.objects.count() == 2


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"value": "7.5"}, {"reason": "Say why: it is kept with the change."}),
        ({"value": "soon", "reason": "x"}, {"value": "Give a number."}),
        (
            {"value": "soon"},
            {"value": "Give a number.", "reason": "Say why: it is kept with the change."},
        ),
    ],
)
def test_what_is_refused_stays_in_the_form_with_what_is_wrong_at_its_field(browse, given, said):
    answer = browse("admin").post(f"{PAGE}{DELAY.name}/", given)

    row = parsed(answer).xpath(f"//tr[@id='{DELAY.name}']")[0]
    assert answer.status_code == 400
    assert {
        field.xpath("string(input/@name)"): field.xpath("string(p)").strip()
        for field in row.cssselect(".field.wrong")
    } == said
    assert row.xpath("string(.//input[@name='value']/@value)") == given["value"]
    assert not ParameterChange.objects.exists()


def test_editors_see_them_and_change_nothing(browse):
    editor = browse("editor")

    page = parsed(editor.get(PAGE))
    assert "Least pause between two requests" in page.xpath("string(//main)")
    assert page.xpath("//main//form") == []
    assert editor.post(f"{PAGE}{DELAY.name}/", {"value": "1", "reason": "x"}).status_code == 403
    assert browse("linguist").get(PAGE).status_code == 403


def test_every_parameter_has_a_default_within_its_limits():
    for parameter in CRAWLING:
        assert parameter.least <= parameter.default <= parameter.most
        assert parameter.read(f"{parameter.default:g}") == parameter.default
