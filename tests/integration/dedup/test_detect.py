"""The detect stage on real tables: which articles are marked as what, whatever the order."""

import threading
from datetime import UTC, datetime, timedelta
from itertools import count

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from dedup import detect
from dedup.models import Detection, Duplicate, Relation, SentenceHash, StoryCluster, Verdict
from dedup.similarity import overlap
from extraction.models import Article
from extraction.text.digest import text_digest
from feeds import leases
from feeds.models import Host, Page, PageKind, Publication

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
NUMBERS = count(1)


def sentences(*names):
    """Twenty and more characters each, so that every one of them counts."""
    return " ".join(f"The council spoke about {name} on Tuesday evening." for name in names)


TEN = sentences(*"abcdefghij")


def add_article(text, *, hours=0, in_corpus=True):
    publication, _ = Publication.objects.get_or_create(
        slug="karoo", defaults={"name": "Karoo", "home_url": "http://karoo/", "created_at": NOW}
    )
    host, _ = Host.objects.get_or_create(name="karoo", defaults={"next_at": NOW})
    key = f"karoo/{next(NUMBERS)}"
    page = Page.objects.create(
        url=f"http://{key}", key=key, kind=PageKind.ARTICLE, host=host, publication=publication,
        found_at=NOW, visited_at=NOW,
    )  # fmt: skip
    return Article.objects.create(
        page=page, publication=publication, url=page.url, text=text, text_digest=text_digest(text),
        dated_at=NOW + timedelta(hours=hours), in_corpus=in_corpus,
        reason="" if in_corpus else "gallery", created_at=NOW, updated_at=NOW,
    )  # fmt: skip


def change_text(article, text):
    article.text, article.text_digest = text, text_digest(text)
    article.save()


def terms(owner="one"):
    return leases.Claim(owner, NOW, timedelta(seconds=60))


def detect_all(limit=100):
    """Run the stage until nothing is due; the reports of its batches."""
    detect.pending(1000, NOW)
    reports = []
    while (report := detect.run(limit, terms())).n_claimed:
        reports.append(report)
    return reports


def originals(*articles):
    stored = dict(Detection.objects.values_list("article_id", "original_id"))
    return [stored[article.pk] for article in articles]


def pairs():
    return list(
        Duplicate.objects.order_by("article", "other").values_list(
            "article_id", "other_id", "relation", "similarity", "n_shared"
        )
    )


def tables():
    """Everything the stage has found out, without the times."""
    return (
        pairs(),
        list(Detection.objects.order_by("article").values_list("article", "original", "story")),
        sorted(SentenceHash.objects.values_list("article", "hash", "position")),
    )


def test_relations_of_the_table_are_those_of_the_algorithm():
    assert set(Relation.values) == {relation.value for relation in overlap.Relation}


@pytest.mark.django_db
def test_copy_is_marked_and_keeps_its_original():
    first = add_article(TEN)
    copy = add_article(TEN.upper(), hours=2)

    [report] = detect_all()

    assert originals(first, copy) == [first.pk, first.pk]
    assert pairs() == [(copy.pk, first.pk, "exact", 1.0, 10)]
    assert report == detect.DetectReport(n_claimed=2, article_ids=(first.pk, copy.pk), duplicates=1)
    assert Article.objects.count() == 2


@pytest.mark.django_db
def test_original_is_the_earliest_published_even_when_it_comes_later():
    copy = add_article(TEN, hours=5)
    detect_all()
    first = add_article(TEN, hours=1)

    [report] = detect_all()

    assert originals(first, copy) == [first.pk, first.pk]
    assert pairs() == [(copy.pk, first.pk, "exact", 1.0, 10)]
    assert report.article_ids == (copy.pk, first.pk)
    assert report.duplicates == 1


@pytest.mark.django_db
def test_near_copy_shares_the_original_and_no_story():
    first = add_article(TEN)
    edited = add_article(sentences(*"abcdefghiX"), hours=1)

    detect_all()

    assert pairs() == [(edited.pk, first.pk, "duplicate", 9 / 11, 9)]
    assert originals(first, edited) == [first.pk, first.pk]
    assert StoryCluster.objects.count() == 0


@pytest.mark.django_db
def test_similar_articles_share_a_story_but_no_original():
    first = add_article(TEN)
    other = add_article(sentences(*"abcdeVWXYZ"), hours=1)

    detect_all()

    assert pairs() == [(other.pk, first.pk, "similar", 5 / 15, 5)]
    assert originals(first, other) == [first.pk, other.pk]
    [story] = StoryCluster.objects.all()
    assert story.first == first
    assert set(story.detections.values_list("article", flat=True)) == {first.pk, other.pk}


