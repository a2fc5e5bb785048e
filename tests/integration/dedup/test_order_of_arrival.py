"""Pairs and clusters are those of the order of time, whatever arrived when and in which batches."""

import random
from itertools import permutations

import pytest
from detected_articles import add_article, change_text, detect_all, prose, sentence

from dedup.models import Detection, Duplicate, Fingerprint
from dedup.similarity.near import MAX_HOLDERS
from dedup.stage import fingerprints
from extraction.models import Article
from feeds.models import Page

pytestmark = [pytest.mark.django_db, pytest.mark.sql]

HARBOUR, ROUND_UP = prose("harbour", 12), prose("round-up", 12)
SHORTENED = HARBOUR[: len(HARBOUR) // 2]
REWRITTEN = f"{sentence('lead')} {HARBOUR[len(HARBOUR) // 3 :]}"
# A notice of two sentences, as a site puts it below some of its texts.
NOTICE = f"{sentence('notice 1')} {sentence('notice 2')}"


def arrive(texts, order, choice=None):
    """Let texts arrive, each with the hour beside it, in batches of one or as they are chosen."""
    for place in order:
        text, hours = texts[place]
        add_article(text, hours=hours, name=f"{place:02}")
        if choice is None or choice.random() < 0.5:
            detect_all(limit=choice.choice([1, 3, 100]) if choice else 100)
    detect_all()


def take_corpus():
    """Give all that detection says of the articles, by their addresses, and empty the tables."""
    assert Detection.objects.waiting().count() == 0
    names = dict(Article.objects.values_list("pk", "url"))
    rows = Detection.objects.values_list("article_id", "original_id", "representative_id")
    said = ("relation", "joins", "is_later_master", "n_shared", "similarity", "closeness")
    pairs = Duplicate.objects.values_list("article_id", "other_id", *said)
    found = {
        "rows": sorted(tuple(names[key] for key in row) for row in rows),
        "pairs": sorted((names[one], names[other], *values) for one, other, *values in pairs),
        "found by": sorted(
            (key, article_id < 0, names[abs(article_id)])
            for key, article_id in Fingerprint.objects.values_list("hash", "article")
        ),
    }
    for model in (Duplicate, Detection, Article, Page):
        model.objects.all().delete()
    fingerprints.clear()
    return found


def any_text(choice):
    """A report, whole, cut, longer, with another lead, two of them, under a notice or without."""
    report = prose(f"report {choice.randrange(4)}", 12)
    kind = choice.randrange(6)
    if kind == 1:
        report = report[: len(report) * choice.randrange(4, 10) // 10]
    elif kind == 2:
        report = f"{report} {prose('more', choice.randrange(1, 9))}"
    elif kind == 3:
        report = f"{sentence(f'lead {choice.randrange(3)}')} {report}"
    elif kind == 4:
        report = f"{report} {prose(f'report {choice.randrange(4)}', 6)}"
    return report + choice.choice(["", f" {NOTICE}"])


@pytest.mark.parametrize("hours", [(0, 1, 2), (1, 1, 1), (2, 0, 1)])
def test_versions_of_a_report_come_in_any_order(hours):
    texts = list(zip((SHORTENED, REWRITTEN, HARBOUR), hours, strict=True))
    found = []
    for order in permutations(range(3)):
        arrive(texts, order)
        found.append(take_corpus())

    assert found == found[:1] * 6


def test_copy_that_no_candidate_names_is_judged_again():
    """The round-up shares a notice with a copy only, and is older than it."""
    copy = f"{HARBOUR} {NOTICE}"
    texts = [(HARBOUR, 0), (f"{ROUND_UP} {NOTICE}", 1), (copy, 2)]
    arrive(texts, (0, 1, 2))
    in_order = take_corpus()
    arrive(texts, (0, 2, 1))

    assert take_corpus() == in_order


def test_fingerprint_of_too_many_is_ignored_by_the_first_of_them_too():
    texts = [(f"{prose(f'of its own {n}')} {NOTICE}", n) for n in range(MAX_HOLDERS + 2)]
    order = range(len(texts))
    arrive(texts, order)
    forward = take_corpus()
    arrive(texts, order[::-1])

    backward = take_corpus()
    assert backward["rows"] == forward["rows"]
    assert backward["pairs"] == forward["pairs"] == []


@pytest.mark.parametrize("seed", range(8))
def test_any_texts_come_in_any_order_and_batches(seed):
    choice = random.Random(seed)
    texts = [(any_text(choice), choice.randrange(9)) for _ in range(14)]
    order = list(range(len(texts)))
    arrive(texts, order)
    found = [take_corpus()]
    for _ in range(2):
        choice.shuffle(order)
        arrive(texts, order, choice)
        found.append(take_corpus())

    assert found == found[:1] * 3


@pytest.mark.parametrize("seed", range(4))
def test_text_that_was_another_one_leaves_no_trace(seed):
    choice = random.Random(seed)
    texts = [(any_text(choice), choice.randrange(9)) for _ in range(10)]
    arrive(texts, range(10))
    in_order = take_corpus()
    others = [(any_text(choice), hours) for _, hours in texts]
    arrive([choice.choice(both) for both in zip(texts, others, strict=True)], range(10), choice)
    for article, (text, _) in zip(Article.objects.order_by("url"), texts, strict=True):
        if article.text != text:
            change_text(article, text)
            detect_all(limit=choice.choice([1, 3, 100]))

    assert take_corpus() == in_order
