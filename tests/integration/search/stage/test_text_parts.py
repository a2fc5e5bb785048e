"""Parts of articles in the index: which tokens each holds, and how old articles get theirs."""

from datetime import UTC, datetime, timedelta

import pytest
from django.conf import settings
from factories import make_article

from extraction.models import Article
from feeds.work import leases
from search import indexing
from search.engine.index.documents import DocumentKind
from search.engine.index.reader import IndexReader
from search.engine.index.segments.text_blocks import TextBlock
from search.engine.index.selection import Base
from search.engine.query.filters import EVERY_TEXT, select
from search.models import IndexedArticle

NOW = datetime(2026, 11, 20, 22, 30, tzinfo=UTC)
LATER = NOW + timedelta(hours=1)
TEXT = "Dam levels\nRain fell.\nWe danced. All night.\nIt was cold.\nFinally!"
CAPTIONS = "A full dam"
BLOCKS = [
    ["heading", 0, 10],
    ["paragraph", 11, 21],
    ["quote", 22, 43],
    ["paragraph", 44, 56],
    ["quote", 57, 65],
    ["caption", 66, 76],
]

pytestmark = [pytest.mark.django_db, pytest.mark.sql]


def article_with_parts(**changes):
    values = {
        "title": "Farmers dance in the rain", "standfirst": "At last. It fell.",
        "captions": CAPTIONS, "blocks": BLOCKS, "created_at": NOW, "updated_at": NOW,
    }  # fmt: skip
    return make_article(TEXT, **values | changes)


def index_all(now=NOW):
    indexing.pending(1000, now)
    return indexing.run(1000, leases.Claim("one", now, timedelta(seconds=60)))


def snapshot():
    reader = IndexReader(settings.INDEX_DIR)
    reader.refresh()
    return reader.snapshot


def words(kind, article, generation=None):
    """The words of a part, joined by blanks; empty when there is none."""
    document = snapshot().document(kind, article.pk, generation)
    return "" if document is None else " ".join(token.word for token in document.tokens)


def as_before_parts(article):
    """Leave the index and its row as a version of before parts had made them."""
    standfirst, title, blocks = article.standfirst, article.title, article.blocks
    Article.objects.update(standfirst="", title="", blocks=[])
    index_all()
    Article.objects.update(standfirst=standfirst, title=title, blocks=blocks)
    IndexedArticle.objects.update(parts_version=0)


def test_each_part_holds_its_own_words_and_the_body_all_of_the_body():
    article = article_with_parts()

    index_all()

    found = {kind.label: words(kind, article) for kind in DocumentKind}
    assert found == {
        "article": "Dam levels Rain fell . We danced . All night . It was cold . Finally ! "
        "A full dam",
        "comment": "",
        "post": "",
        "headline": "Farmers dance in the rain",
        "standfirst": "At last . It fell .",
        "heading": "Dam levels",
        "quote": "We danced . All night . Finally !",
        "list_item": "",
        "caption": "A full dam",
    }


def test_a_part_has_the_tags_sentences_and_columns_of_its_article():
    article = article_with_parts()

    index_all()

    body = snapshot().document(DocumentKind.ARTICLE, article.pk)
    quote = snapshot().document(DocumentKind.QUOTE, article.pk)
    headline = snapshot().document(DocumentKind.HEADLINE, article.pk)
    assert quote.tokens == [*body.tokens[5:11], *body.tokens[15:17]]
    assert quote.sentence_starts == [0, 3, 6]
    assert quote.space_before == [False, True, False, True, True, False, True, False]
    assert set(quote.blocks) == {TextBlock.QUOTE}
    assert set(headline.blocks) == {TextBlock.HEADLINE}
    assert (headline.info.publication, headline.info.author) == ("karoo-courier", "A. Botha")
    assert headline.info.duplicate_cluster == article.pk


def test_totals_are_those_of_the_body():
    article_with_parts()

    report = index_all()

    size = snapshot().size()
    assert report.done["tokens"] == IndexedArticle.objects.get().n_tokens == 20
    assert (size.n_tokens, size.n_documents) == (20, 1)
    assert select(snapshot(), EVERY_TEXT).base == Base(20, 1)


def test_parts_that_an_article_has_no_more_go_out():
    article = article_with_parts()
    index_all()
    Article.objects.update(standfirst="", title="It rains", updated_at=LATER)

    index_all(LATER)

    assert words(DocumentKind.STANDFIRST, article) == ""
    assert words(DocumentKind.STANDFIRST, article, generation=1) == "At last . It fell ."
    assert words(DocumentKind.HEADLINE, article) == "It rains"


def test_an_article_that_is_left_out_takes_its_parts_along():
    article = article_with_parts()
    index_all()
    Article.objects.update(in_corpus=False, reason="gallery", updated_at=LATER)

    index_all(LATER)

    assert [words(kind, article) for kind in DocumentKind] == [""] * len(DocumentKind)


def test_old_articles_get_their_parts_while_their_bodies_stay():
    article = article_with_parts()
    as_before_parts(article)
    body = snapshot().document(DocumentKind.ARTICLE, article.pk)

    n_waiting = indexing.pending(1000, LATER)
    report = index_all(LATER)

    assert n_waiting == 1
    assert (report.n_claimed, report.done["parts"]) == (1, 1)
    assert words(DocumentKind.HEADLINE, article) == "Farmers dance in the rain"
    assert words(DocumentKind.QUOTE, article) == "We danced . All night . Finally !"
    assert snapshot().document(DocumentKind.ARTICLE, article.pk).info == body.info
    assert index_all(LATER).n_claimed == 0


def test_new_articles_do_not_wait_for_the_parts_of_old_ones():
    old = article_with_parts()
    as_before_parts(old)
    new = make_article("Maas again.", title="Maas", created_at=LATER, updated_at=LATER)

    index_all(LATER)

    assert words(DocumentKind.HEADLINE, new) == "Maas"
    assert words(DocumentKind.HEADLINE, old) == ""


def test_the_parts_of_an_old_article_that_is_out_by_now_stay_out():
    article = article_with_parts()
    as_before_parts(article)
    IndexedArticle.objects.update(parts_version=0)
    Article.objects.update(in_corpus=False, reason="gallery")

    indexing.run(1000, leases.Claim("one", LATER, timedelta(seconds=60)))

    assert words(DocumentKind.HEADLINE, article) == ""
