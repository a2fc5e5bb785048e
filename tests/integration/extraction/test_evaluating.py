"""Runs over stored articles, reference texts, and a publication's extractor in the pipeline."""

import gzip
import json
from datetime import UTC, datetime, timedelta
from io import StringIO

import pytest
from django.core.exceptions import ValidationError
from django.core.management import CommandError, call_command
from factories import make_rules, make_user
from integration.feeds.newspapers import add_page, crawl, make_paper
from integration.feeds.origin import Origin, answer
from newspaper_pages import PARAGRAPHS, article_page, paragraphs_html

from extraction import evaluating, extract
from extraction.compared_articles import ReferenceKind
from extraction.correcting import Editor, correct
from extraction.evaluating import RunRequest
from extraction.extractors import choose_extractor
from extraction.html.algorithms.parameters import AlgorithmParameterError
from extraction.html.site_rules.rules import Rule, RuleField, RuleKind
from extraction.models import Article, EvaluationRun, Extraction, ExtractorSetting, ReferenceText
from extraction.sites import samples
from feeds.work.leases import Claim

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
SITE = "http://karoo.example"
TERMS = Claim("tester", NOW, timedelta(seconds=60))
NAMES = ("auto", "text_density", "dgwc:classifier=tree")
pytestmark = [pytest.mark.django_db, pytest.mark.sql]


@pytest.fixture
def paper(settings):
    """A publication with three archived and extracted articles."""
    samples.forget()
    with Origin() as web:
        settings.CRAWL_PROXY_URL = web.url
        settings.CRAWL_MIN_DELAY_SECONDS = 0
        paper = make_paper(NOW)
        headers = (("Content-Type", "text/html; charset=utf-8"),)
        for number in range(3):
            path = f"/news/story-of-the-harbour-{number}"
            body = paragraphs_html([f"{text} Part {number}." for text in PARAGRAPHS])
            web.routes[path] = answer(article_page(body), 200, headers)
            add_page(paper, SITE + path, NOW)
        extract.register(crawl(NOW).next_ids["pages"], NOW)
        extract.run(20, TERMS)
        yield paper


def ask(paper, names=NAMES, n_pages=10):
    return evaluating.ask(RunRequest(paper, tuple(names), n_pages), make_user("editor"), NOW)


def work_off():
    while evaluating.work(1, TERMS).n_claimed:
        pass


def test_run_scores_every_extractor_on_every_page(paper):
    run = ask(paper)

    work_off()

    run.refresh_from_db()
    assert (run.n_pages, run.n_done, run.finished_at, run.due_at) == (3, 3, NOW, None)
    stored = run.figures[ReferenceKind.STORED]
    assert {name: found["n_pages"] for name, found in stored.items()} == dict.fromkeys(NAMES, 3)
    assert stored["auto"]["figures"]["f1"] == [1.0, 1.0, 1.0]
    assert [page.article_id for page in run.pages.all()] == list(
        Article.objects.order_by("-dated_at", "-pk").values_list("pk", flat=True)
    )


def test_a_run_tells_of_title_authors_and_date_with_and_without_rules(paper):
    other, corrected, _ = Article.objects.order_by("-dated_at", "-pk")
    Article.objects.filter(pk=other.pk).update(title="Another headline")
    correct(corrected.pk, {"authors": ["Somebody Else"]}, Editor(None, NOW))
    make_rules(paper, Rule(RuleField.TITLE, RuleKind.CSS, "article p"), published_at=NOW)
    run = ask(paper, ("auto",))

    work_off()

    run.refresh_from_db()
    fields = run.figures[evaluating.FIELDS]
    assert list(fields) == ["rules", "general"]
    assert (fields["rules"]["title"]["n_found"], fields["rules"]["title"]["n_same"]) == (3, 0)
    assert fields["general"]["title"] == {
        "n": 3, "n_found": 3, "n_same": 2, "n_by_hand": 0, "n_right": 0
    }  # fmt: skip
    authors = fields["general"]["authors"]
    assert (authors["n_same"], authors["n_by_hand"], authors["n_right"]) == (2, 1, 0)


def test_run_goes_on_slice_by_slice(paper, monkeypatch):
    monkeypatch.setattr(evaluating, "SLICE_PAGES", 2)
    run = ask(paper)

    assert evaluating.work(1, TERMS).done["pages"] == 2
    run.refresh_from_db()
    assert (run.n_done, run.due_at, run.finished_at) == (2, NOW, None)
    assert evaluating.work(1, TERMS).done["pages"] == 1
    assert evaluating.work(1, TERMS).n_claimed == 0


def test_a_slice_ends_by_time_with_the_pages_it_has(paper, monkeypatch):
    monkeypatch.setattr(evaluating, "SLICE_SECONDS", 0.0)
    run = ask(paper)

    done = [evaluating.work(1, TERMS).done["pages"] for _ in range(3)]

    run.refresh_from_db()
    assert (done, run.n_done, run.finished_at) == ([1, 1, 1], 3, NOW)
    assert run.figures[ReferenceKind.STORED]["auto"]["n_pages"] == 3


