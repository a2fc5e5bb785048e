"""The tabs of an article: every state, the same number of queries for one row and for three."""

import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from factories import (
    NOW,
    index_all,
    make_article,
    make_comment,
    make_feed,
    make_fetch,
    make_listing,
    make_page,
)
from pages import addresses, is_whole, markup, parsed, text_of, words

from dedup.models import Detection, Duplicate
from extraction.models import CommentThread, Extraction
from feeds.models import PageKind

pytestmark = pytest.mark.django_db

TABS = ["", "tagged/", "page/", "comments/", "duplicates/", "versions/", "timeline/"]


@pytest.mark.parametrize("tab", TABS)
def test_each_tab_answers_a_whole_page_also_to_htmx(reader, tab):
    article = make_article()

    for headers in ({}, {"HX-Request": "true"}):
        response = reader.get(f"/articles/{article.pk}/{tab}", headers=headers)

        assert response.status_code == 200
        assert is_whole(response)
        assert "Maas for all" in markup(response)


def test_agencies_stand_beside_the_authors_on_the_page_in_the_api_and_in_searches(reader):
    article = make_article("Rain fell.", authors=["Thandi Nkosi"], agencies=["AFP", "Nampa"])
    index_all()

    page = words(reader.get(f"/articles/{article.pk}/"))
    told = reader.get(f"/api/articles/{article.pk}").json()

    assert "Thandi Nkosi, AFP, Nampa" in page
    assert "Agency AFP, Nampa" in page
    assert (told["authors"], told["agencies"]) == (["Thandi Nkosi"], ["AFP", "Nampa"])
    for name in ("Thandi+Nkosi", "AFP", "Nampa"):
        assert reader.get(f"/search/?q=rain&author={name}").context["page"].total == 1


@pytest.mark.parametrize("tab", TABS)
def test_an_unknown_article_is_no_page(reader, tab):
    for key in ("4711", "9" * 30):
        assert reader.get(f"/articles/{key}/{tab}").status_code == 404


@pytest.mark.parametrize("path", ["/articles/", "/articles/1/", "/articles/1/page/"])
def test_reading_needs_a_sign_in_unless_the_setting_says_otherwise(client, path):
    assert client.get(path).url.startswith("/sign-in/")


@pytest.mark.parametrize("tab", TABS)
def test_no_answer_has_inline_style_or_script(reader, tab):
    article = make_article(title='<script>alert("x")</script>', text="<b onclick=x()>maas</b>")
    make_comment(article, text="<img src=x onerror=x()>")

    page = reader.get(f"/articles/{article.pk}/{tab}").content.decode()

    assert " style=" not in page
    assert "<script>" not in page
    assert "<b onclick" not in page
    assert "<img" not in page


def test_text_keeps_paragraphs_by_kind_with_captions_in_their_place(reader):
    blocks = [
        ["heading", 0, 7],
        ["caption", 25, 30],
        ["paragraph", 8, 14],
        ["quote", 15, 24],
    ]
    article = make_article(
        text="A braai\nFirst.\n“Second.”", captions="A pot", blocks=blocks, title="T"
    )

    page = parsed(reader.get(f"/articles/{article.pk}/"))

    shown = [
        (paragraph.tag, paragraph.get("class"), paragraph.cssselect(".sn")[0].text)
        for paragraph in page.cssselect(".text > *")
    ]
    assert shown == [
        ("h2", None, "A braai"),
        ("p", "caption", "A pot"),
        ("p", "paragraph", "First."),
        ("blockquote", None, "“Second.”"),
    ]
    caption = page.cssselect("p.caption")[0]
    assert text_of(caption.cssselect(".sr")[0]) == "Caption:"
    assert caption.cssselect(".sn")[0].get("id") == "s4"


@pytest.mark.parametrize(
    ("text", "is_above"),
    [("Maas for  all.\nThe queue was long.", False), ("The queue was long.", True)],
    ids=["begins with it", "does not"],
)
def test_a_standfirst_stands_above_the_text_where_the_text_lacks_it(reader, text, is_above):
    article = make_article(text=text, title="Dairy", standfirst="Maas for all.")

    page = markup(reader.get(f"/articles/{article.pk}/"))

    assert ('<p class="standfirst"' in page) is is_above


def test_each_sentence_has_its_number_and_citation(reader):
    article = make_article(text="One pot. Two pots.\n***\nThree pots.", title="Pots")

    page = markup(reader.get(f"/articles/{article.pk}/"))

    numbers = re.findall(r'<span class="sn" id="s(\d+)">([^<]*)<', page)
    assert numbers == [("1", "One pot."), ("2", "Two pots."), ("3", "***"), ("4", "Three pots.")]
    assert 'href="#s2" aria-label="Sentence 2"' in page
    citation = (
        f"“Two pots.” (A. Botha, “Pots”, Karoo Courier, 20 Nov 2026, sentence 2, {article.url})"
    )
    assert f'data-copy="{citation}"' in page


