"""The extract stage over archived pages: what is stored of an article, and what stays outside."""

from datetime import UTC, datetime, timedelta

import pytest
from django.core.management import CommandError, call_command
from factories import make_rules
from integration.feeds.newspapers import add_page, crawl, make_paper
from integration.feeds.origin import answer
from newspaper_pages import PARAGRAPHS, TITLE, article_page, paragraphs_html

from extraction import extract
from extraction.forms import SiteRuleForm
from extraction.html.site_rules.rules import Rule, RuleField, RuleKind
from extraction.models import Article, CommentThread, Extraction
from extraction.rules.versions import publish
from feeds.models import Page, PageKind
from feeds.work.leases import Claim

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
SITE = "http://karoo.example"
SLUG = "dredging-of-the-inner-basin-nears-its-end"
pytestmark = [pytest.mark.django_db, pytest.mark.sql]


@pytest.fixture
def paper():
    return make_paper(NOW)


def serve(web, paper, path, body=None, now=NOW):
    headers = (("Content-Type", "text/html; charset=utf-8"),)
    web.routes[path] = answer(article_page() if body is None else body, 200, headers)
    return add_page(paper, SITE + path, now)


def run(now=NOW):
    return extract.run(20, Claim("tester", now, timedelta(seconds=60)))


def crawl_and_extract(now=NOW):
    extract.register(crawl(now).next_ids["pages"], now)
    return run(now)


def test_article_is_stored_with_its_blocks_and_sources(web, paper):
    head = (
        "<meta name='author' content='Thandi Nkosi'>"
        "<meta property='article:published_time' content='2026-11-19T10:30:00+02:00'>"
    )
    page = serve(web, paper, f"/news/{SLUG}", article_page(head=head))

    report = crawl_and_extract()

    row = Article.objects.get()
    assert (report.done["articles"], report.next_ids["articles"]) == (1, (row.pk,))
    assert row.text == "\n".join(PARAGRAPHS)
    assert [row.text[start:end] for _, start, end in row.blocks] == list(PARAGRAPHS)
    assert {kind for kind, _, _ in row.blocks} == {"paragraph"}
    assert (row.title, row.authors, row.slug) == (TITLE, ["Thandi Nkosi"], SLUG)
    assert row.published_at == datetime(2026, 11, 19, 8, 30, tzinfo=UTC)
    assert row.sources == {
        "title": "page",
        "authors": "meta",
        "published_at": "meta",
        "declared_language": "page",
    }
    assert (row.published_offset, row.declared_language, row.disagreements) == (120, "en", {})
    assert (row.kind, row.in_corpus, row.language, row.extractor) == (
        "text",
        True,
        "en",
        "line_model",
    )
    done = Extraction.objects.get(page=page)
    assert (done.outcome, done.due_at, done.lease_owner) == ("stored", None, "")


def test_agencies_are_stored_beside_the_authors_by_their_names(web, paper):
    head = "<meta name='author' content='Thandi Nkosi, Agence France-Presse'>"
    serve(web, paper, f"/news/{SLUG}", article_page(head=head))

    crawl_and_extract()

    row = Article.objects.get()
    assert (row.authors, row.agencies) == (["Thandi Nkosi"], ["AFP"])


def test_the_size_of_each_page_is_kept_whether_it_is_an_article_or_not(web, paper):
    page = serve(web, paper, f"/news/{SLUG}")
    empty = serve(web, paper, "/news/empty", b"<body><a href='/'>Home</a></body>")

    crawl_and_extract()

    row, other = Extraction.objects.get(page=page), Extraction.objects.get(page=empty)
    assert (other.outcome, other.page_words, other.page_chars, other.page_tags) == (
        "empty",
        1,
        0,
        0,
    )
    assert row.page_words >= sum(len(text.split()) for text in PARAGRAPHS)
    assert row.text_to_tag_ratio == row.page_chars / row.page_tags > 20


def test_captions_are_stored_beside_the_text_with_their_place(web, paper):
    picture = "<figure><img src='/p.jpg'><figcaption>Maas in a pot</figcaption></figure>"
    body = f"{paragraphs_html(PARAGRAPHS[:2])}{picture}{paragraphs_html(PARAGRAPHS[2:])}"
    serve(web, paper, f"/news/{SLUG}", article_page(body))

    crawl_and_extract()

    row = Article.objects.get()
    assert (row.text, row.captions) == ("\n".join(PARAGRAPHS), "Maas in a pot")
    kind, start, end = row.blocks[2]
    assert (kind, row.whole_text[start:end]) == ("caption", "Maas in a pot")
    texts = [row.whole_text[start:end] for kind, start, end in row.blocks if kind != "caption"]
    assert texts == list(PARAGRAPHS)


