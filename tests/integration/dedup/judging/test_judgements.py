"""What editors decide holds at once, through every later run, and until it is taken back."""

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
)
from factories import make_user

from dedup.judging.judgements import (
    Change,
    ContradictionError,
    Editor,
    join,
    judge,
    make_original,
    split,
    undo,
)
from dedup.models import Decision, Detection, Duplicate, Fingerprint, Judgement, Verdict
from dedup.stage import detect_methods
from extraction.models import Article

pytestmark = [pytest.mark.django_db, pytest.mark.sql]

EDITOR = Editor(None, NOW)
LONG = prose("long", 20)


def reworded(number):
    """Nearly LONG: it joins LONG and, being the closer for it, each other."""
    return f"{LONG} {sentence(f'end {number}')}"


def pair_of(one, other):
    [pair] = [
        pair
        for pair in Duplicate.objects.all()
        if {pair.article_id, pair.other_id} == {one.pk, other.pk}
    ]
    return pair


def detect_everything_anew():
    detect_methods.set_limit(1.0, None, NOW)
    detect_all()


def found_by_fingerprint():
    return set(Fingerprint.objects.filter(article__gt=0).values_list("article", flat=True))


def test_different_parts_at_once_and_after_every_run():
    first, copy = add_article(LONG), add_article(LONG, hours=1)
    detect_all()

    change = judge([pair_of(first, copy).pk], Verdict.DIFFERENT, EDITOR)

    assert change.article_ids == (copy.pk,)
    assert originals(first, copy) == [first.pk, copy.pk]
    detect_all()
    assert originals(first, copy) == [first.pk, copy.pk]
    assert representatives(first, copy) == [first.pk, copy.pk]
    assert found_by_fingerprint() == {first.pk, copy.pk}
    detect_everything_anew()
    assert originals(first, copy) == [first.pk, copy.pk]
    assert pair_of(first, copy).verdict == Verdict.DIFFERENT


@pytest.mark.parametrize("verdict", [Verdict.DIFFERENT, Verdict.EVENT])
def test_apart_holds_through_a_third_text_that_comes_later(verdict):
    first, copy = add_article(LONG), add_article(reworded(1), hours=1)
    detect_all()
    judge([pair_of(first, copy).pk], verdict, EDITOR)
    detect_all()

    third = add_article(reworded(2), hours=2)
    detect_all()

    assert originals(first, copy)[0] != originals(first, copy)[1]
    assert originals(third)[0] in {first.pk, copy.pk}


def test_two_members_that_differ_cannot_both_stay_with_the_representative():
    first, second = add_article(LONG), add_article(reworded(1), hours=1)
    third = add_article(reworded(2), hours=2)
    detect_all()
    assert originals(first, second, third) == [first.pk] * 3

    join(second.pk, third.pk, Verdict.DIFFERENT, EDITOR)

    assert len(set(originals(second, third))) == 2
    detect_all()
    assert len(set(originals(second, third))) == 2
    assert first.pk in originals(second, third)
    detect_everything_anew()
    assert len(set(originals(second, third))) == 2


def test_verdict_survives_a_changed_text():
    first, copy = add_article(LONG), add_article(LONG, hours=1)
    detect_all()
    judge([pair_of(first, copy).pk], Verdict.DIFFERENT, EDITOR)
    change_text(first, reworded(1))
    change_text(copy, reworded(2))

    detect_all()

    assert originals(first, copy) == [first.pk, copy.pk]


def test_same_joins_what_no_method_would_and_survives():
    first, other = add_article(prose("first")), add_article(prose("other"), hours=1)
    mate = add_article(prose("other"), hours=2)
    detect_all()

    change = join(first.pk, other.pk, Verdict.SAME, EDITOR)

    assert set(change.article_ids) == {other.pk, mate.pk}
    assert originals(first, other, mate) == [first.pk] * 3
    assert (other.pk, first.pk, "similar", False) in relations()
    change_text(other, prose("quite another"))
    detect_all()
    assert originals(first, other) == [first.pk] * 2
    assert originals(mate) == [mate.pk]
    detect_everything_anew()
    assert originals(first, other) == [first.pk] * 2


def test_same_that_contradicts_is_refused_and_changes_nothing():
    a, b, c = (add_article(prose(name), hours=n) for n, name in enumerate("abc"))
    detect_all()
    join(a.pk, b.pk, Verdict.SAME, EDITOR)
    join(b.pk, c.pk, Verdict.DIFFERENT, EDITOR)

    with pytest.raises(ContradictionError) as caught:
        join(a.pk, c.pk, Verdict.SAME, EDITOR)

    assert {caught.value.first_id, caught.value.second_id} == {b.pk, c.pk}
    assert originals(a, b, c) == [a.pk, a.pk, c.pk]
    assert Decision.objects.count() == 2
    assert Duplicate.objects.count() == 2


