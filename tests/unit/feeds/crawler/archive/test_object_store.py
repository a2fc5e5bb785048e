"""The archive's object store, against a server that speaks S3's protocol."""

import multiprocessing
import socket
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

import pytest
from object_stores import KEYS, new_bucket, s3_server

from feeds.crawler.archive.object_store import ObjectStore
from feeds.crawler.archive.places import Archive
from feeds.crawler.archive.store_address import (
    StoreAddress,
    StoreAddressError,
    StoreAwayError,
    bucket_and_prefix,
)

NAME = "broadsheet-1.warc.gz"


@pytest.fixture(scope="module")
def endpoint():
    with s3_server() as address:
        yield address


@pytest.fixture
def store(endpoint):
    return ObjectStore(StoreAddress(f"s3://{new_bucket(endpoint)}/papers", endpoint, "", *KEYS))


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(bytes(range(256)) * 10)
    return path


def test_bytes_of_a_file_come_by_range(store, path):
    store.put(path, NAME)

    assert store.size(NAME) == 2560
    assert store.read(NAME, 256, 3) == b"\0\1\2"
    assert store.read(NAME, 2558, 10) == b"\xfe\xff"  # it ends there
    assert store.read(NAME, 2560, 10) == b""


def test_large_file_is_stored_in_parts_and_comes_back_whole(store, tmp_path):
    path, back = tmp_path / "large", tmp_path / "back"
    path.write_bytes(bytes(range(251)) * 160_000)

    store.put(path, NAME)
    store.fetch(NAME, back)

    assert back.read_bytes() == path.read_bytes()


def test_file_that_is_stored_again_takes_the_place_of_the_first(store, path):
    store.put(path, NAME)
    path.write_bytes(b"new")
    store.put(path, NAME)

    assert store.read(NAME, 0, 100) == b"new"


def test_missing_file_is_told_from_a_store_that_is_away(store, path, endpoint):
    with pytest.raises(FileNotFoundError, match=r"broadsheet-1\.warc\.gz is not in the store"):
        store.read(NAME, 0, 10)
    store.put(path, NAME)  # the store is asked again at once

    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        port = closed.getsockname()[1]
    away = ObjectStore(StoreAddress("s3://bucket", f"http://127.0.0.1:{port}", "", *KEYS))
    with pytest.raises(StoreAwayError, match="s3://bucket cannot be used"):
        away.read(NAME, 0, 10)
    with pytest.raises(StoreAwayError, match="did not answer a moment ago"):
        away.size(NAME)


def test_refused_keys_are_no_missing_file_and_are_not_told():
    class Refusing(BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_error(403)

        def log_message(self, *_):
            pass

    server = HTTPServer(("127.0.0.1", 0), Refusing)
    Thread(target=server.serve_forever, daemon=True).start()
    store = ObjectStore(
        StoreAddress("s3://bucket", f"http://127.0.0.1:{server.server_port}", "", *KEYS)
    )
    try:
        with pytest.raises(StoreAwayError) as caught:
            store.read(NAME, 0, 10)
    finally:
        server.shutdown()
        server.server_close()
    assert "403" in str(caught.value)
    assert KEYS[1] not in str(caught.value)
    assert KEYS[1] not in repr(StoreAddress("s3://bucket", "", "", *KEYS))


def _size_in_a_child(store, answers):
    try:
        answers.send(store.size(NAME))
    except StoreAwayError as error:
        answers.send(str(error))


def test_process_forked_after_its_parent_used_a_store_is_refused(store, path):
    store.put(path, NAME)
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    child = context.Process(target=_size_in_a_child, args=(store, sender))
    child.start()

    assert receiver.poll(20)
    assert receiver.recv() == "The store was used before this process was forked."
    child.join()


def test_folder_comes_before_the_store(store, path, tmp_path):
    store.put(path, NAME)
    archive = Archive(tmp_path / "here", store)
    with archive.open(NAME) as file:
        file.seek(1)
        assert file.read(2) == b"\1\2"
    with archive.whole(NAME) as fetched:
        assert fetched.read_bytes() == path.read_bytes()
    assert not fetched.exists()

    (tmp_path / "here" / NAME).write_bytes(b"own")
    with archive.open(NAME) as file:
        assert file.read(100) == b"own"
    with archive.whole(NAME) as own:
        assert own == tmp_path / "here" / NAME


@pytest.mark.parametrize(
    ("url", "expected"),
    [("s3://bucket", ("bucket", "")), ("s3://bucket/a/b/", ("bucket", "a/b"))],
)
def test_address_of_a_store(url, expected):
    assert bucket_and_prefix(url) == expected


@pytest.mark.parametrize(
    "url",
    ["bucket", "https://bucket/a", "s3://", "s3:///a", "s3://key:secret@bucket", "s3://b?x=1"],
)
def test_address_that_is_none_is_refused(url):
    with pytest.raises(StoreAddressError, match="ARCHIVE_"):
        bucket_and_prefix(url)
