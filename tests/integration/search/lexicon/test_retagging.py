"""A change of the lexicon reaches old texts: by a job, slice by slice, killed and gone on."""

from datetime import timedelta

import pytest
from factories import NOW, index_all, make_article, make_comment, make_user
from killed_work import is_killed_at

from feeds.models import Lock
from feeds.work.leases import Claim
from search import indexing
from search.answers.searching import count
from search.asking.request import EVERYTHING, Texts, asked_in_cql
from search.asking.value_queries import pair_query
from search.engine.annotation.lexicon import LexiconError
from search.engine.index.documents import DocumentKind
from search.lexicon import changes, retagging
from search.lexicon.changes import EntryValues, remove_entry, save_entries
from search.models import (
    IndexedArticle,
    LexiconChange,
    LexiconEntry,
    LexiconUse,
    Retagging,
    UseCount,
)
from search.opened_index import current_snapshot

pytestmark = [pytest.mark.django_db, pytest.mark.sql]
LATER = NOW + timedelta(minutes=5)
KILLED_AT_EACH = 13  # statements; with 1 the test takes a minute and passes as well
FOG = EntryValues("fog", "NN", note="a thing")
FOG_IS_A_VERB = EntryValues("fog", "VB", lemma="befog")


def terms(now=LATER, owner="tester"):
    return Claim(owner, now, timedelta(seconds=60))


def save(*values, user=None, now=LATER):
    return save_entries(values, user, now)


def run_to_the_end(now=LATER, turns=50):
    """Let the job and the index stage take turns; returns how many turns there were."""
    for turn in range(turns):
        if not Retagging.objects.filter(finished_at=None).exists():
            return turn
        retagging.run(terms(now))
        indexing.run(100, terms(now))
    raise AssertionError("the job has no end")


def tags_of(word):
    """Tags of a word in the newest generation: tag → number of tokens."""
    return {
        tag: n
        for tag in ("NN", "VB", "NNP", "NNS")
        if (
            n := count(
                asked_in_cql(pair_query(("lower", word), ("pos", tag)), Texts(EVERYTHING))
            ).total
        )
    }


@pytest.fixture
def corpus(own_folders):
    articles = [make_article(f"The fog came on day {number}.") for number in range(7)]
    others = [make_article("Rain fell."), make_article("Fog en mis.", language="af")]
    comment = make_comment(articles[0], "What a thick fog that was.")
    index_all()
    return articles, others, comment


def test_old_texts_are_tagged_again_and_only_those_that_have_the_word(corpus, monkeypatch):
    monkeypatch.setattr(retagging, "SLICE_TEXTS", 3)
    generation_before = dict(IndexedArticle.objects.values_list("article_id", "generation"))

    job = save(FOG_IS_A_VERB)
    run_to_the_end()

    job.refresh_from_db()
    assert tags_of("fog") == {"VB": 8}
    assert (job.n_texts, job.n_done, job.n_failed, job.finished_at) == (8, 8, 0, LATER)
    generation_now = dict(IndexedArticle.objects.values_list("article_id", "generation"))
    again = {pk for pk, was in generation_before.items() if generation_now[pk] != was}
    assert again == {article.pk for article in corpus[0]}


def test_texts_with_an_expression_are_tagged_again_and_its_uses_counted(corpus):
    said = make_article("The mist came just now.", title="")
    make_article("Mist is just. Now it is gone.", title="")
    index_all()

    job = save(EntryValues("just now", "UH NN", "just nou"))
    run_to_the_end()
    retagging.uses.run(terms())

    job.refresh_from_db()
    assert (job.words, job.n_texts, job.n_done) == (["just now"], 1, 1)
    [document] = filter(None, [current_snapshot().document(DocumentKind.ARTICLE, said.pk)])
    assert [tuple(token) for token in document.tokens][3:5] == [
        ("just", "just", "UH"), ("now", "nou", "NN"),
    ]  # fmt: skip
    use = LexiconUse.objects.get(word="just now")
    assert (use.n_hits, use.n_decided, use.n_overrode) == (1, 1, 1)


def test_the_job_goes_on_where_a_killed_worker_left_it(corpus, monkeypatch):
    monkeypatch.setattr(retagging, "SLICE_TEXTS", 3)
    job = save(FOG_IS_A_VERB)
    for _ in range(3):
        retagging.run(terms())
        indexing.run(100, terms())
    job.refresh_from_db()
    assert 0 < job.n_done < job.n_texts
    # The next worker dies with the job in its hands, after its texts were made due.
    [claimed] = indexing.leases.claim(Retagging.objects.all(), 1, terms(owner="dead"))
    retagging._texts_with.cache_clear()

    assert claimed == job.pk
    assert retagging.run(terms()).n_claimed == 0
    run_to_the_end(now=LATER + timedelta(seconds=61))
    assert tags_of("fog") == {"VB": 8}


def test_a_batch_that_read_the_old_lexicon_is_waited_for(corpus):
    job = save(FOG_IS_A_VERB)
    retagging.run(terms())
    # A writer that began before the change holds the index.
    Lock.objects.filter(name=indexing.WRITER_LOCK).update(
        lease_owner="other", lease_until=LATER + timedelta(hours=1), last_run_at=NOW
    )

    assert retagging.run(terms()).n_claimed == 0
    job.refresh_from_db()
    assert (job.n_texts, job.due_at) == (0, LATER)

    Lock.objects.filter(name=indexing.WRITER_LOCK).update(last_run_at=LATER + timedelta(seconds=1))
    assert retagging.run(terms()).n_claimed == 1
    job.refresh_from_db()
    assert job.n_texts == 8


