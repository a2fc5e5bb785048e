"""The concordance page: every state, addresses, links; its part, its export."""

import csv
import io
from datetime import timedelta
from urllib.parse import quote

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from factories import NOW, index_all, make_article, make_comment, make_publication
from pages import has, is_whole, markup, texts, values, words

pytestmark = pytest.mark.django_db


def see(client, query, **headers):
    return client.get(f"/search/?{query}", headers=headers)


@pytest.fixture
def corpus():
    """Two papers, a comment, three days."""
    cape = make_publication("cape-meridian", name="Cape Meridian")
    first = make_article(
        "We braai on Saturday. The braai was cold. Nobody came.",
        title="Cold fire",
        dated_at=NOW - timedelta(days=40),
    )
    second = make_article("They braaied snoek.", cape, title="Snoek", dated_at=NOW)
    comment = make_comment(first, "A gas braai is a stove.", author_name="Vusi")
    index_all()
    return first, second, comment


# Forms


def test_without_a_query_the_page_shows_how_to_ask(reader):
    response = see(reader, "")

    assert response.status_code == 200
    assert "every form of a word" in markup(response)
    assert 'href="/search/keyness/"' in markup(response)
    assert 'href="/search/ngrams/"' in markup(response)


@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}])
def test_the_address_answers_a_whole_page_also_to_htmx(reader, corpus, headers):
    page = see(reader, "q=braai", **headers)

    assert is_whole(page)
    assert "2 hits" in words(page)


def test_the_canonical_address_leaves_defaults_out(reader, corpus):
    page = markup(see(reader, "n=50&sort=new&q=braai&pub=cape-meridian&in=articles&zzz=1"))

    assert '<link rel="canonical" href="/search/?q=braai&amp;pub=cape-meridian">' in page
    assert "Not known here and left out: zzz." in page


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("ql=latin", "“latin” is no query language"),
        ("in=letters", "“letters” is no kind of text"),
        ("copies=twice", "“twice” is no way to count copies"),
        ("pub=nobody", "“nobody” is no publication’s name."),
        ("pub=merid", "“merid” is no publication’s name. Did you mean Cape Meridian?"),
        ("lang=xx", "“xx” is no language"),
        ("from=yesterday", "“yesterday” is no date"),
        ("to=2026-02-30", "There is no day 2026-02-30"),
        ("from=2026&to=2025", "The end lies before the beginning"),
        ("asof=99", "There is no generation 99 yet; the newest is 1."),
        ("asof=-1", "Write a whole number from 1 to 1 000 000 000."),
        ("sub=nothing", "There is no subcorpus “nothing”"),
    ],
)
def test_a_wrong_filter_stops_the_search_and_is_named_at_its_control(
    reader, corpus, query, message
):
    response = see(reader, f"q=braai&{query}")

    assert response.status_code == 400
    assert message in markup(response)
    assert "hits</span>" not in markup(response)
    assert 'value="braai"' in markup(response)


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("sort=colour", "“colour” is no order"),
        ("sort=new,old,pub,node", "“new,old,pub,node” is no order"),
        ("view=poem", "“poem” is no view"),
        ("ctx=0", "Write a whole number from 1 to 50."),
        ("n=many", "Write a whole number from 1 to 200."),
        ("n=100000", "Write a whole number from 1 to 200."),
        ("hit=abc", "“abc” names no hit"),
    ],
)
def test_a_wrong_display_is_named_and_the_default_is_shown(reader, corpus, query, message):
    response = see(reader, f"q=braai&{query}")

    assert response.status_code == (400 if query.startswith("sort") else 200)
    assert message in markup(response)
    assert "<strong>2</strong> hits" in markup(response)


# Mistakes in the query


@pytest.mark.parametrize(
    ("query", "before", "mark"),
    [
        ('[lemma="go"] [pos="V.*] within s', '[lemma="go"] [pos=', '"'),
        ('[lemma="go"', '[lemma="go"', " "),
        ("[]{3,1}", None, None),
        ('[colour="red"]', "[", "c"),
    ],
)
def test_a_mistake_in_cql_is_marked_where_it_is(reader, corpus, query, before, mark):
    response = see(reader, f"ql=cql&q={quote(query)}")

    assert response.status_code == 400
    error = response.context["query_error"]
    if before is not None:
        assert (error.before, error.at) == (before, mark)
    assert error.indent == " " * len(error.before)
    assert f"Character {error.number}:" in markup(response)
    assert 'aria-invalid="true"' in markup(response)


