"""One filter for own texts: with newspapers alone no page, file or count knows of collections."""

import json
from io import StringIO
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import call_command
from django.utils import timezone
from factories import make_article, make_publication
from pages import markup
from small_corpora import DAY_SECONDS, document, write

from extraction.stage import collected_rows
from extraction.stage.collected_rows import TextToCollect
from feeds.models import Publication
from feeds.sources.collections import collection_of
from feeds.sources.tags import add_tags

pytestmark = pytest.mark.django_db

STATISTICS = ["frequency", "collocates", "ngrams", "trend", "distribution"]
# Tokens of each publication: one of each slug, as often as its number.
SLUGS = ("karoo", "cape", "my-texts")
CASES = [
    ("", {"karoo", "cape", "my-texts"}),
    ("origin=newspapers", {"karoo", "cape"}),
    ("origin=collections", {"my-texts"}),
    ("origin=newspapers&pub=my-texts", set()),
    ("origin=newspapers&tag=daily", {"karoo"}),
    ("origin=collections&tag=daily", set()),
]


@pytest.fixture
def corpus():
    papers = [make_publication(slug) for slug in SLUGS[:2]]
    add_tags({papers[0].pk: ["daily"]})
    assert collection_of("My texts", timezone.now()).slug == "my-texts"
    documents = [
        document(n, "rain " * n, published_seconds=n * DAY_SECONDS, publication=slug)
        for n, slug in enumerate(SLUGS, start=1)
    ]
    write(Path(settings.INDEX_DIR), documents)


def tokens(slugs):
    return sum(n for n, slug in enumerate(SLUGS, start=1) if slug in slugs)


@pytest.mark.parametrize(("parameters", "slugs"), CASES)
def test_the_concordance_and_its_base_are_of_one_origin(reader, corpus, parameters, slugs):
    page = reader.get(f"/search/?q=rain&{parameters}").context["page"]
    assert (page.total, page.n_texts, page.base_tokens) == (
        tokens(slugs),
        len(slugs),
        tokens(slugs),
    )


@pytest.mark.parametrize("name", STATISTICS)
def test_every_statistic_knows_it_by_page_and_api(reader, corpus, name):
    page = reader.get(f"/search/{name}/?q=rain&origin=newspapers")
    answer = reader.get(f"/api/search/{name}?q=rain&origin=newspapers").json()
    assert page.status_code == 200
    assert "of newspapers" in page.content.decode()
    assert answer["base"]["tokens"] == tokens({"karoo", "cape"})


def test_it_is_a_control_and_a_chip_where_there_is_a_collection(reader, corpus):
    page = reader.get("/search/?q=rain&origin=collections").content.decode()
    assert "collections of texts" in page
    assert "Remove filter Origin" in page
    assert "is no origin" in reader.get("/search/?q=rain&origin=mine").content.decode()


def test_the_list_of_articles_and_its_count_know_it(reader):
    make_article()
    collection = collection_of("My texts", timezone.now())
    texts = [TextToCollect(text=f"Text {n} of mine.", name=str(n)) for n in range(3)]
    collected_rows.store(collection, texts, 1, timezone.now())
    for origin, n in (("", 4), ("newspapers", 1), ("collections", 3)):
        answer = reader.get(f"/api/articles?origin={origin}").json()
        assert (answer["total"], len(answer["articles"])) == (n, n)
    # What is not kept by publication is counted by the same rows.
    counted = reader.get("/api/articles?origin=collections&changed=only").json()
    assert counted["total"] == 0
    assert "collections" in reader.get("/articles/").content.decode()


@pytest.mark.parametrize("origin", ["newspapers", "collections"])
def test_the_command_knows_it(corpus, origin):
    out = StringIO()

    call_command("search", "rain", "--origin", origin, "--json", stdout=out)

    total = tokens({"my-texts"} if origin == "collections" else {"karoo", "cape"})
    assert json.loads(out.getvalue())["total"] == total


def test_filters_name_the_unit_of_their_counts_and_nothing_that_was_removed(reader, corpus):
    before = markup(reader.get("/search/"))
    Publication.objects.filter(slug="my-texts").update(deleted_at=timezone.now())
    after = markup(reader.get("/search/"))
    chosen = markup(reader.get("/search/?q=rain&pub=my-texts"))

    assert '<option value="karoo" >Karoo (1 text)</option>' in before
    assert '<option value="my-texts" >My texts (1 text)</option>' in before
    assert '<select name="origin"' in before
    assert '<option value="karoo" >Karoo (1 text)</option>' in after
    assert "my-texts" not in after
    assert '<select name="origin"' not in after
    assert '<option value="my-texts" selected>My texts (1 text)</option>' in chosen