def test_apart_that_contradicts_is_refused():
    a, b, c = (add_article(prose(name), hours=n) for n, name in enumerate("abc"))
    detect_all()
    join(a.pk, b.pk, Verdict.SAME, EDITOR)
    join(b.pk, c.pk, Verdict.SAME, EDITOR)

    with pytest.raises(ContradictionError):
        join(a.pk, c.pk, Verdict.EVENT, EDITOR)

    assert originals(a, b, c) == [a.pk] * 3


def test_split_parts_an_article_from_every_mate_for_good():
    first, second, third = (add_article(LONG, hours=n) for n in range(3))
    detect_all()

    change = split(second.pk, EDITOR)

    assert originals(first, second, third) == [first.pk, second.pk, first.pk]
    assert change.article_ids == (second.pk,)
    assert Judgement.objects.filter(decision=change.decision_id).count() == 2
    detect_all()
    fourth = add_article(LONG, hours=4)
    detect_all()
    assert originals(first, second, third, fourth) == [first.pk, second.pk, first.pk, first.pk]
    detect_everything_anew()
    assert originals(first, second, third, fourth) == [first.pk, second.pk, first.pk, first.pk]


def test_split_of_the_representative_leaves_its_mates_together():
    first, second, third = (add_article(LONG, hours=n) for n in range(3))
    detect_all()

    split(first.pk, EDITOR)

    detect_all()
    assert originals(first, second, third) == [first.pk, second.pk, second.pk]


def test_split_of_an_article_that_is_alone_decides_nothing():
    article = add_article(LONG)
    detect_all()

    assert split(article.pk, EDITOR) == Change(None)
    assert Decision.objects.count() == 0


def test_original_chosen_by_an_editor_stays_and_the_newest_choice_counts():
    first, second, third = (add_article(LONG, hours=n) for n in range(3))
    detect_all()

    make_original(second.pk, EDITOR)
    assert originals(first, second, third) == [second.pk] * 3
    choice = make_original(third.pk, EDITOR)
    assert originals(first, second, third) == [third.pk] * 3

    earlier = add_article(LONG, hours=-5)
    detect_all()
    assert originals(first, earlier) == [third.pk] * 2
    later = add_article(LONG, hours=5)
    detect_everything_anew()
    assert originals(first, second, third, earlier, later) == [third.pk] * 5
    undo(choice.decision_id, EDITOR)
    assert originals(first, second, third, earlier, later) == [second.pk] * 5


def test_undo_gives_back_what_was():
    first, second, third = (add_article(reworded(n), hours=n) for n in range(3))
    detect_all()
    before = originals(first, second, third), relations()

    for change in (
        lambda: judge([pair_of(first, second).pk], Verdict.DIFFERENT, EDITOR),
        lambda: split(second.pk, EDITOR, Verdict.EVENT),
        lambda: make_original(third.pk, EDITOR),
        lambda: join(second.pk, third.pk, Verdict.DIFFERENT, EDITOR),
    ):
        decision = change().decision_id
        detect_all()
        assert originals(first, second, third) != before[0]

        undo(decision, EDITOR)

        detect_all()
        assert (originals(first, second, third), relations()) == before
    assert Decision.objects.filter(undone_at=None).count() == 0
    assert found_by_fingerprint() == {first.pk}


def test_undo_joins_at_once():
    first, copy = add_article(LONG), add_article(LONG, hours=1)
    detect_all()
    change = judge([pair_of(first, copy).pk], Verdict.DIFFERENT, EDITOR)
    detect_all()

    assert undo(change.decision_id, EDITOR).article_ids == (copy.pk,)

    assert originals(first, copy) == [first.pk, first.pk]


def test_undo_of_an_older_decision_leaves_the_newer_one():
    first, copy = add_article(LONG), add_article(LONG, hours=1)
    detect_all()
    pair = pair_of(first, copy)
    older = judge([pair.pk], Verdict.DIFFERENT, EDITOR)
    judge([pair.pk], Verdict.SAME, EDITOR)

    undo(older.decision_id, EDITOR)

    assert pair_of(first, copy).verdict == Verdict.SAME
    assert undo(older.decision_id, EDITOR) == Change(older.decision_id)


def test_undo_takes_away_a_pair_that_only_an_editor_had_made():
    first, other = add_article(prose("first")), add_article(prose("other"), hours=1)
    detect_all()
    change = join(first.pk, other.pk, Verdict.SAME, EDITOR)

    undo(change.decision_id, EDITOR)

    assert relations() == []
    assert originals(first, other) == [first.pk, other.pk]