def test_a_mistake_far_in_a_long_query_is_shown_near(reader, corpus):
    query = '[word="braai"] ' * 40 + "[[" + ' [word="x"]' * 40

    error = see(reader, f"ql=cql&q={quote(query)}").context["query_error"]

    assert error.before.startswith("…")
    assert error.after.endswith("…")
    assert len(error.before) < 100


def test_a_repaired_query_is_offered_as_a_link(reader, corpus):
    page = markup(see(reader, "ql=cql&q=" + quote('[lemma="go"] [pos="V.*]')))

    assert "Did you mean" in page


@pytest.mark.parametrize(
    "query",
    [
        "(" * 5000,
        "(" * 900 + '"a"' + ")" * 900,
        "[" + "!" * 900 + 'word="a"]',
        "[!" + "(" * 900 + 'word="a"' + ")" * 900 + "]",
        "(a|" * 900 + "b" + ")" * 900,
        "a|" * 5000,
        "\x00",
        "..99999..",
        "*" * 300,
        "\u202e",
        "<script>alert(1)</script>",
        "%c",
        "\\",
    ],
)
def test_strange_queries_never_break_the_page(reader, corpus, query):
    for language in ("simple", "cql"):
        response = see(reader, f"ql={language}&q={quote(query)}")

        assert response.status_code in {200, 400}
        assert "<script>alert" not in markup(response)


# Answers


def test_numbers_stand_with_unit_base_and_generation(reader, corpus):
    page = markup(see(reader, "q=braai&in=both"))

    assert "<strong>3</strong> hits" in page
    assert "in <b>2</b> texts" in page
    assert "tokens in 3 texts, articles, comments and posts, copies counted once" in page
    assert "Corpus generation 1." in page


def test_lines_are_newest_first_with_left_node_and_right(reader, corpus):
    _, second, _ = corpus

    rows = see(reader, "q=lemma:braai").context["lines"]

    assert [(row.left, row.node, row.right) for row in rows] == [
        ("They ", "braaied", " snoek."),
        ("We ", "braai", " on Saturday. The braai was cold. Nobody came."),
        ("We braai on Saturday. The ", "braai", " was cold. Nobody came."),
    ]
    assert (
        rows[0].address == f"/articles/{second.pk}/?q=lemma:braai&hit={second.pk}-1#h{second.pk}-1"
    )
    assert [row.number for row in rows] == [1, 2, 3]


def test_a_simple_query_shows_the_cql_it_becomes(reader, corpus):
    page = markup(see(reader, "q=lemma:braai"))

    assert "In CQL:" in page
    assert "ql=cql" in page
    assert "In CQL:" not in markup(see(reader, "ql=cql&q=" + quote('[lemma="braai"]')))


def test_sorting_marks_the_words_it_compares(reader, corpus):
    response = see(reader, "q=lemma:braai&sort=l1")

    assert [row.left_near for row in response.context["lines"]] == ["The ", "They ", "We "]
    assert '<th class="k-l" aria-sort="ascending">' in markup(response)


def test_heads_sort_and_the_source_turns_round(reader, corpus):
    page = see(reader, "q=lemma:braai&pub=cape-meridian")
    turned = see(reader, "q=lemma:braai&sort=old")

    address = "/search/?q=lemma:braai&pub=cape-meridian&sort=old"
    assert values(page, 'th[aria-sort="descending"] a', "href")[0] == address
    assert values(turned, 'th[aria-sort="ascending"] a', "href")[0] == "/search/?q=lemma:braai"
    assert texts(turned, 'th[aria-sort="ascending"] a')[0] == "Source ↑"


def test_one_hit_is_open_without_sort_and_pager(reader, corpus):
    page = see(reader, "q=snoek")

    assert "1 hit" in texts(page, ".answer > span")
    assert has(page, "tr.wide")
    assert not has(page, "select[name=sort]")
    assert not has(page, ".pager")


def test_a_citation_writes_its_numbers_as_the_page_does(reader, corpus):
    citation = see(reader, "q=braai").context["citation"]

    numbers = "2 hits in 1 text, 117\u202f647.1 per million of 17"
    said, _, base = citation.partition(" tokens, ")
    assert said == f"Broadsheet corpus, braai (simple query): {numbers}"
    assert base.startswith("articles, copies counted once; generation 1, ")


