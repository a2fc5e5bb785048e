"""The story stage on real tables: who is put together, what stays when, and what a pass writes."""

from datetime import timedelta

import event_texts as texts
import pytest
from detected_articles import NOW, change_text, detect_all
from detected_articles import add_article as add_to_karoo

from dedup.judging.judgements import Editor, judge
from dedup.models import (
    Detection,
    Duplicate,
    StoryCluster,
    StoryPass,
    StoryReport,
    Verdict,
)
from dedup.similarity.relations import Relation
from dedup.stories import passes, window
from feeds.models import Publication
from feeds.work import leases
from feeds.work.leases import Claim

pytestmark = pytest.mark.sql


def add_article(text, *, site="karoo", title="", hours=0):
    article = add_to_karoo(text, hours=hours)
    article.publication, _ = Publication.objects.get_or_create(
        slug=site, defaults={"name": site, "home_url": f"http://{site}/", "created_at": NOW}
    )
    article.title = title
    article.save()
    return article


def detect_and_pass(now=NOW):
    for report in detect_all():
        passes.register(report.next_ids["articles"], now)
    return run_passes(now)


def run_passes(now=NOW):
    moved = []
    while (report := passes.run(1, Claim.make("w", now))).n_claimed:
        assert report.quarantined == 0
        moved.append(report.next_ids["articles"])
    return moved


def groups():
    """Articles of each story, by story."""
    found = {}
    rows = Detection.objects.filter(story__isnull=False).order_by("article")
    for story_id, article_id in rows.values_list("story", "article"):
        found.setdefault(story_id, []).append(article_id)
    return found


def judged(article, other, verdict):
    later, earlier = sorted([article, other], key=lambda row: (row.dated_at, row.pk), reverse=True)
    pair, _ = Duplicate.objects.get_or_create(
        article=later,
        other=earlier,
        defaults={
            "relation": Relation.SIMILAR, "similarity": 0.1, "n_shared": 0, "detected_at": NOW,
        },
    )  # fmt: skip
    judge([pair.pk], verdict, Editor(None, NOW))


@pytest.fixture
def fires(db):
    first = add_article(texts.FIRE)
    second = add_article(texts.FIRE_ELSEWHERE, site="cape-herald", hours=5)
    return first, second


@pytest.mark.django_db
def test_reports_of_one_event_are_a_story_and_no_duplicates(fires):
    first, second = fires
    other = add_article(texts.OTHER_FIRE, hours=2)
    court = add_article(texts.COURT, hours=3)

    moved = detect_and_pass()

    [story] = StoryCluster.objects.all()
    assert moved == [(first.pk, second.pk)]
    assert groups() == {story.pk: [first.pk, second.pk]}
    assert story.first == first
    assert Duplicate.objects.count() == 0
    assert {other.pk, court.pk}.isdisjoint(*groups().values())


@pytest.mark.django_db
def test_copies_alone_are_no_story():
    add_article(texts.FIRE)
    add_article(texts.FIRE, site="cape-herald", hours=1)

    detect_and_pass()

    assert StoryCluster.objects.count() == 0


@pytest.mark.django_db
def test_copy_goes_where_its_original_goes(fires):
    first, second = fires
    detect_and_pass()
    [story_id] = groups()
    copy = add_article(texts.FIRE, site="bay-mail", hours=8)

    moved = detect_and_pass()

    assert moved == [(copy.pk,)]
    assert groups() == {story_id: [first.pk, second.pk, copy.pk]}


@pytest.mark.django_db
def test_story_keeps_its_number_when_an_earlier_original_comes(fires):
    first, second = fires
    detect_and_pass()
    [story_id] = groups()
    earlier = add_article(texts.FIRE, site="bay-mail", hours=-3)

    detect_and_pass()

    assert groups() == {story_id: [first.pk, second.pk, earlier.pk]}
    assert StoryCluster.objects.get().first == earlier


