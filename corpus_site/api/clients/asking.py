"""A client of a Broadsheet corpus: one file, and nothing beside the standard library.

    corpus = Corpus("https://corpus.example", token="bs_…")
    trend = corpus.trend("water", by="year", table="trend")
    trend.citation  # what the numbers are of: query, base, generation, address
    trend.frame()  # as a pandas DataFrame, if pandas is there; its citation in `attrs`

Answers are lists of dictionaries. What is wrong is a `CorpusError` in words.
"""

import importlib
import json
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

Value = str | int | bool | Iterable[str] | None
# Members of answers that are rows, the first of them that an answer has.
_ROWS = ("lines", "articles", "sentences", "comments", "versions", "others", "stories",
         "publications", "alarms", "entries")  # fmt: skip
PATIENCE_SECONDS = 300.0  # for a query that takes long, and for a turn


class CorpusError(Exception):
    """What the corpus refused, and what to do.

    ``status`` is that of HTTP, ``faults`` name wrong parameters.
    """

    def __init__(self, status: int, error: dict[str, Any]) -> None:
        words = (str(error.get(name, "")) for name in ("happened", "to_do"))
        super().__init__(" ".join(filter(None, words)) or f"HTTP {status}")
        self.status = status
        self.faults: list[dict[str, Any]] = error.get("faults", [])


class Rows(list[dict[str, Any]]):
    """Rows of an answer; ``about`` is all else that it says, ``citation`` what it is of."""

    def __init__(self, rows: Iterable[dict[str, Any]], about: dict[str, Any]) -> None:
        super().__init__(rows)
        self.about = about

    @property
    def citation(self) -> str:
        """Query, base, generation and address, for a footnote."""
        asked, base = self.about.get("query", {}), self.about.get("base", {})
        query = f"“{asked['q']}” ({asked.get('ql', 'simple')})" if asked.get("q") else ""
        texts = f"{base['tokens']} tokens in {base['texts']} texts" if base else ""
        words = f": {base['words']}" if base.get("words") else ""
        generation = self.about.get("generation")
        parts = (
            query,
            texts + words,
            f"generation {generation} of the corpus" if generation is not None else "",
            str(self.about.get("page", "")),
        )
        return "; ".join(filter(None, parts))

    def frame(self) -> Any:
        """Give the rows as a pandas DataFrame with its citation in ``attrs``."""
        pandas = importlib.import_module("pandas")  # only who asks for it needs it
        found = pandas.DataFrame(list(self))
        found.attrs["citation"] = self.citation
        return found


class Asking:
    """Asks a corpus: waits where it is told to, and goes on with queries that take long."""

    def __init__(self, site: str, token: str = "", patience: float = PATIENCE_SECONDS) -> None:
        self.site = site.rstrip("/")
        self.token = token
        self.patience = patience

    def answer(self, path: str, parameters: dict[str, Value]) -> dict[str, Any]:
        """Ask below ``/api/`` and give the answer as it came."""
        found: dict[str, Any] = json.loads(self.file(path, parameters))
        return found

    def rows(self, path: str, parameters: dict[str, Value], table: str = "") -> Rows:
        """Ask, and give the rows; of several tables the one that is named, else the first."""
        found = self.answer(path, parameters)
        tables = found.get("tables", [])
        if not tables:
            name = next((name for name in _ROWS if isinstance(found.get(name), list)), "")
            return Rows(found.pop(name) if name else [found], found)
        chosen = next((one for one in tables if table in ("", one["name"])), None)
        if chosen is None:
            names = ", ".join(one["name"] for one in tables)
            raise CorpusError(404, {"happened": f"There is no table {table}.", "to_do": names})
        return Rows(chosen["rows"], found)

    def file(self, path: str, parameters: dict[str, Value]) -> bytes:
        """Ask, and give the bytes of the answer."""
        address = f"{self.site}/api/{path}/?{urllib.parse.urlencode(_pairs(parameters))}"
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        until = time.monotonic() + self.patience
        while True:
            request = urllib.request.Request(address, headers=headers)  # noqa: S310 (its owner names the site)
            try:
                with urllib.request.urlopen(request) as response:  # noqa: S310
                    body: bytes = response.read()
                    return body
            except urllib.error.HTTPError as refused:
                self._wait(refused, until)

    def _wait(self, refused: urllib.error.HTTPError, until: float) -> None:
        """Wait as long as a refusal says; raise it where it is for good, or patience is over."""
        seconds = float(refused.headers.get("Retry-After") or 1)
        if refused.code in (429, 503) and time.monotonic() + seconds < until:
            time.sleep(seconds)
            return
        try:
            error = json.load(refused).get("error", {})
        except ValueError:
            error = {}
        raise CorpusError(refused.code, error) from None

    def pages(self, path: str, parameters: dict[str, Value], *, into: str) -> Iterator[Rows]:
        """Ask for page after page; ``next`` of an answer goes into a parameter of the next."""
        while True:
            found = self.rows(path, parameters)
            yield found
            following = found.about.get("next")
            if following is None or following == "":
                return
            parameters = parameters | {into: following}


def _pairs(parameters: dict[str, Value]) -> Sequence[tuple[str, str]]:
    pairs: list[tuple[str, str]] = []
    for name, value in parameters.items():
        if value is None or value is False:
            continue
        several = [value] if isinstance(value, str | int) else value
        pairs += [(name, "1" if one is True else str(one)) for one in several]
    return pairs


def _quoted(place: Value) -> str:
    return urllib.parse.quote(str(place), safe="")