def test_an_open_line_shows_sentences_around(reader, corpus):
    first, _, _ = corpus

    page = markup(see(reader, f"q=braai&hit={first.pk}-6"))

    assert '<p dir="auto">We braai on Saturday. The <b>braai</b> was cold. Nobody came.</p>' in page
    assert "Copy citation" in page
    assert 'aria-expanded="true"' in page


def test_a_comment_says_whose_it_is_and_opens_under_its_article(reader, corpus):
    first, _, comment = corpus

    row = see(reader, f"q=braai&in=comments&hit=c{comment.pk}-2").context["lines"][0]
    page = markup(reader.get(row.address.partition("#")[0]))

    assert row.is_comment
    assert row.author == "Vusi"
    assert row.address.startswith(f"/articles/{first.pk}/comments/?")
    assert f'A gas <b class="hit" id="hc{comment.pk}-2">braai</b>' in page


def test_sentence_view(reader, corpus):
    page = see(reader, "q=cold&view=sentence")

    assert "The braai was cold." in words(page)
    assert texts(page, "b.hit") == ["cold"]
    assert "on Saturday" not in words(page)


def test_facets_narrow_and_a_chosen_one_takes_itself_away(reader, corpus):
    facets = {f.title: f for f in see(reader, "q=lemma:braai&in=both").context["facets"]}

    assert [(v.label, v.n) for v in facets["Text"].values] == [("Articles", 3), ("Comments", 1)]
    assert [(v.label, v.n, v.address) for v in facets["Publication"].values] == [
        ("Karoo Courier", 3, "/search/?q=lemma:braai&in=both&only=pub:karoo-courier"),
        ("Cape Meridian", 1, "/search/?q=lemma:braai&in=both&only=pub:cape-meridian"),
    ]
    assert [v.label for v in facets["Month"].values] == ["Nov 2026", "Oct 2026"]
    assert (
        facets["Month"].values[0].address
        == "/search/?q=lemma:braai&in=both&only=days:2026-11-01..2026-11-30"
    )


@pytest.mark.parametrize(
    "narrowed",
    [
        "pub=karoo-courier",
        "only=pub:karoo-courier",
        "from=2026-11&to=2026-11",
        "only=days:2026-11-01..2026-11-30",
        "only=lower:braai",
    ],
)
def test_a_chosen_facet_takes_itself_away(reader, corpus, narrowed):
    facets = see(reader, f"q=lemma:braai&in=both&{narrowed}").context["facets"]

    chosen = [value for facet in facets for value in facet.values if value.is_chosen]
    assert [value.address for value in chosen] == ["/search/?q=lemma:braai&in=both"]


@pytest.mark.parametrize(
    "query",
    [
        "q=lemma:braai",
        "q=braai*",
        'q=[lemma="braai"]&ql=cql',
        'q=[]+[lemma="braai"]&ql=cql',
        "q=lemma:braai&one=text",
    ],
)
def test_every_facet_link_finds_as_many_hits_as_it_says(reader, corpus, query):
    facets = see(reader, f"{query}&in=both").context["facets"]

    linked = [value for facet in facets for value in facet.values if value.address]
    for value in linked:
        if not value.is_chosen:
            assert reader.get(value.address).context["page"].total == value.n
    assert len(linked) >= 8


def test_filters_are_chips_that_take_themselves_away(reader, corpus):
    page = see(reader, "q=braai&pub=-cape-meridian&from=2026&copies=all")

    assert [(c.name, c.value, c.without) for c in page.context["chips"]] == [
        ("Publication", "not Cape Meridian", "/search/?q=braai&from=2026&copies=all"),
        ("From", "2026", "/search/?q=braai&pub=-cape-meridian&copies=all"),
        ("Copies", "count every copy", "/search/?q=braai&pub=-cape-meridian&from=2026"),
    ]
    assert "articles without Cape Meridian from 1 Jan 2026, every copy counted" in markup(page)


