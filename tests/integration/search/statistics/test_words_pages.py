"""Word list, Zipf, new words, profiles: numbers equal to the hits they open, states, export."""

import csv
import io
import json
from datetime import timedelta
from html import unescape

import pytest
from django.utils import timezone
from factories import NOW, index_all, make_article, make_comment, make_publication
from pages import links, markup, texts, values
from shown_numbers import assert_numbers_open_their_hits, linked_numbers

from search.answers.today import words_today
from search.models import IgnoredWord, LexiconEntry

pytestmark = pytest.mark.django_db
TODAY = NOW.date()


@pytest.fixture
def corpus():
    """Two papers, one comment; `snoekonomics` is new today, in both; `goverment` is a typo."""
    cape = make_publication("cape-meridian", name="Cape Meridian")
    old = {"dated_at": NOW - timedelta(days=40)}
    first = make_article("The government said the rain fell. " + "The government met. " * 45, **old)
    make_article("The sea and the rain, 7 times. I think i know.", cape, **old)
    make_article("The snoekonomics of the goverment.", title="Fish")
    make_article("Snoekonomics is new, said the goverment.", cape)
    make_comment(first, "Snoekonomics, eish.", posted_at=NOW)
    index_all()
    return cape


def record_of(client, address):
    return json.loads(client.get(f"{address}{'&' if '?' in address else '?'}export=json").content)


def rows_of(client, address, table=0):
    return record_of(client, address)["tables"][table]["rows"]


@pytest.mark.parametrize(
    "query",
    [
        "",
        "by=word",
        "by=lemma&in=both",
        "by=pos",
        "by=lemma%2Bpos&min=2",
        "pattern=s*&order=alphabet",
        "pattern=/.*o.*/&stop=1&nonames=1",
        "letters=1&texts=2&pub=cape-meridian&pub=karoo-courier",
        "order=rarest&rows=10&p=2",
        "in=both&only=kind:comment",
        "case=1&pattern=The&by=word",
        "near=rain&one=text",
    ],
)
def test_every_number_of_the_word_list_opens_exactly_its_hits(reader, corpus, query):
    response = reader.get(f"/words/?{query}")

    assert response.status_code == 200
    assert_numbers_open_their_hits(reader, markup(response), least=1)


def test_the_word_list_counts_folds_and_ranks(reader, corpus):
    rows = {row["form"]: row for row in rows_of(reader, "/words/?rows=1000")}

    assert rows["the"]["rank"] == 1
    assert rows["i"]["hits"] == 2  # I and i together
    assert "." not in rows
    n_words = sum(row["hits"] for row in rows.values())
    assert rows["the"]["c"] == pytest.approx(rows["the"]["hits"] / n_words)
    assert rows["rain"]["texts"] == 2
    assert rows["rain"]["first"] == (TODAY - timedelta(days=40)).isoformat()


def test_ranks_stay_those_of_the_whole_list(reader, corpus):
    (row,) = rows_of(reader, "/words/?pattern=sea")
    everything = rows_of(reader, "/words/?rows=1000")

    assert row in everything


def test_pages_of_the_word_list_join_without_gap(reader, corpus):
    everything = rows_of(reader, "/words/?rows=1000")
    first, second = rows_of(reader, "/words/?rows=10"), rows_of(reader, "/words/?rows=10&p=2")

    assert first + second == everything
    assert 'href="/words/?rows=10"' in markup(reader.get("/words/?rows=10&p=2"))
    assert 'href="/words/?rows=10&amp;p=2"' in markup(reader.get("/words/?rows=10"))


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ("pattern=/(/", "Pattern: This is not a regular expression"),
        ("min=x", "“x” is not a whole number"),
        ("order=best", "“best” is not among"),
        ("from=x", "“x” is no date"),
        ("export=doc", "is no kind of file: csv, xlsx, json"),
    ],
)
def test_wrong_values_are_answered_with_a_sentence(reader, corpus, query, sentence):
    response = reader.get(f"/words/?{query}")

    assert response.status_code == 400
    assert sentence in markup(response)


def test_a_pattern_without_words_says_so(reader, corpus):
    assert "No words" in markup(reader.get("/words/?pattern=zzz*"))


def test_the_area_opens_with_the_word_list_and_its_tabs(reader, corpus):
    page = reader.get("/words/")

    for address, label in (("/words/zipf/", "Zipf"), ("/words/new/", "New words"),
                           ("/words/lexicon/", "Lexicon")):  # fmt: skip
        assert (label, address) in links(page)
    assert "/words/" in values(page, 'a[aria-current="page"]', "href")
    assert "Lexicon" in texts(reader.get("/words/lexicon/"), 'a[aria-current="page"]')