@pytest.mark.django_db
def test_late_report_joins_the_story_that_is_there(fires):
    first, _ = fires
    Detection.objects.all().delete()
    detect_and_pass()
    [before] = groups()
    words = texts.FIRE_ELSEWHERE.replace("Hundreds", "Masiphumelele families")
    late = add_article(
        words.replace("told journalists", "added") + " Mayor Geordin Hill-Lewis visited.",
        site="bay-mail",
        hours=9,
    )

    detect_and_pass()

    assert list(groups()) == [before]
    assert late.pk in groups()[before]
    assert StoryCluster.objects.get().first == first


@pytest.mark.django_db
def test_report_of_another_day_needs_more(fires):
    first, second = fires
    week = timedelta(days=9)
    type(second).objects.filter(pk=second.pk).update(dated_at=first.dated_at + week)

    detect_and_pass()

    assert groups() == {}


@pytest.mark.django_db
def test_cricket_of_two_days_bulletins_and_columns_are_no_stories():
    add_article(texts.CRICKET, site="cape-herald", title="Bavuma's century", hours=0)
    add_article(texts.CRICKET_LATER, site="cape-herald", title="Jansen takes seven", hours=30)
    for day in range(3):
        body = texts.BULLETIN.format(15 + day, 9 + day) + f" Winds turn on day {day}."
        title = f"Weather for {10 + day} June"
        add_article(body, site="cape-herald", title=title, hours=24 * day)
    add_article(texts.COLUMN_FIRST, site="cape-herald", title="Gogo's pot", hours=3)
    detect_and_pass()
    add_article(texts.COLUMN_SECOND, site="cape-herald", title="Gogo's pot", hours=20)
    detect_and_pass()

    assert groups() == {}


@pytest.mark.django_db
def test_changed_text_leaves_its_story_which_is_dissolved(fires):
    first, second = fires
    detect_and_pass()
    change_text(second, texts.COURT)

    moved = detect_and_pass()

    assert moved == [(first.pk, second.pk)]
    assert groups() == {}
    assert StoryCluster.objects.count() == 0


@pytest.mark.django_db
def test_article_left_out_of_the_corpus_leaves_its_story(fires):
    first, second = fires
    detect_and_pass()
    type(second).objects.filter(pk=second.pk).update(in_corpus=False, reason="gallery")
    Detection.objects.filter(article=second).update(due_at=NOW)

    moved = detect_and_pass()

    assert moved == [(first.pk, second.pk)]
    assert StoryCluster.objects.count() == 0
    assert StoryReport.objects.get(article=second).terms == b""


@pytest.fixture
def bridged(fires):
    """A story of two fires and a court case that only the report of a match holds together."""
    bridge = add_article(texts.CRICKET, hours=-2)
    court = add_article(texts.COURT, hours=6)
    detect_and_pass()
    for end in (fires[0], court):
        judged(end, bridge, Verdict.EVENT)
    run_passes()
    return bridge


def leave_out(article):
    type(article).objects.filter(pk=article.pk).update(in_corpus=False, reason="gallery")
    Detection.objects.filter(article=article).update(due_at=NOW)


def become_another(article):
    Duplicate.objects.all().delete()
    change_text(article, texts.OTHER_FIRE)


def become_a_copy(article):
    add_article(texts.BULLETIN, hours=-40)
    Duplicate.objects.all().delete()
    change_text(article, texts.BULLETIN)


def delete(article):
    article.delete()
    assert passes.pending(10, NOW) == 3


@pytest.mark.django_db
@pytest.mark.parametrize("lose", [leave_out, become_another, become_a_copy, delete])
def test_story_that_lost_what_held_it_together_is_grouped_anew(fires, bridged, lose):
    [story_id] = groups()
    assert len(groups()[story_id]) == 4

    lose(bridged)
    detect_and_pass()

    assert groups() == {story_id: [article.pk for article in fires]}
    assert StoryCluster.objects.get().first == fires[0]
    assert not StoryReport.objects.filter(placed_at=None).exists()
    assert passes.pending(10, NOW) == 0


