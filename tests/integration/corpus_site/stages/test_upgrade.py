"""An upgrade from the first release: the tables of a first start, and all that was collected."""

import first_release
import pytest
from django.apps import apps
from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.db import connection
from migration_steps import empty_database, steps

from dedup.models import Duplicate
from extraction.models import Article, Comment, SiteRule
from feeds.models import Fetch

SEARCH = "/search/?q=snow"
# Made from the texts: made anew, in the background.
DERIVED = {"SentenceHash", "StoryCluster"}


def tables():
    """Columns and constraints of every table, in no order: columns were added over time."""
    with connection.cursor() as cursor:
        found = {}
        for name in connection.introspection.table_names(cursor):
            columns = connection.introspection.get_table_description(cursor, name)
            constraints = connection.introspection.get_constraints(cursor, name)
            found[name] = (
                {(one.name, one.type_code, one.null_ok, one.default) for one in columns},
                # SQLite numbers its foreign keys as they come.
                {
                    (key.rstrip("0123456789"), *sorted(map(str, one.items())))
                    for key, one in constraints.items()
                },
            )
    return found


@pytest.mark.django_db(transaction=True)
def test_database_of_the_first_release_gets_todays_tables_and_keeps_its_rows(
    tmp_path, settings, browse
):
    first = tables()
    first_release.copy_index(settings.INDEX_DIR)
    with empty_database(tmp_path):
        executor = steps()
        executor.migrate(first_release.MIGRATIONS)
        former = executor.loader.project_state(first_release.MIGRATIONS).apps
        first_release.fill(former)
        counts = {
            model.__name__: model.objects.count()
            for model in former.get_models()
            if model._meta.app_label in dict(first_release.MIGRATIONS)
        }
        call_command("migrate", verbosity=0)
        upgraded = tables()

        kept = {model.__name__: model.objects.count() for model in apps.get_models()}
        demand_what_was_collected()
        pages = {
            path: words_of(browse("linguist"), path)
            for path in ("/articles/", "/articles/1/", SEARCH)
        }

    assert [name for name, count in counts.items() if not count] == []
    assert {name for name, count in counts.items() if kept.get(name, 0) < count} - DERIVED == set()
    assert upgraded.keys() == first.keys()
    assert {name for name in first if upgraded[name] != first[name]} == set()
    assert "From karoo.example/hail" in pages["/articles/"]
    assert first_release.INDEXED_TEXT in pages["/articles/1/"]
    assert "1 hit" in pages[SEARCH]


def demand_what_was_collected():
    first, second = Article.objects.order_by("pk")
    assert (first.text, first.title) == (first_release.INDEXED_TEXT, "From karoo.example/snow")
    assert (first.authors, first.language) == (["Thandi Mokoena"], "en")
    assert second.url == "https://karoo.example/hail"
    comment = Comment.objects.get()
    assert (comment.article, comment.text, comment.author_name) == (first, "Café weather!", "Anna")
    rule = SiteRule.objects.get()
    assert (rule.selector, rule.version.publication, rule.version.number) == (
        "h1.head",
        first.publication,
        1,
    )
    editor = get_user_model().objects.get(username="thandi")
    assert (editor.role, editor.password) == ("editor", "pbkdf2_sha256$1$a$b")
    assert Fetch.objects.get(page=first.page).archive_file == "a.warc.gz"
    pair = Duplicate.objects.get()
    assert (pair.article, pair.other, pair.verdict) == (second, first, "same")


def words_of(client, path):
    answer = client.get(path)
    assert answer.status_code == 200, path
    return answer.content.decode()


@pytest.mark.django_db(transaction=True)
def test_what_sqlite_sorts_for_new_indexes_lies_on_the_disk():
    """Pages sort in memory; a pool of ten million addresses would take gigabytes."""
    if connection.vendor != "sqlite":
        return
    call_command("migrate", verbosity=0)

    with connection.cursor() as cursor:
        cursor.execute("PRAGMA temp_store")
        where = cursor.fetchone()
    connection.close()

    assert where == (1,)
