"""The index stage on real tables and a real index folder."""

import shutil
from datetime import UTC, datetime, timedelta
from itertools import count

import pytest
from django.conf import settings

from dedup.models import Detection
from extraction.models import Article, Comment
from feeds.models import Host, Page, PageKind, Publication
from feeds.work import leases
from feeds.work.batches import Report
from search import indexing
from search.engine.index.building.writer import IndexWriter
from search.engine.index.documents import DocumentKind
from search.engine.index.manifest import WriterLock
from search.engine.index.reader import IndexReader
from search.models import IndexedArticle, IndexedComment, LexiconEntry
from search.opened_index import current_snapshot
from search.stage import tagged_texts

NOW = datetime(2026, 11, 20, 22, 30, tzinfo=UTC)
NUMBERS = count(1)

pytestmark = [pytest.mark.django_db, pytest.mark.sql]


def terms(owner="one", now=NOW):
    return leases.Claim(owner, now, timedelta(seconds=60))


def add_article(text="The sangoma drank maas.", **changes):
    publication, _ = Publication.objects.get_or_create(
        slug="karoo", defaults={"name": "Karoo", "home_url": "http://karoo/", "created_at": NOW}
    )
    host, _ = Host.objects.get_or_create(name="karoo", defaults={"next_at": NOW})
    key = f"karoo/{next(NUMBERS)}"
    page = Page.objects.create(
        url=f"http://{key}", key=key, kind=PageKind.ARTICLE, host=host, publication=publication,
        found_at=NOW,
    )  # fmt: skip
    values = {
        "text": text, "text_digest": f"{hash(text):x}"[:32], "dated_at": NOW, "language": "en",
        "section": "News", "authors": ["A. Botha", "T. Dube"], "created_at": NOW, "updated_at": NOW,
    } | changes  # fmt: skip
    article = Article.objects.create(page=page, publication=publication, url=page.url, **values)
    Detection.objects.create(article=article, detected_at=NOW, original=article)
    return article


def add_comment(article, text="Eish!", **changes):
    values = {"language": "en", "author_name": "Gogo"} | changes
    return Comment.objects.create(
        article=article, system="disqus", remote_id=str(next(NUMBERS)), text=text,
        text_digest=f"{hash(text):x}"[:32], posted_at=NOW, created_at=NOW, updated_at=NOW, **values,
    )  # fmt: skip


def index_all(now=NOW):
    indexing.pending(1000, now)
    return indexing.run(1000, terms(now=now))


def stored(kind, key):
    """The document in the index now; None when it is not there."""
    reader = IndexReader(settings.INDEX_DIR)
    reader.refresh()
    return reader.snapshot.document(kind, key)


def test_an_article_is_found_with_tags_columns_and_cluster():
    article = add_article()

    report = index_all()

    document = stored(DocumentKind.ARTICLE, article.pk)
    assert [tuple(token) for token in document.tokens] == [
        ("The", "the", "DT"),
        ("sangoma", "sangoma", "NN"),
        ("drank", "drink", "VBD"),
        ("maas", "maas", "NN"),
        (".", ".", "."),
    ]
    assert document.info.publication == "karoo"
    assert document.info.author == "A. Botha; T. Dube"
    assert document.info.day == datetime(2026, 11, 21, tzinfo=UTC).date()  # Johannesburg's day
    assert document.info.duplicate_cluster == article.pk
    assert (report.n_claimed, report.done["indexed"], report.done["tokens"]) == (1, 1, 5)
    row = IndexedArticle.objects.get()
    assert (row.outcome, row.generation, row.n_tokens) == (
        "indexed",
        current_snapshot().generation,
        5,
    )
    assert row.due_at is None
    assert row.indexed_at >= NOW


def test_a_hidden_article_stays_out_while_its_comments_come_in():
    article = add_article(in_corpus=False, reason="gallery")
    comment = add_comment(article)

    index_all()

    assert stored(DocumentKind.ARTICLE, article.pk) is None
    assert IndexedArticle.objects.get().outcome == "left out"
    document = stored(DocumentKind.COMMENT, comment.pk)
    assert [token.tag for token in document.tokens] == ["UH", "."]
    assert document.info.parent_key == article.pk


