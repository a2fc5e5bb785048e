"""System checks: wrong settings say so by number."""

import pytest
from django.core.management import (
    CommandError,
    call_command,
    get_commands,
    load_command_class,
)
from django.db.migrations.recorder import MigrationRecorder

from corpus_site import checks
from corpus_site.checks import SETTINGS_TAG
from corpus_site.management.database import demand_tables, has_tables_of_today


def test_checks_of_the_default_settings_find_nothing():
    assert checks.work_settings(None) == []
    assert checks.sqlite_version(None) == []


@pytest.mark.parametrize("url", ["http://user:pw@proxy:3128/", "proxy:3128", "socks5://proxy/"])
def test_proxy_that_cannot_be_used_ends_the_start_with_a_sentence(settings, url):
    settings.CRAWL_PROXY_URL = url

    (found,) = checks.proxy(None)

    assert found.id == "corpus_site.E025"
    assert found.msg.startswith("CRAWL_PROXY_URL must look like http://proxy.example:3128. ")
    assert "pw" not in found.msg


def test_proxy_of_the_usual_form_is_taken(settings):
    settings.CRAWL_PROXY_URL = "http://127.0.0.1:3128"

    assert checks.proxy(None) == []


@pytest.mark.parametrize(
    ("name", "value", "number"),
    [
        ("WORKER_PROCESSES", 0, "corpus_site.E001"),
        ("LEASE_SECONDS", 0, "corpus_site.E002"),
        ("MAX_ATTEMPTS", 0, "corpus_site.E003"),
        ("SWEEP_SECONDS", 0, "corpus_site.E004"),
        ("CRAWL_HOSTS_PER_BATCH", 0, "corpus_site.E005"),
        ("CRAWL_MIN_DELAY_SECONDS", -1, "corpus_site.E006"),
        ("CRAWL_MIN_POLL_SECONDS", 100_000, "corpus_site.E007"),
        ("CRAWL_TOTAL_TIMEOUT_SECONDS", 60, "corpus_site.E008"),
        ("CRAWL_VISIT_HURRY", 0.5, "corpus_site.E009"),
        ("CRAWL_VISIT_HURRY", float("nan"), "corpus_site.E009"),
        ("CRAWL_VISIT_HURRY", 100_000, "corpus_site.E009"),
    ],
)
def test_wrong_setting_is_named(settings, name, value, number):
    setattr(settings, name, value)

    assert number in {message.id for message in checks.work_settings(None)}


@pytest.mark.parametrize(
    ("name", "value", "number"),
    [
        ("SIGN_IN_OPENID_ISSUER", "https://login.uni.example", "corpus_site.E014"),
        ("SIGN_IN_LDAP_URL", "ldaps://ldap.uni.example", "corpus_site.E015"),
        ("SIGN_IN_HEADER", "X-Remote-User", "corpus_site.E016"),
        ("SIGN_IN_LDAP_FILTER", "(uid=me)", "corpus_site.E017"),
    ],
)
def test_half_a_way_to_sign_in_is_named(settings, name, value, number):
    assert checks.sign_in_ways(None) == []
    setattr(settings, name, value)

    assert [message.id for message in checks.sign_in_ways(None)] == [number]


def test_variable_of_an_earlier_version_is_named(settings):
    assert checks.settings_in_vain(None) == []
    settings.SET_IN_VAIN = ["DEDUP_METHOD"]

    [message] = checks.settings_in_vain(None)
    assert (message.id, message.msg) == (
        "corpus_site.W013",
        "DEDUP_METHOD is not read any more: unset it.",
    )


@pytest.mark.parametrize(
    ("name", "value", "number"),
    [
        ("SITE_URL", "corpus.example.org", "corpus_site.E018"),
        ("HEARTBEAT_URL", "hc-ping.com/x", "corpus_site.E019"),
        ("SECRETS_KEYS", ["short"], "corpus_site.E020"),
        ("EMAIL_URL", "smtp://mail.example.org", "corpus_site.W014"),
    ],
)
def test_wrong_setting_of_messages_is_named(settings, name, value, number):
    assert checks.message_settings(None) == []
    setattr(settings, name, value)

    assert [message.id for message in checks.message_settings(None)] == [number]


def test_data_folder_that_cannot_be_written_is_an_error(settings, tmp_path):
    settings.DATA_DIR = tmp_path / "absent"

    assert [message.id for message in checks.data_folder(None)] == ["corpus_site.E010"]


@pytest.mark.parametrize("content", ["{", '{"format": [1, 1], "code": "zu"}'])
def test_a_learnt_language_that_cannot_be_used_is_a_warning(settings, content):
    assert checks.learnt_languages(None) == []
    folder = settings.DATA_DIR / "languages" / "zu"
    folder.mkdir(parents=True)
    (folder / "language.json").write_text(content)

    [message] = checks.learnt_languages(None)

    assert (message.id, str(folder) in message.msg) == ("corpus_site.W034", True)
    assert "--language zu" in message.hint


def test_short_secret_key_is_a_warning_for_deployment(settings):
    settings.SECRET_KEY_IS_GIVEN = True
    settings.SECRET_KEY = "short"

    assert [message.id for message in checks.secret_key(None)] == ["corpus_site.W012"]


@pytest.mark.django_db
def test_database_of_a_newer_version_is_refused_and_of_an_older_one_told():
    applied = MigrationRecorder.Migration.objects
    newest = applied.filter(app="feeds").latest("name")  # a step; one stands in for all of them

    newest.delete()
    assert not has_tables_of_today()
    with pytest.raises(CommandError, match=f"older version .without feeds.{newest.name}.*migrate"):
        demand_tables()
    newest.save()
    applied.create(app="elsewhere", name="0001_not_ours")
    applied.create(app="feeds", name="0001_squashed_0019_archive_files")  # stood in for fewer
    demand_tables()
    assert has_tables_of_today()
    applied.create(app="feeds", name="9999_from_the_future")

    assert not has_tables_of_today()
    for command in (demand_tables, lambda: call_command("migrate")):
        with pytest.raises(CommandError, match="newer version of Broadsheet"):
            command()


# The first checks the settings by itself, or by the second where tables change; the last is ours.
OTHERS = {"up", "migrate", "train_tagger"}


def own_commands():
    apps = {"corpus_site", "feeds", "extraction", "dedup", "search"}
    return sorted(
        name for name, app in get_commands().items() if app in apps and name not in OTHERS
    )


@pytest.mark.parametrize("name", own_commands())
def test_command_checks_the_settings_and_loads_no_pages_for_it(name):
    command = load_command_class(get_commands()[name], name)

    assert tuple(command.requires_system_checks) == (SETTINGS_TAG,)