def test_pages_follow_one_another_and_keep_their_generation(reader):
    for number in range(5):
        make_article(f"braai number {number}", dated_at=NOW + timedelta(hours=number))
    index_all()

    first = see(reader, "q=braai&n=2")
    make_article("braai number 9", dated_at=NOW + timedelta(hours=9))
    index_all()
    second = reader.get(first.context["next"])
    third = reader.get(second.context["next"])

    rights = [row.right for page in (first, second, third) for row in page.context["lines"]]
    assert rights == [f" number {number}" for number in (4, 3, 2, 1, 0)]
    assert "Next 2" in markup(first)
    assert "Next 1" in markup(second)
    assert "3–4 of 5" in markup(second)
    assert "next" not in third.context
    assert reader.get(third.context["previous"]).context["lines"][0].right == " number 2"
    assert see(reader, "q=braai&n=2").context["page"].total == 6


def test_a_foreign_place_in_the_list_is_named_and_is_no_mistake_of_the_query(reader, corpus):
    response = see(reader, "q=braai&after=zzz")

    assert response.status_code == 200
    assert "“zzz” is no place in this list" in markup(response)
    assert "query_error" not in response.context
    assert response.context["page"].total == 2


def test_no_result_names_base_near_words_and_what_filters_took_away(reader, corpus):
    page = markup(see(reader, "q=brai"))
    filtered = see(reader, "q=snoek&pub=karoo-courier&from=2026-11")

    assert "No hits" in page
    assert "articles, copies counted once" in page
    assert '<a href="/search/?q=braai">braai</a> (2)' in page
    assert [(way.label, way.n) for way in filtered.context["ways_out"]] == [
        ("Publication Karoo Courier", 1)
    ]


@pytest.mark.parametrize("filters", ["", "&pub=cape-meridian", "&in=both", "&in=comments"])
def test_near_spellings_count_what_their_links_open(reader, corpus, filters):
    near = see(reader, f"q=braia{filters}").context["near"]

    assert [(way.label, way.n) for way in near] == {
        "": [("braai", 2)],
        "&pub=cape-meridian": [],
        "&in=both": [("braai", 3)],
        "&in=comments": [("braai", 1)],
    }[filters]
    for way in near:
        assert reader.get(way.address).context["page"].total == way.n


@pytest.mark.parametrize(
    ("typed", "names"),
    [
        ("hanlon", ["Lucy Hanlon", "Tim Hanlon"]),
        ("HANLON, Tim", ["Tim Hanlon"]),
        ("Tim Hanlan", ["Tim Hanlon"]),
        ("Andre Botha", ["André Botha"]),
        ("Tim Hanlon", []),
        ("Nobody", []),
    ],
)
def test_authors_by_like_names_are_offered_with_the_hits_their_links_open(reader, typed, names):
    make_article("We braai. The braai was cold.", authors=["Tim Hanlon", "Lucy Hanlon"])
    make_article("They braai snoek.", authors=["Lucy Hanlon"])
    make_article("A braai.", authors=["André Botha"])
    index_all()

    response = see(reader, f"q={'braai' if names else 'nothing'}&author={quote(typed)}")
    near = response.context["near_authors"]

    assert [way.label for way in near] == names
    assert ("Authors by like names" in words(response)) == bool(names)
    for way in near:
        assert reader.get(way.address).context["page"].total == way.n


@pytest.mark.parametrize(
    ("query", "address"),
    [
        ('[lemma="braai"]', '/search/?q=[lemma="braai"]&ql=cql'),
        ('[lemma="go"] []{0,3} "braai"', '/search/?q=[lemma="go"]+[]%7B0,3%7D+"braai"&ql=cql'),
        ('[lemma="go"', '/search/?q=[lemma="go"&ql=cql'),
        ("[sic]", None),
        ("nothing", None),
    ],
)
def test_cql_in_the_simple_box_is_offered_as_cql(reader, corpus, query, address):
    response = see(reader, f"q={quote(query)}")

    assert response.context["as_cql"] == address
    assert ("This looks like CQL" in markup(response)) is (address is not None)


def test_brackets_that_the_hits_lack_are_said(reader):
    make_article("Rain fell (AP) on the dams. The AP said so.")
    index_all()

    response = see(reader, "q=(AP)")

    assert response.context["page"].total == 2
    assert "Brackets only group here" in words(response)
    (remark, address), *others = response.context["remarks"]
    assert (remark.query, others) == ('"(AP)"', [])
    assert reader.get(address).context["page"].total == 1


