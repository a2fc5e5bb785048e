"""The index on several machines: published, followed, and said of each copy how far it is."""

import json
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse
from object_stores import KEYS, new_bucket, s3_server
from small_corpora import document, words_of, write

from corpus_site import checks
from corpus_site.alarms.needs import all_needs
from corpus_site.running.index_copies import index_publisher
from feeds.network import store_at
from search import forgetting
from search.engine.following.follower import Follower, SourceError
from search.engine.following.http_source import HttpSource
from search.engine.following.published import LISTING_NAME
from search.engine.index.building.fading import fade
from search.engine.index.building.merging import merge_step
from search.engine.index.building.writer import IndexWriter
from search.engine.index.documents import DocumentKind
from search.engine.index.errors import IndexLockedError
from search.engine.index.manifest import load_manifest
from search.engine.index.reader import IndexReader
from search.models import IndexFollower
from search.stage.followers import FollowedState, follower_rows, note

NOW = datetime(2026, 11, 25, 12, tzinfo=UTC)
TOKEN = "a-word-of-thirty-two-characters-x"
ARTICLE = DocumentKind.ARTICLE


@pytest.fixture(scope="module")
def endpoint():
    with s3_server() as address:
        yield address


@pytest.fixture
def machines(settings, tmp_path):
    """Two folders: one is written, the other follows; `go` goes on as one of both."""
    settings.INDEX_TOKEN = TOKEN
    settings.MIN_FREE_DISK_BYTES = 0
    written, copy = tmp_path / "written", tmp_path / "copy"
    write(written, [document(1, "Quagga rain"), document(2, "snow")], [document(3, "rain")])

    def go(folder, name):
        settings.INDEX_DIR, settings.MACHINE_NAME = folder, name

    return SimpleNamespace(
        written=written,
        copy=copy,
        as_writer=lambda: go(written, "indexer"),
        as_web=lambda: go(copy, "web"),
    )


@pytest.fixture
def bucket(endpoint, settings):
    settings.INDEX_URL = f"s3://{new_bucket(endpoint)}/index"
    settings.ARCHIVE_ENDPOINT_URL = endpoint
    settings.ARCHIVE_KEY_ID, settings.ARCHIVE_SECRET_KEY = KEYS
    return settings.INDEX_URL


def publish(machines):
    machines.as_writer()
    return index_publisher().publish()


def follow(machines, source, **options):
    machines.as_web()
    call_command("follow_index", source, once=True, **options)


def erase(folder, key):
    with IndexWriter(folder) as writer:
        writer.erase(ARTICLE, key)
        writer.commit()
    fade(folder)


@pytest.mark.django_db
def test_index_goes_through_a_store_and_what_is_erased_leaves_it(machines, bucket):
    assert publish(machines).manifest.generation == 2
    follow(machines, bucket)
    assert load_manifest(machines.copy) == load_manifest(machines.written)

    for key in range(4, 14):
        write(machines.written, [document(key, f"hail{key} falls")], tail_tokens=4)
        publish(machines)
    merge_step(machines.written)
    erase(machines.written, 1)
    publish(machines)
    follow(machines, bucket)

    assert load_manifest(machines.copy) == load_manifest(machines.written)
    store = store_at(bucket)
    listed = index_names(store)
    assert store.names() == listed
    stored = b"".join(store.read(name, 0, 1 << 22) for name in listed)
    assert b"hail9" in stored
    assert b"uagga" not in stored
    assert words_of(IndexReader(machines.copy).snapshot, ARTICLE, 13) == "hail13 falls"


def index_names(store):
    files = json.loads(store.read(LISTING_NAME, 0, 1 << 22))["files"]
    whole = {f"{file['name']}-{file['digest']}" for file in files if not file["parts"]}
    parts = {
        f"{file['name']}-{number}-{part}"
        for file in files
        for number, part in enumerate(file["parts"])
    }
    return whole | parts | {LISTING_NAME}


@pytest.mark.django_db
def test_publisher_that_was_killed_is_gone_on_from_and_others_files_stay(machines, bucket):
    store = store_at(bucket)
    store.put_bytes(b"records", "karoo.warc.gz")
    store.put_bytes(b"of a killed one", "00000001.segment-0123456789abcdef")
    store.put_bytes(b"{", LISTING_NAME)
    with pytest.raises(CommandError, match="no listing of an index"):
        follow(machines, bucket)

    publish(machines)
    follow(machines, bucket)

    assert store.names() == index_names(store) | {"karoo.warc.gz"}
    assert publish(machines) is not None  # another process looks anew
    publisher = index_publisher()
    assert publisher.publish() is not None
    assert publisher.publish() is None


@pytest.mark.django_db(transaction=True)
def test_index_goes_by_http_to_whoever_has_the_token(machines, live_server, settings):
    machines.as_writer()
    for number in range(2):
        write(machines.written, [document(10 + number, f"hail{number} falls on the town")])
        follower = Follower(machines.copy, HttpSource(live_server.url, TOKEN))
        with follower.alone():
            assert follower.follow(HttpSource(live_server.url, TOKEN).listing())
    assert load_manifest(machines.copy) == load_manifest(machines.written)

    with pytest.raises(SourceError, match="does not take this machine's INDEX_TOKEN"):
        HttpSource(live_server.url, "x" * 33).listing()
    settings.INDEX_TOKEN = ""
    with pytest.raises(SourceError, match="does not take this machine's INDEX_TOKEN"):
        HttpSource(live_server.url, "").listing()