def test_new_texts_know_the_entry_at_once_and_are_not_tagged_twice(corpus):
    job = save(FOG_IS_A_VERB)
    make_article("New fog came.")
    index_all(LATER)

    assert tags_of("fog")["VB"] == 1
    generation = current_snapshot().generation
    run_to_the_end()
    rows = IndexedArticle.objects.filter(article__text="New fog came.")
    assert rows.get().lexicon_revision == job.revision
    assert rows.get().generation <= generation


def test_a_removed_entry_is_left_to_the_tagger_in_old_texts(corpus):
    save(FOG_IS_A_VERB)
    run_to_the_end()

    remove_entry(LexiconEntry.objects.get(), None, LATER)
    run_to_the_end()

    assert "VB" not in tags_of("fog")
    assert list(LexiconChange.objects.values_list("word", "kind", "tag")) == [
        ("fog", "removed", ""),
        ("fog", "added", "VB"),
    ]


def test_a_text_that_fails_is_counted_and_stops_nothing(corpus):
    job = save(FOG_IS_A_VERB)
    retagging.run(terms())
    retagging.run(terms())
    IndexedArticle.objects.filter(article=corpus[0][0]).update(quarantined_at=LATER)

    run_to_the_end()

    job.refresh_from_db()
    assert (job.n_texts, job.n_done, job.n_failed) == (8, 8, 1)


def test_the_same_entry_again_changes_nothing(corpus):
    first = save(FOG)

    assert save(FOG) is None
    assert Retagging.objects.get() == first
    assert LexiconChange.objects.count() == 1


def test_a_change_keeps_its_history_with_names(corpus):
    editor = make_user("editor")
    save(FOG, user=editor)
    save(FOG_IS_A_VERB, user=editor)

    assert list(LexiconChange.objects.values_list("kind", "tag", "lemma", "made_by")) == [
        ("changed", "VB", "befog", editor.pk),
        ("added", "NN", "", editor.pk),
    ]


def test_a_list_with_a_wrong_line_is_not_entered_at_all(corpus):
    with pytest.raises(LexiconError):
        save(FOG, EntryValues("mist", "NOUN"))

    assert not LexiconEntry.objects.exists()
    assert not Retagging.objects.exists()


def test_a_list_is_one_job(corpus):
    words = [EntryValues(word, "NN") for word in ("fog", "came", "rain", "thick")]

    job = save(*words)

    assert job.title == "“fog”, “came”, “rain” and 1 more"
    assert job.words == ["fog", "came", "rain", "thick"]
    assert job.revision == LexiconChange.objects.first().pk
    run_to_the_end()
    job.refresh_from_db()
    assert job.n_texts == 9


def test_uses_are_counted_after_a_job_and_once_a_day(corpus):
    save(FOG_IS_A_VERB)
    run_to_the_end()

    for _ in range(3):
        retagging.uses.run(terms())

    use = LexiconUse.objects.get()
    assert (use.word, use.n_hits, use.n_texts) == ("fog", 8, 8)
    assert (use.n_checked, use.n_decided, use.n_overrode) == (8, 8, 8)
    assert UseCount.objects.get().due_at == LATER + timedelta(days=1)


def test_changes_are_numbered_in_the_order_in_which_they_are_seen(corpus):
    job = save(FOG)

    assert Lock.objects.filter(name=changes.LEXICON_LOCK).exists()
    assert job.revision == LexiconChange.objects.latest("pk").pk


def test_a_comment_is_tagged_again(corpus):
    save(FOG_IS_A_VERB)
    run_to_the_end()

    snapshot = current_snapshot()
    [document] = filter(None, [snapshot.document(DocumentKind.COMMENT, corpus[2].pk)])
    assert ("fog", "befog", "VB") in [tuple(token) for token in document.tokens]


def dies(n_statements, now):
    """Work until the n-th statement; returns whether it came that far."""
    is_killed = is_killed_at(n_statements, lambda: run_to_the_end(now))
    if is_killed:
        # What a process keeps in memory is gone with it.
        indexing._writer.cache_clear()
        retagging._texts_with.cache_clear()
    return is_killed


@pytest.mark.django_db(transaction=True)
def test_a_worker_killed_at_any_statement_leaves_nothing_behind(corpus, monkeypatch):
    monkeypatch.setattr(retagging, "SLICE_TEXTS", 5)
    now = LATER
    for n_statements in range(1, 200, KILLED_AT_EACH):
        now += timedelta(minutes=5)
        tag = ("VB", "NN")[n_statements // KILLED_AT_EACH % 2]
        job = save(EntryValues("fog", tag), now=now)
        is_killed = dies(n_statements, now)

        now += timedelta(minutes=5)
        run_to_the_end(now)

        job.refresh_from_db()
        assert tags_of("fog") == {tag: 8}
        assert (job.n_texts, job.n_done, job.n_failed) == (8, 8, 0)
        if not is_killed:
            return
    raise AssertionError("the job never came to its end")
