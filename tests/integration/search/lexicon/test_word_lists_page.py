"""Word lists: made, named in CQL, refused with a reason, kept while a saved query rests on them."""

import pytest
from django.test import Client
from factories import index_all, make_article, make_user
from pages import markup

from search.models import Macro, SavedQuery, WordList

pytestmark = pytest.mark.django_db


@pytest.fixture
def corpus():
    make_article("We braai snoek on Sunday. On Monday it rained.")
    index_all()


def make(client, **values):
    values = {"name": "days", "words": "Sunday\n Monday \nSunday"} | values
    return client.post("/words/lists/add/", values, follow=True)


def total(client, query):
    return client.get("/search/", {"q": query, "ql": "cql"}).context["page"].total


def test_a_list_is_made_and_named_in_queries(linguist, corpus):
    page = markup(make(linguist))

    row = WordList.objects.get()
    assert (row.members, row.owner.role) == (("Sunday", "Monday"), "linguist")
    assert "In CQL [lemma = $days] finds any of 2 words." in page
    assert total(linguist, "$days") == 2
    assert total(linguist, '[pos="IN"] [word=$days]') == 2


def test_lines_of_several_words_are_phrases(linguist):
    make_article("Perhaps I think so. I don't think it. You think I might.")
    index_all()

    page = markup(make(linguist, name="hedges", words="perhaps\nI  think\nI might\ni don't"))

    assert WordList.objects.get().members == ("perhaps", "I think", "I might", "i don't")
    assert "In CQL $hedges, or [lemma = $hedges] alone, finds any of 1 word and 3 phrases." in page
    assert total(linguist, "[lower = $hedges %c]") == 4
    assert total(linguist, '$hedges %c "so"') == 1
    assert total(linguist, "$hedges") == 2
    refused = linguist.get("/search/", {"q": '[lower=$hedges & pos="NN"]', "ql": "cql"})
    assert refused.status_code == 400
    assert "which are no single token" in markup(refused)


def test_statistics_and_exports_know_lists(linguist, corpus):
    make(linguist)

    frequency = linguist.get("/search/frequency/", {"q": "$days", "ql": "cql", "by": "word"})
    lines = linguist.get("/search/export/", {"q": "$days", "ql": "cql", "format": "csv"})

    rows = frequency.context["tables"][0].rows
    assert sorted(cell.value for row in rows for cell in row[1:2]) == ["Monday", "Sunday"]
    assert b"Monday" in b"".join(lines.streaming_content if lines.streaming else [lines.content])


def test_an_unknown_list_is_named_at_its_place(reader, corpus):
    response = reader.get("/search/", {"q": "[word=$weeks]", "ql": "cql"})

    assert response.status_code == 400
    assert "Character 7: There is no word list “weeks”." in markup(response)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"name": "5days"}, "“5days” is no name of a list"),
        ({"name": "my-days"}, "“my-days” is no name of a list"),
        ({"name": "x" * 41}, "at most 40 characters"),
        ({"words": " "}, "This field is required."),
        ({"words": "x" * 101}, "A line has at most 100 characters."),
        ({"words": "\n".join(map(str, range(1001)))}, "at most 1000 lines; these are 1001."),
    ],
)
def test_what_is_no_list_is_explained(linguist, values, message):
    response = make(linguist, **values)

    assert response.status_code == 400
    assert message in markup(response)
    assert not WordList.objects.exists()


def test_a_name_is_taken_once(linguist):
    make(linguist)

    assert "There is a list “days” already." in markup(make(linguist, name="$days"))


def test_a_list_stays_while_a_saved_query_rests_on_it(linguist, corpus):
    make(linguist)
    row = WordList.objects.get()
    query = SavedQuery.objects.create(
        short="abcd2345", name="week", parameters="q=$days&ql=cql&asof=1", generation=1, n_hits=2
    )

    refused = markup(linguist.post(f"/words/lists/{row.pk}/remove/", follow=True))
    query.delete()
    gone = markup(linguist.post(f"/words/lists/{row.pk}/remove/", follow=True))

    assert "The list “days” stays: “week” rests on it." in refused
    assert "The list “days” is gone." in gone
    assert not WordList.objects.exists()


