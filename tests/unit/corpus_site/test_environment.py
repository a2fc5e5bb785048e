"""What the environment sets: nothing where it is empty, a sentence where it is wrong."""

from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from corpus_site.settings import Environment


@pytest.mark.parametrize("given", ["", " "])
def test_what_is_empty_is_not_set(monkeypatch, given):
    monkeypatch.setenv("ASKED", given)
    env = Environment()

    assert env.int("ASKED", default=8000) == 8000
    assert env.float("ASKED", default=5.0) == 5.0
    assert env.bool("ASKED", default=True) is True
    assert env.folder("ASKED", Path("/srv/data")) == Path("/srv/data")


def test_what_is_set_is_taken(monkeypatch):
    monkeypatch.setenv("ASKED", "0")
    env = Environment()

    assert env.int("ASKED", default=8000) == 0
    assert env.bool("ASKED", default=True) is False
    assert env.folder("ASKED", Path("/srv/data")) == Path("0").resolve()


@pytest.mark.parametrize(
    ("read", "sentence"),
    [
        ("int", "ASKED must be a number, not 'ture'."),
        ("float", "ASKED must be a number, not 'ture'."),
        ("bool", "ASKED must be yes or no, not 'ture'."),
    ],
)
def test_what_is_wrong_is_named(monkeypatch, read, sentence):
    monkeypatch.setenv("ASKED", "ture")

    with pytest.raises(ImproperlyConfigured) as raised:
        getattr(Environment(), read)("ASKED", default=1)

    assert str(raised.value) == sentence
