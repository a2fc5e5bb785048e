"""`/help/`: a first search, the query language, statistics, pages for editors, admins and programs.

Examples of queries are links with their hits in this corpus; measures are worked with its numbers.
"""

from collections.abc import Mapping

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from corpus_site.api.operations import OPERATIONS
from corpus_site.help_pages import examples, worked_agreement, worked_sketch, worked_statistics
from corpus_site.help_pages.api_examples import (
    PYTHON_RECIPE,
    R_RECIPE,
    RECOUNT_RECIPE,
    api_examples,
)
from corpus_site.help_pages.outcomes import MEANINGS
from corpus_site.messaging.chats import SERVICES
from corpus_site.messaging.webhooks import EXAMPLE
from search.asking.written_query import WrittenQuery
from search.engine.annotation.tagset import TAGS, UNIVERSAL_TAGS
from search.engine.given.columns import NAMES
from search.engine.query.errors import QueryError
from search.engine.query.language.parser import Language
from search.engine.query.language.simple import PARTS_OF_SPEECH
from search.engine.query.run import explain
from search.opened_index import current_snapshot

# Word in the list of pages and name of the address.
PAGES = (
    ("First search", "help"),
    ("Query language", "help-queries"),
    ("Statistics", "help-statistics"),
    ("Own texts", "help-texts"),
    ("For editors", "help-editors"),
    ("For admins", "help-admins"),
    ("Messages", "help-messages"),
    ("Words and states", "help-words"),
    ("API", "help-api"),
)


@require_safe
def first_search(request: HttpRequest) -> HttpResponse:
    steps = list(examples.count_examples(examples.FIRST_SEARCH))
    return _page(request, "help", {"steps": steps})


@require_safe
def queries(request: HttpRequest) -> HttpResponse:
    context = {
        "simple": examples.count(examples.SIMPLE),
        "cql": examples.count(examples.CQL),
        "tags": TAGS,
        "universal_tags": UNIVERSAL_TAGS,
        "classes": PARTS_OF_SPEECH,
    }
    return _page(request, "help-queries", context)


@require_safe
def statistics(request: HttpRequest) -> HttpResponse:
    context = {
        "association": worked_statistics.worked_association(),
        "keyness": worked_statistics.worked_keyness(),
        "dispersion": worked_statistics.worked_dispersion(),
        "sketch": worked_sketch.worked_sketch(),
        "agreement": worked_agreement.worked_agreement(),
    }
    return _page(request, "help-statistics", context)


@require_safe
def texts(request: HttpRequest) -> HttpResponse:
    columns = [(field, ", ".join(words.split())) for field, words in NAMES.items()]
    return _page(request, "help-texts", {"columns": columns})


@require_safe
def editors(request: HttpRequest) -> HttpResponse:
    return _page(request, "help-editors", {})


@require_safe
def admins(request: HttpRequest) -> HttpResponse:
    text = request.GET.get("cql", "").strip()
    context: dict[str, object] = {"cql": text}
    if text:
        try:
            query = WrittenQuery(text, Language.CQL).parse()
            context["ways"] = explain(current_snapshot(), query)
        except QueryError as error:
            context["error"] = error.message
    return _page(request, "help-admins", context)


@require_safe
def messages(request: HttpRequest) -> HttpResponse:
    context = {"services": ", ".join(dict.fromkeys(SERVICES.values())), "webhook": EXAMPLE}
    return _page(request, "help-messages", context)


@require_safe
def words(request: HttpRequest) -> HttpResponse:
    return _page(request, "help-words", {"outcomes": MEANINGS.items()})


@require_safe
def api(request: HttpRequest) -> HttpResponse:
    site = f"{request.scheme}://{request.get_host()}"
    context = {
        "examples": [(one, one.command(site)) for one in api_examples()],
        "python": PYTHON_RECIPE,
        "r": R_RECIPE,
        "recount": RECOUNT_RECIPE,
        "operations": OPERATIONS,
        "site": site,
        "of_token": settings.API_TOKEN_QUESTIONS_PER_MINUTE,
        "of_address": settings.API_ADDRESS_QUESTIONS_PER_MINUTE,
        "is_open": settings.READING_WITHOUT_SIGN_IN,
    }
    return _page(request, "help-api", context)


def _page(request: HttpRequest, name: str, context: Mapping[str, object]) -> HttpResponse:
    template = name.removeprefix("help").removeprefix("-") or "first_search"
    shown = {**context, "pages": PAGES, "current": name}
    return render(request, f"corpus_site/help/{template}.html", shown)