@pytest.mark.django_db
def test_story_that_lost_a_report_it_does_not_need_stays(fires):
    third = add_article(texts.COURT, hours=6)
    detect_and_pass()
    judged(third, fires[0], Verdict.EVENT)
    run_passes()
    [story_id] = groups()

    leave_out(third)
    moved = detect_and_pass()

    assert moved == [(third.pk,)]
    assert groups() == {story_id: [article.pk for article in fires]}


@pytest.mark.django_db
def test_different_parts_a_story_for_good(fires):
    first, second = fires
    detect_and_pass()

    judged(first, second, Verdict.DIFFERENT)
    run_passes()

    assert groups() == {}
    passes.register([first.pk, second.pk], NOW)
    run_passes()
    assert groups() == {}


@pytest.mark.django_db
def test_same_event_joins_what_the_words_do_not():
    court, cricket = add_article(texts.COURT), add_article(texts.CRICKET, hours=4)
    detect_and_pass()
    assert groups() == {}

    judged(court, cricket, Verdict.EVENT)
    run_passes()

    [members] = groups().values()
    assert members == [court.pk, cricket.pk]


@pytest.mark.django_db
def test_stories_joined_by_an_editor_keep_the_older_number_and_the_other_leads_there(fires):
    first, second = fires
    detect_and_pass()
    [kept] = groups()
    court, cricket = add_article(texts.COURT, hours=6), add_article(texts.CRICKET, hours=7)
    detect_and_pass()
    judged(court, cricket, Verdict.EVENT)
    run_passes()
    [gone] = set(groups()) - {kept}

    judged(first, court, Verdict.EVENT)
    run_passes()

    assert groups() == {kept: [first.pk, second.pk, court.pk, cricket.pk]}
    assert StoryCluster.objects.get(pk=gone).continued_in_id == kept


@pytest.mark.django_db
def test_pass_over_the_same_articles_changes_nothing(fires):
    detect_and_pass()
    before = groups()
    passes.register([article.pk for article in fires], NOW)

    moved = run_passes()

    assert moved == [()]
    assert groups() == before


@pytest.mark.django_db
def test_pass_whose_lease_was_lost_changes_nothing(fires, monkeypatch):
    for report in detect_all():
        passes.register(report.next_ids["articles"], NOW)
    taken = leases.claim(StoryPass.objects.all(), 1, Claim.make("slow", NOW))
    row = StoryPass.objects.get(pk=taken[0])
    StoryPass.objects.update(lease_owner="quick")

    with pytest.raises(leases.LeaseLostError):
        passes._pass(row, Claim.make("slow", NOW))

    assert (groups(), StoryCluster.objects.count()) == ({}, 0)
    assert StoryReport.objects.filter(placed_at=None).count() == 2


@pytest.mark.django_db
def test_one_pass_takes_articles_of_many_years(fires):
    first, second = fires
    for year in range(1, 4):
        for text, site in ((texts.OTHER_FIRE, "karoo"), (texts.COURT, "herald")):
            add_article(f"{text} {year} years ago.", site=site, hours=-24 * 365 * year)

    moved = detect_and_pass()

    assert len(moved) == 1
    assert groups() == {StoryCluster.objects.get().pk: [first.pk, second.pk]}


@pytest.mark.django_db
def test_crowded_years_are_taken_a_stretch_at_a_time(fires, monkeypatch):
    add_article(texts.COURT, hours=24 * 365)
    monkeypatch.setattr(window, "MAX_TELLINGS", 2)

    moved = detect_and_pass()

    assert len(moved) == 2
    assert len(groups()) == 1


@pytest.mark.django_db
def test_lost_registration_is_found_by_the_sweep(fires):
    detect_all()

    found = passes.pending(10, NOW)

    assert found == 2
    run_passes()
    assert len(groups()) == 1
    assert passes.pending(10, NOW) == 0


@pytest.mark.django_db
def test_lost_withdrawal_is_found_by_the_sweep(fires):
    _, second = fires
    detect_and_pass()
    type(second).objects.filter(pk=second.pk).update(in_corpus=False, reason="gallery")
    Detection.objects.filter(article=second).update(due_at=NOW)
    detect_all()

    found = passes.pending(10, NOW)

    assert found == 1
    run_passes()
    assert groups() == {}
    assert passes.pending(10, NOW) == 0


