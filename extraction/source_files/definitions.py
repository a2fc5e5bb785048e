"""What a source is, as files hold it: values without tables, equal where the sources are.

`settings` are columns of `Publication` by name. What a file does not name stays as it is where the
source is known already, and gets its default where it is new.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from extraction.html.algorithms.registry import AUTO
from extraction.html.site_rules.rules import Rule


@dataclass(frozen=True, slots=True)
class FeedDefinition:
    """A feed: its address and what an editor or the wizard chose; nothing that was learnt.

    `settings` are columns of `Feed` by name.
    """

    url: str
    title: str = ""
    settings: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RulesDefinition:
    """A version of rules; a draft has neither number nor moment."""

    rules: tuple[Rule, ...] = ()
    note: str = ""
    valid_from: datetime | None = None
    number: int = 0
    published_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class ExtractorDefinition:
    """Which extractor reads the pages, with the parameters that differ from its source."""

    name: str = AUTO
    parameters: Mapping[str, object] = field(default_factory=dict, hash=False)


DEFAULT_EXTRACTOR = ExtractorDefinition()


@dataclass(frozen=True, slots=True)
class SourceDefinition:
    """A publication as a file holds it.

    `place` says where it stands in its file. `is_guessed` marks what an OPML list of another
    program says nothing of but feeds: then the site alone tells which publication they belong to.
    """

    name: str
    home_url: str
    slug: str = ""
    state: str = ""
    settings: Mapping[str, object] = field(default_factory=dict)
    tags: tuple[str, ...] = ()
    feeds: tuple[FeedDefinition, ...] = ()
    published: tuple[RulesDefinition, ...] = ()
    draft: RulesDefinition | None = None
    extractor: ExtractorDefinition | None = None
    place: str = field(default="", compare=False)
    is_guessed: bool = field(default=False, compare=False)


@dataclass(frozen=True, slots=True)
class FileProblem:
    """Something wrong with a file: where (line and column, or a JSON path), and a sentence."""

    place: str
    sentence: str

    def __str__(self) -> str:
        return f"{self.place}: {self.sentence}" if self.place else self.sentence


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file that was read: its sources, or what is wrong with it; then there are no sources.

    `remarks` tell of what is no fault but was left out, such as addresses that cannot be feeds.
    """

    sources: tuple[SourceDefinition, ...] = ()
    problems: tuple[FileProblem, ...] = ()
    remarks: tuple[FileProblem, ...] = ()