def test_history_names_user_and_time():
    user = make_user()
    first, copy = add_article(LONG), add_article(LONG, hours=1)
    detect_all()

    change = judge([pair_of(first, copy).pk], Verdict.EVENT, Editor(user.pk, NOW))
    undo(change.decision_id, Editor(user.pk, NOW))

    [decision] = Decision.objects.all()
    found = (decision.kind, decision.verdict, decision.by, decision.undone_by, decision.undone_at)
    assert found == ("judge", "event", user, user, NOW)
    [judgement] = decision.judgements.all()
    assert (judgement.article, judgement.other, judgement.verdict) == (copy, first, "event")


def test_article_left_out_of_the_corpus_stands_alone_whatever_was_said():
    first, other = add_article(prose("first")), add_article(prose("other"), hours=1)
    detect_all()
    join(first.pk, other.pk, Verdict.SAME, EDITOR)
    first.in_corpus, first.reason = False, "gallery"
    first.save()
    detect_all()
    assert originals(first, other) == [first.pk, other.pk]

    first.in_corpus, first.reason = True, ""
    first.save()
    detect_all()

    assert originals(first, other) == [first.pk, first.pk]


def test_nonsense_is_refused():
    article, gallery = add_article(LONG), add_article(prose("gallery"), in_corpus=False)
    detect_all()

    with pytest.raises(ValueError, match="itself"):
        join(article.pk, article.pk, Verdict.SAME, EDITOR)
    with pytest.raises(ValueError, match="apart"):
        split(article.pk, EDITOR, Verdict.SAME)
    with pytest.raises(Article.DoesNotExist):
        join(article.pk, gallery.pk, Verdict.SAME, EDITOR)
    with pytest.raises(Article.DoesNotExist):
        join(article.pk, 987654, Verdict.SAME, EDITOR)
    with pytest.raises(Detection.DoesNotExist):
        make_original(987654, EDITOR)
    with pytest.raises(Decision.DoesNotExist):
        undo(987654, EDITOR)
    assert judge([987654], Verdict.SAME, EDITOR) == Change(None)
    assert Decision.objects.count() == 0


def test_same_in_the_sentence_method_too():
    detect_methods.use_method("sentences", None, NOW)
    first, copy = add_article(LONG), add_article(LONG, hours=1)
    third = add_article(LONG, hours=2)
    detect_all()

    change = split(third.pk, EDITOR)

    assert originals(first, copy, third) == [first.pk, first.pk, third.pk]
    detect_everything_anew()
    assert originals(first, copy, third) == [first.pk, first.pk, third.pk]
    undo(change.decision_id, EDITOR)
    assert originals(first, copy, third) == [first.pk] * 3


def test_another_limit_detects_everything_anew():
    first = add_article(prose("other", 20))
    miss = add_article(f"{prose('other', 12)} {prose('elsewhere', 8)}", hours=1)
    detect_all()
    assert originals(first, miss) == [first.pk, miss.pk]

    detect_methods.set_limit(0.6, None, NOW)
    assert Detection.objects.waiting().count() == 2
    assert originals(first, miss) == [first.pk, miss.pk]
    detect_all()

    assert originals(first, miss) == [first.pk, first.pk]
    with pytest.raises(ValueError, match="above 0"):
        detect_methods.set_limit(0, None, NOW)


def test_stricter_limit_parts_copies_of_a_member_too():
    first = add_article(prose("other", 20))
    near = [
        add_article(f"{prose('other', 13)} {prose('elsewhere', 7)}", hours=hours)
        for hours in (1, 2, 3)
    ]
    detect_all()
    assert originals(first, *near) == [first.pk] * 4

    detect_methods.set_limit(1.5, None, NOW)
    detect_all(limit=1)

    assert originals(first, *near) == [first.pk, *[near[0].pk] * 3]
    detect_methods.set_limit(1.0, None, NOW)
    detect_all(limit=1)
    assert originals(first, *near) == [first.pk] * 4
    assert representatives(first, *near) == [first.pk] * 4


def test_another_method_detects_everything_anew():
    text = prose("text", 8)
    first, trimmed = add_article(text), add_article(text[: len(text) // 2], hours=1)
    detect_all()
    assert originals(first, trimmed) == [first.pk, first.pk]

    detect_methods.use_method("sentences", None, NOW)
    detect_all()
    assert originals(first, trimmed) == [first.pk, trimmed.pk]
    assert found_by_fingerprint() == set()

    detect_methods.use_method("shingles", None, NOW)
    detect_all()
    assert originals(first, trimmed) == [first.pk, first.pk]
    assert found_by_fingerprint() == {first.pk}
