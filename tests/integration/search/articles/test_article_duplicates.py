"""The duplicates tab of an article: its cluster, like texts, its story, and two side by side."""

from datetime import timedelta

import lxml.html
import pytest
from django.db import connection
from django.db.models import F
from django.test.utils import CaptureQueriesContext
from factories import NOW, make_article, make_publication
from inline_code import inline_code

from dedup.judging.judgements import Editor, judge
from dedup.models import Detection, Duplicate, StoryCluster, Verdict
from dedup.twins import relation_words

pytestmark = [pytest.mark.django_db, pytest.mark.sql]

# As the lists write the times of the two articles and the figures of their pair.
EARLIER, LATER = "20 Nov 2026, 10:30", "20 Nov 2026, 12:30"
SHARES = "92 % 61 % 1 sentence"
SHARED = "The municipality has banned open fires in the reserve."


def make_pair(article, other, **changes):
    values = {
        "relation": "near",
        "similarity": 0.61,
        "containment": 0.92,
        "jaccard": 0.61,
        "closeness": 1.5,
        "joins": True,
        "n_shared": 1,
        "detected_at": NOW,
    }
    return Duplicate.objects.create(article=article, other=other, **values | changes)


def make_cluster(original, *copies):
    """Put articles into one cluster whose representative is the original."""
    ids = [original.pk, *(copy.pk for copy in copies)]
    Detection.objects.filter(article__in=ids).update(original=original, representative=original)


@pytest.fixture
def pair():
    earlier = make_article(
        text=f"{SHARED}\nAnd only there is that other one.",
        publication=make_publication("cape-meridian"),
        dated_at=NOW - timedelta(hours=2),
        title="Fires banned",
    )
    later = make_article(text=f"{SHARED}\nOnly here is this sentence to be read.")
    return make_pair(later, earlier)


def page_of(client, address):
    response = client.get(address)
    assert response.status_code == 200
    return lxml.html.fromstring(response.content.decode())


def words_of(element):
    return " ".join(" ".join(element.itertext()).split())


def rows_under(page, heading):
    """Give the rows of the list under a heading, without its buttons."""
    [section] = page.xpath(f'//section[.//h2[text()="{heading}"]]')
    for form in section.xpath(".//form"):
        form.drop_tree()
    return [words_of(row) for row in section.xpath(".//tr[@data-row]")]


def sides_of(page):
    """Give the rows of the two columns: their kind, and both cells with their marks."""
    rows = page.xpath('//table[contains(@class, "diff")]/tbody/tr')
    return [(" ".join(row.get("class").split()), *map(cell_of, row.xpath("./td"))) for row in rows]


def cell_of(cell):
    """Write a cell with [struck], {put in} and =shared= words."""
    for tag, left, right in (("mark", "=", "="), ("del", "[", "]"), ("ins", "{", "}")):
        for element in cell.xpath(f".//{tag}"):
            element.text = left + (element.text or "")
            last = element[-1] if len(element) else None
            if last is None:
                element.text += right
            else:
                last.tail = (last.tail or "") + right
    return words_of(cell)


def test_a_cluster_stands_in_order_of_time_with_what_joined_each_text(reader, pair):
    make_cluster(pair.other, pair.article)

    page = page_of(reader, f"/articles/{pair.article_id}/duplicates/")

    assert rows_under(page, "Same text elsewhere") == [
        f"Fires banned Cape Meridian {EARLIER} first Representative Original – – Side by side",
        f"Maas for all this article Karoo Courier {LATER} 2 h later Near-duplicate {SHARES}",
    ]
    assert words_of(page.xpath('//nav[@class="tabs"]/a[@aria-current]')[0]) == "Duplicates 1"


@pytest.mark.parametrize(
    ("relation", "of_later", "of_earlier"),
    [
        ("repost", "Same text", "Same text"),
        ("trimmed", "Trimmed", "Longer text"),
        ("update", "Update", "Earlier version"),
        ("near", "Near-duplicate", "Near-duplicate"),
    ],
)
def test_a_relation_is_told_from_both_ends(pair, relation, of_later, of_earlier):
    pair.relation = relation

    assert relation_words(pair, pair.article_id) == of_later
    assert relation_words(pair, pair.other_id) == of_earlier


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"joins": False, "closeness": 0.9}, "Similar"),
        ({"joins": False, "verdict": "different"}, "Different said by an editor"),
        ({"joins": False, "verdict": "event"}, "Same event said by an editor"),
    ],
)
def test_a_pair_that_joins_nothing_stands_apart(reader, pair, changes, words):
    Duplicate.objects.update(**changes)

    page = page_of(reader, f"/articles/{pair.article_id}/duplicates/")

    assert rows_under(page, "Like it, but not the same") == [
        f"Fires banned Cape Meridian {EARLIER} 2 h earlier {words} {SHARES} Side by side"
    ]
    assert "stands nowhere else" in words_of(page)
    assert words_of(page.xpath('//nav[@class="tabs"]/a[@aria-current]')[0]) == "Duplicates 0"


