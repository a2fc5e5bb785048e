"""System checks: settings that can be wrong become numbered messages at every start."""

import shutil
import sqlite3
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

from cryptography.fernet import Fernet
from django.conf import settings
from django.core.checks import CheckMessage, Error, register
from django.core.checks import Warning as Caution

from corpus_site.accounts import untrusted_proxies
from feeds.crawler.archive.store_address import StoreAddressError, bucket_and_prefix
from feeds.crawler.fetching.connections import parse_target
from feeds.crawler.fetching.exchange import FetchStoppedError
from presentation.wording.figures import size
from search.engine.annotation.own_languages import unusable_folders

# Commands ask for these alone (`requires_system_checks`): Django's own load every page of the site,
# which takes longer than most commands, and are made by `check` in the tests.
SETTINGS_TAG = "settings"
# INSERT … RETURNING and UPDATE … RETURNING, which every claim uses, came with this version.
OLDEST_SQLITE = (3, 35, 0)
# Some days of a small corpus: time to make room before the crawl stops.
LEAST_FREE_BYTES = 1_000_000_000
# A day in a second. A slower clock than the plain one would only put off what the ages promise.
LEAST_HURRY, MOST_HURRY = 1, 86_400
LEAST_KEY_CHARS = 32  # Django's own check asks for 50; 32 random ones cannot be guessed


@register(SETTINGS_TAG)
def work_settings(app_configs: Sequence[Any] | None, **options: Any) -> list[CheckMessage]:  # noqa: ARG001
    """Check numbers that must be positive and in the right order."""
    found: list[CheckMessage] = []
    for number, name in enumerate(
        (
            "WORKER_PROCESSES",
            "LEASE_SECONDS",
            "MAX_ATTEMPTS",
            "SWEEP_SECONDS",
            "CRAWL_HOSTS_PER_BATCH",
        ),
        1,
    ):
        if getattr(settings, name) < 1:
            found.append(Error(f"{name} must be 1 or more.", id=f"corpus_site.E00{number}"))
    if settings.CRAWL_MIN_DELAY_SECONDS < 0:
        found.append(Error("CRAWL_MIN_DELAY_SECONDS must not be negative.", id="corpus_site.E006"))
    if settings.CRAWL_MIN_POLL_SECONDS > settings.CRAWL_MAX_POLL_SECONDS:
        found.append(
            Error(
                "CRAWL_MIN_POLL_SECONDS must not exceed CRAWL_MAX_POLL_SECONDS.",
                id="corpus_site.E007",
            )
        )
    if not LEAST_HURRY <= settings.CRAWL_VISIT_HURRY <= MOST_HURRY:
        words = f"CRAWL_VISIT_HURRY must be {LEAST_HURRY} to {MOST_HURRY}."
        found.append(Error(words, id="corpus_site.E009"))
    if settings.LEASE_SECONDS <= settings.CRAWL_TOTAL_TIMEOUT_SECONDS:
        found.append(
            Error(
                "LEASE_SECONDS must exceed CRAWL_TOTAL_TIMEOUT_SECONDS: no page twice.",
                id="corpus_site.E008",
            )
        )
    return found


@register(SETTINGS_TAG)
def proxy(app_configs: Sequence[Any] | None, **options: Any) -> list[CheckMessage]:  # noqa: ARG001
    """Check that the proxy's address can be used: fetching would break at each batch."""
    if not settings.CRAWL_PROXY_URL:
        return []
    try:
        parse_target(settings.CRAWL_PROXY_URL)
    except FetchStoppedError as error:
        words = f"CRAWL_PROXY_URL must look like http://proxy.example:3128. {error}"
        return [Error(words, id="corpus_site.E025")]
    return []


