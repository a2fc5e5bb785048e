"""The processes that carry the index from machine to machine: its publisher and its followers.

The publisher brings each generation to the object store of INDEX_URL; a follower brings this
machine's INDEX_DIR to what a store, or the web pages of the machine that writes the index, list.
Both go on by themselves when what they need is there again.
"""

import logging
import threading
import time
from dataclasses import dataclass, field

from django.conf import settings
from django.db import Error, close_old_connections
from django.utils import timezone

from corpus_site.running.executor import Heartbeat, stop_on_signal
from corpus_site.running.trouble_log import TroubleLog
from feeds.network import store_at
from search.engine.following.follower import Follower, MovedOnError, Source
from search.engine.following.http_source import HttpSource
from search.engine.following.published import Publisher, StoreSource
from search.engine.index.errors import CorpusIndexError
from search.stage.followers import FOLLOWER, PUBLISHER, FollowedState, note

logger = logging.getLogger(__name__)

# A look costs one small request; a text that was withdrawn is to be gone within a minute.
_PAUSE_SECONDS = 2.0
_NOTED_EVERY_SECONDS = 2.0
_MOST_TURNS = 20  # in which the source moves on, before it is left alone for a moment


class FollowingEndedError(Exception):
    """Raised between two requests when the process is told to stop; `IndexFollowing` ends."""


def source_at(address: str) -> Source:
    """Return the source at an address: `s3://…`, or the site of the machine with the index."""
    if address.startswith("s3://"):
        return StoreSource(store_at(address))
    return HttpSource(address, settings.INDEX_TOKEN)


@dataclass(slots=True)
class IndexFollowing:
    """The INDEX_DIR of this machine on its way to what a source has."""

    address: str
    stop: threading.Event = field(default_factory=threading.Event)
    is_thorough: bool = False
    state: FollowedState = field(init=False)
    _heartbeat: Heartbeat = field(default_factory=lambda: Heartbeat(FOLLOWER, hard_limit=None))
    _trouble: TroubleLog = field(default_factory=lambda: TroubleLog(logger))
    _said_at: float = 0.0
    _follower: Follower = field(init=False)
    _source: Source = field(init=False)

    def __post_init__(self) -> None:
        self.state = FollowedState(self.address)
        self._source = source_at(self.address)
        self._follower = Follower(
            settings.INDEX_DIR, self._source, settings.MIN_FREE_DISK_BYTES, self._on_progress
        )

    def run(self) -> None:
        """Follow until told to stop.

        Raises NotAFollowerError, or IndexLockedError where another process follows.
        """
        with self._follower.alone():
            while not self.stop.is_set():
                try:
                    self._turn()
                except FollowingEndedError:
                    break
                self.stop.wait(_PAUSE_SECONDS)
        self._heartbeat.remove()

    def run_once(self) -> FollowedState:
        """Follow to the newest generation, or to the first problem."""
        with self._follower.alone():
            self._turn()
        return self.state

    def _turn(self) -> None:
        problem = ""
        try:
            self._follow()
        except (CorpusIndexError, OSError) as error:
            problem = str(error)
        if problem:
            self._trouble.note(f"the index is not followed: {problem}")
        else:
            self._trouble.over("the index is followed again")
        self._say(self.state.newest, problem=problem)

    def _follow(self) -> None:
        for turn in range(1, _MOST_TURNS + 1):
            listing = self._source.listing()
            if listing.manifest.generation != self.state.newest:
                self._say(listing.manifest.generation, listing.n_bytes)
            try:
                if self._follower.follow(listing, is_thorough=self.is_thorough):
                    logger.info("the index is at generation %d", listing.manifest.generation)
            except MovedOnError:
                if turn == _MOST_TURNS:
                    raise
                continue
            self.is_thorough = False
            return

    def _on_progress(self, n_bytes_left: int) -> None:
        if self.stop.is_set():
            raise FollowingEndedError
        if time.monotonic() - self._said_at > _NOTED_EVERY_SECONDS:
            self._say(self.state.newest, n_bytes_left)

    def _say(self, newest: int, n_bytes_left: int = 0, problem: str = "") -> None:
        """Note how far it is; a database that is away does not keep the index from coming."""
        now, self._said_at = timezone.now(), time.monotonic()
        generation = self._follower.generation
        self.state = FollowedState(self.address, generation, newest, n_bytes_left, problem)
        try:
            self._heartbeat.stamp("follow", now)
            note(self.state, now)
        except Error as error:
            logger.warning("the database does not hear of the index: %s", str(error).strip())
            close_old_connections()


def run_publisher() -> None:
    """Publish each generation until told to stop; what is away is waited for."""
    heartbeat, stop = Heartbeat(PUBLISHER, hard_limit=None), threading.Event()
    trouble, publisher = TroubleLog(logger), index_publisher()
    stop_on_signal(stop)
    while not stop.is_set():
        try:
            heartbeat.stamp("publish", timezone.now())
            listing = publisher.publish()
            trouble.over("the index is published again")
            if listing is not None:
                logger.info("generation %d is published", listing.manifest.generation)
        except (CorpusIndexError, OSError, Error) as error:
            trouble.note(f"the index is not published, trying again: {str(error).strip()}")
            close_old_connections()
        stop.wait(_PAUSE_SECONDS)
    heartbeat.remove()


def index_publisher() -> Publisher:
    """Return the publisher of this machine's index."""
    return Publisher(settings.INDEX_DIR, store_at(settings.INDEX_URL))
