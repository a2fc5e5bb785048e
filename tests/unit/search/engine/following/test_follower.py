"""A follower's folder holds what its source's does, whatever breaks on the way."""

import json
import random
from dataclasses import asdict, replace
from pathlib import Path

import pytest
from small_corpora import document, words_of, write

from search.engine.following.follower import (
    INCOMING,
    Follower,
    MovedOnError,
    NotAFollowerError,
    SourceError,
)
from search.engine.following.listing import (
    Listing,
    ListingError,
    list_index,
    read_listed,
)
from search.engine.index.building.fading import fade
from search.engine.index.building.merging import merge_step
from search.engine.index.building.rebuild import IndexRebuild
from search.engine.index.building.writer import IndexWriter
from search.engine.index.documents import DocumentKind
from search.engine.index.errors import IndexLockedError
from search.engine.index.manifest import load_manifest
from search.engine.index.reader import IndexReader

ARTICLE = DocumentKind.ARTICLE


class FolderSource:
    """A source in another folder; counts bytes, and can break after some of them."""

    def __init__(self, folder):
        self.folder = folder
        self.n_bytes = 0
        self.breaks_after = None

    def listing(self):
        return Listing.of_bytes(list_index(self.folder).to_bytes())

    def read(self, file, offset, length):
        try:
            data = read_listed(self.folder, file.name, file.digest, (offset, length))
        except FileNotFoundError as error:
            raise MovedOnError(str(error)) from error
        if self.breaks_after is not None and self.n_bytes + len(data) > self.breaks_after:
            raise SourceError("broken")
        self.n_bytes += len(data)
        return data


@pytest.fixture
def there(tmp_path):
    folder = tmp_path / "there"
    write(folder, [document(1, "Quagga rain"), document(2, "snow rain")], [document(3, "rain")])
    return folder


@pytest.fixture
def source(there):
    return FolderSource(there)


@pytest.fixture
def here(tmp_path):
    return tmp_path / "here"


def follow(here, source, **options):
    follower = Follower(here, source)
    with follower.alone():
        return follower.follow(source.listing(), **options)


def contents(folder):
    """All bytes of a folder by name, but for locks and manifests."""
    return {
        path.name: path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.suffix in {".segment", ".removals", ".base", ".log"}
    }


def named(folder):
    """The same of what the present generation names; a writer keeps files of the one before."""
    names = load_manifest(folder).file_names()
    return {name: data for name, data in contents(folder).items() if name in names}


def is_like(here, there):
    return contents(here) == named(there) and load_manifest(here) == load_manifest(there)


def test_first_copy_is_the_index_and_a_second_look_costs_nothing(here, there, source):
    assert follow(here, source)
    assert is_like(here, there)
    before = source.n_bytes

    assert not follow(here, source)

    assert source.n_bytes == before
    assert words_of(IndexReader(here).snapshot, ARTICLE, 1) == "Quagga rain"


def test_open_reader_sees_each_generation_and_older_ones_stay(here, there, source):
    follow(here, source)
    reader = IndexReader(here)
    write(there, [document(1, "Quagga snow falls")], [document(4, "hail")])

    follow(here, source)

    assert reader.generation == 2
    reader.refresh()
    assert reader.generation == 4
    assert words_of(reader.snapshot, ARTICLE, 1) == "Quagga snow falls"
    assert words_of(reader.snapshot, ARTICLE, 1, generation=2) == "Quagga rain"
    assert is_like(here, there)


def test_only_what_is_new_is_fetched(here, there, tmp_path):
    big = [document(key, f"w{key} " * 2_000) for key in range(1, 6)]
    write(tmp_path / "big", big, tail_tokens=1)
    source = FolderSource(tmp_path / "big")
    follow(here, source)
    first, source.n_bytes = source.n_bytes, 0
    write(tmp_path / "big", [document(9, "hail")], tail_tokens=1)

    follow(here, source)

    assert source.n_bytes < first / 5
    assert is_like(here, tmp_path / "big")


