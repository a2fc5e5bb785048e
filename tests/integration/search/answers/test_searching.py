"""Searching as pages and the command line do it: lines with titles, totals, places, mistakes."""

import json
from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest
from asked import asked
from django.conf import settings
from django.core.management import CommandError, call_command
from factories import make_article, make_publication
from small_corpora import DAY_SECONDS, document, write

from search.answers.searching import count, hits_in_text, place_of_hit, search
from search.asking.request import read_place
from search.engine.index.documents import DocumentKind
from search.engine.query.errors import QueryError
from search.wording.near_words import NearWord, near_words

ARTICLE, COMMENT = DocumentKind.ARTICLE, DocumentKind.COMMENT

pytestmark = [pytest.mark.django_db, pytest.mark.sql]


@pytest.fixture
def articles():
    """Three articles of two papers; their ids are their keys in the index."""
    karoo = make_publication("karoo", name="Karoo Courier")
    cape = make_publication("cape", name="Cape Star")
    return [
        make_article(title="Rain at last", publication=karoo),
        make_article(title="Dam levels", publication=cape),
        make_article(title="Cricket", publication=karoo),
    ]


@pytest.fixture
def corpus(articles):
    first, second, third = (article.pk for article in articles)
    days = [number * DAY_SECONDS for number in range(4)]
    batch = [
        document(
            first, "heavy rain fell | Rain again", publication="karoo", published_seconds=days[0]
        ),
        document(second, "the rain filled the dam", publication="cape", published_seconds=days[1]),
        document(
            third,
            "no play , rain",
            publication="karoo",
            duplicate_cluster=second,
            published_seconds=days[2],
        ),
        document(
            9,
            "we need rain",
            kind=COMMENT,
            publication="karoo",
            parent_key=first,
            published_seconds=days[3],
        ),
    ]
    write(Path(settings.INDEX_DIR), batch)
    return articles


def test_page_has_lines_titles_totals_and_base(corpus):
    first, second, _ = corpus

    page = search(asked("q=rain"))

    assert (page.total, page.n_texts, page.n_lines) == (3, 2, 3)
    assert (page.base_tokens, page.base_texts) == (10, 2)
    assert page.per_million == 300_000
    assert (page.generation, page.newest_generation) == (1, 1)
    assert page.cql == '"rain"%c'
    assert [(line.article_id, line.position, line.title) for line in page.lines] == [
        (second.pk, 1, "Dam levels"),
        (first.pk, 1, "Rain at last"),
        (first.pk, 3, "Rain at last"),
    ]
    line = page.lines[0]
    assert line.left + line.node + line.right == "the rain filled the dam"
    assert (line.publication, line.publication_slug) == ("Cape Star", "cape")
    assert line.url == second.url
    assert line.hit == f"{second.pk}-1"
    assert (page.first_number, page.next_after, page.previous_after) == (1, None, None)


def test_facets_count_the_hits(corpus):
    page = search(asked("q=rain&in=both&copies=all"))

    facets = {
        facet.name: [(value.value, value.label, value.hits) for value in facet.values]
        for facet in page.facets
    }

    assert facets == {
        "kind": [("article", "Articles", 4), ("comment", "Comments", 1)],
        "publication": [("karoo", "Karoo Courier", 4), ("cape", "Cape Star", 1)],
        "month": [("1970-01", "Jan 1970", 5)],
        "form": [("rain", "rain", 5)],
    }


def test_comment_line_names_its_article(corpus):
    (line,) = search(asked("q=rain&in=comments")).lines

    assert (line.is_comment, line.comment_id, line.article_id) == (True, 9, corpus[0].pk)
    assert (line.title, line.hit) == ("Rain at last", "c9-2")


@pytest.mark.parametrize(
    ("parameters", "total"),
    [
        ("q=rain&copies=all", 4),
        ("q=rain&copies=originals", 3),
        ("q=rain&pub=karoo", 3),
        ("q=rain&pub=-karoo", 1),
        ("q=rain&case=1", 2),
        ("q=rain&from=2026", 0),
        ('q="Rain"&ql=cql', 1),
    ],
)
def test_filters_change_total_and_count(corpus, parameters, total):
    request = asked(parameters)

    assert search(request).total == total
    assert count(request).total == total


def test_before_the_first_generation_there_is_nothing(corpus):
    request = asked("q=rain")
    of_old = replace(request.texts, filter=replace(request.texts.filter, generation=0))

    assert count(replace(request, texts=of_old)).total == 0


def test_pages_do_not_shift_when_the_corpus_grows(corpus):
    request = asked("q=rain&n=2")
    first = search(request)
    write(Path(settings.INDEX_DIR), [document(1000, "rain rain rain")])

    second = search(asked(f"q=rain&n=2&after={first.next_after}"))

    assert second.first_number == 3
    assert [line.hit for line in second.lines] == [f"{corpus[0].pk}-3"]
    assert (second.total, second.generation, second.newest_generation) == (3, 1, 2)
    assert (second.next_after, second.previous_after) == (None, "")
    assert search(request).total == 6


