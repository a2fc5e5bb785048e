"""Tags of publications as a filter: the same texts on every page and in answers of the API."""

from pathlib import Path

import pytest
from django.conf import settings
from factories import make_publication
from small_corpora import DAY_SECONDS, document, write

from feeds.sources.tags import add_tags

pytestmark = pytest.mark.django_db

PAPERS = {"karoo": ("daily", "free"), "cape": ("daily",), "natal": ()}
STATISTICS = ["frequency", "collocates", "ngrams", "trend", "distribution"]
CASES = [
    ("tag=daily", {"karoo", "cape"}),
    ("tag=free", {"karoo"}),
    ("tag=free&tag=daily", {"karoo", "cape"}),
    ("tag=-free", {"cape", "natal"}),
    ("tag=daily&tag=-free", {"cape"}),
    ("tag=free&tag=-free", set()),
    ("tag=daily&pub=cape", {"cape"}),
    ("tag=daily&pub=natal", set()),
    ("tag=daily&pub=-cape", {"karoo"}),
]


@pytest.fixture
def corpus():
    made = {slug: make_publication(slug) for slug in PAPERS}
    add_tags({made[slug].pk: tags for slug, tags in PAPERS.items()})
    write(
        Path(settings.INDEX_DIR),
        [
            document(n, "rain " * n, published_seconds=n * DAY_SECONDS, publication=slug)
            for n, slug in enumerate(PAPERS, start=1)
        ],
    )


def tokens(papers):
    return sum(n for n, slug in enumerate(PAPERS, start=1) if slug in papers)


@pytest.mark.parametrize(("parameters", "papers"), CASES)
def test_the_concordance_and_its_base_are_of_tagged_papers(reader, corpus, parameters, papers):
    page = reader.get(f"/search/?q=rain&{parameters}").context["page"]

    assert (page.total, page.n_texts, page.base_tokens) == (
        tokens(papers),
        len(papers),
        tokens(papers),
    )


@pytest.mark.parametrize("name", STATISTICS)
def test_every_statistic_knows_it_by_page_and_api(reader, corpus, name):
    page = reader.get(f"/search/{name}/?q=rain&tag=free")
    answer = reader.get(f"/api/search/{name}?q=rain&tag=free").json()

    assert page.status_code == 200
    assert "of publications tagged “free”" in page.content.decode()
    assert answer["base"]["tokens"] == tokens({"karoo"})


def test_it_is_a_control_a_chip_and_in_the_descriptions(reader, corpus):
    page = reader.get("/search/?q=rain&tag=free").content.decode()
    described = reader.get("/api/openapi.json").content.decode()

    assert "Tag of the publication" in page
    assert "Remove filter Tag free" in page
    assert "Tag of publications, as they are tagged now" in described


def test_an_unknown_tag_is_named(reader, corpus):
    page = reader.get("/search/?q=rain&tag=weekly").content.decode()

    assert "“weekly” is no tag of a publication." in page
