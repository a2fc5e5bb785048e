"""Figures that are kept say the same as those of now, and are counted again by their names."""

from dataclasses import replace
from datetime import timedelta
from urllib.parse import urlencode

import pytest
from django.utils import timezone
from factories import NOW, make_article, make_comment, make_page, make_publication

from corpus_site.counts.corpus_counts import (
    corpus_counts,
    publication_counts,
    publications_counts,
)
from corpus_site.counts.crawl_counts import crawl_counts
from corpus_site.counts.keeping import keep_counts
from feeds.models import Tally
from feeds.watching.plan_counts import PlanFilter, plan_counts
from search.articles.facets import facets, total_of
from search.articles.filters import BrowseRequest

LATER = NOW + timedelta(hours=2)
pytestmark = [pytest.mark.django_db, pytest.mark.sql]


@pytest.fixture
def paper(settings):
    """Two papers with texts, a comment, and visits to come; all counts are dear to keep."""
    settings.TALLY_DEAR_MS = 0
    paper = make_publication("cape-meridian", state="active")
    make_comment(make_article(publication=paper, dated_at=NOW))
    make_article(publication=paper, kind="video", in_corpus=False, reason="It is a video page.")
    make_article(language="af", changed_at=NOW, dated_at=NOW - timedelta(days=3))
    make_page(publication=paper, due_at=LATER)
    make_page(publication=paper, due_at=NOW - timedelta(hours=1), kind="feed")
    return paper


def all_figures(paper, now):
    only_changed = BrowseRequest(only_changed=True)
    known = facets(now)
    return {
        "corpus": replace(corpus_counts(now), counted_at=None),
        "publication": replace(publication_counts(paper.pk, now), counted_at=None),
        "publications": {
            pk: replace(counts, counted_at=None)
            for pk, counts in publications_counts([paper.pk], now).items()
        },
        "crawl": replace(crawl_counts(now), counted_at=None),
        "plan": replace(plan_counts(PlanFilter(), now), counted_at=None),
        "feeds": replace(plan_counts(PlanFilter(kind="feed"), now), counted_at=None),
        "facets": (known.counts, known.publications(), known.kinds(), known.languages()),
        "totals": [
            total_of(request, known, now).figures
            for request in (BrowseRequest(), BrowseRequest(language="af"), only_changed)
        ],
    }


def test_kept_figures_are_those_of_now(paper, settings):
    now = NOW.astimezone(timezone.get_current_timezone())
    counted, kept = all_figures(paper, now), all_figures(paper, now)
    n_kept = Tally.objects.count()
    settings.TALLY_DEAR_MS = 10**9
    Tally.objects.all().delete()
    assert counted == kept == all_figures(paper, now)
    assert n_kept == 8
    assert not Tally.objects.exists()


def test_a_sweep_counts_each_of_them_again(paper):
    now = NOW.astimezone(timezone.get_current_timezone())
    before = all_figures(paper, now)
    make_article(publication=paper, changed_at=NOW, dated_at=NOW, language="af")
    make_page(publication=paper, due_at=LATER, kind="feed")
    assert keep_counts(now + timedelta(minutes=15)) == 8
    Tally.objects.update(elapsed_ms=10**9)
    after = all_figures(paper, now)
    assert [name for name in after if after[name] == before[name]] == []
    assert after["totals"] == [before["totals"][0] + 1, 2, 2]


def test_pages_say_when_their_figures_were_counted(paper, admin_reader):
    pages = ["/", "/articles/", "/status/", "/status/plan/", "/sources/cape-meridian/"]
    for page in pages:
        admin_reader.get(page)
    Tally.objects.update(counted_at=timezone.now() - timedelta(minutes=9), elapsed_ms=10**9)
    for page in pages:
        shown = " ".join(admin_reader.get(page).content.decode().split())
        assert "counted <" in shown.lower(), (page, shown[shown.find("As of") :][:300])
        assert "9 min" in shown, page


def test_any_filter_of_the_list_has_a_name_that_is_counted_again(paper):
    request = BrowseRequest(publication="cape-meridian", kind="video", only_copies=True)
    total_of(request, facets(NOW), NOW)
    filters = urlencode([("publication", "cape-meridian"), ("kind", "video"), ("only_copies", 1)])
    assert Tally.objects.filter(name=f"articles?{filters.replace('=1', '=True')}").exists()
    assert keep_counts(NOW + timedelta(minutes=15)) == 2
