"""The detect stage on real tables: which articles are one text, whatever the order and batches."""

import threading
from collections import Counter

import pytest
from detected_articles import (
    NOW,
    add_article,
    change_text,
    detect_all,
    originals,
    prose,
    relations,
    representatives,
    sentence,
    terms,
)
from django.db import connection
from django.test.utils import CaptureQueriesContext

from dedup import detect
from dedup.models import RELATION_WORDS, Detection, Duplicate, Fingerprint, SentenceHash
from dedup.similarity.relations import Relation
from dedup.stage.rows import AGAIN, detect_again
from extraction.models import Article
from feeds.work.batches import Report

pytestmark = pytest.mark.sql

LONG = prose("long", 20)


def tables():
    """Everything the stage has found out, without the times."""
    found = ("article", "other", "relation", "joins", "closeness", "n_shared", "is_later_master")
    return (
        list(Duplicate.objects.order_by("article_id", "other_id").values_list(*found)),
        list(
            Detection.objects.order_by("article_id").values_list(
                "article", "original", "representative"
            )
        ),
        sorted(Fingerprint.objects.values_list("article", "hash")),
        sorted(SentenceHash.objects.values_list("article", "hash", "position")),
    )


def entered():
    """Articles that are found as candidates; those under minus their numbers are not."""
    return set(Fingerprint.objects.filter(article__gt=0).values_list("article", flat=True))


def clear():
    for model in (Detection, Duplicate, SentenceHash, Fingerprint):
        model.objects.all().delete()


