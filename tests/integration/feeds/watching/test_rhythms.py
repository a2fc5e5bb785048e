"""What papers usually bring, learnt from their hours; what became of their newest articles."""

from datetime import UTC, datetime, timedelta

import pytest
from factories import make_host, make_publication

from feeds import article_flow
from feeds.article_flow import ArticleEvent, Loss
from feeds.models import ArticleFlow, ArticleHour, Publication, PublishingRhythm
from feeds.watching.rhythms import flowing, learn_days, not_heard

pytestmark = [pytest.mark.django_db, pytest.mark.sql]
NOW = datetime(2026, 11, 16, 0, 0, tzinfo=UTC)
DAY, HOUR = timedelta(days=1), timedelta(hours=1)


@pytest.fixture
def paper():
    return make_publication(state="active", created_at=NOW - DAY, started_at=NOW - DAY)


def tell(paper, losses, now, **more):
    host = make_host("karoo-courier.example")
    article_flow.count([ArticleEvent(paper.pk, host.pk, loss, **more) for loss in losses], now)
    return ArticleFlow.objects.get()


def live(paper, days, *, first=0, hours=range(6, 18)):
    """Bring an article in each of these hours of some days, learnt by a sweep at midnight."""
    for day in range(first, days):
        for hour in hours:
            tell(paper, [None], NOW + day * DAY + hour * HOUR)
        learn_days(NOW + (day + 1) * DAY)


def rhythm():
    return PublishingRhythm.objects.get()


def test_articles_without_a_text_are_counted_until_the_next_text(paper):
    tell(paper, [None, Loss.REFUSED], NOW)
    tell(paper, [Loss.REFUSED, Loss.EMPTY], NOW + HOUR)
    lost = ArticleFlow.objects.get()
    found = tell(paper, [Loss.REFUSED, None], NOW + 2 * HOUR)

    assert (lost.n_refused, lost.n_empty, lost.lost_since, lost.stored_at) == (2, 1, NOW, NOW)
    assert (found.n_refused, found.n_empty, found.lost_since) == (0, 0, None)
    assert (found.stored_at, found.recent_stored > 1.9) == (NOW + 2 * HOUR, True)


def test_texts_of_the_past_are_no_news(paper):
    flow = tell(paper, [None] * 50, NOW, is_news=False)

    assert (flow.stored_at, flow.n_refused) == (None, 0)
    assert not ArticleHour.objects.exists()


def test_hours_are_added_up_and_forgotten_once_they_are_learnt(paper):
    tell(paper, [None, None], NOW + timedelta(minutes=10))
    tell(paper, [None], NOW + timedelta(minutes=50))

    assert ArticleHour.objects.get().n_stored == 3
    assert article_flow.forget(NOW) == 0
    assert article_flow.forget(NOW + HOUR) == 1


def test_three_weeks_teach_what_is_usual(paper):
    live(paper, 21)
    found = flowing(NOW + 21 * DAY)[0]

    assert rhythm().pattern["n_days"] == 18  # neither the first day nor the last two
    assert 11 < found.articles_a_day < 13
    assert not found.is_quiet
    assert flowing(NOW + 24 * DAY)[0].is_quiet
    assert ArticleHour.objects.count() < 24 * 8


def test_silence_teaches_nothing_while_it_lasts(paper):
    live(paper, 21)
    before = rhythm().pattern["n_days"]
    for day in range(21, 60):
        learn_days(NOW + day * DAY)

    assert rhythm().pattern["n_days"] == before + 2
    assert flowing(NOW + 60 * DAY)[0].is_quiet


def test_silence_that_was_ours_is_not_the_papers(paper):
    live(paper, 21)
    not_heard(NOW + 30 * DAY)

    assert not flowing(NOW + 30 * DAY + HOUR)[0].is_quiet
    assert flowing(NOW + 33 * DAY)[0].is_quiet

    live(paper, 40, first=33)
    assert rhythm().pattern["longest"] < 3  # not that of the two weeks


def test_limit_by_hand_goes_before_the_pattern(paper):
    live(paper, 21)
    Publication.objects.update(quiet_after_days=10)

    assert not flowing(NOW + 30 * DAY)[0].is_quiet
    assert flowing(NOW + 32 * DAY)[0].is_quiet


def test_newcomer_is_believed_to_bring_what_others_bring(paper):
    live(paper, 21)
    make_publication("new-paper", state="active", created_at=NOW + 21 * DAY)
    rates = {row.publication.slug: row.articles_a_day for row in flowing(NOW + 21 * DAY + HOUR)}

    assert rates["new-paper"] == pytest.approx(rates["karoo-courier"])


def with_unlearnt_days(slugs, n_days):
    """Make papers of different habits whose days since they began are all unlearnt."""
    host = make_host("karoo-courier.example")
    papers = [
        make_publication(slug, state="active", created_at=NOW, started_at=NOW) for slug in slugs
    ]
    for place, paper in enumerate(papers):
        ArticleFlow.objects.create(
            publication=paper, host=host, stored_at=NOW + n_days[place] * DAY - HOUR
        )
        ArticleHour.objects.bulk_create(
            ArticleHour(publication=paper, hour=NOW + n * HOUR, n_stored=1 + (n + place) % 4)
            for n in range(24 * n_days[place])
            if n % 24 in (6, 9 + place, 23) and (n // 24) % 11
        )


def learnt():
    return list(PublishingRhythm.objects.order_by("publication").values_list(*LEARNT))


LEARNT = ("publication__slug", "pattern", "expectation", "articles_a_day", "learnt_until")


def test_many_bounded_looks_learn_what_one_learns():
    with_unlearnt_days(["the-daily", "the-weekly", "the-young"], [70, 70, 20])
    now = NOW + 75 * DAY
    learn_days(now, most_days=1000)
    at_once = learnt()
    PublishingRhythm.objects.all().delete()
    assert not ArticleHour.objects.filter(hour__lt=NOW + 60 * DAY).exists()  # learnt, forgotten
    ArticleFlow.objects.all().delete()
    Publication.objects.all().delete()

    with_unlearnt_days(["the-daily", "the-weekly", "the-young"], [70, 70, 20])
    n_looks = 0
    while learn_days(now, most_days=12):
        n_looks += 1
        n_learnt = sum(row[1].get("n_days", 0) for row in learnt())
        assert n_looks - 1 < n_learnt <= 12 * n_looks
        front = [row[4] for row in learnt()[:2]]
        assert abs(front[0] - front[1]) <= 12 * DAY  # none waits until another is through

    assert n_looks > 10
    assert learnt() == at_once
    assert not ArticleHour.objects.filter(hour__lt=NOW + 60 * DAY).exists()


def test_hours_stay_until_all_their_days_are_learnt():
    with_unlearnt_days(["the-daily"], [40])
    n_hours = ArticleHour.objects.count()
    learn_days(NOW + 60 * DAY, most_days=5)

    assert learnt()[0][1]["n_days"] == 5
    assert ArticleHour.objects.count() == n_hours
