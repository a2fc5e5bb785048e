"""Another limit tried: what is counted, slice by slice, by whom, and killed in between."""

import pytest
from django.utils import timezone
from factories import NOW, make_article, make_user
from like_texts import cluster_of, detect_all, sentences, store

from dedup.judging import threshold_trials
from dedup.judging.threshold_trials import LimitError, start, use
from dedup.models import Detection, DetectionMethod, Duplicate, ThresholdTrial
from dedup.stage import detect_methods
from feeds.work.leases import Claim

pytestmark = [pytest.mark.django_db, pytest.mark.sql]

TERMS = Claim.make("test", NOW)


def make_pair(later, earlier, closeness, **changes):
    values = {
        "relation": "near",
        "similarity": 0.5,
        "closeness": closeness,
        "joins": closeness >= 1,
        "n_shared": 3,
        "detected_at": NOW,
    }
    return Duplicate.objects.create(article=later, other=earlier, **values | changes)


@pytest.fixture
def articles():
    return [make_article(title=f"Report {number}") for number in range(6)]


def run_all(terms=TERMS):
    """Work until nothing is due; returns how many turns it took."""
    turns = 0
    while threshold_trials.run(1, terms).n_claimed:
        turns += 1
    return turns


def tried(limit):
    trial = start(limit, None, NOW)
    run_all()
    trial.refresh_from_db()
    return trial


def test_a_lower_limit_joins_what_lies_between(articles):
    first, second, third, *_ = articles
    near = make_pair(second, first, 0.95)
    make_pair(third, first, 0.85)

    trial = tried(0.9)

    assert trial.counts == {"joined": 1}
    assert (trial.joined, trial.parted) == ([[near.pk, 0.95]], [])
    assert trial.finished_at == NOW
    assert (trial.n_done, trial.n_articles) == (6, 6)


def test_a_higher_limit_parts_what_lies_between(articles):
    first, second, third, *_ = articles
    weak = make_pair(second, first, 1.05)
    make_pair(third, first, 1.35)

    trial = tried(1.2)

    assert trial.counts == {"parted": 1}
    assert (trial.joined, trial.parted) == ([], [[weak.pk, 1.05]])


def test_each_text_is_counted_once_by_its_likest_pair(articles):
    first, second, third, *_ = articles
    make_pair(third, first, 0.91)
    likest = make_pair(third, second, 0.97)

    trial = tried(0.9)

    assert (trial.counts, trial.joined) == ({"joined": 1}, [[likest.pk, 0.97]])


def test_a_text_that_stays_in_its_cluster_does_not_join_another(articles):
    first, second, third, *_ = articles
    make_pair(third, first, 1.38)
    make_pair(third, second, 0.95)

    assert tried(0.9).counts == {}


def test_the_later_arrival_is_the_one_that_joins_whatever_was_published_first(articles):
    first, second, *_ = articles
    pair = make_pair(first, second, 0.95)  # the first to arrive is the later publication

    assert tried(0.9).joined == [[pair.pk, 0.95]]


@pytest.mark.parametrize("verdict", ["same", "different", "event"])
def test_what_an_editor_said_holds_under_any_limit(articles, verdict):
    first, second, third, *_ = articles
    make_pair(second, first, 0.95, verdict=verdict)
    make_pair(third, first, 1.05, verdict=verdict)

    counts = [tried(limit).counts for limit in (0.9, 1.2)]

    assert [count.get("joined", 0) + count.get("parted", 0) for count in counts] == [0, 0]


def test_copies_are_never_parted(articles):
    first, second, *_ = articles
    make_pair(second, first, 1.0, similarity=1.0, relation="repost")

    assert tried(1.3).counts == {}


def test_a_pair_above_the_limit_that_an_editor_keeps_apart_through_others_is_not_joined(articles):
    first, second, *_ = articles
    make_pair(second, first, 1.1, joins=False)

    assert tried(0.9).counts == {}


def test_limits_are_held_against_what_editors_said(articles):
    first, *others = articles
    for other, closeness, verdict in zip(
        others, (0.95, 0.92, 1.1, 1.3), ("same", "different", "different", "same"), strict=False
    ):
        make_pair(other, first, closeness, verdict=verdict)

    assert tried(0.9).counts == {"judged": 4, "right before": 2, "right then": 2}
    assert tried(1.2).counts == {"judged": 4, "right before": 2, "right then": 3}


def test_a_trial_goes_slice_by_slice_and_keeps_the_most_doubtful(articles, monkeypatch):
    monkeypatch.setattr(threshold_trials, "SLICE_ARTICLES", 2)
    monkeypatch.setattr(threshold_trials, "MAX_EXAMPLES", 2)
    first, *others = articles
    pairs = [
        make_pair(other, first, closeness)
        for other, closeness in zip(others, (0.97, 0.91, 0.99, 0.93, 0.95), strict=True)
    ]
    trial = start(0.9, None, NOW)

    turns = run_all()

    trial.refresh_from_db()
    assert turns == 4  # the last one finds no article
    assert trial.counts == {"joined": 5}
    assert trial.joined == [[pairs[1].pk, 0.91], [pairs[3].pk, 0.93]]


