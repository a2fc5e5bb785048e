"""The corpus at rest is that of its pages, whatever stood first in the files that brought them."""

import random
from datetime import timedelta
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import transaction
from django.utils import timezone
from event_texts import COURT, FIRE, FIRE_ELSEWHERE
from foreign_warcs import Answer, warc_file
from newspaper_pages import article_page, paragraphs_html
from site_pages import NOTICE, own_paragraphs
from small_corpora import everything

from corpus_site import pipeline
from dedup.models import Detection, Duplicate
from extraction.models import Article, Comment
from feeds.models import Publication, PublicationState
from feeds.work.leases import Claim
from search.engine.index.documents import DocumentKind
from search.engine.index.reader import IndexReader

pytestmark = pytest.mark.django_db

REPORT = own_paragraphs(900, 8)
A_DAY = timedelta(days=1)


def comment(number):
    return (
        f"<li class='comment' id='comment-{number}'><b class='fn'>Thandi</b>"
        f"<time datetime='2026-11-{number:02}T10:00:00+02:00'>x</time>"
        f"<div class='comment-content'><p>Nobody asked us in street {number}.</p></div></li>"
    )


def page(paper, number, paragraphs, *, notice=True, comments=(), title=None):
    """A page of a paper, dated by its number."""
    day = f"2026-11-{1 + number % 9:02}"
    head = f"<meta property='article:published_time' content='{day}T08:00:00+02:00'>"
    shown = "".join(map(comment, comments))
    body = article_page(
        paragraphs_html([*paragraphs, *([NOTICE] if notice else [])]),
        head=head,
        title=title or f"Report {number} of what was seen in the {paper}",
        after=f"<ol class='comment-list'>{shown}</ol>" if shown else "",
    )
    return Answer(f"https://{paper}.example/news/report-{number}", body, f"{day}T09:00:00Z")


PAGES = [
    *(page("karoo", n, own_paragraphs(n), comments=(n + 1, n + 2)) for n in range(7)),
    *(page("veld", n, own_paragraphs(100 + n), notice=n % 3 > 0) for n in range(6)),
    page("karoo", 20, REPORT),
    page("veld", 21, REPORT[:4], notice=False),
    page("veld", 22, [own_paragraphs(901, 1)[0], *REPORT[1:]]),
    page("cape", 23, [*REPORT, *own_paragraphs(902, 5)]),
    page("cape", 20, REPORT, notice=False),
    page(
        "karoo",
        30,
        [*FIRE.split(". "), COURT[:200]],
        title="Shacks burn in Masiphumelele",
        comments=(4,),
    ),
    page(
        "cape", 39, FIRE_ELSEWHERE.split(". "), title="Masiphumelele fire leaves hundreds homeless"
    ),
]


def import_pages(pages, folder: Path):
    """Import the pages in their order, in two files with all stages between, and let them rest."""
    folder.mkdir()
    for number, part in enumerate((pages[:9], pages[9:])):
        path = folder / f"{number}.warc.gz"
        path.write_bytes(warc_file(part))
        call_command("import_warc", str(path), "--json")
        # Nothing is asked of sites that are none.
        Publication.objects.update(state=PublicationState.PAUSED)
        work(timezone.now())
    for days in (1, 2, 3):
        work(timezone.now() + days * A_DAY)


def work(now):
    """Sweep, and do all work on texts that is due."""
    pipeline.sweep(now)
    while any(pipeline.has_due(stage, now) for stage in pipeline.TEXT_STAGES):
        for stage in pipeline.TEXT_STAGES:
            stage.run(Claim.make("tester", now))


def corpus(index: Path):
    """Articles, comments, pairs, clusters, stories and documents, by addresses."""
    urls = dict(Article.objects.values_list("pk", "url"))
    said = dict(Comment.objects.values_list("pk", "text"))
    stories = {}
    for url, story in Detection.objects.values_list("article__url", "story"):
        stories.setdefault(story, set()).add(url)
    rows = Detection.objects.values_list("article_id", "original_id", "representative_id")
    pairs = Duplicate.objects.values_list(
        "article__url", "other__url", "relation", "joins", "similarity", "n_shared"
    )
    documents = everything(IndexReader(index).snapshot)
    return {
        "articles": sorted(
            Article.objects.values_list("url", "title", "text", "language", "in_corpus", "kind")
        ),
        "comments": sorted(Comment.objects.values_list("article__url", "text", "posted_at")),
        "clusters": sorted(tuple(urls[key] for key in row) for row in rows),
        "pairs": sorted(pairs),
        "stories": sorted(sorted(some) for story, some in stories.items() if story),
        "documents": sorted(
            (kind, said[key] if kind == DocumentKind.COMMENT else urls[key], *shown[:3])
            for (kind, key), shown in documents.items()
        ),
    }


@pytest.fixture
def corpus_of(tmp_path, settings):
    """A function that imports pages into an empty installation and gives its corpus."""
    numbers = iter(range(100))

    def import_and_take(pages):
        folder = tmp_path / f"run-{next(numbers)}"
        settings.DATA_DIR, settings.INDEX_DIR = folder / "data", folder / "index"
        folder.mkdir()
        with transaction.atomic():
            import_pages(pages, folder / "files")
            found = corpus(settings.INDEX_DIR)
            transaction.set_rollback(True)
        return found

    return import_and_take


@pytest.mark.parametrize("seed", [1, 2])
def test_corpus_at_rest_does_not_depend_on_the_order_of_an_import(corpus_of, seed):
    mixed = list(PAGES)
    random.Random(seed).shuffle(mixed)

    in_order = corpus_of(PAGES)

    assert len(in_order["articles"]) == len(PAGES)
    assert in_order["stories"]
    assert corpus_of(mixed) == in_order