def test_paragraphs_in_another_language_are_stored_with_their_places(web, paper):
    zulu = "Umkhandlu uthe ngoMsombuluko umgwaqo odlula emtholampilo uzolungiswa ngokushesha."
    mixed = (*PARAGRAPHS[:2], zulu, *PARAGRAPHS[2:])
    serve(web, paper, f"/news/{SLUG}", article_page(paragraphs_html(mixed)))

    crawl_and_extract()

    row = Article.objects.get()
    assert row.language == "en"
    assert [(row.text[start:end], code) for start, end, code in row.other_languages] == [
        (zulu, "zu")
    ]
    assert 0 < row.running_unknown_share < row.unknown_share < 0.5


def test_a_publications_expected_languages_are_the_prior(web, paper):
    paper.expected_languages = "xh, en"
    paper.save()
    serve(web, paper, f"/news/{SLUG}", article_page(f"<p>Abantu, {81 * '2026, '}2027.</p>"))

    crawl_and_extract()

    assert Article.objects.get().language == "xh"


def test_stage_is_idempotent(web, paper):
    serve(web, paper, f"/news/{SLUG}")
    crawl_and_extract()
    first = Article.objects.get()

    Extraction.objects.update(due_at=NOW)
    report = run()

    assert report.next_ids["articles"] == (first.pk,)
    assert Article.objects.get().created_at == first.created_at
    assert extract.pending(100, NOW) == 0


@pytest.mark.parametrize(
    ("path", "n_paragraphs", "expected"),
    [
        ("/gallery/harbour", 5, ("gallery", False, "It is a gallery.")),
        ("/video/harbour", 5, ("video", False, "It is a video page.")),
        ("/news/harbour", 1, ("short", False, "Its text is shorter than 500 characters.")),
    ],
)
def test_galleries_and_short_pages_stay_outside(web, paper, path, n_paragraphs, expected):
    serve(web, paper, path, article_page(paragraphs_html(PARAGRAPHS[:n_paragraphs])))

    crawl_and_extract()

    row = Article.objects.get()
    assert (row.kind, row.in_corpus, row.reason) == expected


def test_page_without_text_is_an_outcome(web, paper):
    page = serve(web, paper, "/news/empty", b"<html><body></body></html>")

    report = crawl_and_extract()

    assert report.done["articles"] == 0
    assert Extraction.objects.get(page=page).outcome == "empty"


def test_redirect_to_a_section_page_is_no_article(web, paper):
    serve(web, paper, "/news", article_page(title="News of the day"))
    web.routes[f"/news/{SLUG}-12345"] = answer(b"", 301, (("Location", f"{SITE}/news"),))
    page = add_page(paper, f"{SITE}/news/{SLUG}-12345", NOW)

    crawl_and_extract()

    assert not Article.objects.filter(page=page).exists()


def test_same_slug_on_one_site_is_the_same_article(web, paper):
    serve(web, paper, f"/news/{SLUG}-1111111")
    crawl_and_extract()
    serve(web, paper, f"/news/{SLUG}-2222222", now=NOW + timedelta(hours=1))

    crawl_and_extract(NOW + timedelta(hours=1))

    first, second = Article.objects.order_by("pk")
    assert (first.in_corpus, first.slug_twin) == (True, None)
    assert (second.in_corpus, second.slug_twin) == (False, first)


def test_same_slug_in_one_batch_leaves_one_article_in_the_corpus(web, paper):
    serve(web, paper, f"/news/{SLUG}-1111111")
    serve(web, paper, f"/news/{SLUG}-2222222")

    crawl_and_extract()

    first, second = Article.objects.order_by("pk")
    assert (first.in_corpus, second.in_corpus, second.slug_twin) == (True, False, first)


def test_column_that_keeps_its_slug_stays_in_the_corpus(web, paper):
    serve(web, paper, f"/news/{SLUG}-1111111")
    other = tuple(text[::-1] for text in PARAGRAPHS)
    serve(web, paper, f"/news/{SLUG}-2222222", article_page(paragraphs_html(other)))

    crawl_and_extract()

    assert [row.in_corpus for row in Article.objects.order_by("pk")] == [True, True]


def test_changed_rule_makes_pages_due_and_changes_the_text(web, paper):
    serve(web, paper, f"/news/{SLUG}")
    crawl_and_extract()
    rule = Rule(RuleField.BODY, RuleKind.CSS, ".article-body p:first-child")
    draft = make_rules(paper, rule, published_at=None)

    n_due = publish(draft, None, NOW)
    run()

    row = Article.objects.get()
    assert n_due == 1
    assert (row.text, row.extractor) == (PARAGRAPHS[0], "rule")