def test_a_trial_goes_on_where_its_killed_worker_was(articles, monkeypatch):
    monkeypatch.setattr(threshold_trials, "SLICE_ARTICLES", 2)
    first, *others = articles
    for other in others:
        make_pair(other, first, 0.95)
    trial = start(0.9, None, NOW)
    threshold_trials.run(1, TERMS)
    # The next worker dies with the lease in its hands, before it writes.
    monkeypatch.setattr(threshold_trials.leases, "complete", lambda *_, **__: False)
    threshold_trials.run(1, Claim.make("killed", NOW))
    monkeypatch.undo()
    held = threshold_trials.run(1, TERMS).n_claimed

    run_all(Claim.make("next", Claim.make("killed", NOW).until))

    trial.refresh_from_db()
    assert held == 0
    assert (trial.counts, trial.n_done) == ({"joined": 5}, 6)
    assert trial.finished_at is not None


def test_a_slice_whose_lease_was_taken_over_counts_nothing(articles):
    make_pair(articles[1], articles[0], 0.95)
    trial = start(0.9, None, NOW)
    slow = Claim.make("slow", NOW)
    threshold_trials.leases.claim(ThresholdTrial.objects.all(), 1, slow)
    ThresholdTrial.objects.update(lease_owner="other")

    threshold_trials._try_slice(ThresholdTrial.objects.get(), slow)

    trial.refresh_from_db()
    assert (trial.n_done, trial.counts) == (0, {})


def test_a_trial_without_articles_ends_at_once():
    trial = tried(0.9)

    assert (trial.n_articles, trial.counts, trial.finished_at) == (0, {}, NOW)


def test_a_trial_that_fails_keeps_its_error_on_its_row(articles, settings):
    ThresholdTrial.objects.all().delete()
    settings.MAX_ATTEMPTS = 1
    trial = start(0.9, None, NOW)
    ThresholdTrial.objects.update(joined=5)  # no list of pairs

    report = threshold_trials.run(1, TERMS)

    trial.refresh_from_db()
    assert (report.quarantined, trial.quarantined_at) == (1, NOW)
    assert trial.last_error != ""


@pytest.mark.parametrize("limit", [-1.0, 0.0, 0.2, 1.7, float("nan"), float("inf")])
def test_a_limit_without_stored_pairs_is_refused(limit):
    with pytest.raises(LimitError, match=r"from \S+ to 1\.35"):
        start(limit, None, NOW)


def test_the_limit_in_force_is_not_tried():
    with pytest.raises(LimitError, match="in force"):
        start(1.0, None, NOW)


def test_a_tried_limit_is_put_in_force_once(articles):
    trial, user = tried(0.9), make_user("editor")

    use(trial, user.pk, NOW)

    assert detect_methods.current().limit == 0.9
    assert DetectionMethod.objects.first().by == user
    assert Detection.objects.filter(due_at=NOW).count() == len(articles)
    with pytest.raises(LimitError, match="already"):
        use(trial, user.pk, NOW)


def test_one_limit_is_tried_at_a_time(articles):
    running = start(0.9, None, NOW)

    with pytest.raises(LimitError, match=r"Limit 0\.90 is being tried, 0 % done"):
        start(0.9, None, NOW)

    assert [trial.pk for trial in ThresholdTrial.objects.all()] == [running.pk]
    run_all()
    start(0.9, None, NOW)


def test_a_trial_that_was_given_up_stands_in_nobodys_way(articles):
    start(0.9, None, NOW)
    ThresholdTrial.objects.update(quarantined_at=NOW)

    assert start(0.8, None, NOW).limit == 0.8


def test_a_limit_put_in_force_is_taken_back_and_can_be_put_in_force_again(articles):
    assert detect_methods.former() is None
    trial, user = tried(0.9), make_user("editor")
    use(trial, None, NOW)
    Detection.objects.update(due_at=None)

    detect_methods.take_back(DetectionMethod.objects.first().pk, user.pk, NOW)

    history = DetectionMethod.objects.values_list("limit", "by")
    assert list(history) == [(1.0, user.pk), (0.9, None), (1.0, None)]
    assert Detection.objects.filter(due_at=NOW).count() == len(articles)
    assert threshold_trials.is_current(trial)
    use(trial, None, NOW)
    assert detect_methods.current().limit == 0.9


def test_two_who_take_back_the_same_limit_do_it_once(articles):
    use(tried(0.9), None, NOW)
    seen = DetectionMethod.objects.first().pk
    detect_methods.take_back(seen, None, NOW)

    with pytest.raises(detect_methods.LimitChangedError):
        detect_methods.take_back(seen, None, NOW)

    assert detect_methods.current().limit == 1.0


def test_a_trial_is_out_of_date_once_the_limit_has_changed(articles):
    old, new = tried(0.9), tried(1.1)
    use(new, None, NOW)

    with pytest.raises(LimitError, match="try again"):
        use(old, None, NOW)


def test_an_unfinished_trial_is_not_put_in_force(articles):
    trial = start(0.9, None, timezone.now())

    with pytest.raises(LimitError, match="has not ended"):
        use(trial, None, NOW)


def test_copies_find_each_other_again_under_a_limit_put_in_force():
    text = " ".join(sentences("a"))
    stored = store([text, text, " ".join(sentences("a")[:17]), " ".join(sentences("b"))])
    before = [cluster_of(article) for article in stored]
    places = list(Detection.objects.order_by("pk").values_list("original", "representative"))

    use(tried(0.9), None, NOW)
    detect_all(batch=1)  # each text meets copies that have not had their turn yet

    assert [cluster_of(article) for article in stored] == before
    assert (
        list(Detection.objects.order_by("pk").values_list("original", "representative")) == places
    )