def test_a_part_and_its_whole_name_each_other_apart_from_the_duplicates(reader, pair):
    Duplicate.objects.update(joins=False, relation="part", closeness=0, is_later_master=True)
    figures = f"{SHARES} Side by side"

    of_part = page_of(reader, f"/articles/{pair.other_id}/duplicates/")
    of_whole = page_of(reader, f"/articles/{pair.article_id}/duplicates/")

    assert rows_under(of_part, "Parts") == [
        f"Maas for all Karoo Courier {LATER} 2 h later Contains this text {figures}"
    ]
    assert rows_under(of_whole, "Parts") == [
        f"Fires banned Cape Meridian {EARLIER} 2 h earlier Stands in this text {figures}"
    ]
    assert words_of(of_whole.xpath('//nav[@class="tabs"]/a[@aria-current]')[0]) == "Duplicates 0"
    assert not of_whole.xpath('//h2[text()="Like it, but not the same"]')


def test_a_part_that_an_editor_judged_is_what_the_editor_said(pair):
    pair.relation, pair.joins = "part", False

    for verdict, words in (("same", "Joined"), ("event", "Same event")):
        pair.verdict = verdict
        assert relation_words(pair, pair.article_id) == words


def test_articles_of_the_same_event_are_no_duplicates(reader):
    article, other = make_article(), make_article(title="The same, told otherwise")
    story = StoryCluster.objects.create(first=article, created_at=NOW)
    Detection.objects.update(story=story)

    page = page_of(reader, f"/articles/{article.pk}/duplicates/")

    assert rows_under(page, "Same event") == [
        f"{other.title} Karoo Courier {LATER} at the same time Same event Side by side"
    ]


def test_two_texts_stand_side_by_side_with_what_changed(reader):
    left = make_article(text=f"{SHARED} Two men were held.\nOnly here.")
    right = make_article(text=f"Three men were held. {SHARED}\nOnly there is that other one.")
    make_pair(right, left)

    page = page_of(reader, f"/articles/{left.pk}/duplicates/?with={right.pk}")

    assert sides_of(page) == [
        ("is-same moved para", f"={SHARED}= moved ↷", ""),
        ("is-changed para", "[Two ] =men were held.=", "{Three } =men were held.="),
        ("is-left para", "[Only here.]", ""),
        ("is-same moved", "", f"={SHARED}= moved ↶"),
        ("is-right para", "", "{Only there is that other one.}"),
    ]
    assert [link.get("href") for link in page.xpath('//a[@class="same"]')] == [
        "#r2", "#r1", "#l2", "#l1",
    ]  # fmt: skip
    assert "80 % of the words on the left stand on the right" in words_of(page)


def test_a_copy_names_its_original_where_one_reads(reader, pair):
    make_cluster(pair.other, pair.article)

    text = page_of(reader, f"/articles/{pair.article_id}/")
    listed = page_of(reader, "/articles/?copies=only")

    [line] = text.xpath('//header/p[starts-with(., "Copy of")]')
    assert words_of(line) == "Copy of Fires banned , Cape Meridian"
    assert line.xpath("./a/@href") == [f"/articles/{pair.other_id}/"]
    assert "Copy of" not in words_of(page_of(reader, f"/articles/{pair.other_id}/"))
    assert len(listed.xpath("//tr[@data-row]")) == 1
    assert words_of(listed.xpath("//tr[@data-row]/td[last()]")[0]) == "copy"
    assert page_of(reader, "/").xpath('//a[@href="/articles/?copies=only"]/text()') == ["1 copy"]


