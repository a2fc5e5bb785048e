"""Rules from before there were versions go into version 1, and back."""

import pytest
from django.utils import timezone
from migration_steps import empty_database, steps

BEFORE = [("extraction", "0002_article_captions")]
AFTER = [("extraction", "0005_rules_belong_to_versions")]


@pytest.mark.django_db(transaction=True)
def test_rules_become_version_one_and_come_back(tmp_path):
    with empty_database(tmp_path):

        def migrate(targets):
            executor = steps()
            executor.migrate(targets)
            return executor.loader.project_state(targets).apps

        def rows(apps, name, app="extraction"):
            return apps.get_model(app, name).objects

        old = migrate(BEFORE)
        paper = rows(old, "Publication", "feeds").create(
            slug="karoo", name="Karoo", home_url="https://karoo.example/", created_at=timezone.now()
        )
        values = {"publication_id": paper.pk, "field": "title", "kind": "css"}
        rows(old, "SiteRule").create(**values, selector="h1")
        rows(old, "SiteRule").create(**values, selector=".old", is_active=False)

        new = migrate(AFTER)
        version = rows(new, "RuleVersion").get()
        kept = list(rows(new, "SiteRule").values_list("version", "selector"))
        again = list(rows(migrate(BEFORE), "SiteRule").values_list("publication", "selector"))

    assert (version.number, version.valid_from, kept) == (1, None, [(version.pk, "h1")])
    assert version.note.endswith("Switched off then: title by css: .old.")
    assert again == [(paper.pk, "h1")]