def test_text_says_where_fields_come_from_and_why_the_language(reader):
    article = make_article(
        sources={"title": "json_ld"},
        language_reason="0.24 of its words are unknown",
        extractor="line_model",
        confidence=0.93,
    )
    make_listing(make_feed(title="Community"), article.page)

    page = markup(reader.get(f"/articles/{article.pk}/"))

    assert 'Maas for all<span class="micro muted"> from JSON-LD</span>' in page
    assert "the line model, confidence 93" in page
    assert "English: 0.24 of its words are unknown" in page
    assert "feed “Community”</a>" in page
    assert 'rel="noopener noreferrer external"' in page
    assert "wrong?" not in page


def test_sources_that_disagree_are_named_with_what_they_say(reader):
    article = make_article(
        sources={"title": "page", "published_at": "json_ld", "tags": "meta"},
        tags=["maas", "braai"],
        disagreements={
            "title": [["open_graph", "Maas: all of it"]],
            "published_at": [["url", "2026-11-19T22:30:00+00:00"]],
        },
    )

    page = markup(reader.get(f"/articles/{article.pk}/"))

    assert "<b>≠</b> Open Graph says Maas: all of it" in page
    assert "<b>≠</b> the address says 20 Nov 2026, 00:30" in page
    assert "<dt>Tags</dt><dd>maas, braai" in page


def test_editors_are_led_to_the_rule_studio_at_the_field(editor):
    article = make_article()

    page = editor.get(f"/articles/{article.pk}/")

    for field in ("title", "author", "date", "body"):
        address = f"/sources/karoo-courier/rules/?article={article.pk}&field={field}"
        assert address in addresses(page, "wrong?")


def test_an_article_outside_the_corpus_says_why(reader):
    article = make_article(text="", in_corpus=False, reason="no text on the page")

    page = markup(reader.get(f"/articles/{article.pk}/"))

    assert "Not in the corpus: no text on the page" in page
    assert "No text was found" in page


def test_tagged_view_marks_what_the_lexicon_decides(reader):
    article = make_article(text="She drank maas.")

    page = markup(reader.get(f"/articles/{article.pk}/tagged/?t=3"))

    assert '<a class="tok N lex cur" id="t3"' in page
    assert "<b>NN</b> noun, singular" in page
    assert "lexicon entry “maas”" in page


def test_tagged_view_of_another_language_invents_no_tags(reader):
    article = make_article(text="Ingane iphuza amasi.", language="zu")

    page = markup(reader.get(f"/articles/{article.pk}/tagged/"))

    assert "isiZulu texts are not tagged" in page
    assert "Parts of speech" not in page


def test_tagged_view_of_afrikaans_has_its_own_tagger(reader):
    article = make_article(text="Die kind drink maas.", language="af")

    page = markup(reader.get(f"/articles/{article.pk}/tagged/?t=2"))

    assert "texts are not tagged" not in page
    assert "<b>NOUN</b> noun" in page


def test_tagged_view_opens_the_page_of_a_late_token(reader):
    article = make_article(text=" ".join("She drank maas." for _ in range(70)))

    first = markup(reader.get(f"/articles/{article.pk}/tagged/"))
    late = markup(reader.get(f"/articles/{article.pk}/tagged/?t=279"))

    assert "sentences 1–60 of 70" in first
    assert "sentences 61–70 of 70" in late


def test_comments_show_three_levels_gaps_and_the_state_of_the_thread(reader):
    article = make_article()
    CommentThread.objects.create(article=article, system="disqus", is_closed=True)
    top = make_comment(article, text="first")
    second = make_comment(article, text="second", parent=top)
    third = make_comment(article, text="third", parent=second)
    make_comment(article, text="fourth", parent=third)
    make_comment(article, text="gone", is_deleted=True)
    make_comment(article, text="gone too", is_deleted=True)

    page = markup(reader.get(f"/articles/{article.pk}/comments/"))
    branch = markup(reader.get(f"/articles/{article.pk}/comments/?root={third.pk}"))

    assert "6 comments" in page
    assert "■ closed" in page
    assert "third" in page
    assert "fourth" not in page
    assert "Continue: 1 more reply" in page
    assert "2 deleted comments" in page
    assert "gone" not in page
    assert "fourth" in branch


def test_comment_markup_is_cleaned_once_more(reader):
    article = make_article()
    make_comment(article, html='<p onclick="x()">Eish <b>no</b><script>x()</script></p>')

    page = markup(reader.get(f"/articles/{article.pk}/comments/"))

    assert "<p>Eish <b>no</b></p>" in page
    assert "x()" not in page


def test_comments_are_found_by_their_words(reader):
    article = make_article()
    make_comment(article, text="Rather bring chops")
    make_comment(article, text="No pineapple")

    page = markup(reader.get(f"/articles/{article.pk}/comments/?words=PINEAPPLE"))

    assert "1 comment contains “PINEAPPLE”" in page
    assert "No pineapple" in page
    assert "Rather bring chops" not in page