def test_rule_that_cannot_be_run_is_named_and_passed_over(web, paper):
    make_rules(paper, Rule(RuleField.TITLE, RuleKind.XPATH, "//h1[unknown()]"))

    serve(web, paper, f"/news/{SLUG}")
    crawl_and_extract()

    row = Extraction.objects.get(page__kind=PageKind.ARTICLE)
    assert Article.objects.get().title == TITLE
    assert row.rule_reports[0][:2] == ["title 1", False]
    assert row.outcome_detail.startswith(
        "The rule title 1 was passed over: The expression cannot be evaluated: "
    )


def test_disqus_thread_becomes_a_page_of_the_frontier(web, paper):
    script = (
        "<div id='disqus_thread'></div><script>var disqus_shortname = 'karoo';</script>"
        "<script src='https://karoo.disqus.com/embed.js'></script>"
    )
    article = serve(web, paper, f"/news/{SLUG}", article_page(after=script))

    crawl_and_extract()

    thread = CommentThread.objects.get()
    assert (thread.system, thread.forum) == ("disqus", "karoo")
    assert Page.objects.get(kind=PageKind.COMMENTS) == thread.page
    assert thread.page.parent == article


def test_number_of_queries_does_not_grow_with_the_pages(
    web, paper, monkeypatch, django_assert_max_num_queries
):
    monkeypatch.setattr("extraction.sites.waves.ENOUGH", 0)  # a site that is known
    for number in range(6):
        serve(web, paper, f"/news/{SLUG.replace('inner', f'basin{number}')}")
    extract.register(crawl(NOW).next_ids["pages"], NOW)

    with django_assert_max_num_queries(24):
        report = run()

    assert report.done["articles"] == 6


def test_form_refuses_a_rule_with_swapped_fields():
    values = {
        "field": "remove",
        "kind": "tag",
        "tag_type": "div",
        "attribute_name": "span",
        "attribute_value": "style",
        "split_index": 0,
    }

    form = SiteRuleForm(values)

    assert form.errors == {
        "attribute_name": ["“span” is a tag, not an attribute: are the fields swapped?"]
    }


@pytest.mark.parametrize(
    ("zone", "expected"),
    [
        ("Africa/Windhoek", "2026-11-19T10:30:00+02:00"),
        ("Europe/London", "2026-11-19T10:30:00+00:00"),
        ("Mars/Olympus", "2026-11-19T10:30:00+02:00"),
        ("", "2026-11-19T10:30:00+02:00"),
    ],
)
def test_date_without_a_zone_is_in_that_of_the_publication(web, paper, zone, expected):
    paper.time_zone = zone
    paper.save()
    head = "<meta property='article:published_time' content='2026-11-19 10:30'>"
    serve(web, paper, f"/news/{SLUG}", article_page(head=head))

    crawl_and_extract()

    row = Article.objects.get()
    assert row.published_at == datetime.fromisoformat(expected)
    assert row.published_offset == datetime.fromisoformat(expected).utcoffset().seconds // 60


def test_sources_that_disagree_are_stored(web, paper):
    head = (
        "<meta name='author' content='Piet Louw'>"
        "<meta property='article:published_time' content='2026-11-19T10:30:00+02:00'>"
        "<meta name='keywords' content='port, fish'><link rel=canonical href='/news/x'>"
        "<meta property='article:content_tier' content='locked'>"
        "<meta property='og:title' content='Port closed'>"
    )
    serve(web, paper, f"/news/{SLUG}", article_page(head=head))

    crawl_and_extract()

    row = Article.objects.get()
    assert row.disagreements == {"title": [["open_graph", "Port closed"]]}
    assert (row.tags, row.canonical_url, row.is_paywalled) == (
        ["port", "fish"],
        f"{SITE}/news/x",
        True,
    )


def test_stored_pages_are_read_again_by_command(web, paper, capsys):
    serve(web, paper, f"/news/{SLUG}")
    crawl_and_extract()
    row = Extraction.objects.get()
    assert row.due_at is None

    call_command("reread", paper.slug)

    assert "1 stored pages will be read again" in capsys.readouterr().out
    row.refresh_from_db()
    assert row.due_at is not None
    assert run(row.due_at).done["articles"] == 1


def test_reading_an_unknown_publication_again_is_refused(paper):
    with pytest.raises(CommandError, match="No publication is called nobody"):
        call_command("reread", "nobody")