@pytest.mark.parametrize("flag", [{"is_deleted": True}, {"is_spam": True}, {"is_approved": False}])
def test_a_comment_that_is_hidden_later_leaves_the_index(flag):
    comment = add_comment(add_article())
    index_all()
    later = NOW + timedelta(hours=1)
    Comment.objects.update(updated_at=later, **flag)

    index_all(later)

    assert stored(DocumentKind.COMMENT, comment.pk) is None


def test_an_article_waits_for_its_detection():
    article = add_article()
    Detection.objects.update(detected_at=None)

    assert indexing.pending(10, NOW) == 0

    Detection.objects.update(detected_at=NOW)
    assert indexing.pending(10, NOW) == 1
    assert IndexedArticle.objects.get().article_id == article.pk


def test_nothing_is_pending_when_all_is_indexed():
    add_comment(add_article())
    add_comment(add_article("Hy het dit gesê.", language="af"), language="")
    add_article("", kind="short", in_corpus=False, reason="no text")
    index_all()

    assert indexing.pending(10, NOW) == 0


def new_text(article):
    Article.objects.update(text="Rain fell.", text_digest="other")


def new_metadata(article):
    Article.objects.update(section="Sport", updated_at=NOW + timedelta(hours=1))


def new_original(article):
    other = add_article("Another.")
    index_all()
    Detection.objects.filter(article=article).update(original=other)


def leaves_the_corpus(article):
    Article.objects.update(in_corpus=False, reason="rejected")


@pytest.mark.parametrize("change", [new_text, new_metadata, new_original, leaves_the_corpus])
def test_a_changed_input_makes_an_article_due_once(change):
    article = add_article()
    index_all()
    change(article)
    later = NOW + timedelta(hours=2)

    assert indexing.pending(10, later) == 1
    indexing.run(10, terms(now=later))
    assert indexing.pending(10, later) == 0


def test_an_editors_word_wins_over_the_tagger_and_the_shipped_list():
    article = add_article("They drank maas.")
    LexiconEntry.objects.create(word="maas", tag="NNS", lemma="masi")

    index_all()

    tokens = stored(DocumentKind.ARTICLE, article.pk).tokens
    assert tuple(tokens[2]) == ("maas", "masi", "NNS")


def test_other_languages_are_searchable_without_tags():
    article = add_article("Uyalibona IPHEPHA lakhe.", language="zu")

    index_all()

    tokens = [tuple(token) for token in stored(DocumentKind.ARTICLE, article.pk).tokens]
    assert tokens[:2] == [("Uyalibona", "uyalibona", "XX"), ("IPHEPHA", "iphepha", "XX")]


def test_afrikaans_is_indexed_with_universal_tags_and_lemmas():
    article = add_article("Die skole is gesluit.", language="af")

    index_all()

    tokens = [tuple(token) for token in stored(DocumentKind.ARTICLE, article.pk).tokens]
    assert tokens[1:4] == [
        ("skole", "skool", "NOUN"),
        ("is", "wees", "AUX"),
        ("gesluit", "sluit", "VERB"),
    ]


def test_indexing_again_after_a_lost_close_leaves_one_copy():
    article = add_article()
    index_all()
    # A worker died between the index's commit and the closing of the row.
    IndexedArticle.objects.update(done_digest="", due_at=NOW, generation=None)

    index_all()

    reader = IndexReader(settings.INDEX_DIR)
    reader.refresh()
    assert reader.snapshot.size().n_documents == 1
    assert stored(DocumentKind.ARTICLE, article.pk) is not None


def test_a_row_registered_while_in_work_stays_due(monkeypatch):
    article = add_article()
    indexing.pending(10, NOW)
    commit = IndexWriter.commit

    def commit_and_register(writer):
        generation = commit(writer)
        indexing.register([article.pk], NOW + timedelta(seconds=1))
        return generation

    monkeypatch.setattr(IndexWriter, "commit", commit_and_register)
    indexing.run(10, terms())

    assert IndexedArticle.objects.get().due_at == NOW + timedelta(seconds=1)