@pytest.mark.parametrize(
    ("thread", "sentence"),
    [
        (None, "No comment thread was found on the page"),
        ({"is_closed": False}, "comments are collected when it closes"),
        ({"is_closed": True}, "Nobody commented before the thread closed"),
        ({"system": "page"}, "The page shows no comments any more"),
        ({"system": "viafoura", "n_posts": 134}, "Viafoura, 134, cannot be read without a key"),
        ({"system": "coral"}, "Coral, cannot be read without a key"),
    ],
)
def test_an_article_without_comments_says_why(reader, thread, sentence):
    article = make_article()
    if thread is not None:
        CommentThread.objects.create(article=article, **{"system": "disqus"} | thread)

    assert sentence in markup(reader.get(f"/articles/{article.pk}/comments/"))


def make_thread(article, **changes):
    address = "https://disqus.com/embed/comments/?f=karoo&t_i=1"
    page = make_page(
        article.publication,
        url=address,
        key=address.removeprefix("https://"),
        kind=PageKind.COMMENTS,
        parent=article.page,
        **changes,
    )
    return CommentThread.objects.create(article=article, page=page, system="disqus")


def test_first_look_at_the_comments_is_said_on_tab_and_timeline(reader):
    article = make_article()
    at = timezone.localtime(NOW + timedelta(days=1))
    make_thread(article, due_at=at, due_reason="first look at the comments, 1 d after the article")

    tab = words(reader.get(f"/articles/{article.pk}/comments/"))
    way = words(reader.get(f"/articles/{article.pk}/timeline/"))

    assert f"first look at the comments {at.day} Nov" in tab
    assert f"first look {at.day} Nov 2026, {at:%H:%M}: first look at the comments, 1 d after" in way


def test_thread_that_was_cut_says_how_much_of_it_is_kept(reader):
    article = make_article()
    make_thread(article, visited_at=NOW)
    CommentThread.objects.update(n_posts=312, is_cut=True, is_closed=True, checked_at=NOW)
    for _ in range(3):
        make_comment(article)

    tab = words(reader.get(f"/articles/{article.pk}/comments/"))

    assert "3 of 312 kept: the rest takes a key, which is not set" in tab
    assert "3 of 312 kept" in words(reader.get(f"/articles/{article.pk}/timeline/"))


def test_list_of_articles_names_comments_that_cannot_be_read(reader):
    article = make_article()
    CommentThread.objects.create(article=article, system="openweb", n_posts=7)

    assert "OpenWeb, 7, cannot be read without a key" in words(reader.get("/articles/"))


def test_timeline_tells_each_step_with_its_reason(reader):
    article = make_article(extractor="text_density", confidence=0.87)
    page_row = article.page
    make_listing(make_feed(title="Community"), page_row)
    make_fetch(page_row, status=503, outcome="server_error", started_at=NOW - timedelta(hours=1))
    make_fetch(
        page_row, final_url="https://karoo-courier.example/new", wire_bytes=14_200, elapsed_ms=312,
        archive_file="a.warc.gz", archive_offset=77, archive_length=9,
    )  # fmt: skip
    Extraction.objects.create(page=page_row, outcome="stored", extracted_at=NOW, elapsed_ms=41)
    index_all()

    page = markup(reader.get(f"/articles/{article.pk}/timeline/"))

    order = [
        "feed “Community”",
        "status 503",
        "14 kB over the wire, 312 ms",
        "to https://karoo-courier.example/new",
        "a.warc.gz, record at byte 77",
        "by text density · confidence 87 %",
        "no earlier article has this text",
        "since generation 1",
    ]
    assert [page.find(words) for words in order] == sorted(page.find(words) for words in order)
    assert all(words in page for words in order)


def test_timeline_says_what_is_not_reached(reader):
    article = make_article()
    Detection.objects.all().delete()

    page = markup(reader.get(f"/articles/{article.pk}/timeline/"))

    assert page.count("◇ not reached") == 3  # fetched, duplicate, searchable


@pytest.mark.parametrize("tab", TABS)
def test_tabs_need_the_same_number_of_queries_for_one_row_and_for_three(reader, tab):
    article = make_article()
    counts = []
    for n_rows in (1, 2):
        for _ in range(n_rows):
            other = make_article()
            make_comment(article)
            make_fetch(article.page)
            make_listing(make_feed(title=f"Feed {other.pk}"), article.page)
            Duplicate.objects.create(
                article=article, other=other, relation="exact", similarity=1, n_shared=1,
                detected_at=NOW,
            )  # fmt: skip
        with CaptureQueriesContext(connection) as queries:
            reader.get(f"/articles/{article.pk}/{tab}")
        counts.append(len(queries))

    assert counts[0] == counts[1]


def test_editors_find_each_tool_once(editor):
    article = make_article()

    page = parsed(editor.get(f"/articles/{article.pk}/"))

    assert len(page.xpath("//*[@id='article-tools']")) == 1
    assert len(page.xpath("//button[normalize-space()='Fetch again']")) == 1
