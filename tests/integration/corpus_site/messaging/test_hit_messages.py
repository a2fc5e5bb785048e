"""New hits of saved queries: each text once, by event, without counting the corpus."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone
from factories import NOW, make_article, make_publication

from corpus_site.messaging import channels, noticing
from corpus_site.messaging.delivering import send_again
from corpus_site.messaging.forgetting import forget
from corpus_site.messaging.models import Channel, Message, Notice, Pace, Subscription, Topic
from dedup.models import Detection, StoryCluster
from extraction.models import Article
from feeds.work.leases import Claim
from search import indexing
from search.answers import answering
from search.asking.address import Address
from search.asking.saving import Numbers, QueryToSave, save_query
from search.models import IndexedArticle
from search.opened_index import current_snapshot

pytestmark = [pytest.mark.django_db, pytest.mark.sql]


def index(*articles):
    """Bring articles into the index, as a commit of its own."""
    now = timezone.now()
    indexing.register([article.pk for article in articles], now)
    indexing.run(100, Claim.make("indexer", now))


@pytest.fixture
def saved(owner):
    index(make_article("Old maas."))
    address = Address.parse("q=maas")
    numbers = Numbers(current_snapshot().generation, 1)
    return save_query(QueryToSave(address, "Maas"), numbers, owner)


def text_of(mail):
    return next(iter(mail.iter_parts())).get_content()


def test_new_hits_are_told_once_and_old_ones_never(world, mail_server, mail_channel, saved):
    world.subscribe(mail_channel, Topic.QUERY, query=saved)
    world.pass_minutes(10)
    article = make_article("New maas here.", title="Maas & milk")
    index(article, make_article("No such thing."))
    world.pass_minutes(20)
    Article.objects.filter(pk=article.pk).update(text="New maas here, again.", text_digest="b")
    index(article)
    world.pass_minutes(30)

    assert mail_server.subjects == ["Maas: 1 text with new hits"]
    text = text_of(mail_server.mails[0][1])
    assert "Maas & milk" in text
    assert "New [maas] here." in text
    assert f"https://corpus.example.org/articles/{article.pk}/" in text


def test_hits_of_one_event_stand_together_and_copies_count_once(
    world, mail_server, mail_channel, saved
):
    world.subscribe(mail_channel, Topic.QUERY, query=saved, pace=Pace.DAILY)
    papers = [make_publication(slug) for slug in ("karoo", "cape", "natal")]
    told = [
        make_article(f"Maas {number} spilled.", paper, title=f"Spill {number}")
        for number, paper in enumerate(papers)
    ]
    copy = make_article("Maas 0 spilled.", papers[1], title="Copied")
    Detection.objects.filter(article=copy).update(original=told[0])
    story = StoryCluster.objects.create(created_at=NOW)
    Detection.objects.filter(article__in=told).update(story=story)
    index(*told, copy)
    world.now += timedelta(days=1)
    world.pass_minutes(3)

    assert mail_server.subjects == ["Maas: 3 texts with new hits"]
    text = text_of(mail_server.mails[0][1])
    assert "1 event" in text
    assert "Also told by" in text
    assert "Copied" not in text


def test_a_text_that_was_withdrawn_meanwhile_is_not_told(world, mail_server, mail_channel, saved):
    world.subscribe(mail_channel, Topic.QUERY, query=saved)
    article = make_article("Secret maas.")
    index(article)
    world.now += timedelta(minutes=6)
    world.sweep()
    Article.objects.filter(pk=article.pk).update(withdrawn_at=NOW)
    world.pass_minutes(20)

    assert mail_server.mails == []
    assert Notice.objects.filter(told_at=None).count() == 0


def test_more_texts_than_are_listed_are_counted(
    world, mail_server, mail_channel, saved, monkeypatch
):
    monkeypatch.setattr(noticing, "HITS_ASKED", 3)
    world.subscribe(mail_channel, Topic.QUERY, query=saved)
    index(*[make_article(f"Maas number {n}.") for n in range(8)])
    world.pass_minutes(10)

    assert mail_server.subjects == ["Maas: 8 texts with new hits"]
    assert "and 5 more" in text_of(mail_server.mails[0][1])


def test_asking_who_is_killed_between_notes_the_same_texts(world, mail_server, mail_channel, saved):
    row = world.subscribe(mail_channel, Topic.QUERY, query=saved)
    index(make_article("New maas here."))
    world.now += timedelta(minutes=6)
    noticing.note_hits(world.now)
    Subscription.objects.update(generation=row.generation, looked_at=None)  # the notices alone
    world.pass_minutes(20)

    assert Notice.objects.count() == 1
    assert len(mail_server.mails) == 1


def test_queries_without_new_hits_search_the_new_texts_alone(
    world, mail_channel, owner, monkeypatch
):
    index(*[make_article(f"Old maas {n}.") for n in range(50)])
    numbers = Numbers(current_snapshot().generation, 50)
    for number in range(20):
        query = QueryToSave(Address.parse(f"q=maas{'' if number else ' old'}"), f"Q{number}")
        world.subscribe(mail_channel, Topic.QUERY, query=save_query(query, numbers, owner))
    index(make_article("Nothing of it."))
    searched = []
    run = answering.run
    monkeypatch.setattr(
        answering, "run", lambda *given: searched.append(given[2].documents) or run(*given)
    )
    world.now += timedelta(minutes=6)

    assert noticing.note_hits(world.now) == 20
    assert [len(documents) for documents in searched] == [1] * len(searched)
    assert Subscription.objects.filter(generation=current_snapshot().generation).count() == 20
    assert noticing.note_hits(world.now + timedelta(minutes=1)) == 0


def test_a_query_that_can_no_longer_be_asked_keeps_no_other(
    world, mail_server, mail_channel, saved, owner
):
    numbers = Numbers(current_snapshot().generation, 0)
    broken = save_query(QueryToSave(Address.parse("q=maas&sub=gone"), "Gone"), numbers, owner)
    wrong = save_query(QueryToSave(Address.parse("ql=cql&q=[[["), "Wrong"), numbers, owner)
    for query in (broken, wrong, saved):
        world.subscribe(mail_channel, Topic.QUERY, query=query)
    index(make_article("New maas here."))
    world.pass_minutes(15)

    assert mail_server.subjects == ["Maas: 1 text with new hits"]


def test_the_report_comes_once_a_day(world, mail_server, mail_channel):
    world.subscribe(mail_channel, Topic.REPORT, pace=Pace.DAILY)
    make_article("Maas.", created_at=NOW + timedelta(hours=2))
    for _ in range(3):
        world.now += timedelta(days=1)
        world.pass_minutes(2)

    assert mail_server.subjects == [
        "Crawl: 1 new article",
        "Crawl: 0 new articles",
        "Crawl: 0 new articles",
    ]
    assert Message.objects.count() == 3
    assert IndexedArticle.objects.count() == 0


def test_what_is_withdrawn_or_erased_after_its_message_is_read_nowhere(
    world, hook_server, hook_channel, owner, saved
):
    feed = channels.add_channel(Channel(owner=owner, kind="feed", name="Feed"), "", NOW).row
    for channel in (feed, hook_channel.row):
        world.subscribe(channel, Topic.QUERY, query=saved)
    secret, plain = make_article("Secret maas.", title="Hush"), make_article("More maas.")
    index(secret, plain)
    world.pass_minutes(10)
    path = f"/messages/feed/{channels.key_of(feed)}/"
    before = Client().get(path).content
    Article.objects.filter(pk=secret.pk).update(withdrawn_at=NOW)
    withdrawn = Client().get(path).content
    send_again(Message.objects.get(channel=hook_channel.row), world.now)
    world.work()
    forget([secret.pk], [])

    assert (b"Hush" in before, b"Hush" in withdrawn) == (True, False)
    assert [b"Hush" in post.body for post in hook_server.posts] == [True, False]
    assert b"More" in hook_server.posts[1].body
    rows = [*Message.objects.values_list("content"), *Notice.objects.values_list("content")]
    assert "Secret" not in str(rows)
    assert "Hush" not in str(rows)
