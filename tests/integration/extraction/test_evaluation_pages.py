"""Evaluation: asking for runs, their tables, one article side by side, and what editors may do."""

import json
import re
from datetime import UTC, datetime, timedelta

import pytest
from integration.feeds.newspapers import add_page, crawl, make_paper
from integration.feeds.origin import Origin, answer
from newspaper_pages import PARAGRAPHS, article_page, paragraphs_html
from pages import markup, rows, texts

from extraction import compared_articles, evaluating, extract
from extraction.evaluation.peers import INSTALL, PEERS, Peer
from extraction.html.algorithms.registry import ALGORITHMS
from extraction.models import Article, EvaluationRun, Extraction, ExtractorSetting, ReferenceText
from extraction.sites import samples
from extraction.views import article_nodes
from feeds.crawler.documents.limited_work import TOO_MUCH, Limits
from feeds.work.leases import Claim

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
TERMS = Claim("tester", NOW, timedelta(seconds=60))
ASKED = {"publication": "karoo-courier", "n_pages": 5, "names": ["auto", "text_density"]}
pytestmark = pytest.mark.django_db


@pytest.fixture
def paper(settings):
    samples.forget()
    with Origin() as web:
        settings.CRAWL_PROXY_URL = web.url
        settings.CRAWL_MIN_DELAY_SECONDS = 0
        paper = make_paper(NOW)
        for number in range(2):
            path = f"/news/story-of-the-harbour-{number}"
            body = paragraphs_html([f"{text} Part {number}." for text in PARAGRAPHS])
            web.routes[path] = answer(article_page(body), 200, (("Content-Type", "text/html"),))
            add_page(paper, f"http://karoo.example{path}", NOW)
        extract.register(crawl(NOW).next_ids["pages"], NOW)
        extract.run(20, TERMS)
        yield paper


@pytest.fixture
def article(paper):
    return Article.objects.order_by("pk").first()


def finished_run(editor, **changes):
    editor.post("/evaluation/ask/", ASKED | changes)
    run = EvaluationRun.objects.first()
    while evaluating.work(1, Claim("tester", run.due_at, timedelta(seconds=60))).n_claimed:
        pass
    run.refresh_from_db()
    return run


def test_page_without_publications_leads_to_the_first_one(editor):
    page = markup(editor.get("/evaluation/"))

    assert "There is no publication yet." in page
    assert "No run yet." in page


def test_editor_asks_for_a_run_and_sees_its_progress(editor, paper):
    answer = editor.post("/evaluation/ask/", ASKED)

    run = EvaluationRun.objects.get()
    assert answer.headers["Location"] == f"/evaluation/{run.pk}/"
    page = markup(editor.get(f"/evaluation/{run.pk}/"))
    assert "0 of 2 pages done by 2 extractors." in page
    assert f'href="/evaluation/{run.pk}/">Refresh</a>' in page


def test_finished_run_shows_extractors_and_pages(linguist, editor, paper, article):
    run = finished_run(editor)

    response = linguist.get(f"/evaluation/{run.pk}/")
    page = markup(response)

    assert "The stored texts" in page
    assert any(cells[:2] == ["auto", "2"] for cells in rows(response))
    assert "<b>1.000</b>" in page
    assert f'href="/evaluation/articles/{article.pk}/?x=auto&amp;x=text_density"' in page
    assert "data-live" not in page
    runs = linguist.get("/evaluation/")
    listed = markup(runs)
    assert "● Done" in listed
    assert texts(runs, 'td[data-k="Best"]') == [
        "–"
    ]  # nothing but the stored texts to be held against
    assert "Compare extractors</h2>" not in listed


def test_best_extractor_is_named_where_an_editor_confirmed_texts(editor, paper, article):
    evaluating.confirm(article, article.text, None, NOW)
    run = finished_run(editor)

    page = markup(editor.get(f"/evaluation/{run.pk}/"))

    assert page.index("Texts confirmed by editors") < page.index("The stored texts")
    assert "None of these pages has a text" not in page
    assert '<td data-k="Best"><code>auto</code></td>' in markup(editor.get("/evaluation/"))