def test_a_text_written_anew_while_it_is_first_indexed_stays_due(monkeypatch):
    article = add_article()
    indexing.pending(10, NOW)
    commit = IndexWriter.commit

    def commit_and_refresh(writer):
        generation = commit(writer)
        indexing.refresh([article.pk], NOW)
        return generation

    monkeypatch.setattr(IndexWriter, "commit", commit_and_refresh)
    indexing.run(10, terms())

    assert IndexedArticle.objects.get().due_at == NOW


def test_a_second_writer_goes_away_and_takes_no_rows():
    add_article()
    indexing.pending(10, NOW)
    leases.take_lock(indexing.WRITER_LOCK, terms("another"))

    report = indexing.run(10, terms("one"))

    assert report == Report()
    assert IndexedArticle.objects.get().attempts == 0


def test_a_folder_held_by_another_process_costs_no_attempt():
    add_article()
    indexing.pending(10, NOW)
    settings.INDEX_DIR.mkdir(parents=True)
    lock = WriterLock(settings.INDEX_DIR)
    lock.acquire(0)
    try:
        report = indexing.run(10, terms())
    finally:
        lock.release()

    assert report == Report()
    assert IndexedArticle.objects.get().attempts == 0
    assert indexing.run(10, terms()).done["indexed"] == 1


def test_a_batch_takes_articles_and_comments_up_to_its_limit():
    article = add_article()
    for _ in range(3):
        add_comment(article)
    indexing.pending(10, NOW)

    claimed = [indexing.run(limit, terms()).n_claimed for limit in (1, 2, 10, 10)]

    assert claimed == [1, 2, 1, 0]
    assert IndexedComment.objects.filter(outcome="indexed").count() == 3


@pytest.mark.parametrize("text", ["", "🎉" * 50, "שלום עולם", "a\x00b", "." * 2000])
def test_odd_texts_become_outcomes(text):
    add_comment(add_article("Rain."), text.replace("\x00", ""), language="")

    report = index_all()

    assert report.n_claimed == 2
    assert report.quarantined == 0
    assert IndexedComment.objects.get().outcome in {"indexed", "empty"}


def test_refresh_leaves_new_articles_to_their_detection():
    indexed, new = add_article(), add_article("New.")
    indexing.register([indexed.pk], NOW)
    indexing.run(10, terms())
    IndexedArticle.objects.create(article=new)

    indexing.refresh([indexed.pk, new.pk], NOW)

    due = IndexedArticle.objects.filter(due_at=NOW)
    assert [row.article_id for row in due] == [indexed.pk]


def test_make_all_due_builds_the_index_anew():
    add_comment(add_article())
    index_all()
    shutil.rmtree(settings.INDEX_DIR)

    assert indexing.make_all_due(NOW) == 2
    assert indexing.run(10, terms()).done["indexed"] == 2


def test_an_unusable_entry_stops_nothing():
    add_article()
    LexiconEntry.objects.create(word="maas", tag="NOUN")

    assert index_all().done["indexed"] == 1


def test_long_texts_of_a_batch_are_indexed_in_parts(monkeypatch):
    monkeypatch.setattr(tagged_texts, "MAX_PART_CHARACTERS", 60)
    articles = [add_article(f"The sangoma drank maas {word}.") for word in ("a", "b", "c", "d")]

    report = index_all()

    assert (report.n_claimed, report.done["indexed"], current_snapshot().generation) == (4, 4, 2)
    assert all(stored(DocumentKind.ARTICLE, article.pk) for article in articles)
    assert IndexedArticle.objects.filter(due_at=None, outcome="indexed").count() == 4


def test_an_index_that_was_deleted_is_written_again():
    article = add_article()
    add_comment(article)
    index_all()
    shutil.rmtree(settings.INDEX_DIR)

    report = indexing.run(10, terms())

    assert report.done["indexed"] == 2
    assert stored(DocumentKind.ARTICLE, article.pk)
