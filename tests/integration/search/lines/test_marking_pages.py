"""Marked lines: drawn from a query, sorted by several people without seeing each other, counted."""

import csv
import io
import json

import pytest
from factories import NOW, index_all, make_article, make_comment, make_publication, make_user
from pages import markup, words

from extraction.models import Article
from search.forgetting import forget
from search.models import LineMark, MarkedLine, Marking
from search.opened_index import current_snapshot

pytestmark = [pytest.mark.django_db, pytest.mark.sql]
BACKEND = "corpus_site.accounts.backends.RoleBackend"


@pytest.fixture
def articles():
    paper = make_publication("cape-meridian")
    rows = [make_article(f"Text {n}. We braai on day {n}, then rest.", paper) for n in range(4)]
    make_comment(rows[0], "I braai too.")
    index_all()
    return rows


def draw(client, **changes):
    values = {
        "query": "q=braai&in=both",
        "name": "Verbs",
        "categories": "verb\nnoun",
        "n_lines": "100",
        "draw": "random",
        "seed": "1",
    }
    return client.post("/markings/add/", values | changes)


@pytest.fixture
def marking(linguist, articles):
    draw(linguist, is_shared="on")
    return Marking.objects.get()


@pytest.fixture
def colleague(client):
    other = type(client)()
    other.force_login(make_user("linguist", username="colleague"), backend=BACKEND)
    return other


def lines_of(marking):
    return list(marking.lines.order_by("number"))


def sort(client, marking, values, notes=()):
    """Give the first lines of a marking these values."""
    lines = lines_of(marking)
    said = {f"v{line.pk}": value for line, value in zip(lines, values, strict=False)}
    said |= {f"n{line.pk}": note for line, note in zip(lines, notes, strict=False)}
    return client.post(f"/markings/{marking.pk}/mark/", said)


def exported(client, marking):
    body = client.get(f"/markings/{marking.pk}/export/?format=data.csv").getvalue().decode()
    return list(csv.DictReader(io.StringIO(body)))


def test_lines_are_drawn_and_bound_to_their_generation(linguist, marking):
    assert (marking.n_hits, marking.n_lines, marking.generation) == (5, 5, 1)
    assert marking.categories == ["verb", "noun"]
    assert {line.words for line in lines_of(marking)} == {"braai"}
    assert {line.kind for line in lines_of(marking)} == {1, 2}
    page = linguist.get(f"/markings/{marking.pk}/")
    assert [row.shown.node for row in page.context["rows"]] == ["braai"] * 5
    new = words(linguist.get("/markings/?query=q%3Dbraai%26in%3Dboth"))
    assert "5 hits" in new
    assert "q=braai" not in new


def test_random_lines_are_those_of_the_sample_of_the_page(linguist, articles):
    draw(linguist, n_lines="3", seed="7")

    sample = linguist.get("/search/?q=braai&in=both&sample=3&seed=7").context["page"].lines
    drawn = [(row.kind, row.key, row.position) for row in lines_of(Marking.objects.get())]
    assert drawn == [(int(s.kind), s.comment_id or s.article_id, s.position) for s in sample]


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"query": "q=zzzz"}, "nothing to mark"),
        ({"query": "q=[&ql=cql"}, ""),
        ({"n_lines": "10001"}, "less than or equal to 10000"),
        ({"categories": "\n".join("abcdefghij")}, "at most 9 categories"),
        ({"categories": "Verb\nverb"}, "same name"),
    ],
)
def test_what_cannot_be_drawn_is_refused_with_a_sentence(linguist, articles, changes, sentence):
    answer = draw(linguist, **changes)

    assert answer.status_code == 400
    assert sentence in words(answer)
    assert not Marking.objects.exists()


def test_marks_are_kept_changed_and_taken_back(linguist, marking):
    sort(linguist, marking, ["1", "2", "0"], ["a note"])
    answer = sort(linguist, marking, ["", "1"])

    values = LineMark.objects.order_by("line__number").values_list("value", "note")
    assert list(values) == [(1, ""), (0, "")]
    assert answer.url == f"/markings/{marking.pk}/?p=1"
    left = linguist.get(f"/markings/{marking.pk}/?show=left").context["page"]
    assert left.paginator.count == 3


@pytest.mark.parametrize("value", ["3", "-1", "x", "9" * 40])
def test_a_value_that_is_no_category_is_refused(linguist, marking, value):
    line = lines_of(marking)[0]
    headers = {"HX-Request": "true"}
    answer = linguist.post(f"/markings/{marking.pk}/mark/", {f"v{line.pk}": value}, headers=headers)

    assert answer.status_code == 400
    assert not LineMark.objects.exists()