@register(SETTINGS_TAG)
def archive_store(app_configs: Sequence[Any] | None, **options: Any) -> list[CheckMessage]:  # noqa: ARG001
    """Check that the address of the archive's object store is one."""
    if not settings.ARCHIVE_URL:
        return []
    try:
        bucket_and_prefix(settings.ARCHIVE_URL)
    except StoreAddressError as error:
        return [Error(str(error), id="corpus_site.E026")]
    if bool(settings.ARCHIVE_KEY_ID) != bool(settings.ARCHIVE_SECRET_KEY):
        words = "ARCHIVE_KEY_ID and ARCHIVE_SECRET_KEY belong together: set both or neither."
        return [Error(words, id="corpus_site.E027")]
    endpoint = settings.ARCHIVE_ENDPOINT_URL
    if endpoint and not endpoint.startswith(("http://", "https://")):
        words = "ARCHIVE_ENDPOINT_URL must begin with http:// or https://."
        return [Error(words, id="corpus_site.E028")]
    return []


@register(SETTINGS_TAG)
def index_copies(app_configs: Sequence[Any] | None, **options: Any) -> list[CheckMessage]:  # noqa: ARG001
    """Check where the index is published and followed from, and the word that guards it."""
    found: list[CheckMessage] = []
    if settings.INDEX_URL:
        try:
            bucket_and_prefix(settings.INDEX_URL, "INDEX_URL")
        except StoreAddressError as error:
            found.append(Error(str(error), id="corpus_site.E029"))
        if settings.INDEX_URL.rstrip("/") == settings.ARCHIVE_URL.rstrip("/"):
            words = "INDEX_URL and ARCHIVE_URL must be different places: add a prefix to one."
            found.append(Error(words, id="corpus_site.E030"))
        if settings.INDEX_SOURCE:
            words = "A machine either publishes its index or follows one: unset one of both."
            found.append(Error(words, hint="INDEX_URL, INDEX_SOURCE", id="corpus_site.E031"))
    if settings.INDEX_SOURCE and (words := index_source_error(settings.INDEX_SOURCE)):
        found.append(Error(words, id="corpus_site.E032"))
    if settings.INDEX_TOKEN and len(settings.INDEX_TOKEN) < LEAST_KEY_CHARS:
        words = f"INDEX_TOKEN must have {LEAST_KEY_CHARS} or more random characters."
        found.append(Error(words, id="corpus_site.E033"))
    return found


def index_source_error(source: str) -> str:
    """Say what is wrong with a place to follow the index from; empty for nothing."""
    if source.startswith("s3://"):
        try:
            bucket_and_prefix(source, "INDEX_SOURCE")
        except StoreAddressError as error:
            return str(error)
        return ""
    try:
        parts = urlsplit(source)
        is_site = parts.scheme in {"http", "https"} and parts.hostname and parts.port != 0
    except ValueError:
        is_site = False
    if not is_site or parts.username or parts.query or parts.fragment:
        return "INDEX_SOURCE must look like https://corpus.example.org or s3://bucket/prefix."
    if not settings.INDEX_TOKEN:
        return "INDEX_TOKEN must be that of the machine with the index."
    return ""


@register(SETTINGS_TAG)
def data_folder(app_configs: Sequence[Any] | None, **options: Any) -> list[CheckMessage]:  # noqa: ARG001
    """Check that the data folder can be written and has room."""
    probe = settings.DATA_DIR / ".writable"
    try:
        probe.touch()
        probe.unlink()
    except OSError as error:
        return [Error(f"DATA_DIR cannot be written: {error}.", id="corpus_site.E010")]
    free = shutil.disk_usage(settings.DATA_DIR).free
    if free < LEAST_FREE_BYTES:
        return [
            Caution(
                f"Only {size(free)} are free in DATA_DIR.",
                hint="Crawling fills the archive; make room or move DATA_DIR.",
                id="corpus_site.W010",
            )
        ]
    return []


@register(SETTINGS_TAG)
def learnt_languages(app_configs: Sequence[Any] | None, **options: Any) -> list[CheckMessage]:  # noqa: ARG001
    """Name languages whose models cannot be used: their texts are not tagged."""
    return [
        Caution(
            f"{folder} is not whole, or of another version: texts in this language are not tagged.",
            hint=f"manage.py train_tagger --language {folder.name} TREEBANK.conllu; or delete it",
            id="corpus_site.W034",
        )
        for folder in unusable_folders()
    ]


