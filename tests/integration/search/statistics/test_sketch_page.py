"""Word sketches: numbers equal to the hits they open, comparisons, refusals, the editor."""

import json

import pytest
from django.core.management import CommandError, call_command
from factories import NOW, index_all, make_article, make_comment, make_publication, make_user
from pages import links, markup, texts, words
from shown_numbers import assert_numbers_open_their_hits, total_at

from search.asking.sketch_grammars import grammar_in_force, text_in_force
from search.engine.sketches.shipped import shipped_text
from search.models import SketchGrammar

pytestmark = pytest.mark.django_db
AFRIKAANS = "Die bakker bak vars brood. Die man koop brood en botter. Die brood is vars."


@pytest.fixture
def corpus():
    """English of two papers, with a comment, and one Afrikaans text."""
    cape = make_publication("cape-meridian", name="Cape Meridian")
    first = make_article(
        "The baker sold fresh bread. The council bought fresh bread and butter. "
        "She wants to sell bread. The price of bread rose quickly. The bread was sold."
    )
    make_article("The farmer sold stale bread. The mayor ate the fresh bread.", cape)
    make_article("They sold cheese. The price of cheese fell. The cheese was fresh.", cape)
    make_article(AFRIKAANS, language="af")
    make_comment(first, "I sold bread. We ate bread.", posted_at=NOW)
    index_all()
    return cape


@pytest.mark.parametrize(
    "query",
    [
        "lemma=bread&min=1",
        "lemma=sell&min=1&pos=VERB&in=both",
        "lemma=fresh&min=1&ex=1",
        "lemma=bread&min=1&pub=cape-meridian",
        "lemma=brood&min=1",
        "lemma=bread&vs=cheese&min=1",
        "lemma=bread&in2=comments&min=1",
        "lemma=bread&pub2=cape-meridian&min=1",
        "lemma=bread&pub2=Cape+Meridian&min=1",
        "lemma=bread&pub2=-cape-meridian&min=1",
        "lemma=bread&from2=2020&to2=2021&min=1",
    ],
)
def test_every_number_of_a_sketch_opens_exactly_its_hits(reader, corpus, query):
    response = reader.get(f"/words/sketch/?{query}")

    assert response.status_code == 200
    assert_numbers_open_their_hits(reader, markup(response), least=2)


def test_a_sketch_has_its_relations_and_links_to_other_classes(reader, corpus):
    page = reader.get("/words/sketch/?lemma=bread&min=1")
    captions = " ".join(texts(page, "caption"))

    for relation in ("object of", "modifier", "and/or", "… of"):
        assert f"{relation}: " in captions
    assert "noun, 7 hits" in words(page).replace("noun , ", "noun, ")
    assert "Sketch" in texts(page, 'nav.tabs a[aria-current="page"]')


def test_a_query_of_one_lemma_and_a_word_link_to_the_sketch(reader, corpus):
    for address in (
        "/search/?q=lemma:bread&pub=cape-meridian",
        "/search/frequency/?q=lemma:bread&by=pub",
    ):
        found = dict(links(reader.get(address)))["Sketch"]
        assert found.startswith("/words/sketch/?lemma=bread")
        assert ("pub=cape-meridian" in found) == ("pub=" in address.partition("&")[2][:4])
    assert "Sketch" not in dict(links(reader.get("/search/?q=fresh bread")))
    assert "/words/sketch/?lemma=bread" in dict(links(reader.get("/words/bread/"))).values()