def test_the_number_of_a_page_may_be_anything(linguist, marking):
    for number in ("9" * 5000, "x", "-1"):
        answer = linguist.post(f"/markings/{marking.pk}/mark/", {"p": number, "go": "next"})
        assert answer.url == f"/markings/{marking.pk}/?p=2"


def test_lines_of_another_marking_are_not_marked(linguist, marking):
    draw(linguist, name="Other")
    other = Marking.objects.get(name="Other")
    line = lines_of(other)[0]

    linguist.post(f"/markings/{marking.pk}/mark/", {f"v{line.pk}": "1"})

    assert not LineMark.objects.exists()


def test_a_given_text_without_a_date_has_none_beside_its_line(linguist, articles):
    Article.objects.filter(pk=articles[0].pk).update(page=None, published_at=None)
    index_all()
    draw(linguist, query="q=braai")

    shown = words(linguist.get(f"/markings/{Marking.objects.get().pk}/"))

    assert shown.count("no date Cape Meridian") == 1
    assert shown.count("Cape Meridian") == len(articles)


def test_marks_of_one_person_alone_are_not_opened(linguist, articles):
    """Nobody would see more, and nothing could be marked any more."""
    draw(linguist)

    assert "Open the marks" not in words(linguist.get(f"/markings/{Marking.objects.get().pk}/"))


def test_people_mark_blind_until_the_owner_opens(linguist, colleague, marking):
    sort(linguist, marking, ["1", "1", "2", "2", "1"])
    sort(colleague, marking, ["1", "2", "2", "2", "0"], ["secret"])

    assert "secret" not in markup(linguist.get(f"/markings/{marking.pk}/"))
    before = exported(linguist, marking)
    assert len({row["person"] for row in before}) == 1
    assert "agreement" in words(linguist.get(f"/markings/{marking.pk}/results/"))
    assert linguist.get(f"/markings/{marking.pk}/results/").context["agreement"] is None
    assert colleague.post(f"/markings/{marking.pk}/open/").status_code == 404
    opening = f'action="/markings/{marking.pk}/open/"'
    assert opening in markup(linguist.get(f"/markings/{marking.pk}/results/"))
    assert opening not in markup(colleague.get(f"/markings/{marking.pk}/results/"))
    assert "cannot be undone" in words(linguist.get(f"/markings/{marking.pk}/"))

    linguist.post(f"/markings/{marking.pk}/open/")
    refused = sort(colleague, marking, ["2"])
    page = colleague.get(f"/markings/{marking.pk}/results/")

    assert refused.status_code == 302
    assert LineMark.objects.filter(value=1, marker__name="colleague").count() == 1
    (row,) = page.context["agreement"].rows
    # 3 of 5 agree; by chance (3·1 + 2·3 + 0·1) / 25
    assert [cell.value for cell in row[1:4]] == [5, pytest.approx(0.6), pytest.approx(0.36)]
    assert row[4].value == pytest.approx((0.6 - 0.36) / (1 - 0.36))
    assert len({row["person"] for row in exported(colleague, marking)}) == 2
    differ = linguist.get(f"/markings/{marking.pk}/?show=differ")
    assert [row.line.number for row in differ.context["rows"]] == [2, 5]
    assert "secret" in markup(linguist.get(f"/markings/{marking.pk}/"))


def test_markings_stand_in_the_list_with_the_newest_first(linguist, articles):
    for name in ("Zulu", "Afrikaans", "English"):
        draw(linguist, name=name)

    rows = linguist.get("/markings/").context["rows"]

    assert [row.marking.name for row in rows] == ["English", "Afrikaans", "Zulu"]


def test_own_numbers_of_categories_open_their_lines(linguist, colleague, marking):
    sort(linguist, marking, ["1", "2", "1"])
    sort(colleague, marking, ["1", "1", "1"])
    linguist.post(f"/markings/{marking.pk}/open/")

    rows = linguist.get(f"/markings/{marking.pk}/results/").context["table"].rows

    opened = {
        name.value: (n.value, len(linguist.get(n.address).context["rows"]))
        for _, name, n, *_ in rows
        if n.address
    }
    assert opened == {"verb": (2, 2), "noun": (1, 1)}
    assert [n.address for person, _, n, *_ in rows if person.value == "colleague"] == ["", "", ""]


def test_shares_stand_for_all_hits_only_when_all_are_sorted(linguist, marking):
    sort(linguist, marking, ["1", "1", "2", "0"])
    part = linguist.get(f"/markings/{marking.pk}/results/").context["table"]
    sort(linguist, marking, ["1", "1", "2", "0", "1"])
    whole = linguist.get(f"/markings/{marking.pk}/results/?by=form").context

    assert [[cell.value for cell in row[1:4]] for row in part.rows] == [
        ["verb", 2, 0.5],
        ["noun", 1, 0.25],
        ["left out", 1, 0.25],
    ]
    assert {row[6].value for row in part.rows} == {None}
    assert [row[6].value for row in whole["table"].rows] == [3, 1, 1]
    assert [[cell.value for cell in row] for row in whole["grouped"].rows] == [
        ["braai", 3, 1, 1, 5]
    ]


