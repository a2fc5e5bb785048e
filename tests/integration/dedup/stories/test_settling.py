"""Stories of a corpus at rest are those of its texts, whatever came when and in which passes."""

import random
from datetime import timedelta

import event_texts
import pytest
from detected_articles import NOW, add_article, detect_all, prose

from dedup.models import Detection, Duplicate, StoryCluster, StoryPass, StoryReport
from dedup.stage import fingerprints
from dedup.stories import passes, settling
from dedup.stories.settling import REST
from extraction.models import Article
from feeds.models import Page, Publication
from feeds.work.leases import Claim

pytestmark = [pytest.mark.django_db, pytest.mark.sql]

_WORDS = sorted(
    {word for text in vars(event_texts).values() if isinstance(text, str) for word in text.split()}
)


def report(event, choice):
    """One of several reports of an event: words of it in sentences of its own, and other words."""
    words = random.Random(f"event {event}").sample(_WORDS, 30)
    told = [_sentence(choice.sample(words, 8)) for _ in range(choice.randrange(1, 5))]
    return " ".join([*told, _sentence(choice.sample(_WORDS, 10))])


def _sentence(words):
    return f"{' '.join(words).capitalize()}."


def arrive(texts, order, choice=None, now=NOW):
    for place in order:
        text, hours, site = texts[place]
        article = add_article(text, hours=hours, name=f"{place:02}")
        article.publication, _ = Publication.objects.get_or_create(
            slug=site, defaults={"name": site, "home_url": f"http://{site}/", "created_at": NOW}
        )
        article.save()
        if choice is not None and choice.random() < 0.4:
            detect_and_pass(now)
    detect_and_pass(now)


def detect_and_pass(now):
    for done in detect_all():
        passes.register(done.next_ids["articles"], now)
    while passes.run(1, Claim.make("w", now)).n_claimed:
        pass


def rest(later=NOW + REST):
    """Let the corpus rest; returns how many articles are put before a pass once more."""
    passes.pending(1000, later)
    n_placed = 0
    while (done := passes.run(1, Claim.make("w", later))).n_claimed:
        n_placed += done.done["placed"]
    return n_placed


def stories():
    """Addresses of each story, by its number."""
    found = {}
    rows = Detection.objects.filter(story__isnull=False).order_by("article__url")
    for story_id, url in rows.values_list("story", "article__url"):
        found.setdefault(story_id, []).append(url)
    return found


def take_stories():
    found = sorted(stories().values())
    for model in (Duplicate, Detection, StoryCluster, StoryReport, StoryPass, Article, Page):
        model.objects.all().delete()
    fingerprints.clear()
    return found


@pytest.mark.parametrize("seed", range(6))
def test_stories_at_rest_do_not_depend_on_what_came_first(seed):
    choice = random.Random(seed)
    texts = [
        (report(choice.randrange(4), choice), choice.randrange(60), f"paper-{choice.randrange(4)}")
        for _ in range(24)
    ]
    order = list(range(len(texts)))
    arrive(texts, order)
    rest()
    found = [take_stories()]
    for _ in range(2):
        choice.shuffle(order)
        arrive(texts, order, choice)
        rest()
        found.append(take_stories())

    assert found == found[:1] * 3


def test_story_at_rest_keeps_its_number_and_rests():
    arrive([(event_texts.FIRE, 2, "karoo"), (event_texts.FIRE_ELSEWHERE, 7, "veld")], (1, 0))
    [number] = stories()

    assert rest() == 2
    assert stories() == {number: ["http://karoo/00", "http://karoo/01"]}
    assert rest() == 0


def test_what_came_after_a_rest_is_grouped_again_with_its_story():
    texts = [(event_texts.FIRE, 2, "karoo"), (event_texts.FIRE_ELSEWHERE, 7, "veld")]
    texts.append((event_texts.CRICKET, 9, "veld"))
    arrive(texts, (0, 2))
    assert rest() == 2
    arrive(texts, (1,), now=NOW + REST)

    assert rest(NOW + 2 * REST) == 2  # the new text and its story, without the one on cricket
    assert list(stories().values()) == [["http://karoo/00", "http://karoo/01"]]


def test_of_many_texts_those_settle_first_that_came_first(monkeypatch):
    monkeypatch.setattr(settling, "MOST_AT_ONCE", 2)
    texts = [(prose(name), hour, "karoo") for hour, name in enumerate("abcde")]
    arrive(texts, (0, 1))
    arrive(texts, (2, 3), now=NOW + timedelta(minutes=1))
    arrive(texts, (4,), now=NOW + timedelta(minutes=2))

    rests = [rest(NOW + timedelta(days=day)) for day in range(1, 6)]

    assert rests == [2, 2, 1, 0, 0]
