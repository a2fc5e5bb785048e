"""What is posted to the rule studio and the evaluation: by whom, from where, and shown how."""

import pytest
from django.test import Client
from factories import make_article, make_publication, make_user

from extraction.models import EvaluationRun, ExtractorSetting, ReferenceText, RuleVersion, SiteRule

BACKEND = "corpus_site.accounts.backends.RoleBackend"
pytestmark = pytest.mark.django_db

SCRIPT = "<script>steal()</script>"
RULE = {"act": "save", "field": "title", "kind": "css", "selector": "h1", "split_index": 0}
STUDIO = "/sources/karoo-courier/rules/"
RUN = {"publication": "karoo-courier", "n_pages": 5, "names": ["auto"]}


@pytest.fixture
def article():
    return make_article(publication=make_publication())


def posts(article):
    """Every address that changes something, with what it takes."""
    compared = f"/evaluation/articles/{article.pk}"
    return {
        f"{STUDIO}change/": RULE,
        "/evaluation/ask/": RUN,
        f"{compared}/text/": {"text": "The right text."},
        f"{compared}/extractor/": {"extractor": "qread"},
    }


def n_changed():
    models = (RuleVersion, SiteRule, EvaluationRun, ReferenceText, ExtractorSetting)
    return sum(model.objects.count() for model in models)


@pytest.mark.parametrize("number", range(4))
def test_an_editor_changes_what_is_posted_with_a_token_alone(article, number):
    address, values = list(posts(article).items())[number]
    client = Client(enforce_csrf_checks=True)
    client.force_login(make_user("editor"), backend=BACKEND)

    refused = client.post(address, values)
    after_refusal = n_changed()
    client.get("/evaluation/")
    token = client.cookies["csrftoken"].value
    taken = client.post(address, values | {"csrfmiddlewaretoken": token})

    assert (refused.status_code, after_refusal) == (403, 0)
    assert taken.status_code == 302
    assert n_changed() > 0


@pytest.mark.parametrize("number", range(4))
@pytest.mark.parametrize(("role", "status"), [("reader", 302), ("linguist", 403)])
def test_nobody_else_changes_anything(article, browse, role, status, number):
    address, values = list(posts(article).items())[number]

    response = browse(role).post(address, values)

    assert (response.status_code, n_changed()) == (status, 0)
    if role == "reader":
        assert response.url.startswith("/sign-in/")


@pytest.mark.parametrize("address", ["/evaluation/ask/", "/evaluation/articles/1/text/"])
def test_what_changes_something_is_not_asked_for_by_a_link(editor, address):
    answer = editor.get(address)

    assert (answer.status_code, n_changed()) == (302, 0)


def test_a_wrong_extractor_is_shown_as_text(editor, article):
    response = editor.post("/evaluation/ask/", RUN | {"more": SCRIPT})

    page = response.content.decode()
    assert (response.status_code, EvaluationRun.objects.count()) == (400, 0)
    assert SCRIPT not in page
    assert "&lt;script&gt;" in page


def test_a_title_with_markup_is_text_on_the_evaluation_of_its_article(editor, article):
    article.title = SCRIPT
    article.save()

    page = editor.get(f"/evaluation/articles/{article.pk}/").content.decode()

    assert SCRIPT not in page
    assert "&lt;script&gt;steal()&lt;/script&gt;" in page