def test_erased_text_and_its_words_leave_the_disk(here, there, source):
    follow(here, source)
    with IndexWriter(there) as writer:
        writer.erase(ARTICLE, 1)
        writer.commit()
    follow(here, source)
    assert words_of(IndexReader(here).snapshot, ARTICLE, 1, generation=1) is None
    fade(there)

    follow(here, source)

    assert b"uagga" not in b"".join(contents(here).values())
    assert is_like(here, there)


def test_what_was_half_fetched_of_an_erased_text_goes_too(here, there, source):
    source.breaks_after = 0
    with pytest.raises(SourceError):
        follow(here, source)
    stale = source.listing().files[0]
    (here / INCOMING / stale.object_name).write_bytes(b"Quagga")
    with IndexWriter(there) as writer:
        writer.erase(ARTICLE, 1)
        writer.commit()
    fade(there)
    source.breaks_after = None

    follow(here, source)

    assert not list((here / INCOMING).iterdir())


def test_every_break_leaves_a_whole_generation_and_is_gone_on_from(here, there, source):
    follow(here, source)
    with IndexWriter(there) as writer:
        writer.add(document(1, "Quagga again"))
        writer.add(document(5, "hail"))
        writer.commit()
    merge_step(there)
    total = sum(file.n_bytes for file in source.listing().files)
    rng = random.Random(4)
    for breaks_after in [*sorted(rng.sample(range(total), 12)), None]:
        source.n_bytes, source.breaks_after = 0, breaks_after
        try:
            follow(here, source)
        except SourceError:
            snapshot = IndexReader(here).snapshot
            assert not snapshot.damaged
            assert snapshot.generation == 2
    assert is_like(here, there)


def test_fetching_goes_on_where_it_ended(here, tmp_path, monkeypatch):
    monkeypatch.setattr("search.engine.following.follower.PART_BYTES", 1_000)
    write(tmp_path / "big", [document(1, " ".join(f"w{n}" for n in range(3_000)))])
    source = FolderSource(tmp_path / "big")
    total = sum(file.n_bytes for file in source.listing().files)
    source.breaks_after = 30_500  # within the segment, which comes first
    with pytest.raises(SourceError):
        follow(here, source)
    source.breaks_after = None

    follow(here, source)

    assert source.n_bytes == total
    assert is_like(here, tmp_path / "big")


def test_rebuilt_and_restored_indexes_are_followed(here, there, source, tmp_path):
    follow(here, source)
    reader = IndexReader(here)
    with IndexRebuild(there) as rebuild:
        rebuild.add(document(1, "Quagga rain"))
        rebuild.publish()
    follow(here, source)
    reader.refresh()
    assert words_of(reader.snapshot, ARTICLE, 1) == "Quagga rain"
    assert words_of(reader.snapshot, ARTICLE, 2) is None

    # Put back from a backup: the same names and generations come again with other contents.
    restored = tmp_path / "restored"
    write(restored, [document(1, "Quagga rain"), document(2, "snow rain")], [document(3, "hail")])
    manifest = replace(load_manifest(restored), identity=load_manifest(here).identity)
    source.folder = restored
    listing = replace(list_index(restored), manifest=manifest)
    follower = Follower(here, source)
    with follower.alone():
        follower.follow(listing)
        assert not follower.follow(listing)
    reader.refresh()
    assert words_of(reader.snapshot, ARTICLE, 3) == "hail"
    assert contents(here) == named(restored)


def test_damaged_file_here_is_fetched_again_by_a_thorough_look(here, there, source):
    follow(here, source)
    segment = next(path for path in here.iterdir() if path.suffix == ".segment")
    data = bytearray(segment.read_bytes())
    data[64] ^= 1
    segment.write_bytes(data)
    assert not follow(here, source)

    assert follow(here, source, is_thorough=True)

    assert contents(here) == named(there)


class Lying(FolderSource):
    def __init__(self, folder, lie):
        super().__init__(folder)
        self.lie = lie

    def read(self, file, offset, length):
        return self.lie(super().read(file, offset, length))


