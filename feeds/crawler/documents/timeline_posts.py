"""What every microblog comes down to: a timeline's answer with its posts, whatever its network.

Boosts are no posts of their own: who boosts writes nothing. Posts whose authors ask not to be shown
to strangers, or not to be indexed, are counted and not read.
"""

import hashlib
import json
from dataclasses import asdict, dataclass, field
from datetime import datetime

# Of one answer; networks give 20 to 100.
MAX_POSTS = 200
# In characters; what is longer is cut.
MAX_HANDLE_LENGTH = 300
MAX_TAG_LENGTH = 100
MAX_LANGUAGE_LENGTH = 20
NOT_READABLE = "The answer of the timeline is not readable."
# In the place of a post's digest, where its server says that it is gone.
DELETED_DIGEST = "deleted"


@dataclass(frozen=True, slots=True)
class TimelinePost:
    """One post, texts plain and a paragraph a line.

    `address` is that of its JSON: its identity, and where it is asked for alone; `url` is its page
    for people. `reply_to` and `thread` are addresses like `address`, of the post it answers and of
    the first one of its thread; empty where they are not known. `warning` is what stands before a
    post that is folded. `language` is a code as the network gives it.
    """

    address: str
    url: str
    text: str
    posted_at: datetime
    author: str = ""
    handle: str = ""
    warning: str = ""
    language: str = ""
    edited_at: datetime | None = None
    tags: tuple[str, ...] = ()
    descriptions: tuple[str, ...] = ()  # of its pictures
    reply_to: str = ""
    thread: str = ""

    @property
    def digest(self) -> str:
        """Digest of all that its author may change: counts of readers' favour are not read."""
        said = json.dumps(asdict(self), sort_keys=True, default=str)
        return hashlib.sha256(said.encode()).hexdigest()

    @property
    def byline(self) -> str:
        """Name and handle: "Nomsa Dube (@nomsa@karoo.example)"."""
        return f"{self.author} (@{self.handle})" if self.author else f"@{self.handle}"


@dataclass(frozen=True, slots=True)
class TimelineAnswer:
    """One answer of a timeline, newest posts first, or the sentence that says why it is none.

    ``n_items`` counts all that stand in it, boosts too. ``newest`` is what newer posts are asked
    for by, where a network can; ``older`` leads to what is older.
    """

    posts: tuple[TimelinePost, ...] = ()
    n_items: int = 0
    n_boosts: int = 0
    n_declined: int = 0  # their authors do not want them read by strangers
    newest: str = ""
    older: str = ""
    title: str = ""
    problem: str = ""


@dataclass(frozen=True, slots=True)
class TimelinePlace:
    """How far a timeline was read: what is newer is asked for, or what lies before a gap.

    ``n_back`` counts the steps that were made towards the past. ``is_behind``: more was known to
    wait at the last look. While ``past_left`` is no 0, posts from before the first look are still
    asked for: so many at most, none before ``past_until`` (ISO 8601, "" for any time), those that
    ``past`` leads to next.
    """

    newest: str = ""
    older: str = ""
    n_back: int = 0
    is_behind: bool = False
    past: str = ""
    past_left: int = 0
    past_until: str = ""

    def to_json(self) -> dict[str, object]:
        return {name: value for name, value in asdict(self).items() if value}

    @classmethod
    def from_json(cls, stored: object) -> "TimelinePlace":
        """Read what `to_json` gave; anything else is the beginning."""
        said = stored if isinstance(stored, dict) else {}

        def words(name: str) -> str:
            return str(said[name]) if isinstance(said.get(name), str) else ""

        def number(name: str) -> int:
            found = said.get(name)
            return found if isinstance(found, int) else 0

        return cls(
            words("newest"),
            words("older"),
            number("n_back"),
            said.get("is_behind") is True,
            words("past"),
            number("past_left"),
            words("past_until"),
        )


@dataclass(frozen=True, slots=True)
class TimelineStep:
    """Where a timeline is read on."""

    place: TimelinePlace = field(default_factory=TimelinePlace)
    has_gap: bool = False  # what lies between was given up

    @property
    def has_more(self) -> bool:
        return self.place.is_behind