@pytest.mark.django_db
def test_files_of_the_index_alone_are_given_away_and_by_the_token_alone(machines, client):
    machines.as_writer()
    bearer = {"Authorization": f"Bearer {TOKEN}"}
    listing = client.get(reverse("index-listing"), headers=bearer)
    file = json.loads(listing.content)["files"][0]
    path = reverse("index-file", args=[file["name"]])
    asked = {"from": "0", "length": "64", "digest": file["digest"]}

    assert len(client.get(path, asked, headers=bearer).content) == 64
    assert client.get(path, asked).status_code == 401
    assert client.get(reverse("index-listing")).status_code == 401
    for change, status in [
        ({"length": "99999999"}, 400),
        ({"length": "0"}, 400),
        ({"from": "-1"}, 400),
        ({"from": "x"}, 400),
        ({"digest": "0" * 16}, 404),
    ]:
        assert client.get(path, asked | change, headers=bearer).status_code == status
    for name in ("manifest.json", "..%2f..%2fetc%2fpasswd", "writer.lock", "%2fetc%2fpasswd"):
        answer = client.get(f"/index-files/{name}", asked, headers=bearer)
        assert answer.status_code == 404
    (machines.written / "manifest.json").unlink()
    assert client.get(reverse("index-listing"), headers=bearer).status_code == 503


@pytest.mark.django_db
def test_copy_is_late_until_it_has_what_the_index_stage_has_noted(machines, admin_reader, bucket):
    publish(machines)
    follow(machines, bucket)
    (row,) = follower_rows(NOW)
    assert (row.machine, row.generation, row.behind) == ("web", 2, 0)
    IndexFollower.objects.update(current_at=NOW - timedelta(minutes=9), checked_at=NOW)

    note(FollowedState(bucket, 2, 5, problem="The store is away."), NOW)

    (row,) = follower_rows(NOW)
    assert (row.behind, row.is_late, row.seconds) == (3, True, 540)
    (need,) = [need for need in all_needs(NOW) if need.kind == "index"]
    assert need.subject == "The index on web"
    assert "3 generations behind" in need.sentence
    assert "The store is away." in need.sentence
    assert "The store is away." in admin_reader.get(reverse("status")).content.decode()
    said = admin_reader.get("/healthz").json()
    assert said["index"] == "late"
    assert 'broadsheet_index_behind_generations{machine="web"} 3.0' in (
        admin_reader.get(reverse("metrics")).content.decode()
    )

    note(FollowedState(bucket, 5, 5), NOW)
    assert [need for need in all_needs(NOW) if need.kind == "index"] == []
    silent = NOW + timedelta(minutes=6)
    (need,) = [need for need in all_needs(silent) if need.kind == "index"]
    assert "gives no sign" in need.sentence


@pytest.mark.django_db
def test_status_says_how_far_each_copy_is(capsys):
    note(FollowedState("s3://papers/index", 2, 5), NOW)
    call_command("status")
    assert "index on " in capsys.readouterr().out


@pytest.mark.django_db
def test_machine_with_a_copy_neither_writes_nor_fades(machines, bucket):
    publish(machines)
    follow(machines, bucket)
    assert forgetting.fade() is None
    with pytest.raises(IndexLockedError), IndexWriter(machines.copy, lock_timeout_seconds=0):
        pass
    machines.as_writer()
    with pytest.raises(CommandError, match="was written on this machine"):
        call_command("follow_index", bucket, once=True)


@pytest.mark.django_db
def test_store_that_is_away_is_said_and_what_is_here_stays(machines, bucket, settings):
    publish(machines)
    follow(machines, bucket)
    settings.ARCHIVE_ENDPOINT_URL = "http://127.0.0.1:9"
    with pytest.raises(CommandError, match="cannot be used"):
        follow(machines, bucket)
    assert IndexReader(machines.copy).generation == 2
    assert "cannot be used" in IndexFollower.objects.get().problem


@pytest.mark.parametrize(
    "changes",
    [
        {"INDEX_URL": "http://store/x"},
        {"INDEX_URL": "s3://papers/", "ARCHIVE_URL": "s3://papers"},
        {"INDEX_URL": "s3://papers/index", "INDEX_SOURCE": "s3://papers/index"},
        {"INDEX_SOURCE": "corpus.example.org", "INDEX_TOKEN": TOKEN},
        {"INDEX_SOURCE": "https://user:pw@corpus.example.org", "INDEX_TOKEN": TOKEN},
        {"INDEX_SOURCE": "https://corpus.example.org"},
        {"INDEX_SOURCE": "https://corpus.example.org:x", "INDEX_TOKEN": TOKEN},
        {"INDEX_TOKEN": "short"},
    ],
)
def test_settings_that_cannot_be_are_named(settings, changes):
    assert checks.index_copies(None) == []
    for name, value in changes.items():
        setattr(settings, name, value)
    assert len(checks.index_copies(None)) == 1