def test_a_file_has_each_line_with_category_note_and_person(linguist, marking):
    sort(linguist, marking, ["2", "0"], ["=odd"])

    rows = exported(linguist, marking)
    tsv, jsonl, xlsx = (
        linguist.get(f"/markings/{marking.pk}/export/?format={kind}").getvalue()
        for kind in ("tsv", "jsonl", "xlsx")
    )

    assert [(row["category"], row["note"]) for row in rows] == [
        ("noun", "'=odd"),
        ("left out", ""),
        *[("", "")] * 3,
    ]
    assert {row["node"] for row in rows} == {"braai"}
    assert "asof=1" in rows[0]["address"]
    about, first = (json.loads(line) for line in jsonl.decode().splitlines()[:2])
    assert (about["generation"], about["categories"]) == ("1", "verb; noun")
    assert (first["category"], first["note"]) == ("noun", "=odd")
    assert tsv.decode().rstrip().count("\r\n") == len(rows) + len(about) + 1
    assert xlsx[:2] == b"PK"


def test_lines_are_carried_where_the_same_words_stand(linguist, marking, articles):
    sort(linguist, marking, ["1"] * 5, ["kept"] * 5)
    text = "Now text 1. And we braai on day 1, then rest."
    Article.objects.filter(pk=articles[1].pk).update(text=text)
    articles[1].indexed.__class__.objects.filter(article=articles[1]).update(due_at=NOW)
    make_article("One more braai.")
    index_all()

    answer = linguist.post(f"/markings/{marking.pk}/carry/")
    copy = Marking.objects.exclude(pk=marking.pk).get()

    assert answer.url == f"/markings/{copy.pk}/"
    assert copy.generation == current_snapshot().generation > 1
    assert copy.lines.count() == 4
    assert not copy.lines.filter(kind=1, key=articles[1].pk).exists()
    assert set(LineMark.objects.filter(line__marking=copy).values_list("value", "note")) == {
        (1, "kept")
    }
    assert "1 of 5 lines drawn at generation 1 is not here" in words(
        linguist.get(f"/markings/{copy.pk}/results/")
    )
    assert len(exported(linguist, marking)) == 5
    assert len(exported(linguist, copy)) == 4


def test_others_see_only_what_is_shared_and_change_nothing_of_it(linguist, colleague, articles):
    draw(linguist)
    own = Marking.objects.get()

    for path in ("", "results/", "export/"):
        assert colleague.get(f"/markings/{own.pk}/{path}").status_code == 404
    for path in ("mark/", "open/", "carry/", "category/", "remove/"):
        assert colleague.post(f"/markings/{own.pk}/{path}").status_code == 404
    assert "Verbs" not in markup(colleague.get("/markings/"))


def test_categories_are_added_up_to_nine(linguist, marking):
    for name in ("verb", *"cdefghij"):
        linguist.post(f"/markings/{marking.pk}/category/", {"name": name})

    marking.refresh_from_db()
    assert marking.categories == ["verb", "noun", *"cdefghi"]


@pytest.mark.parametrize(
    ("typed", "said"),
    [("", "Write the name of the category."), ("noun", "There is a category “noun” already.")],
)
def test_a_refused_category_comes_back_beside_what_is_wrong(linguist, marking, typed, said):
    answer = linguist.post(f"/markings/{marking.pk}/category/", {"name": typed})

    form = answer.context["category_form"]
    assert (answer.status_code, form["name"].value()) == (400, typed)
    assert f'id="id_name_error">{said}</p>' in answer.content.decode()
    marking.refresh_from_db()
    assert marking.categories == ["verb", "noun"]


def test_erased_texts_leave_no_line(linguist, marking, articles):
    sort(linguist, marking, ["1"] * 5)
    comment = MarkedLine.objects.get(kind=2)

    forget([], [comment.key])
    forget([articles[1].pk], [])

    assert marking.lines.count() == 3
    assert LineMark.objects.count() == 3
    assert "2 of 5 lines drawn" in words(linguist.get(f"/markings/{marking.pk}/results/"))


def test_the_owner_removes_a_marking_with_all_marks(linguist, marking):
    sort(linguist, marking, ["1"])

    linguist.post(f"/markings/{marking.pk}/remove/")

    assert not LineMark.objects.exists()
    assert not MarkedLine.objects.exists()