@register(SETTINGS_TAG)
def sqlite_version(app_configs: Sequence[Any] | None, **options: Any) -> list[CheckMessage]:  # noqa: ARG001
    """Check that SQLite knows RETURNING."""
    if settings.DATABASE_URL or sqlite3.sqlite_version_info >= OLDEST_SQLITE:
        return []
    return [
        Error(
            f"SQLite {sqlite3.sqlite_version} is too old: 3.35 or newer is needed.",
            id="corpus_site.E011",
        )
    ]


@register(SETTINGS_TAG)
def settings_in_vain(app_configs: Sequence[Any] | None, **options: Any) -> list[CheckMessage]:  # noqa: ARG001
    """Name variables that are set but read no more; what they chose stays as it is."""
    return [
        Caution(
            f"{name} is not read any more: unset it.",
            hint="Editors choose the method under /duplicates/limit/.",
            id="corpus_site.W013",
        )
        for name in settings.SET_IN_VAIN
    ]


# What a way to sign in needs beside the setting that opens it.
_SIGN_IN_NEEDS = (
    ("SIGN_IN_OPENID_ISSUER", "SIGN_IN_OPENID_CLIENT", "corpus_site.E014"),
    ("SIGN_IN_LDAP_URL", "SIGN_IN_LDAP_BASE", "corpus_site.E015"),
    # From everywhere else anybody could write the header.
    ("SIGN_IN_HEADER", "SIGN_IN_HEADER_FROM", "corpus_site.E016"),
)


@register(SETTINGS_TAG)
def sign_in_ways(app_configs: Sequence[Any] | None, **options: Any) -> list[CheckMessage]:  # noqa: ARG001
    """Check that each way to sign in has what it needs."""
    found: list[CheckMessage] = [
        Error(f"{name} is set, so set {needed} too.", id=number)
        for name, needed, number in _SIGN_IN_NEEDS
        if getattr(settings, name) and not getattr(settings, needed)
    ]
    if "{name}" not in settings.SIGN_IN_LDAP_FILTER:
        found.append(Error("SIGN_IN_LDAP_FILTER needs {name}.", id="corpus_site.E017"))
    return found


@register(SETTINGS_TAG)
def message_settings(app_configs: Sequence[Any] | None, **options: Any) -> list[CheckMessage]:  # noqa: ARG001
    """Check the addresses and keys that messages rest on."""
    found: list[CheckMessage] = []
    for name, number in (("SITE_URL", "E018"), ("HEARTBEAT_URL", "E019")):
        address = getattr(settings, name)
        if address and not address.startswith(("http://", "https://")):
            found.append(
                Error(f"{name} must begin with http:// or https://.", id=f"corpus_site.{number}")
            )
    try:
        [Fernet(key) for key in settings.SECRETS_KEYS]
    except ValueError:
        found.append(
            Error(
                "SECRETS_KEYS must be Fernet keys: 32 bytes in URL-safe base64.",
                id="corpus_site.E020",
            )
        )
    if settings.EMAIL_URL and "//localhost" in settings.SITE_URL:
        found.append(
            Caution(
                "Mails lead to localhost: set SITE_URL to how readers reach the site.",
                id="corpus_site.W014",
            )
        )
    return found


@register(SETTINGS_TAG, deploy=True)
def secret_key(app_configs: Sequence[Any] | None, **options: Any) -> list[CheckMessage]:  # noqa: ARG001
    """Check that a production site has a secret key of its own."""
    if settings.SECRET_KEY_IS_GIVEN and len(settings.SECRET_KEY) >= LEAST_KEY_CHARS:
        return []
    return [Caution("Set SECRET_KEY to 32 or more random characters.", id="corpus_site.W012")]


@register(SETTINGS_TAG, deploy=True)
def untrusted_proxy(app_configs: Sequence[Any] | None, **options: Any) -> list[CheckMessage]:  # noqa: ARG001
    """Say that requests come through a proxy that no setting names."""
    address = untrusted_proxies.seen()
    if not address:
        return []
    return [
        Caution(
            f"{address} passes on requests of others (X-Forwarded-For), and TRUSTED_PROXIES is 0: "
            "all its readers count as one address.",
            hint="Set TRUSTED_PROXIES=1 if it is the proxy before this site.",
            id="corpus_site.W026",
        )
    ]