@pytest.mark.parametrize(
    "path",
    [
        "/search/?q={}",
        "/search/?q={}&case=1",
        '/search/?q="{}"&ql=cql',
        '/search/?q=[lemma="{}"]&ql=cql',
        "/search/?q=ruim&near={}",
        "/search/?q=ruim&sec={}",
        "/search/?q=ruim&author={}",
        "/search/frequency/?q={}",
        "/words/?pattern={}",
        "/words/{}/",
        "/api/search/?q={}",
    ],
)
def test_accents_typed_behind_their_letters_find_the_same(reader, path):
    make_article("Dit is môre ruim.", section="Môre", authors=["Môre"])
    index_all()

    decomposed, composed = (
        words(reader.get(path.format(quote(typed)))) for typed in ("mo\u0302re", "m\u00f4re")
    )

    assert composed == decomposed
    assert "No hits" not in composed


def test_an_empty_corpus_says_so(reader):
    page = markup(see(reader, "q=braai&in=both"))

    assert "The corpus has no texts yet" in page


def test_filters_that_leave_no_text_say_so(reader, corpus):
    page = markup(see(reader, "q=brai&from=2020&to=2020"))

    assert "No text is left" in page
    assert "Near spellings" not in page


def test_no_answer_has_inline_style_or_script(reader):
    make_article("<b onclick=x()>maas</b> “braai”", title='"><script>x()</script>')
    index_all()

    page = see(reader, "q=braai&hit=1-1&pub=" + quote('"><script>')).content.decode()
    page += see(reader, "q=braai").content.decode()

    assert " style=" not in page
    assert "<script>" not in page
    assert "<b onclick" not in page


def test_one_line_and_three_need_the_same_number_of_queries(reader):
    counts = []
    for n_rows in (1, 2):
        for _ in range(n_rows):
            make_article("The braai is hot.")
        index_all()
        see(reader, "q=braai")
        with CaptureQueriesContext(connection) as queries:
            see(reader, "q=hot&in=both")
        counts.append(len(queries))

    assert counts[0] == counts[1] + 1  # the one hit is open and its text is read
    assert counts[0] <= 12


# Parts


def test_a_line_is_opened_and_closed_by_its_part(reader, corpus):
    row = see(reader, "q=braai").context["lines"][1]

    opened = reader.get(row.part, headers={"HX-Request": "true"})
    closed = reader.get(row.part.replace("open=1", "open=0"), headers={"HX-Request": "true"})

    assert markup(opened).startswith(f'<tbody id="h{row.hit}" data-row><tr class="open">')
    assert '<td class="i">2</td>' in markup(opened)
    assert "We braai on Saturday" in markup(opened)
    assert '<tr class="wide">' not in markup(closed)


def test_a_part_visited_directly_links_to_its_page(reader, corpus):
    row = see(reader, "q=braai").context["lines"][0]

    response = reader.get(row.part)

    assert response.status_code == 404
    assert "This is a part of a page" in markup(response)
    assert 'href="/search/?q=braai' in markup(response)


@pytest.mark.parametrize("query", ["", "q=braai", "q=[&ql=cql&hit=1-1", "q=braai&hit=1-1&in=x"])
def test_a_part_that_cannot_run_is_refused(reader, corpus, query):
    response = reader.get(f"/part/line/?{query}", headers={"HX-Request": "true"})

    assert response.status_code == 400


def test_a_line_that_is_gone_loads_the_page_anew(reader, corpus):
    response = reader.get("/part/line/?q=braai&hit=999-1", headers={"HX-Request": "true"})

    assert response.headers["HX-Refresh"] == "true"


# Hits in the article


def test_the_hit_bar_leads_to_the_word_to_the_neighbours_and_back(reader, corpus):
    first, second, _ = corpus
    rows = see(reader, "q=lemma:braai&n=1").context["lines"]

    response = reader.get(f"/articles/{first.pk}/?q=lemma:braai&n=1&hit={first.pk}-1")

    bar = response.context["hit_bar"]
    page = markup(response)
    assert (bar.number, bar.total) == (2, 3)
    assert (
        bar.before.partition("#")[0]
        == f"/articles/{second.pk}/?q=lemma:braai&n=1&hit={second.pk}-1"
    )
    assert bar.after.endswith(f"hit={first.pk}-6#h{first.pk}-6")
    assert f'We <b class="hit" id="h{first.pk}-1">braai</b> on' in page
    back = reader.get(bar.back.partition("#")[0])
    assert [row.hit for row in back.context["lines"]] == [f"{first.pk}-1"]
    assert len(rows) == 1