@pytest.mark.django_db
def test_article_that_quotes_a_little_is_not_marked():
    add_article(TEN)
    add_article(sentences(*"abcTUVWXYZ"), hours=1)

    detect_all()

    assert pairs() == []


@pytest.mark.django_db
def test_empty_articles_are_not_copies_of_each_other():
    first, second = add_article(""), add_article("")

    detect_all()

    assert pairs() == []
    assert originals(first, second) == [first.pk, second.pk]


@pytest.mark.django_db
def test_short_sentences_alone_make_no_pair():
    add_article("She laughed. He left.")
    add_article("She laughed. He left. They met.")

    detect_all()

    assert pairs() == []
    assert SentenceHash.objects.count() == 0


@pytest.mark.django_db
@pytest.mark.parametrize("limit", [1, 4, 100])
def test_popular_sentence_joins_nothing_and_its_rows_are_bounded(limit):
    subscribe = "Subscribe to our newsletter for more of this."
    articles = [add_article(f"{sentences(f'only-{n}')} {subscribe}") for n in range(15)]

    detect_all(limit)

    late = add_article(f"{sentences('only-last')} {subscribe}")
    detect_all(limit)
    assert late.pk not in {end for pair in pairs() for end in pair[:2]}
    assert SentenceHash.objects.count() == 16 + overlap.MAX_ARTICLES_PER_SENTENCE + 1
    assert len(articles) == 15


@pytest.mark.django_db
def test_popular_sentence_of_the_candidate_is_left_out_of_both_sets():
    popular = "Read more on our web site about this story."
    first = add_article(f"{sentences('a', 'b')} {popular}")
    for n in range(10):
        add_article(f"{sentences(f'x{n}', f'y{n}', f'z{n}')} {popular}")
    detect_all(limit=1)
    Duplicate.objects.all().delete()

    second = add_article(sentences("a", "b"), hours=1)
    detect_all()

    assert pairs() == [(second.pk, first.pk, "duplicate", 1.0, 2)]


@pytest.mark.django_db
def test_chain_of_near_copies_is_one_cluster_of_the_earliest():
    names = "abcdefghijklmnopqrst"
    chain = [add_article(sentences(*names[n : n + 12]), hours=n) for n in range(4)]

    detect_all()

    assert originals(*chain) == [chain[0].pk] * 4


@pytest.mark.django_db
def test_result_does_not_depend_on_the_batches():
    texts = [TEN, TEN, sentences(*"abcdefghiX"), sentences(*"abcdeVWXYZ"), sentences("alone")]
    for n, text in enumerate(texts):
        add_article(text, hours=-n)
    detect_all(limit=1)
    one_by_one = tables()
    clear()

    detect_all(limit=100)

    at_once = tables()
    assert without_story_ids(at_once) == without_story_ids(one_by_one)


def clear():
    for model in (Detection, Duplicate, SentenceHash, StoryCluster):
        model.objects.all().delete()


def without_story_ids(found):
    found_pairs, rows, hashes = found
    return found_pairs, [(a, o, s is not None) for a, o, s in rows], hashes


@pytest.mark.django_db
def test_run_again_changes_nothing():
    for text in (TEN, TEN, sentences(*"abcdeVWXYZ")):
        add_article(text)
    detect_all()
    before = tables()

    assert detect_all() == []
    Detection.objects.update(due_at=NOW)
    [report] = detect_all()

    assert tables() == before
    assert report.duplicates == 0


@pytest.mark.django_db
def test_changed_text_leaves_its_cluster_and_takes_the_others_with_it():
    first = add_article(TEN)
    second, third = add_article(TEN, hours=1), add_article(sentences(*"abcdefghiX"), hours=2)
    detect_all()
    assert originals(first, second, third) == [first.pk] * 3
    change_text(first, sentences("quite", "other", "things"))

    [report] = detect_all()

    assert originals(first, second, third) == [first.pk, second.pk, second.pk]
    assert report.article_ids == (first.pk, second.pk, third.pk)


@pytest.mark.django_db
def test_story_that_nobody_belongs_to_any_more_is_taken_away():
    add_article(TEN)
    other = add_article(sentences(*"abcdeVWXYZ"), hours=1)
    detect_all()
    change_text(other, sentences("quite", "other", "things"))

    detect_all()

    assert StoryCluster.objects.count() == 0
    assert Detection.objects.exclude(story=None).count() == 0