def test_exports_hold_exactly_what_is_shown(reader, corpus):
    page = linked_numbers(markup(reader.get("/words/?rows=10&stop=1")))
    lines = list(
        csv.reader(io.StringIO(reader.get("/words/?rows=10&stop=1&export=csv").content.decode()))
    )
    head = lines.index(["Rank", "Word", "Hits", "Per million", "Texts", "DP", "First seen", "c"])

    assert [number for _, _, number in page] == [int(row[2]) for row in lines[head + 1 :]]
    assert lines[0] == ["view", "Word list"]
    assert any(
        "in 4 texts, articles, copies counted once" in row[-1] for row in lines[:head] if row
    )
    assert reader.get("/words/?export=xlsx").content[:2] == b"PK"


@pytest.mark.parametrize("query", ["", "by=lemma&in=both", "by=word&with=comments", "rows=10"])
def test_every_number_of_the_zipf_page_opens_exactly_its_hits(reader, corpus, query):
    page = markup(reader.get(f"/words/zipf/?{query}"))

    assert_numbers_open_their_hits(reader, page, least=10)
    assert "Zipf’s law with c = 0.1" in page


def test_the_zipf_page_scores_ranks(reader, corpus):
    record = record_of(reader, "/words/zipf/")
    rows = record["tables"][0]["rows"]
    n_words = int(record["about"]["words (N of c)"])

    for number, row in enumerate(rows, 1):
        assert row["rank"] == number
        assert row["c"] == pytest.approx(number * row["hits"] / n_words)
        assert row["distance"] == pytest.approx(abs(row["c"] - 0.1))
    hits = [row["hits"] for row in rows]
    assert hits == sorted(hits, reverse=True)


def test_points_of_the_plot_are_links(reader, corpus):
    page = markup(reader.get("/words/zipf/"))

    assert page.count('<circle class="pt"') == len(rows_of(reader, "/words/?rows=1000"))
    assert "<title>1. the: " in page


def test_vocabulary_growth_is_drawn_where_it_is_asked_for(reader, corpus):
    page = markup(reader.get("/words/zipf/?growth=1"))
    n_types = len(rows_of(reader, "/words/?rows=1000"))

    assert f"<title>{n_types} different words in " in page
    assert "(Heaps 1978)" in page
    assert "(Heaps 1978)" not in markup(reader.get("/words/zipf/"))


def test_the_zipf_page_says_what_becomes_of_apostrophes(reader):
    make_article("They don’t know that O’Brien’s dog barked.")
    index_all()

    rows = {row["form"] for row in rows_of(reader, "/words/zipf/")}
    said = " ".join(texts(reader.get("/words/zipf/"), "p.micro"))

    assert {"o’brien", "’s", "do", "n’t"} <= rows
    for words in ("O’Brien is one", "don’t is do and n’t", "Zuma’s is Zuma and ’s"):
        assert words in said


def test_words_of_one_paper_only_are_marked_as_boilerplate(reader):
    cape = make_publication("cape-meridian", name="Cape Meridian")
    for number in range(3):
        make_article(f"Caption photo ideas {number}. Hide.")
    for number in range(9):
        make_article(f"The sea and the wind were here {number} times over the bay.", cape)
    index_all()

    page = markup(reader.get("/words/zipf/"))

    assert "▲ 100 % in Karoo Courier" in " ".join(page.split())
    assert "may be boilerplate" in page


@pytest.mark.parametrize("query", ["pubs=1", "pubs=1&in=both&names=1&typos=1&numbers=1", "min=2"])
def test_every_number_of_new_words_opens_exactly_its_hits(reader, corpus, query):
    page = markup(reader.get(f"/words/new/?day={TODAY}&{query}"))

    assert_numbers_open_their_hits(reader, page, least=1)


def test_new_words_show_where_they_first_stand(reader, corpus):
    page = markup(reader.get(f"/words/new/?day={TODAY}"))
    (row,) = rows_of(reader, f"/words/new/?day={TODAY}")

    assert row["form"] == "snoekonomics"
    assert (row["publications"], row["texts"], row["hits"]) == (2, 2, 2)
    assert row["sentence"] == "The snoekonomics of the goverment."
    assert row["day"] == TODAY.isoformat()
    assert 'href="/words/snoekonomics/"' in page
    assert "Hidden: 1 probable typo." in page


