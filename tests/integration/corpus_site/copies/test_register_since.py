"""A backup that is put back: what its register's later copy says is in force again, and counted."""

import json

import pytest
from factories import NOW, make_article, make_comment, make_version

from corpus_site.copies.register_since import (
    REGISTER_NAME,
    RegisterError,
    apply_register,
    newest_register,
    read_register,
    write_register,
)
from corpus_site.removal import withdrawals
from extraction.models import Article, ArticleVersion, Comment, Erasure, Withdrawal
from extraction.withdrawal import register
from extraction.withdrawal.register import Order

ORDER = Order("They asked for it.", None, NOW)
pytestmark = [pytest.mark.django_db, pytest.mark.sql]


def saved(tmp_path, name="20261122T000000Z"):
    folder = tmp_path / name
    folder.mkdir()
    write_register(folder)
    return read_register(folder / REGISTER_NAME)


def as_of_the_backup():
    """Undo in the tables what was done since: as a restored backup has them."""
    Withdrawal.objects.all().delete()
    Article.objects.update(withdrawn_at=None, in_corpus=True, reason="")
    Comment.objects.update(withdrawn_at=None)
    ArticleVersion.objects.update(withdrawn_at=None)


def test_all_that_was_withdrawn_and_erased_since_is_so_again(tmp_path):
    withdrawn, erased, left, commented = (make_article(f"Rain, day {n}.") for n in range(4))
    make_version(commented, "Rain was expected.")
    commented.refresh_from_db()
    comment, hidden = make_comment(commented, "No."), make_comment(commented, "Yes.")
    withdrawals.withdraw_articles([withdrawn.pk], ORDER)
    withdrawals.erase_articles([erased.pk], ORDER)
    withdrawals.withdraw_version(commented, 1, ORDER)
    withdrawals.withdraw_comment(hidden, ORDER)
    withdrawals.erase_comment(comment, ORDER)
    entries = saved(tmp_path)
    as_of_the_backup()

    counts = apply_register(entries, NOW)

    assert counts == {
        "articles withdrawn": 2,
        "comments withdrawn": 2,
        "versions withdrawn": 1,
        "articles erased, which the workers do": 1,
        "comments erased, which the workers do": 1,
    }
    assert set(Article.objects.filter(withdrawn_at=None)) == {left, commented}
    assert not Comment.objects.filter(withdrawn_at=None).exists()
    assert ArticleVersion.objects.get().withdrawn_at is not None
    assert Erasure.objects.count() == 2
    assert set(Withdrawal.objects.values_list("reason", flat=True)) == {ORDER.reason}
    assert apply_register(entries, NOW) == {}


def test_a_publication_that_was_withdrawn_since_is_out_with_what_it_holds(tmp_path):
    article = make_article()
    withdrawals.withdraw_publication(article.publication, ORDER)
    entries = saved(tmp_path)
    as_of_the_backup()

    assert apply_register(entries, NOW) == {"publications withdrawn": 1}
    assert Article.objects.get().withdrawn_at is not None
    assert apply_register(entries, NOW) == {}


def test_what_was_put_back_since_is_put_back_again(tmp_path):
    article, other = make_article(), make_article("The mayor drank rooibos.")
    withdrawals.withdraw_articles([article.pk, other.pk], ORDER)
    before = list(Withdrawal.objects.values())
    withdrawals.put_back_articles([article.pk], None, NOW)
    entries = saved(tmp_path)
    Withdrawal.objects.all().delete()
    Withdrawal.objects.bulk_create(Withdrawal(**row) for row in before)
    Article.objects.update(withdrawn_at=NOW, in_corpus=False)

    assert apply_register(entries, NOW) == {"articles put back": 1}
    assert list(Article.objects.filter(withdrawn_at=None)) == [article]


def test_holds_come_again_too(tmp_path):
    article = make_article()
    entry = register.of_article(Article.objects.select_related("page").get())
    register.hold(entry, ORDER)
    entries = saved(tmp_path)
    as_of_the_backup()

    apply_register(entries, NOW)

    assert register.held_articles([article.pk]) == {article.pk}


def test_a_number_that_means_another_article_by_now_is_left_alone(tmp_path):
    article = make_article()
    withdrawals.withdraw_articles([article.pk], ORDER)
    entries = saved(tmp_path)
    as_of_the_backup()
    type(article.page).objects.update(key="elsewhere.example/another")

    assert apply_register(entries, NOW) == {}


def test_the_newest_register_beside_a_backup_counts(tmp_path):
    for name in ("20261120T000000Z", "20261123T000000Z", "20261121T000000Z"):
        saved(tmp_path, name)

    found = newest_register(tmp_path / "20261120T000000Z")

    assert found == tmp_path / "20261123T000000Z" / REGISTER_NAME


@pytest.mark.parametrize("words", ["no json", json.dumps([{"entry": 1}]), json.dumps({"a": 1})])
def test_a_file_that_is_no_register_is_refused(tmp_path, words):
    path = tmp_path / "register.json"
    path.write_text(words)

    with pytest.raises(RegisterError):
        read_register(path)