def test_unknown_extractor_is_refused_before_anything_is_kept(paper):
    with pytest.raises(AlgorithmParameterError, match="There is no extractor"):
        ask(paper, ["boilerpipe"])

    assert not EvaluationRun.objects.exists()


def test_confirmed_text_is_the_surest_reference(paper):
    article = Article.objects.first()
    evaluating.confirm(article, PARAGRAPHS[0], None, NOW)
    run = ask(paper, ["auto"])

    work_off()

    run.refresh_from_db()
    confirmed = run.figures[ReferenceKind.CONFIRMED]["auto"]
    assert confirmed["n_pages"] == 1
    assert confirmed["figures"]["extra"][0] == 1.0
    assert evaluating.withdraw(article)
    assert not evaluating.withdraw(article)


def test_reference_text_needs_words(paper):
    with pytest.raises(ValueError, match="needs words"):
        evaluating.confirm(Article.objects.first(), " \n", None, NOW)

    assert not ReferenceText.objects.exists()


def test_archived_page_that_cannot_be_read_is_a_problem_of_its_line(paper):
    run = ask(paper)
    article = Article.objects.first()
    fetch = article.fetch
    article.fetch = article.page.content_fetch = None
    article.page.save()
    article.save()

    work_off()

    run.refresh_from_db()
    assert run.pages.get(article=article).problem == "The archived page cannot be read."
    assert (fetch is not None, run.n_done) == (True, 3)
    assert run.figures[ReferenceKind.STORED]["auto"]["n_pages"] == 2


def choose(paper, extractor, **parameters):
    return choose_extractor(
        ExtractorSetting(
            publication=paper, extractor=extractor, parameters=parameters, changed_at=NOW
        )
    )


@pytest.mark.parametrize("extractor", ["text_density", "qread", "site_level"])
def test_chosen_extractor_reads_the_publication(paper, extractor):
    assert choose(paper, extractor) == 3

    extract.run(20, TERMS)

    assert {*Article.objects.values_list("extractor", flat=True)} == {extractor}
    assert PARAGRAPHS[0] in Article.objects.first().text


def test_choice_is_part_of_the_digest_and_can_be_taken_back(paper):
    first = Extraction.objects.first().done_digest
    choose(paper, "text_density")
    extract.run(20, TERMS)
    chosen = Extraction.objects.first().done_digest
    choose(paper, "auto")
    extract.run(20, TERMS)

    assert chosen != first
    assert Extraction.objects.first().done_digest == first


def test_wrong_parameters_are_refused_and_change_nothing(paper):
    with pytest.raises(ValidationError, match="“phi” is a number from 1 to 100"):
        choose(paper, "dgwc", phi=0)

    assert not ExtractorSetting.objects.exists()
    assert not Extraction.objects.exclude(due_at=None).exists()


def test_command_compares_on_a_publication(paper):
    out = StringIO()

    call_command(
        "evaluate_extraction",
        publication=paper.slug,
        last=2,
        extractors=["auto", "text_density"],
        stdout=out,
    )

    lines = out.getvalue().splitlines()
    assert lines[1] == f"{paper.name} against the stored texts (agreement, not quality)"
    assert [line.split(" | ")[:2] for line in lines[4:]] == [
        ["| auto", "2"],
        ["| text_density", "2"],
    ]


def test_command_compares_on_a_labelled_set(tmp_path):
    (tmp_path / "gold").mkdir()
    (tmp_path / "pages/small").mkdir(parents=True)
    gold = {"id": "a", "url": "http://x.example/", "body": "\n".join(PARAGRAPHS)}
    (tmp_path / "gold/small.jsonl").write_text(json.dumps(gold) + "\n")
    (tmp_path / "pages/small/a.html.gz").write_bytes(gzip.compress(article_page()))
    out = StringIO()

    call_command("evaluate_extraction", set="all", data=tmp_path, extractors=["auto"], stdout=out)

    lines = out.getvalue().splitlines()
    assert lines[1] == "small: 1 pages"
    assert lines[4].startswith("| auto | 1 | 1.000 (1.000–1.000) |")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"publication": "nowhere"}, "There is no publication “nowhere”."),
        ({"set": "zyte"}, "Say where the labelled pages are: --data FOLDER."),
        ({"set": "zyte", "extractors": ["x"]}, "There is no extractor “x”"),
    ],
)
def test_command_says_what_is_wrong(options, message):
    with pytest.raises(CommandError) as refusal:
        call_command("evaluate_extraction", **options)

    assert str(refusal.value).startswith(message)


def test_run_ends_when_an_article_is_deleted_meanwhile(paper):
    run = ask(paper, names=("auto",))
    Article.objects.filter(pk=run.pages.all()[0].article_id).delete()

    assert evaluating.work(1, TERMS).done["pages"] == 2
    run.refresh_from_db()
    assert (run.n_pages, run.n_done, run.finished_at, run.due_at) == (3, 2, NOW, None)