def test_doubtful_words_can_be_shown(reader, corpus):
    rows = {row["form"]: row for row in rows_of(reader, f"/words/new/?day={TODAY}&typos=1")}

    assert rows["goverment"]["doubt"] == "typo: government?"


def test_the_first_sentence_opens_its_article(reader, corpus):
    page = markup(reader.get(f"/words/new/?day={TODAY}"))
    before = page.split(">The snoekonomics of the goverment.</a>")[0]
    address = unescape(before.rsplit('href="', 1)[1].split('"')[0])

    response = reader.get(address)

    assert response.status_code == 200
    assert "of 2 for <code>" in markup(response)
    assert f'id="{address.split("#")[1]}"' in markup(response)


def test_a_day_without_texts_says_so(reader, corpus):
    page = markup(reader.get("/words/new/?day=2020-01-01"))

    assert "No text was published on 1 Jan 2020." in page
    assert reader.get("/words/new/?day=tomorrow").status_code == 400


def test_words_are_new_by_arrival_where_that_is_asked_for(reader, corpus):
    day = NOW.date()
    by_arrival = rows_of(reader, f"/words/new/?day={day}&clock=arrived&pubs=1&typos=1&min=2")

    assert "rain" in {row["form"] for row in by_arrival}


def test_editors_may_add_new_words_to_the_lexicon(editor, corpus):
    address = f"/words/new/?day={TODAY}"

    assert "/words/lexicon/add/?word=snoekonomics" in markup(editor.get(address))
    form = markup(editor.get("/words/lexicon/add/?word=snoekonomics"))
    assert 'name="word" value="snoekonomics"' in form


def test_readers_are_offered_nothing_they_may_not_do(reader, corpus):
    assert "h-add" not in markup(reader.get(f"/words/new/?day={TODAY}"))
    assert "h-add" not in markup(reader.get("/words/snoekonomics/"))


@pytest.mark.parametrize("address", ["/words/the/", "/words/government/?in=both", "/words/Rain/",
                                     "/words/snoekonomics/?pub=cape-meridian"])  # fmt: skip
def test_every_number_of_a_profile_opens_exactly_its_hits(reader, corpus, address):
    response = reader.get(address)

    assert response.status_code == 200
    assert_numbers_open_their_hits(reader, markup(response), least=3)


def test_a_profile_says_what_is_known_of_a_word(reader, corpus):
    LexiconEntry.objects.create(word="snoekonomics", tag="NN", note="fishy business")

    page = markup(reader.get("/words/Snoekonomics/?in=both"))

    assert "<strong>3</strong> hits" in page
    assert "First seen" in page
    assert "fishy business" in page
    assert "Cape Meridian" in page
    assert "Forms of the lemma" in page


def test_the_picture_of_a_profile_links_its_days(reader, corpus):
    page = markup(reader.get("/words/snoekonomics/"))

    assert "per million tokens by" in page
    assert "only=days" in page


def test_a_word_that_is_not_there_is_answered_with_near_spellings(reader, corpus):
    page = markup(reader.get("/words/raim/"))

    assert "“raim” stands in none of 4 texts" in page
    assert '<a href="/words/rain/">rain</a>' in page


def test_words_named_like_a_page_have_a_profile(reader):
    make_article("A new lexicon: zipf and or. New w/e.")
    index_all()
    page = markup(reader.get("/words/"))

    for form in ("New", "Lexicon", "Zipf"):
        assert f'href="/words/{form}/"' in page
        assert "<strong>1</strong>" in markup(reader.get(f"/words/{form}/")) or form == "New"
    assert "<strong>2</strong>" in markup(reader.get("/words/New/"))


@pytest.mark.parametrize(
    "address", ["/words/", "/words/zipf/", "/words/new/", "/words/rain/", "/search/keyness/"]
)
def test_an_empty_corpus_has_no_words(reader, address):
    response = reader.get(address)

    assert response.status_code == 200
    assert "has no texts yet" in markup(response)


@pytest.mark.parametrize("form", ["%00", "%22", "%5C%22", "..%2F", "%F0%9F%90%9F", "x" * 2000])
def test_strange_words_are_answered(reader, corpus, form):
    response = reader.get(f"/words/{form}/")

    assert response.status_code == 200
    assert "stands in none of" in markup(response)


