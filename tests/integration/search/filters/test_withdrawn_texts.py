"""Withdrawn texts leave the index, all of its generations; put back, they are there again."""

import pytest
from django.conf import settings
from factories import NOW, index_all, make_article, make_comment, make_publication

from corpus_site import pipeline
from dedup.models import Detection
from extraction.models import Article
from extraction.withdrawal import withdrawing
from extraction.withdrawal.register import Order
from feeds.work.leases import Claim
from search import indexing
from search.engine.index.building.fading import is_fading_due
from search.engine.index.building.writer import IndexWriter
from search.engine.index.documents import DocumentKind
from search.models import IndexedArticle, LeavingText
from search.opened_index import current_snapshot
from search.stage import leaving

pytestmark = [pytest.mark.django_db, pytest.mark.sql]
ORDER = Order("The newspaper asks for it.", None, NOW)


@pytest.fixture(autouse=True)
def _takes_short_texts():
    make_publication(min_characters=0)


def follow(changed):
    pipeline.follow("articles", changed.articles, NOW)
    pipeline.follow("comments", changed.comments, NOW)


def is_found(kind, key, generation=None):
    return current_snapshot().locate(kind, key, generation) is not None


def test_a_withdrawn_article_is_in_no_generation_with_its_comments():
    article = make_article()
    other = make_article("The mayor drank rooibos.")
    comment = make_comment(article)
    index_all()

    follow(withdrawing.withdraw_articles([article.pk], ORDER))
    index_all()

    assert [is_found(DocumentKind.ARTICLE, article.pk, g) for g in (1, 2)] == [False, False]
    assert [is_found(DocumentKind.COMMENT, comment.pk, g) for g in (1, 2)] == [False, False]
    assert is_found(DocumentKind.ARTICLE, other.pk, 1)
    assert current_snapshot().n_withdrawn_since(1) == 2
    assert not LeavingText.objects.exists()


def test_put_back_is_searched_again_from_then_on():
    article, comment = make_article(), None
    comment = make_comment(article)
    index_all()
    follow(withdrawing.withdraw_articles([article.pk], ORDER))
    index_all()

    follow(withdrawing.put_back_articles([article.pk], None, NOW))
    index_all()

    assert is_found(DocumentKind.ARTICLE, article.pk)
    assert is_found(DocumentKind.COMMENT, comment.pk)
    assert not is_found(DocumentKind.ARTICLE, article.pk, 1)


def test_put_back_before_the_index_heard_of_it_changes_nothing():
    article = make_article()
    index_all()

    follow(withdrawing.withdraw_articles([article.pk], ORDER))
    follow(withdrawing.put_back_articles([article.pk], None, NOW))
    index_all()

    assert is_found(DocumentKind.ARTICLE, article.pk, 1)
    assert is_found(DocumentKind.ARTICLE, article.pk)


def test_withdrawals_go_before_what_waits():
    article = make_article()
    index_all()
    for number in range(5):
        make_article(f"The sangoma drank {number} cups.")
    indexing.pending(100, NOW)
    follow(withdrawing.withdraw_articles([article.pk], ORDER))

    indexing.run(1, Claim.make("test", NOW))

    assert not is_found(DocumentKind.ARTICLE, article.pk, 1)


class _OvertakenWriter(IndexWriter):
    """A writer before whose commit another process does something."""

    def __init__(self, folder, act):
        super().__init__(folder)
        self.act = act

    def commit(self):
        self.act()
        return super().commit()


def test_parts_leave_with_their_article_and_its_erasing_leaves_no_byte_of_them():
    article = make_article(title="Sandvlei weeps", standfirst="Ouma remembers")
    other = make_article("The mayor drank rooibos.", title="Tea time")
    index_all()
    assert is_found(DocumentKind.HEADLINE, article.pk)

    follow(withdrawing.withdraw_articles([article.pk], ORDER))
    with IndexWriter(settings.INDEX_DIR) as writer:
        leaving.forget_withdrawn(writer)

    kinds = (DocumentKind.HEADLINE, DocumentKind.STANDFIRST)
    found = [is_found(kind, article.pk, generation) for kind in kinds for generation in (1, 2)]
    assert found == [False] * 4
    assert is_found(DocumentKind.HEADLINE, other.pk)

    Article.objects.filter(pk=article.pk).update(erased_at=NOW)
    leaving.register_articles([article.pk], NOW)
    with IndexWriter(settings.INDEX_DIR) as writer:
        leaving.forget_withdrawn(writer)

    identities = [(int(kind), article.pk) for kind in DocumentKind]
    for view in current_snapshot().segments:
        columns = view.segment.documents
        stored = zip(columns.kind.tolist(), columns.key.tolist(), strict=True)
        assert not set(stored) & set(identities)


def test_what_is_erased_while_its_withdrawal_is_committed_is_erased_by_the_next_commit():
    article = make_article()
    index_all()
    withdrawing.withdraw_articles([article.pk], ORDER)
    leaving.register_articles([article.pk], NOW)

    def erase():
        Article.objects.filter(pk=article.pk).update(erased_at=NOW)
        leaving.register_articles([article.pk], NOW)

    with _OvertakenWriter(settings.INDEX_DIR, erase) as writer:
        leaving.forget_withdrawn(writer)
    assert not is_fading_due(settings.INDEX_DIR)
    with IndexWriter(settings.INDEX_DIR) as writer:
        assert leaving.forget_withdrawn(writer) == 1

    assert is_fading_due(settings.INDEX_DIR)
    assert not LeavingText.objects.exists()


def test_a_withdrawal_whose_message_was_lost_is_found_by_the_sweep():
    article = make_article()
    comment = make_comment(article)
    index_all()

    withdrawing.withdraw_articles([article.pk], ORDER)
    index_all()

    assert not is_found(DocumentKind.ARTICLE, article.pk, 1)
    assert not is_found(DocumentKind.COMMENT, comment.pk, 1)


def test_a_withdrawn_comment_leaves_alone():
    article = make_article()
    comment, other = make_comment(article), make_comment(article, "Eish, rooibos it is.")
    index_all()

    follow(withdrawing.withdraw_comments([comment.pk], ORDER))
    index_all()

    assert not is_found(DocumentKind.COMMENT, comment.pk, 1)
    assert is_found(DocumentKind.COMMENT, other.pk, 1)
    assert is_found(DocumentKind.ARTICLE, article.pk, 1)


def test_rows_of_withdrawn_texts_are_done_and_stay_so():
    article = make_article()
    index_all()
    follow(withdrawing.withdraw_articles([article.pk], ORDER))
    index_all()

    assert indexing.pending(100, NOW) == 0
    assert IndexedArticle.objects.get().outcome == "left out"


def test_a_text_stored_while_its_publication_is_withdrawn_is_found_by_the_sweep():
    publication = make_publication()
    withdrawing.withdraw_publication(publication, ORDER)
    article = make_article(publication=publication)

    pipeline.sweep(NOW)

    late = Article.objects.get(pk=article.pk)
    assert (late.in_corpus, late.reason) == (False, "Withdrawn: The newspaper asks for it.")
    assert Detection.objects.get().due_at == NOW
