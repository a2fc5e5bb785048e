"""Each filter of the pages is one of the command, of the API and of the form beside the lines."""

from django.template.loader import get_template

from corpus_site.api import parameters as api
from corpus_site.api.statistics import STATISTICS
from search.asking.parameters import FILTERS, OF_HITS
from search.forms import BrowseForm
from search.management.commands.search import ASKED, Command

OF_PAGES = {*FILTERS, *OF_HITS}
# The kind of text and the subcorpus stand in the line of the query.
FORMS = ("search/_filters.html", "search/_hit_filters.html", "search/_query.html")


def test_the_command_offers_them():
    parser = Command().create_parser("manage.py", "search")
    offered = {
        option.removeprefix("--") for action in parser._actions for option in action.option_strings
    }

    assert set(ASKED) >= OF_PAGES
    assert offered >= OF_PAGES | {"case", "asof", "subcorpus"}


def test_the_api_offers_them():
    lists = {
        "search": api.of_search(),
        "export": api.of_export(),
        "manifest": api.of_manifest(),
        **{
            name: api.of_statistic(one.spec.parameters, one.needs)
            for name, one in STATISTICS.items()
        },
    }

    for name, parameters in lists.items():
        assert (name, OF_PAGES - {one.name for one in parameters}) == (name, set())


def test_the_list_of_articles_offers_its_filters_in_the_api():
    assert {one.name for one in api.OF_ARTICLES} >= set(BrowseForm.base_fields)


def test_the_form_has_a_control_for_each():
    sources = "".join(get_template(name).template.source for name in FORMS)

    assert {name for name in OF_PAGES if f'{name}"' not in sources} == set()