@pytest.mark.parametrize("pattern", ["(((((", "%00", "%5C", "/%5C/", "/(a*)*b/", "*" * 200, "%22"])
def test_strange_patterns_are_answered(reader, corpus, pattern):
    assert reader.get(f"/words/?pattern={pattern}").status_code in (200, 400)


def test_a_profile_lists_publications_that_have_the_word(reader, corpus):
    record = record_of(reader, "/words/sea/")

    tables = {table["name"]: table for table in record["tables"]}
    assert [row["publication"] for row in tables["publications"]["rows"]] == ["Cape Meridian"]
    assert tables["publications"]["caption"].startswith("Publications with the word: 1 of 2,")


def test_the_band_of_a_profile_does_not_flatten_its_line(reader, corpus):
    picture = reader.get("/words/government/").context["picture"]

    points = [point for point in picture.lines[0].points if point]
    highest = max(point.mark.value for point in points)
    assert max(point.high for point in points) <= 1.25 * highest


def test_an_editor_ignores_a_new_word_for_ever_and_takes_it_back(editor, corpus):
    address = f"/words/new/?day={TODAY}"
    assert '/words/new/ignored/?word=snoekonomics#h-add">Ignore' in markup(editor.get(address))
    form = markup(editor.get("/words/new/ignored/?word=snoekonomics"))
    assert 'name="word" value="snoekonomics"' in form

    done = editor.post("/words/new/ignored/add/", {"word": "Snoekonomics"}, follow=True)
    ignored = rows_of(editor, address)
    shown = rows_of(editor, f"{address}&ignored=1")
    row = IgnoredWord.objects.get()
    back = editor.post(f"/words/new/ignored/{row.pk}/remove/", follow=True)

    assert "“snoekonomics” is left out of new words from now on." in markup(done)
    assert str(row.ignored_by) in markup(done)
    assert ignored == []
    assert [(r["form"], r["doubt"]) for r in shown] == [("snoekonomics", "ignored")]
    assert "may be among new words again" in markup(back)
    assert [r["form"] for r in rows_of(editor, address)] == ["snoekonomics"]


def test_the_home_page_leaves_ignored_words_out(corpus):
    before = [word.value for word in words_today(TODAY).new.words]
    IgnoredWord.objects.create(word="snoekonomics")

    assert before == ["snoekonomics"]
    assert words_today(TODAY).new.words == ()


def test_what_is_hidden_counts_ignored_words(reader, corpus):
    IgnoredWord.objects.create(word="snoekonomics")

    page = markup(reader.get(f"/words/new/?day={TODAY}"))

    assert "1 ignored word" in page
    assert 'href="/words/new/ignored/"' in page


@pytest.mark.parametrize(
    ("word", "message"),
    [("", "This field is required."), ("two words", "Write one word without spaces.")],
)
def test_what_is_no_word_cannot_be_ignored(editor, word, message):
    response = editor.post("/words/new/ignored/add/", {"word": word})

    assert response.status_code == 400
    assert message in markup(response)
    assert not IgnoredWord.objects.exists()


def test_only_editors_ignore_words(reader, linguist, corpus):
    row = IgnoredWord.objects.create(word="eish")

    for client in (reader, linguist):
        assert client.get("/words/new/ignored/").status_code == 200
        assert client.post("/words/new/ignored/add/", {"word": "a"}).status_code in (302, 403)
        assert client.post(f"/words/new/ignored/{row.pk}/remove/").status_code in (302, 403)
    assert [str(word) for word in IgnoredWord.objects.all()] == ["eish"]


def test_new_words_of_an_early_day_say_how_little_is_known_from_before(reader):
    now = timezone.now()
    make_article("Old words only.", dated_at=now - timedelta(days=16))
    make_article("A brand new word.", dated_at=now)
    index_all()

    page = markup(reader.get("/words/new/?day=9d&pubs=1"))

    assert "only 4 tokens from before" in page
    assert "new to this corpus, not to the papers" in page


def test_growth_that_was_counted_before_is_of_its_words_and_texts(reader, corpus):
    def ends(by):
        growth = reader.get(f"/words/zipf/?growth=1&by={by}").context["growth"]
        return growth.points[-1].rank, growth.points[-1].mark.value

    first = [ends(by) for by in ("lower", "word", "lemma")]

    assert [ends(by) for by in ("lower", "word", "lemma")] == first
    assert len(set(first)) > 1
    make_article("Quite other words stand here.")
    index_all()
    assert ends("lower") > first[0]