def test_only_the_owner_removes_a_list(settings, linguist):
    row = WordList.objects.create(name="days", words="Sunday", owner=make_user("editor"))
    address = f"/words/lists/{row.pk}/remove/"

    settings.READING_WITHOUT_SIGN_IN = True
    reader = Client()
    assert reader.post(address).url.startswith("/sign-in/")
    assert linguist.post(address).status_code == 404
    assert "Make a list" not in markup(reader.get("/words/lists/"))
    assert f'action="{address}"' not in markup(linguist.get("/words/lists/"))


def test_the_words_of_a_pattern_can_be_kept(linguist, corpus):
    page = markup(linguist.get("/words/?pattern=*day&order=alphabet"))

    assert 'href="/words/lists/?words=monday%0Asunday#h-add">Save these words as a list' in page
    form = markup(linguist.get("/words/lists/?words=monday%0Asunday"))
    assert "monday sunday</textarea>" in form


def make_macro(client, **values):
    values = {"name": "on", "text": '[pos="IN"] [word="$0"]'} | values
    return client.post("/words/macros/add/", values, follow=True)


def test_a_macro_is_made_and_named_in_queries_and_statistics(linguist, corpus):
    make(linguist)
    page = markup(make_macro(linguist, name="/on"))
    make_macro(linguist, name="days", text="/on[Monday] | [word=$days]")

    frequency = linguist.get("/search/frequency/", {"q": "/days[]", "ql": "cql", "by": "word"})
    assert '<code>/on["a"]</code>' in page.replace("&quot;", '"')
    assert "/search/?q=/on[" in page.replace("%2F", "/")
    assert total(linguist, '/on["Sunday"]') == 1
    assert total(linguist, "/days[]") == 2
    assert frequency.context["tables"][0].rows


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"name": "1st"}, "“1st” is no name of a macro"),
        ({"name": "region"}, "“region” is no name of a macro"),
        ({"text": "/np[]"}, "There is no macro “/np” that it could use."),
        (
            {"text": '[pos="NN'},
            "The quote opened here is never closed.",
        ),
        ({"text": "x" * 2001}, "A macro has at most 2000 characters."),
    ],
)
def test_a_wrong_macro_is_refused_with_a_reason(linguist, values, message):
    page = make_macro(linguist, **values)

    assert page.status_code == 400
    assert message in markup(page)


def test_a_macro_stays_while_something_rests_on_it(linguist, corpus):
    make(linguist)
    make_macro(linguist, text="[word=$days]")
    make_macro(linguist, name="other", text="/on[]")
    row, days = Macro.objects.get(name="on"), WordList.objects.get()

    assert "“/other” rests on it" in markup(
        linguist.post(f"/words/macros/{row.pk}/remove/", follow=True)
    )
    linguist.post(f"/words/macros/{Macro.objects.get(name='other').pk}/remove/")
    linguist.post("/saved/add/", {"query": "q=/on[]&ql=cql", "name": "On days"})
    linguist.post(f"/words/macros/{row.pk}/remove/")
    linguist.post(f"/words/lists/{days.pk}/remove/")
    assert (Macro.objects.count(), WordList.objects.count()) == (1, 1)
    SavedQuery.objects.all().delete()
    linguist.post(f"/words/macros/{row.pk}/remove/")
    assert Macro.objects.count() == 0


def test_readers_cannot_change_macros(reader):
    row = Macro.objects.create(name="on", text="'on'")

    assert "Sign in" in markup(make_macro(reader, name="off"))
    assert reader.post(f"/words/macros/{row.pk}/remove/").status_code == 302
    assert Macro.objects.get() == row