@pytest.mark.parametrize(
    "lie",
    [
        lambda data: data[:-1],
        lambda data: data + b"x",
        lambda data: data[:0],
        lambda data: bytes(len(data)),
        lambda data: data[:64] + bytes([data[64] ^ 255]) + data[65:],
    ],
    ids=["short", "long", "empty", "zeros", "flipped"],
)
def test_what_a_source_makes_up_is_never_served(here, there, source, lie):
    follow(here, source)
    before = contents(here)
    write(there, [document(7, "hail falls on the roofs of the town"), document(8, "snow " * 90)])

    with pytest.raises(SourceError):
        follow(here, Lying(there, lie))

    assert not IndexReader(here).snapshot.damaged
    assert IndexReader(here).generation == 2
    assert set(before) <= set(contents(here))
    follow(here, source)
    assert is_like(here, there)


def lies():
    """Ways to change a listing: none of them may be read."""

    def change(path, value):
        def act(plain):
            *way, last = path
            target = plain
            for step in way:
                target = target[step]
            target[last] = value

        return act

    first = ("manifest", "segments", 0)
    return [
        change((*first, "name"), "../../../etc/passwd"),
        change((*first, "name"), "/etc/00000001.segment"),
        change((*first, "name"), "00000001.segment\n"),
        change((*first, "name"), 7),
        change((*first, "removals"), "../00000001.removals"),
        change((*first, "n_tokens"), -1),
        change((*first, "first_day"), "x"),
        change((*first, "more"), 1),
        change(("manifest", "lexicon", "epoch"), "../x"),
        change(("manifest", "lexicon", "epoch"), 1e300),
        change(("manifest", "lexicon", "log_bytes"), -5),
        change(("manifest", "generation"), 1.5),
        change(("manifest", "identity"), "../../x"),
        change(("manifest", "version"), 99),
        change(("manifest", "segments"), []),
        change(("files", 0, "name"), "../00000001.segment"),
        change(("files", 0, "name"), "manifest.json"),
        change(("files", 0, "digest"), "../../../tmp/evil"),
        change(("files", 0, "n_bytes"), 10**30),
        change(("files", 0, "n_bytes"), -1),
        change(("files", 0, "n_bytes"), "9"),
        change(("files", 0, "parts"), ["0" * 16]),
        change(("files",), {}),
        change(("files",), []),
        change(("listing",), 2),
        change(("listing",), None),
    ]


@pytest.mark.parametrize("number", range(len(lies())))
def test_listing_with_a_lie_is_not_read(there, number):
    plain = json.loads(list_index(there).to_bytes())
    Listing.of_bytes(json.dumps(plain).encode())
    lies()[number](plain)
    with pytest.raises(ListingError):
        Listing.of_bytes(json.dumps(plain).encode())


@pytest.mark.parametrize("data", [b"", b"<html>", b"[]", b"null", b"[" * 100_000, b"\xff"])
def test_what_is_no_listing_is_not_read(data):
    with pytest.raises(ListingError):
        Listing.of_bytes(data)


@pytest.mark.parametrize("name", ["manifest.json", "../there/manifest.json", "writer.lock", ""])
def test_only_files_of_an_index_are_given_away(there, name):
    with pytest.raises(FileNotFoundError):
        read_listed(there, name, "0" * 16, (0, 10))


def test_folder_that_follows_has_no_other_writer(here, there, source):
    follow(here, source)
    with pytest.raises(IndexLockedError), IndexWriter(here, lock_timeout_seconds=0):
        pass
    with pytest.raises(IndexLockedError), IndexRebuild(here, lock_timeout_seconds=0):
        pass
    follower = Follower(here, source)
    with follower.alone(), pytest.raises(IndexLockedError), Follower(here, source).alone():
        pass


def test_folder_that_was_written_here_does_not_follow(there, source):
    with pytest.raises(NotAFollowerError), Follower(there, source).alone():
        pass


def test_disk_without_room_is_said_before_anything_is_fetched(here, source):
    follower = Follower(here, source, min_free_bytes=1 << 60)
    with follower.alone(), pytest.raises(SourceError, match="more bytes"):
        follower.follow(source.listing())
    assert source.n_bytes == 0


def test_listing_is_small(there):
    assert len(list_index(there).to_bytes()) < 2_000
    assert {Path(file.name).suffix for file in list_index(there).files} <= {
        ".segment", ".removals", ".base", ".log"
    }  # fmt: skip
    assert asdict(list_index(there))["files"]