@pytest.mark.parametrize(
    ("query", "sentence", "near"),
    [
        ("lemma=brezd", "The lemma “brezd” is not in the corpus.", "bread"),
        ("lemma=sold", "The lemma “sold” is not in the corpus.", "sell"),
        ("lemma=bread&pos=VERB", "“bread” is never a verb here, but noun.", "bread, noun"),
        ("lemma=the", "“the” has none of the classes that a sketch can be of; its tags: DT.", ""),
        ("lemma=bread&vs=chese", "The lemma “chese” is not in the corpus.", "cheese"),
    ],
)
def test_what_has_no_sketch_is_said_with_what_has_one(reader, corpus, query, sentence, near):
    page = reader.get(f"/words/sketch/?{query}")

    assert page.status_code == 200
    assert sentence in words(page)
    assert not near or near in dict(links(page))


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ("lemma=bread&min=x", "is not a whole number"),
        ("lemma=bread&pos=PREP", "“PREP” is not among"),
        ("lemma=bread&gram=zu", "“zu” has no sketch grammar; af and en have one."),
        ("lemma=bread&pub2=nowhere", "of: No publication has the name or short name “nowhere”."),
        ("lemma=bread&from2=x", "is no date"),
    ],
)
def test_wrong_values_are_answered_with_a_sentence(reader, corpus, query, sentence):
    response = reader.get(f"/words/sketch/?{query}")

    assert response.status_code == 400
    assert sentence in markup(response)


def test_a_comparison_puts_both_words_side_by_side(reader, corpus):
    page = reader.get("/words/sketch/?lemma=bread&vs=cheese&min=1&export=json")
    tables = {table["name"]: table["rows"] for table in json.loads(page.content)["tables"]}

    sell = next(row for row in tables["object of"] if row["collocate"] == "sell")
    assert (sell["hits"], sell["hits2"]) == (4, 1)
    assert sell["difference"] == pytest.approx(sell["score"] - sell["score2"])


def test_both_sides_of_a_comparison_are_the_sketches_of_the_words(reader, corpus):
    def rows_of(parameters):
        page = reader.get(f"/words/sketch/?{parameters}&min=1&export=json")
        tables = json.loads(page.content)["tables"]
        return {(t["name"], row["collocate"]): row for t in tables for row in t["rows"]}

    compared = rows_of("lemma=bread&vs=cheese")
    for lemma, score, hits in (("bread", "score", "hits"), ("cheese", "score2", "hits2")):
        alone = rows_of(f"lemma={lemma}")
        assert alone
        for key, row in alone.items():
            assert compared[key][hits] == row["hits"]
            assert compared[key][score] == pytest.approx(max(0, row["score"]))


def test_the_other_paper_is_chosen_by_its_name(reader, corpus):
    page = markup(reader.get("/words/sketch/?lemma=bread&pub2=cape+meridian&min=1"))

    assert "“bread” again of Cape Meridian" in page
    assert '<datalist id="list-pub2">' in page
    assert '<option value="cape-meridian">Cape Meridian (' in page


def test_what_is_rarer_than_asked_for_is_not_said_to_be_nowhere(reader, corpus):
    page = reader.get("/words/sketch/?lemma=bread&min=90")

    assert "No word stands with it 90 times or more in a relation" in words(page)


def test_no_similar_word_is_said(reader, corpus):
    page = reader.get("/words/sketch/?lemma=mayor&min=1&similar=1")

    assert any("no word shares enough relations" in caption for caption in texts(page, "caption"))


def test_similar_words_open_their_sketch_and_the_comparison(reader):
    used = "They baked the {0}. They sliced the {0}. They ate the {0}. They sold the {0}."
    make_article(" ".join(used.format(food) for food in ("bread", "cheese")))
    make_article("They drove the car. They parked the car. They sold the house. They saw a car.")
    index_all()
    page = reader.get("/words/sketch/?lemma=bread&min=1&similar=1")

    assert "similar words (Lin 1998)" in texts(page, "caption")
    assert any("lemma=cheese&pos=NOUN" in address for _, address in links(page))
    assert any("lemma=bread" in to and "vs=cheese" in to for _, to in links(page))


def test_the_command_names_each_query_and_its_examples(capsys, reader, corpus):
    call_command("sketch", "bread", "--pos", "noun", "--min", "1", "--json")
    sketch = json.loads(capsys.readouterr().out)

    assert (sketch["lemma"], sketch["pos"], sketch["n_hits"]) == ("bread", "NOUN", 7)
    by_name = {relation["name"]: relation for relation in sketch["relations"]}
    sell = next(row for row in by_name["object of"]["collocates"] if row["lemma"] == "sell")
    assert (sell["n"], by_name["object of"]["n"]) == (4, 6)
    assert "sold fresh bread" in " ".join(sell["examples"])
    assert (
        total_at(
            reader, f"/search/?ql=cql&q={sell['query']}".replace("&", "%26").replace("%26q=", "&q=")
        )
        == 4
    )


