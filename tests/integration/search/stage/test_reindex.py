"""`manage.py reindex`: a fresh index of the same texts, and rows that know it."""

from datetime import timedelta
from io import StringIO
from pathlib import Path

import pytest
from asked import asked
from django.conf import settings
from django.core.management import CommandError, call_command
from factories import NOW, index_all, make_article, make_comment

from search.answers.searching import count
from search.engine.index.documents import DocumentKind
from search.engine.index.manifest import WriterLock
from search.models import IndexedArticle
from search.opened_index import current_snapshot
from search.stage import rebuilding
from search.stage.rebuilding import RebuildReport, rebuild

ARTICLE, COMMENT = DocumentKind.ARTICLE, DocumentKind.COMMENT
pytestmark = [pytest.mark.django_db, pytest.mark.sql]


def reindex(*arguments):
    out = StringIO()
    call_command("reindex", *arguments, stdout=out)
    return out.getvalue()


def words(kind, key):
    stored = current_snapshot().document(kind, key)
    return None if stored is None else " ".join(token.word for token in stored.tokens)


def test_all_texts_are_in_the_fresh_index():
    article = make_article("We braai. It rained.")
    comment = make_comment(article, "Eish!")
    index_all()
    identity = current_snapshot().identity

    answer = reindex()

    assert answer == "2 texts, 8 tokens, generation 2\n"
    assert current_snapshot().identity != identity
    assert words(ARTICLE, article.pk) == "We braai . It rained ."
    assert words(COMMENT, comment.pk) == "Eish !"
    row = IndexedArticle.objects.get()
    assert (row.generation, row.due_at) == (1, None)  # it has been so since then


def test_damaged_index_is_made_whole():
    article = make_article("We braai.")
    index_all()
    for path in Path(settings.INDEX_DIR).glob("*.segment"):
        path.write_bytes(b"damaged")
    assert len(current_snapshot().damaged) <= 1

    reindex()

    assert current_snapshot().damaged == ()
    assert words(ARTICLE, article.pk) == "We braai ."


def test_texts_that_are_due_are_left_to_the_workers():
    article = make_article("We braai.")
    index_all()
    IndexedArticle.objects.update(due_at=NOW + timedelta(hours=1), done_digest="old")

    reindex()

    row = IndexedArticle.objects.get()
    assert (row.due_at, row.done_digest) == (NOW + timedelta(hours=1), "old")
    assert words(ARTICLE, article.pk) == "We braai ."


def test_text_that_left_the_corpus_stays_out():
    article = make_article("We braai.")
    index_all()
    article.in_corpus, article.reason = False, "gallery"
    article.save()

    reindex()

    assert words(ARTICLE, article.pk) is None


def test_indexing_goes_on_after_a_rebuild():
    make_article("We braai.")
    index_all()
    reindex()
    make_article("They braai.")

    index_all(NOW + timedelta(hours=1))

    assert count(asked("q=braai")).total == 2


def test_progress_is_told_batch_by_batch(monkeypatch):
    monkeypatch.setattr(rebuilding, "TEXTS_PER_BATCH", 2)
    for _ in range(3):
        make_article("We braai.")
    index_all()
    told = []

    report = rebuild(NOW, lambda done, total: told.append((done, total)))

    assert told == [(2, 3), (3, 3)]
    assert report == RebuildReport(n_texts=3, n_failed=0, n_tokens=9, generation=2)


def test_numbers_of_older_generations_stay_unless_let_go():
    article = make_article("We braai.")
    index_all()
    article.text, article.text_digest = "They braai, we braai.", "other"
    article.save()
    index_all(NOW + timedelta(hours=1))

    reindex()
    kept = [count(asked(f"q=braai&asof={g}")).total for g in (1, 2, "")]
    reindex("--without-history")

    assert kept == [1, 2, 2]
    assert count(asked("q=braai&asof=1")).total == 0
    assert current_snapshot().history_from == current_snapshot().generation == 4


@pytest.mark.parametrize("path", ["/search/", "/search/frequency/", "/words/"])
def test_pages_of_generations_with_lost_history_say_so(client, settings, path):
    settings.READING_WITHOUT_SIGN_IN = True
    make_article("We braai.")
    index_all()
    words = "of generations before 2 the texts that had gone out by then may be missing"

    reindex("--without-history")
    old, new = (
        " ".join(client.get(f"{path}?q=braai&asof={g}").content.decode().split()) for g in (1, 2)
    )

    assert words in old
    assert words not in new


def test_locked_index_is_named(monkeypatch):
    make_article("We braai.")
    index_all()
    lock = WriterLock(Path(settings.INDEX_DIR))
    lock.acquire(0)
    monkeypatch.setattr(rebuilding, "LOCK_TIMEOUT_SECONDS", 0)

    try:
        with pytest.raises(CommandError, match="being written to"):
            reindex()
    finally:
        lock.release()


def test_in_place_makes_the_texts_due():
    make_article("We braai.")
    index_all()

    answer = reindex("--in-place")

    assert answer == "1 texts are due; the workers do the rest.\n"
    assert IndexedArticle.objects.get().due_at is not None