def test_wrong_place_in_the_list_is_a_query_error():
    with pytest.raises(QueryError, match="not one of ours"):
        read_place("x")


def test_mistake_travels_with_position_and_suggestion(corpus):
    with pytest.raises(QueryError) as caught:
        search(asked('q="rain&ql=cql'))

    assert (caught.value.position, caught.value.suggestion) == (0, '"rain"')


def test_query_without_hits_explains_itself(corpus):
    page = search(asked('q=[pos="VERB"]&ql=cql'))

    assert page.total == 0
    assert [row.words for row in page.remarks] == [
        'VERB is not a tag of this corpus; write pos="VB.*|MD|VERB|AUX" for it.'
    ]


def test_no_index_gives_an_empty_page():
    page = search(asked("q=rain"))

    assert (page.total, page.base_tokens, page.lines, page.generation) == (0, 0, (), 0)


def test_unreadable_index_is_named_and_serves_nothing(corpus):
    (Path(settings.INDEX_DIR) / "manifest.json").write_text("{")

    page = search(asked("q=rain"))

    assert (page.total, page.damaged) == (0, ("manifest.json",))


def test_index_that_breaks_later_is_served_as_it_was(corpus):
    search(asked("q=rain"))
    (Path(settings.INDEX_DIR) / "manifest.json").write_text("{")

    page = search(asked("q=rain"))

    assert (page.total, page.damaged) == (3, ("manifest.json",))


def test_two_queries_for_any_number_of_lines(corpus, django_assert_num_queries):
    for n in (1, 3):
        request = asked(f"q=rain&n={n}")
        # Titles, names of the lines, names of the facets, the newest column of given texts.
        with django_assert_num_queries(4):
            search(request)


def test_hits_in_a_text_are_token_spans(corpus):
    request = asked("q=heavy rain | rain&pub=cape")

    assert hits_in_text(request, ARTICLE, corpus[0].pk) == [(0, 2), (3, 4)]
    assert hits_in_text(request, ARTICLE, 12345) == []


def test_place_of_a_hit_has_number_and_neighbours(corpus):
    first, second, _ = corpus

    place = place_of_hit(asked("q=rain"), ARTICLE, first.pk, 1)

    assert (place.number, place.n_lines) == (2, 3)
    assert (place.previous.hit, place.next.hit) == (f"{second.pk}-1", f"{first.pk}-3")
    assert place_of_hit(asked("q=rain"), ARTICLE, first.pk, 0) is None


def test_first_and_last_hit_have_one_neighbour(corpus):
    first, second, _ = corpus

    start = place_of_hit(asked("q=rain"), ARTICLE, second.pk, 1)
    end = place_of_hit(asked("q=rain"), ARTICLE, first.pk, 3)

    assert (start.number, start.previous, start.next.hit) == (1, None, f"{first.pk}-1")
    assert (end.number, end.previous.hit, end.next) == (3, f"{first.pk}-1", None)


def test_near_words_are_one_change_away_and_count_what_is_asked(corpus):
    def articles(word):
        return count(asked(f"q={word}")).total

    assert near_words("rayn", articles) == [NearWord("rain", 3)]
    assert near_words("rayn", lambda word: count(asked(f"q={word}&in=both")).total) == [
        NearWord("rain", 4)
    ]
    assert [near.word for near in near_words("dma", articles)] == ["dam"]
    assert near_words("nede", articles) == []  # "need" stands in a comment only
    assert near_words("x", articles) == []


def test_only_more_frequent_words_are_likelier_spellings():
    write(Path(settings.INDEX_DIR), [document(1, "reën reën reen rein rein rein veen")])

    assert near_words("reen", lambda _: 1) == [NearWord("reën", 1), NearWord("rein", 1)]
    assert near_words("rein", lambda _: 1) == []


def test_command_prints_json(corpus):
    out = StringIO()

    call_command("search", '[lemma="rain"]', "--cql", "--json", "--limit", "1", stdout=out)

    record = json.loads(out.getvalue())
    assert (record["total"], record["texts"], record["base_tokens"]) == (3, 2, 10)
    assert len(record["lines"]) == 1
    assert record["lines"][0]["article"] == corpus[1].pk
    assert record["lines"][0]["node"] == "rain"


def test_command_prints_lines(corpus):
    out = StringIO()

    call_command("search", "heavy rain", stdout=out)

    line, totals = out.getvalue().splitlines()
    assert line.endswith("[heavy rain] fell Rain again")
    assert totals.startswith("1 hits in 1 texts, 100000.0 per million of 10 tokens, generation 1,")


def test_command_names_files_that_cannot_be_read(corpus, settings):
    (settings.INDEX_DIR / "manifest.json").write_bytes(b"{")
    out = StringIO()

    call_command("search", "rain", stdout=out)

    assert "Part of the index cannot be read: manifest.json" in out.getvalue().splitlines()


def test_command_points_at_the_mistake(corpus):
    with pytest.raises(CommandError) as caught:
        call_command("search", '"rain', "--cql")

    assert str(caught.value) == (
        '"rain\n^\nCharacter 1: The quote opened here is never closed. Expected: ".'
    )