def test_the_command_says_which_languages_have_a_grammar(corpus):
    with pytest.raises(CommandError, match=r"no sketch grammar of “zu”; there is one of Afrikaans"):
        call_command("sketch", "bread", "--lang", "zu")


def test_the_command_refuses_with_what_is_near(capsys, corpus):
    with pytest.raises(CommandError, match=r"not in the corpus\. Near it: bread"):
        call_command("sketch", "brezd", "--json")

    assert json.loads(capsys.readouterr().out)["near"] == ["bread"]


def test_an_editor_changes_the_grammar_and_brings_the_shipped_one_back(client, corpus):
    client.force_login(make_user("editor"))
    address = "/words/sketch/grammar/en/"
    changed = shipped_text("en").replace("relation object / object of", "relation thing / done to")

    client.post(address, {"text": changed, "note": "Plain words", "after": 0})
    page = client.get("/words/sketch/?lemma=bread&min=1")
    assert "done to: " in " ".join(texts(page, "caption"))
    assert SketchGrammar.objects.get().note == "Plain words"

    client.post(address, {"text": changed, "after": 1, "shipped": "1"})
    assert text_in_force("en") == shipped_text("en")
    assert grammar_in_force("en").lists_of("NOUN")[0].name == "object of"
    assert "as shipped" in words(client.get(address))


def test_a_broken_grammar_is_refused_with_the_place_of_each_mistake(client, corpus):
    client.force_login(make_user("editor"))
    broken = (
        shipped_text("en")
        + "\nrelation a / b\n    head:NOUN dep:VERBS\n    head:NOUN [pos=] dep:NOUN\n"
    )
    n_lines = len(shipped_text("en").splitlines())

    response = client.post("/words/sketch/grammar/en/", {"text": broken, "after": 0})

    assert response.status_code == 400
    found = words(response)
    assert f"Line {n_lines + 3}, column 19: There is no class or definition VERBS" in found
    assert f"Line {n_lines + 4}, column 20:" in found
    assert not SketchGrammar.objects.exists()


def test_a_former_version_is_looked_at_and_put_in_force_again(client, corpus):
    client.force_login(make_user("editor"))
    address = "/words/sketch/grammar/en/"
    first, second = (f"{shipped_text('en')}# {number}\n" for number in ("one", "two"))
    for after, text in enumerate((first, second)):
        client.post(address, {"text": text, "after": after})

    page = client.get(f"{address}?version=1")
    client.post(address, {"text": page.context["form"]["text"].value(), "after": 2})

    assert "This is the text of version 1; saved, it is in force again." in words(page)
    assert ("2", "?version=2") in links(page)
    assert (text_in_force("en"), SketchGrammar.objects.count()) == (first, 3)
    for version in ("9", "x", "9" * 30):
        assert client.get(f"{address}?version={version}").context["text"] == first


def test_a_grammar_saved_as_it_stands_makes_no_version(client, corpus):
    client.force_login(make_user("editor"))
    text = shipped_text("en").replace("\n", "\r\n")  # as browsers send it

    answer = client.post("/words/sketch/grammar/en/", {"text": text, "after": 0}, follow=True)

    assert "Nothing was changed" in words(answer)
    assert not SketchGrammar.objects.exists()


def test_a_version_on_top_of_another_ones_is_refused(client, corpus):
    client.force_login(make_user("editor"))
    text = shipped_text("en") + "# more\n"
    client.post("/words/sketch/grammar/en/", {"text": text, "after": 0})

    response = client.post("/words/sketch/grammar/en/", {"text": text + "#", "after": 0})

    assert response.status_code == 400
    assert "Somebody else has changed the grammar meanwhile" in words(response)


def test_a_linguist_sees_the_grammar_and_cannot_change_it(linguist):
    assert "symmetric and/or" in words(linguist.get("/words/sketch/grammar/en/"))
    assert linguist.post("/words/sketch/grammar/en/", {"text": "x", "after": 0}).status_code == 403
    assert linguist.get("/words/sketch/grammar/zu/").status_code == 404
