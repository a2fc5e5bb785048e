"""A client of a Broadsheet corpus: one file, and nothing beside the standard library.

    corpus = Corpus("https://corpus.example", token="bs_…")
    trend = corpus.trend("water", by="year", table="trend")
    trend.citation  # what the numbers are of: query, base, generation, address
    trend.frame()  # as a pandas DataFrame, if pandas is there; its citation in `attrs`
    corpus.save("water.csv", "water")  # all lines, and a manifest; goes on where it broke off

Answers are lists of dictionaries. What is wrong is a `CorpusError` in words.
"""

import http.client
import importlib
import json
import os
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, BinaryIO

Value = str | int | bool | Iterable[str] | None
# Members of answers that are rows, the first of them that an answer has.
_ROWS = ("lines", "articles", "sentences", "comments", "versions", "others", "stories",
         "publications", "alarms", "entries")  # fmt: skip
PATIENCE_SECONDS = 300.0  # for a query that takes long, for a turn, and for a line that is dead
_PIECE = 1 << 16  # bytes
_WHOLE = ("xlsx", "parquet")  # kinds of files that come whole or not at all


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
            return Rows(_each_row(found.pop(name)) if name else [found], found)
        chosen = next((one for one in tables if table in ("", one["name"])), None)
        if chosen is None:
            names = ", ".join(one["name"] for one in tables)
            raise CorpusError(404, {"happened": f"There is no table {table}.", "to_do": names})
        return Rows(chosen["rows"], found)

    def file(self, path: str, parameters: dict[str, Value]) -> bytes:
        """Ask, and give the bytes of the answer."""
        with self._opened(path, parameters) as response:
            body: bytes = response.read()
            return body

    def save(self, file: str | os.PathLike[str], q: str, **asked: Value) -> dict[str, Any]:
        """Save all lines of a query as a file, its manifest beside it, and give the manifest.

        ``asked`` are parameters of a search and ``format``, else ``data.csv``. What broke off, now
        or when this was called last, goes on behind its last whole line, of the same list.
        """
        asked = {"format": "data.csv"} | asked | {"q": q}
        place, beside = Path(file), Path(f"{os.fspath(file)}.manifest.json")
        manifest = self._begun(place, beside, asked)
        wanted = asked | {"asof": manifest["generation"], "list": manifest["list"]}
        if str(asked["format"]) in _WHOLE:
            place.write_bytes(self.file("search/export", wanted))
            return manifest
        until = time.monotonic() + self.patience
        while (there := _lines_there(place)) < manifest["lines"] or not place.exists():
            try:
                self._go_on(place, wanted | {"skip": there or None})
                until = time.monotonic() + self.patience
            except (OSError, http.client.HTTPException):
                if _lines_there(place) > there:
                    until = time.monotonic() + self.patience
                if time.monotonic() > until:
                    raise
                time.sleep(1)
        return manifest

    def _begun(self, place: Path, beside: Path, asked: dict[str, Value]) -> dict[str, Any]:
        """Give the manifest of a file that was begun, or begin one."""
        if place.exists() and beside.exists():
            known: dict[str, Any] = json.loads(beside.read_text(encoding="utf-8"))
            if known.get("asked") == asked:
                return known
        place.unlink(missing_ok=True)
        names = {name: value for name, value in asked.items() if name not in ("format", "ascii")}
        manifest = self.answer("search/manifest", names) | {"asked": asked}
        words = json.dumps(manifest, ensure_ascii=False, indent=1)
        beside.write_text(words, encoding="utf-8")
        return manifest

    def _go_on(self, place: Path, wanted: dict[str, Value]) -> None:
        with self._opened("search/export", wanted) as response, place.open("ab") as into:
            while piece := response.read(_PIECE):
                into.write(piece)

    def _opened(self, path: str, parameters: dict[str, Value]) -> Any:
        """Ask as often as one is told to wait, and give the answer to be read."""
        address = f"{self.site}/api/{path}/?{urllib.parse.urlencode(_pairs(parameters))}"
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        until = time.monotonic() + self.patience
        while True:
            request = urllib.request.Request(address, headers=headers)  # noqa: S310 (its owner names the site)
            try:
                return urllib.request.urlopen(request, timeout=self.patience)  # noqa: S310
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


def _each_row(rows: list[Any]) -> Iterator[dict[str, Any]]:
    """Give rows as they are; of sentences each token, with the number of its sentence here."""
    for number, row in enumerate(rows, 1):
        if isinstance(row, list):
            yield from ({"sentence": number} | token for token in row)
        else:
            yield row


def _lines_there(place: Path) -> int:
    """Cut off a line that is not whole, and give the number of the last one; 0 before the first."""
    if not place.exists():
        return 0
    with place.open("rb+") as file:
        end = _line_end(file, file.seek(0, os.SEEK_END))
        file.truncate(end)
        start = _line_end(file, end - 1)
        file.seek(start)
        number = _number(file.read())
        if not number:
            file.truncate(0)
        return number


def _line_end(file: BinaryIO, before: int) -> int:
    """Give the place behind the last line feed before a place."""
    while before > 0:
        start = max(0, before - _PIECE)
        file.seek(start)
        at = file.read(before - start).rfind(b"\n")
        if at >= 0:
            return start + at + 1
        before = start
    return 0


def _number(line: bytes) -> int:
    """Read the number that a line of a file begins with."""
    if line.startswith(b"{"):
        return int(json.loads(line).get("number", 0))
    cell = line.replace(b"\t", b",").partition(b",")[0]
    return int(cell) if cell.isdigit() else 0


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
