"""The sentence method on real tables: which articles are marked as what, whatever the order."""

import pytest
from detected_articles import NOW, add_article, change_text, detect_all, originals

from dedup.models import Detection, Duplicate, SentenceHash
from dedup.similarity import overlap
from dedup.stage import detect_methods

pytestmark = pytest.mark.sql


@pytest.fixture(autouse=True)
def sentence_method(db):
    detect_methods.use_method("sentences", None, NOW)


def sentences(*names):
    """Twenty and more characters each, so that every one of them counts."""
    return " ".join(f"The council spoke about {name} on Tuesday evening." for name in names)


TEN = sentences(*"abcdefghij")


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
        list(Detection.objects.order_by("article").values_list("article", "original")),
        sorted(SentenceHash.objects.values_list("article", "hash", "position")),
    )


@pytest.mark.django_db
def test_copy_is_marked_and_keeps_its_original():
    first = add_article(TEN)
    copy = add_article(TEN.upper(), hours=2)

    [report] = detect_all()

    assert originals(first, copy) == [first.pk, first.pk]
    assert pairs() == [(copy.pk, first.pk, "repost", 1.0, 10)]
    assert (report.next_ids["articles"], report.done["duplicates"]) == ((first.pk, copy.pk), 1)


@pytest.mark.django_db
def test_original_is_the_earliest_published_even_when_it_comes_later():
    copy = add_article(TEN, hours=5)
    detect_all()
    first = add_article(TEN, hours=1)

    [report] = detect_all()

    assert originals(first, copy) == [first.pk, first.pk]
    assert pairs() == [(copy.pk, first.pk, "repost", 1.0, 10)]
    assert report.next_ids["articles"] == (copy.pk, first.pk)
    assert report.done["duplicates"] == 1


@pytest.mark.django_db
def test_near_copy_shares_the_original():
    first = add_article(TEN)
    edited = add_article(sentences(*"abcdefghiX"), hours=1)

    detect_all()

    assert pairs() == [(edited.pk, first.pk, "near", 9 / 11, 9)]
    assert originals(first, edited) == [first.pk, first.pk]


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

    assert pairs() == [(second.pk, first.pk, "near", 1.0, 2)]


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

    assert tables() == one_by_one


def clear():
    for model in (Detection, Duplicate, SentenceHash):
        model.objects.all().delete()


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
    assert report.done["duplicates"] == 0


@pytest.mark.django_db
def test_changed_text_leaves_its_cluster_and_takes_the_others_with_it():
    first = add_article(TEN)
    second, third = add_article(TEN, hours=1), add_article(sentences(*"abcdefghiX"), hours=2)
    detect_all()
    assert originals(first, second, third) == [first.pk] * 3
    change_text(first, sentences("quite", "other", "things"))

    [report] = detect_all()

    assert originals(first, second, third) == [first.pk, second.pk, second.pk]
    assert report.next_ids["articles"] == (first.pk, second.pk, third.pk)


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