def test_second_run_says_what_changed(editor, paper, article):
    finished_run(editor)
    article.text = PARAGRAPHS[0]
    article.save()

    second = finished_run(editor)

    page = markup(editor.get(f"/evaluation/{second.pk}/"))
    assert "in brackets the change against" in page
    assert "(-0." in page


def test_wrong_parameters_are_said_at_the_form(editor, paper):
    answer = editor.post("/evaluation/ask/", ASKED | {"more": "dgwc:phi=0"})

    assert answer.status_code == 400
    assert "“phi” is a number from 1 to 100." in markup(answer)
    assert not EvaluationRun.objects.exists()


def test_part_without_htmx_leads_to_the_page(editor, paper):
    run = finished_run(editor)

    assert editor.get(f"/part/evaluation/{run.pk}/").status_code == 400
    part = editor.get(f"/part/evaluation/{run.pk}/", headers={"HX-Request": "true"})
    assert "<html" not in markup(part)


def test_extractors_stand_side_by_side_over_the_reference(linguist, paper, article):
    article.text = f"{article.text}\nA sentence that the page has not."
    article.save()

    page = markup(linguist.get(f"/evaluation/articles/{article.pk}/?x=auto&x=tag_ratio&x=qread"))

    assert page.count('<div class="text"') == 3
    assert '<span class="sr">missing: </span>A sentence that the page has not.' in page
    assert "This text is right" not in page
    assert "with this one" not in page


def test_unknown_extractor_is_said(linguist, paper, article):
    answer = linguist.get(f"/evaluation/articles/{article.pk}/?x=boilerpipe", follow=True)

    assert "There is no extractor “boilerpipe”" in markup(answer)
    assert linguist.get(f"/evaluation/articles/{article.pk}/?ref=dreams").status_code == 404


def test_editor_is_told_that_the_whole_publication_gets_the_extractor(editor, paper, article):
    page = markup(editor.get(f"/evaluation/articles/{article.pk}/"))

    assert f'<summary class="btn">Read {paper.name} with this one</summary>' in page
    assert "All its stored pages are read again, and every text may change." in page


def test_editor_confirms_an_extractors_text(editor, paper, article):
    address = f"/evaluation/articles/{article.pk}/"

    answer = editor.post(f"{address}text/", {"extractor": "auto", "x": ["auto", "dgwc"]})

    assert answer.headers["Location"] == f"{address}?x=auto&x=dgwc"
    assert ReferenceText.objects.get().text == article.text
    assert '<option value="confirmed" selected>' in markup(editor.get(address))


def test_editor_corrects_and_withdraws_the_right_text(editor, paper, article):
    address = f"/evaluation/articles/{article.pk}/text/"

    editor.post(address, {"text": "What it should be."})
    assert ReferenceText.objects.get().text == "What it should be."

    refused = editor.post(address, {"text": "  "}, follow=True)
    assert "A reference text needs words." in markup(refused)

    editor.post(address, {"withdraw": "1", "text": "x"})
    assert not ReferenceText.objects.exists()


def test_use_this_one_here_sets_the_publications_extractor(editor, paper, article):
    answer = editor.post(
        f"/evaluation/articles/{article.pk}/extractor/",
        {"extractor": "dgwc:classifier=tree,phi=5"},
        follow=True,
    )

    setting = ExtractorSetting.objects.get()
    assert (setting.extractor, setting.parameters) == ("dgwc", {"classifier": "tree"})
    assert "its 2 stored pages are extracted again." in markup(answer)
    assert Extraction.objects.exclude(due_at=None).count() == 2
    assert "DGWC lines and blocks, classifier tree" in markup(editor.get("/evaluation/"))
    source = markup(editor.get(f"/sources/{paper.slug}/"))
    assert "Text by DGWC lines and blocks, classifier tree, since" in source


