"""A publication's terms of what is taken: a change of them places its stored articles anew."""

from datetime import timedelta

import pytest
from factories import NOW, make_article, make_comment, make_publication, make_user

from extraction import placing
from extraction.correcting import Editor, take
from extraction.models import Article, Placing
from extraction.stage import admission
from feeds.models import Publication
from feeds.work.leases import Claim

LONG = "The harbour was quiet all night. " * 20
ARTICLE = "\n".join(["The harbour was quiet, and the fire burnt. " * 5] * 6)
pytestmark = [pytest.mark.django_db, pytest.mark.sql]


def run(now=NOW):
    return placing.run(1, Claim("tester", now, timedelta(seconds=60)))


def settle(now=NOW):
    """Sweep and work until nothing is due; returns the ids that went on, by kind."""
    placing.pending(1000, now)
    ids = {}
    while (report := run(now)).n_claimed:
        for kind, keys in report.next_ids.items():
            ids.setdefault(kind, []).extend(keys)
    return ids


def change(publication, **terms):
    Publication.objects.filter(pk=publication.pk).update(**terms)


def where(article):
    article.refresh_from_db()
    return article.kind, article.in_corpus, article.reason


@pytest.mark.parametrize(
    ("n", "terms", "expected"),
    [
        (499, {}, ("short", False, "Its text is shorter than 500 characters.")),
        (500, {}, ("text", True, "")),
        (200, {"min_characters": 200}, ("text", True, "")),
        (
            199,
            {"min_characters": 200},
            ("short", False, "Its text is shorter than 200 characters."),
        ),
        (1, {"min_characters": 0}, ("text", True, "")),
    ],
)
def test_a_publication_says_what_is_short(n, terms, expected):
    article = make_article("x" * n, make_publication(**terms))

    admission.place(article, article.publication, is_taken=False)

    assert (article.kind, article.in_corpus, article.reason) == expected


@pytest.mark.parametrize(
    ("text", "taken", "expected"),
    [
        (LONG, [], ("gallery", False, "It is a gallery.")),
        (LONG, ["gallery"], ("gallery", True, "")),
        (LONG, ["video"], ("gallery", False, "It is a gallery.")),
        ("Fire.", ["gallery"], ("gallery", False, "Its text is shorter than 500 characters.")),
        (ARTICLE, [], ("text", True, "")),
    ],
)
def test_a_publication_says_which_kinds_are_taken(text, taken, expected):
    publication = make_publication(taken_kinds=taken)
    article = make_article(text, publication, url="https://x.example/best-pics-of-the-fire")

    admission.place(article, publication, is_taken=False)

    assert (article.kind, article.in_corpus, article.reason) == expected


def test_twins_are_taken_where_the_publication_says_so():
    publication = make_publication()
    first = make_article(LONG, publication)
    twin = make_article(LONG, publication, slug_twin=first)

    admission.place(twin, publication, is_taken=False)
    without = twin.in_corpus
    publication.taken_kinds = ["twin"]
    admission.place(twin, publication, is_taken=False)

    assert (without, twin.in_corpus) == (False, True)


def test_changed_terms_place_stored_articles_and_name_those_that_changed():
    publication, other = make_publication(), make_publication("daily-dune")
    reason = "Its text is shorter than 500 characters."
    left_out = {"kind": "short", "in_corpus": False, "reason": reason}
    short = make_article("Rain. " * 50, publication, **left_out)
    long = make_article(LONG, publication)
    elsewhere = make_article("Rain. " * 50, other)
    settle()
    assert not Article.objects.filter(updated_at=NOW + timedelta(hours=1)).exists()

    change(publication, min_characters=100)
    ids = settle(NOW + timedelta(hours=1))

    assert ids == {"articles": [short.pk]}
    assert where(short) == ("text", True, "")
    assert where(long) == ("text", True, "")
    assert where(elsewhere) == ("text", True, "")
    assert short.updated_at == NOW + timedelta(hours=1)


def test_nothing_is_due_while_the_terms_stand():
    make_article(LONG)
    settle()

    assert placing.pending(1000, NOW) == 0


def test_a_publication_with_terms_of_its_own_is_placed_once_from_the_start():
    article = make_article("Rain. " * 50, make_publication(min_characters=1000))

    ids = settle()

    assert ids == {"articles": [article.pk]}
    assert placing.pending(1000, NOW) == 0


def test_a_pass_goes_on_where_it_stood_and_begins_anew_with_other_terms(monkeypatch):
    monkeypatch.setattr(placing, "SLICE_ARTICLES", 2)
    publication = make_publication()
    articles = [
        make_article("Rain. " * 50, publication, kind="short", in_corpus=False, reason="short")
        for _ in range(5)
    ]
    settle()
    change(publication, min_characters=100)
    placing.pending(1000, NOW)

    run()
    half = Article.objects.filter(in_corpus=True).count()
    change(publication, min_characters=400)
    run()
    again = Article.objects.filter(in_corpus=True).count()
    change(publication, min_characters=100)
    settle()

    assert (half, again) == (2, 0)
    assert all(where(article)[1] for article in articles)
    row = Placing.objects.get()
    assert (row.done_terms, row.n_changed) == (placing.terms_of(Publication.objects.get()), 5)


def test_an_editors_word_and_a_withdrawal_outlast_a_pass():
    taken = make_article("Rain.")
    gone = make_article(LONG, withdrawn_at=NOW, in_corpus=False, reason="Withdrawn: wish")
    take(taken.pk, is_taken=True, editor=Editor(make_user().pk, NOW))
    settle()

    change(taken.publication, min_characters=5000)
    settle()

    assert where(taken) == ("short", True, "")
    assert where(gone) == ("short", False, "Withdrawn: wish")


def test_a_new_name_labels_all_texts_anew_and_leaves_them_in_place(monkeypatch):
    monkeypatch.setattr(placing, "SLICE_ARTICLES", 1)
    publication = make_publication()
    articles = [make_article(LONG, publication) for _ in range(2)]
    comment = make_comment(articles[1])
    settle()

    change(publication, slug="karoo-times")
    placing.pending(1000, NOW)
    run()
    change(publication, slug="karoo-courier")  # one of two is labelled by now
    ids = settle()

    assert ids == {
        "articles": [],
        "labels": [article.pk for article in articles],
        "comments": [comment.pk],
    }
    assert Placing.objects.get().slug == "karoo-courier"
