"""Rules from before there were versions go into version 1, and back."""

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from factories import make_publication

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.sql]

BEFORE = [("extraction", "0002_article_captions")]
AFTER = [("extraction", "0005_rules_belong_to_versions")]


@pytest.fixture
def migrate():
    """Move the tables to a migration; all are brought back to the newest one afterwards."""

    def to(targets):
        executor = MigrationExecutor(connection)
        executor.migrate(targets)
        return executor.loader.project_state(targets).apps

    yield to
    executor = MigrationExecutor(connection)
    executor.migrate(executor.loader.graph.leaf_nodes())


def test_rules_become_version_one_and_come_back(migrate):
    old = migrate(BEFORE)
    publication = make_publication()
    rules = old.get_model("extraction", "SiteRule").objects
    values = {"publication_id": publication.pk, "field": "title", "kind": "css"}
    rules.create(**values, selector="h1")
    rules.create(**values, selector=".old", is_active=False)

    new = migrate(AFTER)
    version = new.get_model("extraction", "RuleVersion").objects.get()
    kept = list(new.get_model("extraction", "SiteRule").objects.values_list("version", "selector"))
    again = migrate(BEFORE).get_model("extraction", "SiteRule").objects

    assert (version.number, version.valid_from, kept) == (1, None, [(version.pk, "h1")])
    assert version.note.endswith("Switched off then: title by css: .old.")
    assert list(again.values_list("publication", "selector")) == [(publication.pk, "h1")]