def varied():
    """Texts of all kinds: copies, trimmed and longer ones, near misses, alone, empty, wordless."""
    other = prose("other", 12)
    return [
        LONG,
        LONG.upper(),
        LONG[: len(LONG) // 2],
        f"{LONG} {prose('more', 15)}",
        other,
        f"{other[: len(other) // 2]} {prose('elsewhere', 9)}",
        f"{sentence('new lead')} {other}",
        f"{sentence('new lead')} {other} {prose('and more', 3)}",
        prose("alone"),
        "",
        "",
        "!!! ???",
        "!!! ???",
        "Word",
    ]


def test_every_relation_has_its_words():
    assert list(RELATION_WORDS) == list(Relation)


@pytest.mark.django_db
def test_copy_is_marked_and_keeps_its_original():
    first = add_article(LONG)
    copy = add_article(LONG.upper(), hours=2)

    [report] = detect_all()

    assert originals(first, copy) == [first.pk, first.pk]
    assert relations() == [(copy.pk, first.pk, "repost", True)]
    assert report == Report(2, Counter(duplicates=1), 0, {"articles": (first.pk, copy.pk)})
    assert Article.objects.count() == 2
    pair = Duplicate.objects.get()
    assert (pair.containment, pair.jaccard) == (1.0, 1.0)


@pytest.mark.django_db
def test_trimmed_text_keeps_the_longer_one_as_its_master():
    first = add_article(LONG)
    trimmed = add_article(LONG[: len(LONG) // 2], hours=2)

    detect_all()

    assert originals(first, trimmed) == [first.pk, first.pk]
    assert relations() == [(trimmed.pk, first.pk, "trimmed", True)]
    pair = Duplicate.objects.get()
    assert not pair.is_later_master
    assert pair.n_shared == trimmed.detection.n_sentences - 1  # the last one is cut in two


@pytest.mark.django_db
def test_later_and_longer_text_is_the_master_of_an_update():
    first = add_article(LONG[: len(LONG) // 2])
    update = add_article(LONG, hours=2)

    detect_all()

    assert originals(first, update) == [first.pk, first.pk]
    assert relations() == [(update.pk, first.pk, "update", True)]
    assert Duplicate.objects.get().is_later_master


@pytest.mark.django_db
@pytest.mark.parametrize("is_report_first", [True, False])
def test_a_report_inside_a_round_up_is_a_part_and_no_copy(is_report_first):
    report = prose("report", 8)
    round_up = f"{prose('sport', 12)} {report}"
    first = add_article(report if is_report_first else round_up)
    second = add_article(round_up if is_report_first else report, hours=1)
    copy = add_article(report.upper(), hours=2)

    detect_all()

    same = first if is_report_first else second
    assert originals(first, second, copy) == [first.pk, second.pk, same.pk]
    assert (second.pk, first.pk, "part", False) in relations()
    pair = Duplicate.objects.get(article=second)
    assert (pair.is_later_master, pair.closeness) == (is_report_first, 0.0)


@pytest.mark.django_db
def test_original_is_the_earliest_published_even_when_it_comes_later():
    copy = add_article(LONG, hours=5)
    detect_all()
    first = add_article(LONG, hours=1)

    [report] = detect_all()

    assert originals(first, copy) == [first.pk, first.pk]
    assert representatives(first, copy) == [first.pk, first.pk]
    assert relations() == [(copy.pk, first.pk, "repost", True)]
    assert report.next_ids["articles"] == (copy.pk, first.pk)
    assert report.done["duplicates"] == 1


@pytest.mark.django_db
def test_representative_alone_is_found_by_fingerprints():
    first = add_article(LONG)
    add_article(LONG, hours=1)

    detect_all()

    assert entered() == {first.pk}


@pytest.mark.django_db
def test_copy_of_a_member_joins_the_members_representative():
    first = add_article(LONG)
    trimmed = add_article(LONG[: len(LONG) // 2], hours=1)
    copy = add_article(LONG[: len(LONG) // 2], hours=2)

    detect_all()

    assert representatives(first, trimmed, copy) == [first.pk] * 3
    assert relations() == [
        (trimmed.pk, first.pk, "trimmed", True),
        (copy.pk, first.pk, "trimmed", True),
        (copy.pk, trimmed.pk, "repost", True),
    ]


@pytest.mark.django_db
@pytest.mark.parametrize("limit", [1, 100])
def test_copies_of_a_fuller_version_find_it(limit):
    first = add_article(prose("story", 10))
    fuller = add_article(prose("story", 14), hours=1)
    late = add_article(prose("story", 18), hours=2)

    detect_all(limit)

    assert entered() == {
        first.pk,
        fuller.pk,
        late.pk,
    }
    assert originals(first, fuller, late) == [first.pk] * 3
    assert representatives(first, fuller, late) == [first.pk, first.pk, fuller.pk]
    change_text(fuller, prose("quite another"))
    detect_all(limit)
    assert originals(fuller) == [fuller.pk]
    assert representatives(late)[0] in {first.pk, late.pk}


def parts_and_whole():
    names = [sentence(f"whole-{number}") for number in range(24)]
    return " ".join(names[:14]), " ".join(names[10:]), " ".join(names)


@pytest.mark.django_db
@pytest.mark.parametrize("limit", [1, 100])
def test_the_whole_report_makes_one_of_two_clusters(limit):
    first, second, whole = map(add_article, parts_and_whole())

    detect_all(limit)

    assert originals(first, second, whole) == [first.pk] * 3


@pytest.mark.django_db
def test_two_clusters_part_when_the_text_that_made_them_one_is_another():
    first, second, whole = map(add_article, parts_and_whole())
    detect_all()

    change_text(whole, prose("quite another"))
    detect_all()

    assert originals(first, second, whole) == [first.pk, second.pk, whole.pk]


@pytest.mark.django_db
def test_near_miss_is_kept_for_editors_and_joins_nothing():
    first = add_article(prose("other", 20))
    miss = add_article(f"{prose('other', 11)} {prose('elsewhere', 9)}", hours=1)

    detect_all()

    assert originals(first, miss) == [first.pk, miss.pk]
    assert relations() == [(miss.pk, first.pk, "similar", False)]


@pytest.mark.django_db
@pytest.mark.parametrize("text", ["", "   ", "\n"])
def test_empty_articles_are_not_copies_of_each_other(text):
    first, second = add_article(text), add_article(text)

    detect_all()

    assert relations() == []
    assert originals(first, second) == [first.pk, second.pk]


@pytest.mark.django_db
@pytest.mark.parametrize("text", ["!!! ???", "Word", "😀😀😀"])
def test_copies_without_or_with_one_word_are_copies(text):
    first, second = add_article(text), add_article(text, hours=1)

    detect_all()

    assert originals(first, second) == [first.pk, first.pk]
    assert relations() == [(second.pk, first.pk, "repost", True)]


@pytest.mark.django_db
@pytest.mark.parametrize("limit", [1, 2, 5])
def test_result_does_not_depend_on_the_batches(limit):
    for n, text in enumerate(varied()):
        add_article(text, hours=n * 7 % 5)
    detect_all()
    at_once = tables()
    clear()

    detect_all(limit)

    assert tables() == at_once


@pytest.mark.django_db
def test_original_does_not_depend_on_the_order_of_dates():
    texts = [LONG, LONG.upper(), f"{sentence('new lead')} {LONG}", LONG]
    found = []
    for hours in ([0, 1, 2, 3], [3, 2, 1, 0], [2, 0, 3, 1]):
        articles = [add_article(text, hours=h) for text, h in zip(texts, hours, strict=True)]
        detect_all(limit=2)
        [name] = set(originals(*articles))
        found.append(hours[[article.pk for article in articles].index(name)])
        for article in articles:
            change_text(article, prose(f"gone {article.pk}"))
        detect_all()

    assert found == [0, 0, 0]


@pytest.mark.django_db
def test_run_again_changes_nothing():
    for text in varied():
        add_article(text)
    detect_all()
    before = tables()

    assert detect_all() == []
    Detection.objects.update(due_at=NOW)
    [report] = detect_all()

    assert tables() == before
    assert report.done["duplicates"] == 0


@pytest.mark.django_db
@pytest.mark.parametrize("limit", [1, 100])
def test_changed_text_leaves_its_cluster_and_the_others_find_each_other(limit):
    first = add_article(LONG)
    second, third = add_article(LONG, hours=1), add_article(LONG[: len(LONG) // 2], hours=2)
    detect_all()
    assert originals(first, second, third) == [first.pk] * 3
    change_text(first, prose("quite another"))

    reports = detect_all(limit)

    assert originals(first, second, third) == [first.pk, second.pk, second.pk]
    assert representatives(first, second, third) == [first.pk, second.pk, second.pk]
    assert relations() == [(third.pk, second.pk, "trimmed", True)]
    moved = {article_id for report in reports for article_id in report.next_ids["articles"]}
    assert moved == {first.pk, second.pk, third.pk}
    assert entered() == {first.pk, second.pk}


@pytest.mark.django_db
@pytest.mark.parametrize("limit", [1, 100])
def test_copy_that_comes_while_its_representative_changes_joins_the_others(limit):
    first, copy = add_article(LONG), add_article(LONG, hours=1)
    detect_all()
    change_text(first, prose("quite another"))
    newcomer = add_article(LONG, hours=2)

    detect_all(limit)

    assert originals(first, copy, newcomer) == [first.pk, copy.pk, copy.pk]


@pytest.mark.django_db
def test_article_detected_again_is_no_copy_of_itself_through_its_copies():
    first, copy = add_article(LONG), add_article(LONG, hours=1)
    detect_all()
    detect_again(Detection.objects.filter(article=first), NOW)

    detect_all()

    assert originals(first, copy) == [first.pk, first.pk]
    assert relations() == [(copy.pk, first.pk, "repost", True)]


@pytest.mark.django_db
def test_article_set_free_while_it_is_held_is_detected_once_more(monkeypatch):
    article = add_article(LONG)
    detect.pending(10, NOW)

    def set_free_and_store(readings, method, asker):
        detect_again(Detection.objects.all(), NOW)
        return store(readings, method, asker)

    store = detect.store
    monkeypatch.setattr(detect, "store", set_free_and_store)
    detect.run(10, terms())
    monkeypatch.setattr(detect, "store", store)

    row = Detection.objects.get(article=article)
    assert (row.due_at, row.done_digest) == (NOW, f"{AGAIN}{article.text_digest}")
    assert [report.n_claimed for report in detect_all()] == [1]
    row.refresh_from_db()
    assert (row.due_at, row.done_digest) == (None, article.text_digest)


@pytest.mark.django_db
def test_text_that_changes_into_a_copy_takes_nobody_along():
    first, second = add_article(LONG), add_article(prose("second"), hours=1)
    mate = add_article(prose("second"), hours=2)
    detect_all()
    change_text(second, LONG)

    detect_all()

    assert originals(first, second, mate) == [first.pk, first.pk, mate.pk]
    assert representatives(first, second, mate) == [first.pk, first.pk, mate.pk]
    assert entered() == {first.pk, mate.pk}


@pytest.mark.django_db
def test_article_left_out_of_the_corpus_is_detected_without_marks():
    article, gallery = add_article(LONG), add_article(LONG, hours=-1, in_corpus=False)

    detect_all()

    assert relations() == []
    assert originals(article, gallery) == [article.pk, gallery.pk]

    gallery.in_corpus, gallery.reason = True, ""
    gallery.save()
    detect_all()
    assert originals(article, gallery) == [gallery.pk, gallery.pk]


@pytest.mark.django_db
def test_representative_left_out_of_the_corpus_gives_its_place_away():
    first = add_article(LONG)
    second, third = add_article(LONG, hours=1), add_article(LONG, hours=2)
    detect_all()
    first.in_corpus, first.reason = False, "gallery"
    first.save()

    detect_all()

    assert originals(first, second, third) == [first.pk, second.pk, second.pk]
    assert relations() == [(third.pk, second.pk, "repost", True)]
    assert entered() == {second.pk}


@pytest.mark.django_db
def test_cluster_whose_representative_is_deleted_is_found_by_the_sweep():
    first = add_article(LONG)
    second, third = add_article(LONG, hours=1), add_article(LONG, hours=2)
    detect_all()
    first.delete()

    detect_all()

    assert originals(second, third) == [second.pk, second.pk]
    assert representatives(second, third) == [second.pk, second.pk]


@pytest.mark.django_db
def test_fingerprint_is_never_held_by_more_than_the_limit():
    standing = prose("standing words of a column", 3)
    for n in range(30):
        add_article(f"{standing} {prose(f'issue {n}', 14)}")

    detect_all(limit=7)

    holders = list(Fingerprint.objects.values_list("hash", flat=True))
    assert max(holders.count(key) for key in set(holders)) == 12
    assert Detection.objects.exclude(original=None).values("original").distinct().count() == 30


@pytest.mark.django_db
def test_pending_finds_new_and_changed_articles_once():
    article = add_article(LONG)
    add_article(prose("alone"))

    assert [detect.pending(10, NOW), detect.pending(10, NOW)] == [2, 0]

    detect_all()
    assert detect.pending(10, NOW) == 0

    change_text(article, prose("changed"))
    assert [detect.pending(10, NOW), detect.pending(10, NOW)] == [1, 0]


@pytest.mark.django_db
def test_pending_registers_no_more_than_asked_for():
    for n in range(5):
        add_article(prose(f"n{n}"))

    assert [detect.pending(2, NOW) for _ in range(4)] == [2, 2, 1, 0]


@pytest.mark.django_db
def test_register_leaves_finished_articles_alone():
    article = add_article(LONG)
    detect_all()

    detect.register([article.pk], NOW)

    assert detect.run(10, terms()) == Report()


@pytest.mark.django_db
def test_rows_whose_lease_went_to_another_worker_are_left_to_it(monkeypatch):
    mine, lost = add_article(LONG), add_article(LONG, hours=1)
    detect.register([mine.pk, lost.pk], NOW)
    read = detect._read

    def read_while_a_lease_is_lost(row, *rest):
        Detection.objects.filter(article=lost).update(lease_owner="two")
        return read(row, *rest)

    monkeypatch.setattr(detect, "_read", read_while_a_lease_is_lost)
    report = detect.run(10, terms())

    assert report.next_ids["articles"] == (mine.pk,)
    assert list(Detection.objects.filter(detected_at=None)) == [lost.detection]
    assert entered() == {mine.pk}


@pytest.mark.django_db
def test_batch_of_long_texts_is_detected_in_pieces(monkeypatch):
    monkeypatch.setattr(detect, "PIECE_CHARACTERS", len(LONG) + 1)
    first, copy, other = add_article(LONG), add_article(LONG, hours=1), add_article(prose("b"))
    detect.pending(10, NOW)

    report = detect.run(10, terms())

    assert report == Report(
        3, Counter(duplicates=1), 0, {"articles": (first.pk, copy.pk, other.pk)}
    )
    assert originals(first, copy, other) == [first.pk, first.pk, other.pk]


@pytest.mark.django_db
def test_queries_are_as_many_for_twenty_articles_as_for_two():
    numbers = iter(range(1000))

    def n_queries(n_articles):
        for _ in range(n_articles // 2):
            text = prose(f"number {next(numbers)}")
            add_article(text)
            add_article(text, hours=1)
        detect.pending(1000, NOW)
        with CaptureQueriesContext(connection) as queries:
            detect.run(100, terms())
        return len(queries)

    n_queries(2)  # makes the row that the writing turn locks

    assert n_queries(2) == n_queries(20) <= 25


@pytest.mark.django_db(transaction=True)
def test_two_workers_with_a_copy_each_do_not_both_become_the_first():
    articles = [add_article(LONG, hours=n % 7) for n in range(20)]
    detect.pending(100, NOW)
    start = threading.Barrier(2)
    reports = []

    def work(owner):
        start.wait()
        while (report := detect.run(1, terms(owner))).n_claimed:
            reports.append(report)
        connection.close()

    workers = [threading.Thread(target=work, args=(name,)) for name in ("one", "two")]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()

    assert originals(*articles) == [articles[0].pk] * 20
    assert sum(report.n_claimed for report in reports) == 20
    assert Detection.objects.waiting().count() == 0
    assert Fingerprint.objects.values("article").distinct().count() == 1
