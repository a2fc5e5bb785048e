"""Changed texts and reserved rights: in the index, as filters, facets and values to count by."""

from pathlib import Path

import pytest
from django.conf import settings
from factories import make_article, make_comment, make_publication
from small_corpora import DAY_SECONDS, document, write

from extraction.models import Article, RightsSaid
from extraction.rights import RIGHTS_REASON
from search.engine.index.documents import DocumentRights
from search.models import IndexedArticle, IndexedComment
from search.stage.sweeping import missed_articles, missed_comments
from search.stage.texts_to_index import read_articles, read_comments, tagger_versions

pytestmark = [pytest.mark.django_db, pytest.mark.sql]

RESERVED, GRANTED = DocumentRights.RESERVED, DocumentRights.GRANTED
# Hits of “rain” by the marks of their texts: changed, rights.
TEXTS = {
    1: ("rain", False, DocumentRights.NONE),
    2: ("rain rain", True, RESERVED),
    3: ("rain rain rain rain", False, RESERVED),
    4: ("rain rain rain rain rain rain rain rain", True, GRANTED),
}
FILTERS = [
    ("changed=yes", 10),
    ("changed=no", 5),
    ("rights=reserved", 6),
    ("rights=granted", 8),
    ("rights=none", 1),
    ("rights=reserved&changed=yes", 2),
    ("only=rights:reserved", 6),
    ("only=changed:no", 5),
]
STATISTICS = ["frequency", "collocates", "trend", "distribution"]


@pytest.fixture
def corpus():
    make_publication("karoo")
    write(
        Path(settings.INDEX_DIR),
        [
            document(key, text, published_seconds=key * DAY_SECONDS, is_changed=changed,
                     rights=rights)
            for key, (text, changed, rights) in TEXTS.items()
        ],
    )  # fmt: skip


@pytest.mark.parametrize(("parameters", "n_hits"), FILTERS)
def test_page_and_statistics_count_the_hits_of_these_texts(reader, corpus, parameters, n_hits):
    assert reader.get(f"/search/?q=rain&{parameters}").context["page"].total == n_hits
    for view in STATISTICS:
        answer = reader.get(f"/api/search/{view}/?q=rain&{parameters}").json()
        assert (view, answer["base"]["tokens"]) == (view, n_hits)


def test_facets_lead_to_the_hits_that_they_count(reader, corpus):
    page = reader.get("/search/?q=rain").context
    facets = {facet.title: facet.values for facet in page["facets"]}

    assert {value.label: value.n for value in facets["Rights"]} == {
        "granted": 8, "reserved": 6, "nothing said": 1,
    }  # fmt: skip
    for value in (*facets["Rights"], *facets["Changes"]):
        assert reader.get(value.address).context["page"].total == value.n


def test_a_corpus_without_marks_has_no_facet_of_them(reader):
    write(Path(settings.INDEX_DIR), [document(1, "rain")])

    titles = [facet.title for facet in reader.get("/search/?q=rain").context["facets"]]

    assert {"Rights", "Changes"}.isdisjoint(titles)


def test_hits_are_counted_by_marks_and_asked_for_in_cql(reader, corpus):
    answer = reader.get("/api/search/frequency/?q=rain&by=rights&by2=changed").json()
    table, rates = answer["tables"]
    counted = reader.get('/api/search/?ql=cql&q=a:"rain"::a.text_rights="reserved"').json()

    assert [(row["row"], row["column0"], row["column1"]) for row in table["rows"]] == [
        ("granted", 8, 0),
        ("reserved", 2, 4),
        ("nothing said", 0, 1),
        ("All", 10, 5),
    ]
    assert [(row["row"], row["column0"], row["column1"]) for row in rates["rows"]] == [
        ("granted", 1_000_000, 0),
        ("reserved", 1_000_000, 1_000_000),
        ("nothing said", 0, 1_000_000),
    ]
    assert counted["hits"] == 6


def test_chip_and_base_say_it(reader, corpus):
    response = reader.get("/search/?q=rain&rights=reserved&changed=no")

    assert [(chip.name, chip.value) for chip in response.context["chips"]] == [
        ("Changes", "as first seen"),
        ("Rights", "reserved"),
    ]
    assert response.context["base_words"] == (
        "articles that stand as they were first seen with reserved rights, copies counted once"
    )


@pytest.mark.parametrize("parameter", ["rights=no", "changed=1"])
def test_another_value_is_refused(reader, corpus, parameter):
    assert reader.get(f"/api/search/?q=rain&{parameter}").status_code == 400


def indexed_article(**changes):
    """An article that is in the index as it is."""
    article = make_article(**changes)
    row = IndexedArticle.objects.create(article=article, indexed_at=article.updated_at)
    (text,) = read_articles([row.pk], tagger_versions())
    IndexedArticle.objects.update(done_digest=text.digest)
    return article


def test_digests_of_texts_without_marks_are_those_of_before(db):
    article = indexed_article(language="en")

    digest = IndexedArticle.objects.get().done_digest

    assert digest == f"{article.text_digest}.{article.pk}.0.{tagger_versions().of('en')}"


@pytest.mark.parametrize("mark", [{"n_versions": 2}, {"rights": "reserved"}, {"rights": "granted"}])
def test_a_mark_makes_a_text_due_until_it_is_read_again(db, mark):
    article = indexed_article()
    assert missed_articles(10, tagger_versions()) == []

    Article.objects.update(**mark)
    assert missed_articles(10, tagger_versions()) == [article.pk]

    (text,) = read_articles([IndexedArticle.objects.get().pk], tagger_versions())
    IndexedArticle.objects.update(done_digest=text.digest)
    assert missed_articles(10, tagger_versions()) == []


@pytest.mark.parametrize(
    "change", [{"rights": RightsSaid.RESERVED}, {"in_corpus": False, "reason": RIGHTS_REASON}]
)
def test_comments_follow_the_rights_of_their_page(db, change):
    article = make_article()
    comment = make_comment(article)
    row = IndexedComment.objects.create(comment=comment, indexed_at=comment.updated_at)

    def done():
        (text,) = read_comments([row.pk], tagger_versions())
        IndexedComment.objects.update(done_digest=text.digest)
        return text.is_hidden, text.document.rights

    assert done() == (False, DocumentRights.NONE)
    assert missed_comments(10, tagger_versions()) == []
    Article.objects.update(**change)
    assert missed_comments(10, tagger_versions()) == [comment.pk]
    assert done() == ("in_corpus" in change, RESERVED if "rights" in change else 0)
    assert missed_comments(10, tagger_versions()) == []