def test_a_join_by_an_editor_says_so_and_is_taken_back(editor, pair):
    Duplicate.objects.update(joins=False, relation="similar")
    judge([pair.pk], Verdict.SAME, Editor(None, NOW))
    Detection.objects.update(representative=F("article"))
    address = f"/articles/{pair.article_id}/duplicates/"

    page = page_of(editor, address)
    [button] = page.xpath('//button[text()="Take back"]')
    [form] = button.xpath("./..")
    words = rows_under(page, "Same text elsewhere")
    editor.post(form.get("action"), {**dict(form.form_values()), "verdict": "open"})

    assert "first Representative Original" in words[0]
    assert "2 h later Joined said by an editor" in words[1]
    assert Duplicate.objects.get().verdict == Verdict.OPEN


def test_headlines_show_what_changed_in_them(reader, pair):
    page = page_of(reader, f"/articles/{pair.article_id}/duplicates/?with={pair.other_id}")

    heads = page.xpath('//table[contains(@class, "diff")]/thead//th')
    assert [[words_of(edit) for edit in head.xpath(".//del | .//ins")] for head in heads] == [
        ["Maas for all"],
        ["Fires banned"],
    ]


def test_only_the_differences_are_shown_on_demand(reader, pair):
    address = f"/articles/{pair.article_id}/duplicates/?with={pair.other_id}"

    page = page_of(reader, f"{address}&diff=1")

    assert sides_of(page) == [
        ("hidden-run", "1 sentence the same"),
        ("is-left para", "[Only here is this sentence to be read.]", ""),
        ("is-right para", "", "{And only there is that other one.}"),
    ]
    links = page.xpath('//a[normalize-space()="Whole texts"]/@href')
    assert links == [f"?with={pair.other_id}#side"]


def test_only_editors_get_buttons(client, reader, linguist, pair):
    make_cluster(pair.other, pair.article)
    address = f"/articles/{pair.article_id}/duplicates/?with={pair.other_id}"

    assert page_of(linguist, address).xpath("//main//form") == []
    linguist.logout()
    assert page_of(reader, address).xpath("//main//form") == []


def test_editors_get_the_buttons_of_pair_and_cluster(editor, pair):
    make_cluster(pair.other, pair.article)

    page = page_of(editor, f"/articles/{pair.article_id}/duplicates/?with={pair.other_id}")

    buttons = page.xpath("//main//button[not(ancestor::*[@id='article-tools'])]")
    assert [words_of(button) for button in buttons] == [
        "Split off", "Make original", "Hide", "Split off", "Join as the same text",
        "Same text y", "Different n", "Same event e",
    ]  # fmt: skip


@pytest.mark.parametrize("wrong", ["x", "0", "99999999999999999999999", "²", "-1"])
def test_a_wrong_article_beside_it_is_said_to_be_gone(reader, wrong):
    article = make_article()

    page = page_of(reader, f"/articles/{article.pk}/duplicates/?with={wrong}")

    assert "not in the corpus any more" in words_of(page)


def test_an_article_is_not_compared_with_itself(reader):
    article = make_article()

    page = page_of(reader, f"/articles/{article.pk}/duplicates/?with={article.pk}")

    assert page.xpath('//*[@id="side"]') == []


def test_an_article_that_was_not_compared_yet_says_so(reader):
    article = make_article()
    Detection.objects.update(detected_at=None)

    page = page_of(reader, f"/articles/{article.pk}/duplicates/")

    assert "not compared with the others yet" in words_of(page)


def test_texts_of_newspapers_are_never_markup(reader):
    hostile = '<script>alert("x")</script> was said. <img src=x onerror=x()> was not.'
    left, right = make_article(text=hostile), make_article(text=hostile.replace("not", "now"))
    make_pair(right, left)

    page = reader.get(f"/articles/{left.pk}/duplicates/?with={right.pk}").content.decode()

    assert inline_code(page) == []
    assert page.count("&lt;script&gt;") == 2


def test_the_tab_needs_the_same_number_of_queries_for_one_copy_and_for_three(reader):
    original = make_article()
    copies = [make_article(title=f"Copy {number}") for number in range(3)]
    make_cluster(original, copies[0])
    make_pair(copies[0], original)
    address = f"/articles/{original.pk}/duplicates/?with={copies[0].pk}"
    with CaptureQueriesContext(connection) as one:
        reader.get(address)
    make_cluster(original, *copies)
    for copy in copies[1:]:
        make_pair(copy, original)

    with CaptureQueriesContext(connection) as three:
        reader.get(address)

    assert len(three) == len(one)
