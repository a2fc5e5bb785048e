"""What removes for good asks first, in a part that is folded until somebody opens it."""

import pytest
from factories import index_all, make_article
from pages import parsed

from search.models import Macro, Marking, SavedQuery, Subcorpus, WordList

pytestmark = pytest.mark.django_db

MARKING = {
    "query": "q=braai",
    "name": "Verbs",
    "categories": "verb\nnoun",
    "n_lines": "9",
    "draw": "random",
    "seed": "1",
}


@pytest.fixture
def kept(linguist):
    """One of each thing that a linguist keeps."""
    make_article("We braai today.")
    index_all()
    linguist.get("/search/?q=braai")
    linguist.post("/markings/add/", MARKING)
    linguist.post("/saved/add/", {"query": "q=braai", "name": "Braai"})
    linguist.post("/subcorpora/add/", {"query": "in=both", "name": "Braai"})
    linguist.post("/words/lists/add/", {"name": "fire", "words": "braai"})
    linguist.post("/words/macros/add/", {"name": "meal", "text": '"braai"'})
    return linguist


@pytest.mark.parametrize(
    ("model", "page", "address"),
    [
        (Marking, "/markings/{}/", "/markings/{}/remove/"),
        (SavedQuery, "/saved/", "/saved/{}/remove/"),
        (Subcorpus, "/subcorpora/{}/", "/subcorpora/{}/remove/"),
        (WordList, "/words/lists/", "/words/lists/{}/remove/"),
        (Macro, "/words/lists/", "/words/macros/{}/remove/"),
        (None, "/history/", "/history/clear/"),
    ],
)
def test_what_removes_for_good_asks_first(kept, model, page, address):
    key = model.objects.get().pk if model else ""
    shown = parsed(kept.get(page.format(key)))

    [form] = shown.cssselect(f'form[action="{address.format(key)}"]')
    asked = form.getparent()
    assert (asked.tag, asked.get("class"), asked.get("open")) == ("details", "ask", None)
    assert form.cssselect("button")[0].text_content().strip().endswith("for good")
    assert form.cssselect("p")[0].text_content().strip()