@pytest.mark.parametrize(
    "tab", ["tagged", "page", "comments", "duplicates", "versions", "timeline"]
)
def test_all_tabs_keep_the_hit(reader, corpus, tab):
    first, _, _ = corpus

    response = reader.get(f"/articles/{first.pk}/{tab}/?q=braai&hit={first.pk}-1")

    assert response.context["hit_bar"].number == 1
    assert all("hit=" in item.address for item in response.context["tabs"])


def test_tagged_words_that_are_hits_are_marked(reader, corpus):
    first, _, _ = corpus

    page = markup(reader.get(f"/articles/{first.pk}/tagged/?q=braai&hit={first.pk}-6"))

    assert page.count("tok V lex hit") + page.count("tok N lex hit") == 2
    assert 'href="#t7"' in page


def test_a_hit_the_query_no_longer_finds_says_so(reader, corpus):
    first, _, _ = corpus

    page = markup(reader.get(f"/articles/{first.pk}/?q=pineapple&hit={first.pk}-1"))

    assert "No longer among the hits for" in page


@pytest.mark.parametrize("query", ["q=braai&hit=x", "q=[&ql=cql&hit=1-1", "hit=1-1", "q=&hit=1-1"])
def test_an_article_with_a_wrong_hit_is_still_shown(reader, corpus, query):
    first, _, _ = corpus

    response = reader.get(f"/articles/{first.pk}/?{query}")

    assert response.status_code == 200
    assert response.context["hit_bar"] is None


# Export


def exported(client, query):
    return b"".join(client.get(f"/search/export/?{query}").streaming_content).decode()


def test_the_export_says_first_what_it_is(reader, corpus):
    rows = list(csv.reader(io.StringIO(exported(reader, "q=lemma:braai&format=csv&n=1"))))

    about = dict(row for row in rows if len(row) == 2)
    assert about["query"] == "lemma:braai"
    assert about["generation"] == "1"
    assert about["hits"].startswith("3 in 2 texts")
    assert about["lines"] == "3 of 3, sorted by new"
    assert "asof=1" in about["address"]
    assert [row[7:10] for row in rows if row and row[0].isdigit()] == [
        ["They", "braaied", "snoek."],
        ["We", "braai", "on Saturday. The braai was cold. Nobody came."],
        ["We braai on Saturday. The", "braai", "was cold. Nobody came."],
    ]


def test_lines_of_the_export_lead_to_their_texts_as_they_were(reader, corpus):
    rows = list(csv.DictReader(io.StringIO(exported(reader, "q=lemma:braai&format=data.csv"))))

    assert [row["text_type"] for row in rows] == ["article"] * 3
    assert rows[0]["address"].startswith("http://testserver/articles/")
    assert all("asof=1" in row["address"] for row in rows)


def test_the_export_may_be_in_ascii_letters(reader):
    make_article("In Malmö “braai” sê hulle – nee.", title="Die Café")
    index_all()

    plain, original = (exported(reader, f"q=braai&format=jsonl{more}") for more in ("&ascii=1", ""))

    assert "Malmö “" in original
    assert 'In Malmo \\"' in plain
    assert '"Die Cafe"' in plain
    assert "nearest ASCII form" in exported(reader, "q=braai&format=csv&ascii=1")


def test_the_export_holds_a_thousand_lines_at_most(reader):
    make_article("braai " * 1100)
    index_all()

    lines = exported(reader, "q=braai&format=jsonl").splitlines()

    assert len(lines) == 1001


def test_cells_of_the_export_do_no_harm(reader):
    make_article("=cmd braai @SUM", title="=HYPERLINK(1)")
    index_all()

    rows = list(csv.reader(io.StringIO(exported(reader, "q=braai"))))

    assert rows[-1][4] == "'=HYPERLINK(1)"
    assert rows[-1][7] == "'=cmd"
    assert rows[-1][9] == "'@SUM"


@pytest.mark.parametrize(
    ("query", "status"),
    [("q=braai&format=exe", 400), ("format=csv", 302), ("q=[&ql=cql", 302), ("q=a&in=x", 302)],
)
def test_an_export_that_cannot_be_made(reader, corpus, query, status):
    assert reader.get(f"/search/export/?{query}").status_code == status