@pytest.mark.django_db
def test_stories_that_grow_together_are_one():
    first, second = add_article(sentences(*"abcdef")), add_article(sentences(*"abcxyz"), hours=1)
    third, fourth = add_article(sentences(*"mnopqr")), add_article(sentences(*"mnouvw"), hours=1)
    detect_all()
    assert StoryCluster.objects.count() == 2

    add_article(sentences(*"xyzuvw"), hours=2)
    detect_all()

    [story] = StoryCluster.objects.all()
    assert story.detections.count() == 5
    assert story.first in {first, third}
    assert {second.pk, fourth.pk} < set(story.detections.values_list("article", flat=True))


@pytest.mark.django_db
def test_article_left_out_of_the_corpus_is_detected_without_marks():
    article, gallery = add_article(TEN), add_article(TEN, hours=-1, in_corpus=False)

    detect_all()

    assert pairs() == []
    assert originals(article, gallery) == [article.pk, gallery.pk]

    gallery.in_corpus, gallery.reason = True, ""
    gallery.save()
    detect_all()
    assert originals(article, gallery) == [gallery.pk, gallery.pk]


@pytest.mark.django_db
def test_verdicts_regroup_at_once():
    first, second = add_article(TEN), add_article(TEN, hours=1)
    other = add_article(sentences(*"abcdeVWXYZ"), hours=2)
    detect_all()
    assert originals(first, second, other) == [first.pk, first.pk, other.pk]
    copy = Duplicate.objects.get(relation="exact")
    similar = Duplicate.objects.filter(relation="similar").values_list("pk", flat=True)

    assert detect.judge([copy.pk], Verdict.DIFFERENT, NOW) == 1
    assert originals(first, second, other) == [first.pk, second.pk, other.pk]
    assert detect.judge(list(similar), Verdict.SAME, NOW) == 2
    assert originals(first, second, other) == [first.pk] * 3
    assert StoryCluster.objects.count() == 0
    assert detect.judge([copy.pk, *similar], Verdict.OPEN, NOW) == 3
    assert originals(first, second, other) == [first.pk, first.pk, other.pk]
    assert StoryCluster.objects.count() == 1


@pytest.mark.django_db
def test_editors_verdict_counts_more_than_the_similarity_and_stays():
    first, copy = add_article(TEN), add_article(TEN, hours=1)
    detect_all()
    Duplicate.objects.update(verdict=Verdict.DIFFERENT)
    Detection.objects.update(due_at=NOW)

    detect_all()

    assert originals(first, copy) == [first.pk, copy.pk]
    assert Duplicate.objects.get().verdict == Verdict.DIFFERENT


@pytest.mark.django_db
def test_pending_finds_new_and_changed_articles_once():
    article = add_article(TEN)
    add_article(sentences("alone"))

    assert [detect.pending(10, NOW), detect.pending(10, NOW)] == [2, 0]

    detect_all()
    assert detect.pending(10, NOW) == 0

    change_text(article, sentences("changed"))
    assert [detect.pending(10, NOW), detect.pending(10, NOW)] == [1, 0]


@pytest.mark.django_db
def test_pending_registers_no_more_than_asked_for():
    for n in range(5):
        add_article(sentences(f"n{n}"))

    assert [detect.pending(2, NOW) for _ in range(4)] == [2, 2, 1, 0]


@pytest.mark.django_db
def test_register_leaves_finished_articles_alone():
    article = add_article(TEN)
    detect_all()

    detect.register([article.pk], NOW)

    assert detect.run(10, terms()) == detect.DetectReport()


@pytest.mark.django_db
def test_rows_whose_lease_went_to_another_worker_are_left_to_it():
    mine, lost = add_article(TEN), add_article(TEN, hours=1)
    detect.register([mine.pk, lost.pk], NOW)
    leases.claim(Detection.objects.all(), 10, terms())
    readings = [
        detect._read(row, row.article) for row in Detection.objects.select_related("article")
    ]
    Detection.objects.filter(article=lost).update(lease_owner="two")

    report = detect._store(readings, terms())

    assert report.article_ids == (mine.pk,)
    assert list(Detection.objects.filter(detected_at=None)) == [lost.detection]
    assert SentenceHash.objects.filter(article=lost).count() == 0


@pytest.mark.django_db
def test_queries_are_as_many_for_twenty_articles_as_for_two():
    def n_queries(n_articles):
        for _ in range(n_articles // 2):
            text = sentences(*(f"{next(NUMBERS)}" for _ in range(10)))
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
    articles = [add_article(TEN, hours=n % 7) for n in range(20)]
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