def test_publication_says_when_the_default_extractor_reads_it(linguist, paper):
    assert "Text by the default extractor." in markup(linguist.get(f"/sources/{paper.slug}/"))


def test_page_that_is_not_archived_any_more_is_said(linguist, paper, article):
    article.fetch = article.page.content_fetch = None
    article.page.save()
    article.save()

    page = markup(linguist.get(f"/evaluation/articles/{article.pk}/"))

    assert "The archived page of this article cannot be read" in page


@pytest.mark.parametrize("what", ["text/", "extractor/"])
def test_only_editors_change_anything(what, linguist, paper, article):
    assert linguist.post(f"/evaluation/articles/{article.pk}/{what}").status_code == 403
    assert linguist.post("/evaluation/ask/", ASKED).status_code == 403


def test_run_asks_the_same_number_of_queries_for_1_and_2_pages(
    editor, paper, django_assert_max_num_queries
):
    one = finished_run(editor, n_pages=1)
    two = finished_run(editor, n_pages=2)
    EvaluationRun.objects.update(asked_at=NOW)
    editor.get(f"/evaluation/{one.pk}/")
    with django_assert_max_num_queries(40) as first:
        editor.get(f"/evaluation/{one.pk}/")
    with django_assert_max_num_queries(40) as second:
        editor.get(f"/evaluation/{two.pk}/")

    assert len(first) == len(second)


def test_admin_edits_the_setting_with_checked_parameters(admin_reader, paper):
    address = "/admin/extraction/extractorsetting/add/"
    given = {"publication": paper.pk, "extractor": "dgwc", "parameters": '{"phi": 0}'}

    refused = admin_reader.post(address, given)
    assert "“phi” is a number from 1 to 100." in markup(refused)
    assert not ExtractorSetting.objects.exists()

    admin_reader.post(address, given | {"parameters": '{"phi": 3}'})
    setting = ExtractorSetting.objects.get()
    assert (setting.parameters, setting.changed_by.role) == ({"phi": 3}, "admin")
    assert Extraction.objects.exclude(due_at=None).count() == 2


def test_deleted_setting_gives_the_default_back(admin_reader, paper):
    admin_reader.post(
        "/admin/extraction/extractorsetting/add/",
        {"publication": paper.pk, "extractor": "qread", "parameters": "{}"},
    )
    Extraction.objects.update(due_at=None)

    admin_reader.post(
        f"/admin/extraction/extractorsetting/{ExtractorSetting.objects.get().pk}/delete/",
        {"post": "yes"},
    )

    assert not ExtractorSetting.objects.exists()
    assert Extraction.objects.exclude(due_at=None).count() == 2


@pytest.fixture
def peer(monkeypatch):
    """A library that takes the first paragraph for the article."""
    found = Peer("first_lines", "First lines", "lxml", "lxml", lambda _, __: PARAGRAPHS[0])
    monkeypatch.setitem(PEERS, found.name, found)
    return found


def test_a_library_of_others_stands_beside_ours(editor, paper, article, peer):
    answer = editor.get(f"/evaluation/articles/{article.pk}/?x=auto&x=first_lines")
    page = markup(answer)

    assert page.count('<div class="text"') == 2
    assert page.count(f"Read {paper.name} with this one") == 1  # with ours, never with it
    cells = {cells[0].split()[0]: cells[1:7] for cells in rows(answer)}
    # Runs of four words: three fewer than words, of one paragraph of five.
    recall = (n_words(PARAGRAPHS[0]) - 3) / (n_words(article.text) - 3)
    f1 = 2 * recall / (1 + recall)
    assert cells["First"] == ["1.000", f"{recall:.3f}", f"{f1:.3f}", "1.000", "0.200", "0.333"]
    assert cells["Default"] == ["1.000"] * 6


def n_words(text):
    return len(re.findall(r"\w+", text))