@pytest.mark.django_db
def test_who_waits_for_a_pass_is_not_found_again_and_again(fires):
    """A pass of a large window comes minutes later; a run until idle would wait for it."""
    _, second = fires
    detect_and_pass()
    type(second).objects.filter(pk=second.pk).update(in_corpus=False, reason="gallery")
    Detection.objects.filter(article=second).update(due_at=NOW)
    detect_all()

    assert [passes.pending(10, NOW) for _ in range(3)] == [1, 0, 0]


@pytest.mark.django_db
def test_passes_of_large_windows_keep_their_distance(fires, settings):
    settings.STORY_MINUTES = 20
    detect_and_pass()
    StoryPass.objects.update(n_reports=passes.AT_ONCE_UP_TO + 1)

    passes.register([fires[0].pk], NOW + timedelta(minutes=5))

    assert StoryPass.objects.get().due_at == NOW + timedelta(minutes=20)


@pytest.mark.django_db
@pytest.mark.parametrize("text", ["", "Eish.", "😀" * 5000, "\ud800 lone " * 40, "مرحبا " * 300])
def test_odd_texts_are_placed_and_join_nothing(text, fires):
    add_article(text.encode("utf-8", "replace").decode(), hours=1)
    detect_and_pass()

    [members] = groups().values()
    assert members == [article.pk for article in fires]
    assert StoryReport.objects.filter(placed_at=None).count() == 0


@pytest.mark.django_db
def test_story_whose_texts_have_become_one_text_is_dissolved(fires):
    """As when a limit that had parted copies gives way to the former one."""
    first, second = fires
    detect_and_pass()
    Detection.objects.filter(article=second).update(original=first, representative=first)

    passes.register([first.pk, second.pk], NOW)
    moved = run_passes()

    assert moved == [(first.pk, second.pk)]
    assert groups() == {}
    assert StoryCluster.objects.count() == 0


@pytest.mark.django_db
def test_story_whose_texts_an_editor_joined_is_dissolved(fires):
    detect_and_pass()

    judged(*fires, Verdict.SAME)
    run_passes()

    assert groups() == {}
    assert StoryCluster.objects.count() == 0


def complete_after(act, monkeypatch):
    complete = leases.complete_or_undo

    def act_and_complete(*arguments, **changes):
        act()
        complete(*arguments, **changes)

    monkeypatch.setattr(leases, "complete_or_undo", act_and_complete)
    passes.run(1, Claim.make("w", NOW))
    monkeypatch.setattr(leases, "complete_or_undo", complete)


@pytest.mark.django_db
def test_article_that_is_registered_at_the_end_of_a_pass_has_the_next(monkeypatch):
    first, second = add_article(texts.FIRE), add_article(texts.FIRE_ELSEWHERE, site="veld")
    detect_all()
    passes.register([first.pk], NOW)

    complete_after(lambda: passes.register([second.pk], NOW), monkeypatch)

    assert StoryPass.objects.get().due_at == NOW
    run_passes()
    assert not StoryReport.objects.filter(placed_at=None).exists()


@pytest.mark.django_db
def test_next_pass_of_many_reports_keeps_its_distance_from_one_under_way(monkeypatch, settings):
    article = add_article(texts.FIRE)
    detect_all()
    passes.register([article.pk], NOW)
    StoryPass.objects.update(
        n_reports=passes.AT_ONCE_UP_TO + 1, last_run_at=NOW - timedelta(days=1)
    )

    complete_after(lambda: passes.register([article.pk], NOW), monkeypatch)

    after = timedelta(minutes=settings.STORY_MINUTES)
    assert StoryPass.objects.get().due_at == NOW + after


@pytest.mark.django_db
def test_sweep_during_a_pass_calls_no_further_one(monkeypatch):
    article = add_article(texts.FIRE)
    detect_all()
    passes.register([article.pk], NOW)

    complete_after(lambda: passes.pending(10, NOW), monkeypatch)

    assert StoryPass.objects.get().due_at is None
