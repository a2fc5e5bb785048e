"""A backup that is put back erases again what was erased after it was made."""

import pytest
from factories import NOW, make_article

from corpus_site.copies.erased_since import digests_beside, erase_again, write_digests
from extraction.models import Article, Erasure
from feeds.models import Tombstone
from feeds.tombstones import bury, digest_of_key

pytestmark = [pytest.mark.django_db, pytest.mark.sql]


def test_what_later_backups_know_as_erased_is_erased_again(tmp_path):
    article, other = make_article(), make_article("The mayor drank rooibos.")
    early, late = tmp_path / "20261122T000000Z", tmp_path / "20261123T000000Z"
    early.mkdir()
    late.mkdir()
    write_digests(early)
    bury([digest_of_key(article.page.key)], NOW)
    write_digests(late)
    Tombstone.objects.all().delete()

    n_again = erase_again(digests_beside(early), NOW)

    assert n_again == 1
    assert Erasure.objects.get().entry.article == article
    assert Tombstone.objects.count() == 1
    assert list(Article.objects.filter(in_corpus=True)) == [other]


def test_a_backup_of_a_corpus_that_erased_nothing_changes_nothing(tmp_path):
    make_article()
    (tmp_path / "20261122T000000Z").mkdir()
    write_digests(tmp_path / "20261122T000000Z")

    assert erase_again(digests_beside(tmp_path / "20261122T000000Z"), NOW) == 0