def test_an_article_stands_under_all_that_is_installed(linguist, paper, article, peer):
    answer = linguist.get(f"/evaluation/articles/{article.pk}/")

    names = {row.name for row in answer.context["rows"]}
    installed = {name for name, one in PEERS.items() if one.is_installed}
    assert names == {"auto", *ALGORITHMS, *installed} - {"rule", "site_level"}


def test_a_publication_is_never_read_with_a_library_of_others(editor, paper, article, peer):
    refused = editor.post(
        f"/evaluation/articles/{article.pk}/extractor/", {"extractor": peer.name}, follow=True
    )

    assert "There is no extractor “first_lines”" in markup(refused)
    assert not ExtractorSetting.objects.exists()


def test_a_run_takes_libraries_of_others(editor, paper, article, peer):
    run = finished_run(editor, names=["auto", peer.name])

    stored = run.figures["stored"]
    assert stored[peer.name]["n_pages"] == 2
    assert stored[peer.name]["figures"]["precision"][0] == 1.0
    table = markup(editor.get(f"/evaluation/{run.pk}/"))
    assert '<th class="num" title="Share of the lines of content that were kept">' in table


def test_what_is_not_installed_is_named_with_the_way_to_get_it(editor, paper, article, monkeypatch):
    absent = Peer("nobody", "Nobody", "nobody-extractor", "nobody_extractor", str)
    monkeypatch.setitem(PEERS, absent.name, absent)

    for address in ("/evaluation/", f"/evaluation/articles/{article.pk}/"):
        page = markup(editor.get(address))
        assert "Nobody" in page
        assert f"<code>{INSTALL}</code>" in page
    refused = editor.post("/evaluation/ask/", ASKED | {"more": "nobody"})
    assert "Nobody is not installed here" in markup(refused)


def test_a_page_that_takes_too_much_is_given_up(editor, paper, article, monkeypatch):
    none = Limits(cpu_seconds=1, wall_seconds=0)
    monkeypatch.setattr(compared_articles, "FOR_A_REQUEST", none)

    page = editor.get(f"/evaluation/articles/{article.pk}/")
    refused = editor.post(
        f"/evaluation/articles/{article.pk}/text/", {"extractor": "auto"}, follow=True
    )

    assert TOO_MUCH in markup(page)
    assert TOO_MUCH in markup(refused)
    assert not ReferenceText.objects.exists()


def test_a_publications_articles_lead_to_their_comparison(linguist, paper, article):
    own = markup(linguist.get(f"/evaluation/?pub={paper.slug}"))

    assert f'href="/evaluation/articles/{article.pk}/"' in own
    assert "One page under all extractors" not in markup(linguist.get("/evaluation/?pub=nobody"))


def test_elements_of_a_page_are_listed_with_their_probabilities(linguist, paper, article):
    address = f"/evaluation/articles/{article.pk}/elements/"

    answer = linguist.get(address)
    told = json.loads(linguist.get(f"{address}?format=json").content)

    wanted = [f"{node['template']:.2f}" for node in told["nodes"]]
    assert [cells[1].split()[-1] for cells in rows(answer)[1:]] == wanted
    assert [node["tag"] for node in told["nodes"]][:2] == ["html", "body"]
    assert (told["article"], told["problem"]) == (article.pk, "")
    judged = [node for node in told["nodes"] if node["is_judged"]]
    assert len(rows(linguist.get(f"{address}?judged=1"))[1:]) == len(judged)
    assert f'href="{address}"' in markup(linguist.get(f"/evaluation/articles/{article.pk}/"))


def test_elements_of_a_page_that_cannot_be_read(linguist, paper, article, monkeypatch):
    address = f"/evaluation/articles/{article.pk}/elements/"
    monkeypatch.setattr(article_nodes, "FOR_A_REQUEST", Limits(cpu_seconds=1, wall_seconds=0))
    too_much = markup(linguist.get(address))
    article.fetch = article.page.content_fetch = None
    article.page.save()
    article.save()

    assert TOO_MUCH in too_much
    assert "The archived page of this article cannot be read." in markup(linguist.get(address))
