"""Damage that only an answer shows: named, left out, and the page shown again without it."""

from io import StringIO
from pathlib import Path

import numpy as np
import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.http import HttpResponse
from django.test import RequestFactory
from factories import index_all, make_article

from search import opened_index
from search.damage_middleware import DamageMiddleware
from search.engine.index import codec
from search.engine.index.documents import DocumentKind
from search.opened_index import current_snapshot, find_new_damage

pytestmark = pytest.mark.django_db


@pytest.fixture
def damaged_index(monkeypatch):
    """An index whose token stream holds a number that no type has; opening does not notice."""
    monkeypatch.setattr(codec, "CHECKED_BYTES", 0)
    article = make_article("We braai on Sundays.")
    index_all()
    (path,) = Path(settings.INDEX_DIR).glob("*.segment")
    data = bytearray(path.read_bytes())
    data[64:68] = np.array([4_000_000], dtype="<u4").tobytes()
    path.unlink()
    path.write_bytes(data)
    opened_index._reader.cache_clear()
    return article


def failing_page(request):
    raise IndexError("index 4000000 is out of bounds")


def test_page_is_asked_for_again_without_the_damaged_segment(damaged_index):
    middleware = DamageMiddleware(failing_page)
    request = RequestFactory().get("/search/?q=braai")
    assert current_snapshot().damaged == ()

    answer = middleware.process_exception(request, IndexError("out of bounds"))

    assert (answer.status_code, answer.url) == (302, "/search/?q=braai")
    assert len(current_snapshot().damaged) == 1
    assert current_snapshot().size().n_documents == 0
    assert middleware.process_exception(request, IndexError("again")) is None


@pytest.mark.parametrize("error", [IndexError("other"), KeyError("other")])
def test_error_without_damage_goes_its_way(error):
    make_article("We braai.")
    index_all()
    middleware = DamageMiddleware(lambda _request: HttpResponse("fine"))
    request = RequestFactory().get("/")

    assert middleware.process_exception(request, error) is None
    assert middleware(request).content == b"fine"


def test_stored_text_with_unknown_numbers_names_its_file(damaged_index):
    with pytest.raises(codec.DamagedFileError) as caught:
        current_snapshot().document(DocumentKind.ARTICLE, damaged_index.pk)

    assert caught.value.name.endswith(".segment")


def test_verify_names_damaged_files(damaged_index):
    with pytest.raises(
        CommandError, match=r"(?s)\.segment: section stream has changed bytes.*reindex"
    ):
        call_command("reindex", "--verify")

    call_command("reindex", stdout=StringIO())
    out = StringIO()
    call_command("reindex", "--verify", stdout=out)

    assert out.getvalue() == "All files of the index are whole.\n"
    assert find_new_damage() == []
