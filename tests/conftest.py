"""What all tests share: time as needed, a quick password hasher, any order by a seed.

Property tests may take the time they need, however busy the machine.
"""

import gc
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings as django_settings
from django.db import connection
from django.test.utils import setup_databases, teardown_databases
from hypothesis import settings
from migrated_tables import copy_tables

from corpus_site.running.memory import settle

settings.register_profile("without deadline", deadline=None)
settings.load_profile("without deadline")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--shuffle", type=int, metavar="SEED", help="modules and tests in any order")


def pytest_configure() -> None:
    """Hash passwords in no time: a good hasher is slow on purpose.

    No file of a test's open transaction can be written anew. All figures are of now. Static files
    are looked for when one is asked for, not by each client's middleware. Until all modules are
    read nothing is garbage.
    """
    gc.disable()
    django_settings.TALLY_DEAR_MS = 10**9
    django_settings.WHITENOISE_AUTOREFRESH = True
    django_settings.COMPACT_BELOW_BYTES = 0
    django_settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture(scope="session")
def django_db_setup(django_test_environment, django_db_blocker) -> Iterator[None]:
    """Make the test database, as pytest-django does; on SQLite from a copy where there is one."""
    with django_db_blocker.unblock():
        name = connection.creation._get_test_db_name()
        is_copy = connection.vendor == "sqlite" and copy_tables(Path(name))
        made = setup_databases(
            verbosity=0, interactive=False, serialized_aliases=(), keepdb=is_copy
        )
    yield
    with django_db_blocker.unblock():
        teardown_databases(made, verbosity=0)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Shuffle modules, and the tests inside each, which may share what is dear to make."""
    seed = config.getoption("--shuffle")
    if seed is None:
        return
    shuffled = random.Random(seed)
    places = {path: shuffled.random() for path in dict.fromkeys(item.path for item in items)}
    ranks = {item: (places[item.path], shuffled.random()) for item in items}
    items.sort(key=ranks.__getitem__)


def pytest_collection_finish() -> None:
    """Leave the 400 000 objects of modules and tests out of what each collection looks through.

    What is made after them is looked through as seldom as in every process of the product.
    """
    settle()
    gc.enable()


def pytest_report_header(config: pytest.Config) -> list[str]:
    seed = config.getoption("--shuffle")
    return [] if seed is None else [f"shuffled by {seed}"]
