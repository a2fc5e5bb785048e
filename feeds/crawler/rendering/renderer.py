"""Pages drawn by a browser: served page in, the document that its scripts made of it out.

One child of ours drives one browser, for one page at a time, and is started anew after some pages
and after each that ends badly. What a browser does to us is a `Rendering` with a sentence, never an
exception: it is watched from outside, and killed with all its processes where a page takes more
memory, processes or time than it may.
"""

import asyncio
import math
import os
import shutil
import socket
import subprocess
import sys
import tempfile
from contextlib import suppress
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from types import TracebackType
from typing import Self

from feeds.crawler.fetching.drawn_html import without_boxes
from feeds.crawler.fetching.exchange import MAX_PAGE_BYTES, Rendering
from feeds.crawler.rendering import process_tree
from feeds.crawler.rendering.frames import Frame, FrameError, read_frame, write_frame
from feeds.crawler.rendering.requests_of_pages import Asked, RequestsOfPage

_CHILD = "feeds.crawler.rendering.browser_child"
_ROOT = Path(__file__).resolve().parents[3]
_KEPT_VARIABLES = frozenset({"PATH", "LANG", "TZ"})
_PROGRAMS = ("chromium", "chromium-browser", "google-chrome")  # Debian's name first
# As the extra `browser` asks for it, into this very environment: another pip may come first.
NO_PLAYWRIGHT = f"Playwright is not installed: {sys.executable} -m pip install 'playwright>=1.49'."
NO_CHROMIUM = "Chromium is not installed: apt install chromium."
NO_LINUX = "Pages are drawn on Linux only, where processes can be watched."
_NO_SANDBOX = (
    "Chromium could not start its sandbox: run the workers as a user that may have one, or see"
    " CRAWL_BROWSER_SANDBOX."
)
# Beside the seconds of a page, in which it must tell what it holds; then it hangs.
_GRACE_SECONDS = 5.0
_LOOK_SECONDS = 0.25
_END_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class RenderLimits:
    """What a page may take, of the browser with all its processes.

    A page of the benchmark takes 300 MB in 12 processes, that of the driver among them
    (`make bench-rendering`); three to four times as much leaves room for large ones.
    """

    seconds: float = 20.0
    start_seconds: float = 20.0
    n_bytes: int = 1200 << 20
    n_processes: int = 30
    n_pages: int = 50
    max_html_bytes: int = MAX_PAGE_BYTES


@dataclass(frozen=True, slots=True)
class ServedPage:
    """A page as its server sent it, to be drawn."""

    url: str
    body: bytes = field(repr=False)
    content_type: str
    user_agent: str


class _BrowserEndedError(Exception):
    """A browser that is no more, with a sentence; caught in `render`."""


def browser_path() -> str | None:
    """Give the browser's program; None where there is none."""
    return next(filter(None, map(shutil.which, _PROGRAMS)), None)


def what_is_missing() -> str:
    """Say what must be installed before pages can be drawn here; empty for nothing."""
    if not process_tree.is_supported():
        return NO_LINUX
    missing = []
    if find_spec("playwright") is None:
        missing.append(NO_PLAYWRIGHT)
    if browser_path() is None:
        missing.append(NO_CHROMIUM)
    return " ".join(missing)


class Renderer:
    """A browser that is started with the first page; use it as an async context manager.

    Parameters
    ----------
    limits : RenderLimits
        What a page may take.
    is_sandboxed : bool
        Whether Chromium shuts its own processes in, which it cannot do as root.
    """

    def __init__(self, limits: RenderLimits | None = None, *, is_sandboxed: bool = True) -> None:
        self._limits = limits or RenderLimits()
        self._is_sandboxed = is_sandboxed
        self.turn = asyncio.Lock()
        self._child: _Child | None = None
        self._n_pages = 0
        self.n_started = 0

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self._end()

    @property
    def pid(self) -> int | None:
        """Process below which the browser runs at present."""
        return self._child.pid if self._child else None

    async def render(
        self, page: ServedPage, requests: RequestsOfPage, until: float = math.inf
    ) -> Rendering:
        """Draw one page; hold `turn` meanwhile, as there is one browser.

        Parameters
        ----------
        page : ServedPage
            As its server sent it.
        requests : RequestsOfPage
            Answers what it asks for.
        until : float
            When what is there is taken, of the loop's clock; after the limits' seconds at the
            latest.

        Returns
        -------
        Rendering
            Always; without a document it has a sentence that says why.
        """
        missing = what_is_missing()
        if missing:
            return Rendering(error=missing)
        loop = asyncio.get_running_loop()
        begun = loop.time()
        html, measured, error = b"", b"", ""
        try:
            child = await self._ready_child(until)
            begun = loop.time()
            seconds = min(until - begun, self._limits.seconds)
            html, measured = await self._draw(child, page, requests, seconds)
        except _BrowserEndedError as reason:
            error = str(reason)
            await self._end()
        except OSError as reason:  # of our machine: no process more, a full disk
            error = f"The browser could not be run here: {reason.strerror or reason}."
            await self._end()
        except BaseException:  # given up from outside: no browser stays behind
            await self._end()
            raise
        elapsed = round((loop.time() - begun) * 1000)
        return Rendering(
            html=html,
            error=error,
            elapsed_ms=elapsed,
            n_requests=requests.n_requests,
            n_of_host=dict(requests.n_of_host),
            measured=measured,
        )

    async def _ready_child(self, until: float) -> "_Child":
        if self._child is not None and self._n_pages >= self._limits.n_pages:
            await self._end()
        if self._child is None:
            self._n_pages = 0
            self.n_started += 1
            self._child = await _Child.start(is_sandboxed=self._is_sandboxed)
            left = max(until - asyncio.get_running_loop().time(), 0.0)
            await self._child.wait_until_ready(min(left, self._limits.start_seconds))
        self._n_pages += 1
        return self._child

    async def _draw(
        self, child: "_Child", page: ServedPage, requests: RequestsOfPage, seconds: float
    ) -> tuple[bytes, bytes]:
        child.send(
            "draw",
            page.body,
            url=page.url,
            content_type=page.content_type,
            user_agent=page.user_agent,
            seconds=seconds,
        )
        answering: set[asyncio.Task[None]] = set()
        watching = asyncio.create_task(self._watch(child, seconds))
        talking = asyncio.create_task(self._talk(child, requests, answering))
        try:
            done, _ = await asyncio.wait({watching, talking}, return_when=asyncio.FIRST_COMPLETED)
            if talking in done:
                return _documents_of(talking.result(), self._limits)
            raise _BrowserEndedError(watching.result())
        finally:
            tasks = {watching, talking, *answering}
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _talk(
        self, child: "_Child", requests: RequestsOfPage, answering: set[asyncio.Task[None]]
    ) -> Frame:
        """Answer what the page asks for until the browser says what it has drawn."""
        while True:
            frame = await child.read()
            if frame.kind == "drawn":
                return frame
            task = asyncio.create_task(_answer(child, requests, frame))
            answering.add(task)
            task.add_done_callback(answering.discard)

    async def _watch(self, child: "_Child", seconds: float) -> str:
        """Look at the browser from outside; returns, with a sentence, when it must end."""
        loop = asyncio.get_running_loop()
        end = loop.time() + seconds + _GRACE_SECONDS
        limits = self._limits
        while loop.time() < end:
            use = process_tree.tree_use(child.pid)
            if use.n_bytes > limits.n_bytes:
                return f"Its scripts took more than {limits.n_bytes >> 20} MB of memory."
            if use.n_processes > limits.n_processes:
                return f"It had more than {limits.n_processes} processes."
            await asyncio.sleep(_LOOK_SECONDS)
        return f"Its scripts did not pause within {seconds:g} s."

    async def _end(self) -> None:
        child, self._child = self._child, None
        if child is not None:
            await child.end()


def _documents_of(frame: Frame, limits: RenderLimits) -> tuple[bytes, bytes]:
    """Give the document as scripts have made it, and with the places of its elements."""
    error = str(frame.fields.get("error", ""))
    if error:
        raise _BrowserEndedError(error)
    html = without_boxes(frame.body)
    if len(html) > limits.max_html_bytes:
        raise _BrowserEndedError(
            f"Its scripts wrote more than {limits.max_html_bytes // 1_000_000} MB."
        )
    return html, frame.body


async def _answer(child: "_Child", requests: RequestsOfPage, frame: Frame) -> None:
    fields = frame.fields
    asked = Asked(str(fields["url"]), str(fields["method"]), str(fields["resource"]))
    answer = await requests.answer(asked)
    if answer is None:
        child.send("refuse", id=fields["id"])
    else:
        child.send(
            "answer",
            answer.body,
            id=fields["id"],
            status=answer.status,
            content_type=answer.content_type,
        )


class _Child:
    """The program that drives a browser, and our end of the socket to it."""

    def __init__(
        self,
        process: subprocess.Popen[bytes],
        folder: "tempfile.TemporaryDirectory[str]",
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
    ) -> None:
        self._process = process
        self._folder = folder
        self._reader = reader
        self._writer = writer

    @classmethod
    async def start(cls, *, is_sandboxed: bool) -> Self:
        ours, theirs = socket.socketpair()
        folder = tempfile.TemporaryDirectory(
            prefix="broadsheet-browser-", ignore_cleanup_errors=True
        )
        options = ["--sandbox"] if is_sandboxed else []
        path = browser_path() or _PROGRAMS[0]
        with theirs:
            process = subprocess.Popen(  # noqa: S603, ASYNC220 (our own program; nothing waits)
                [sys.executable, "-m", _CHILD, str(theirs.fileno()), path, folder.name, *options],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
                cwd=folder.name,
                env=_environment(folder.name),
            )
        reader, writer = await asyncio.open_connection(sock=ours)
        return cls(process, folder, reader, writer)

    @property
    def pid(self) -> int:
        return self._process.pid

    def send(self, kind: str, body: bytes = b"", **fields: object) -> None:
        write_frame(self._writer, kind, body, **fields)

    async def read(self) -> Frame:
        try:
            frame = await read_frame(self._reader)
        except FrameError as error:
            raise _BrowserEndedError(
                "The browser's driver said what nobody understands."
            ) from error
        if frame is None:
            raise _BrowserEndedError("The browser died while it drew this page.")
        return frame

    async def wait_until_ready(self, seconds: float) -> None:
        try:
            async with asyncio.timeout(seconds):
                frame = await self.read()
        except TimeoutError as error:
            message = f"The browser did not start within {seconds:g} s."
            raise _BrowserEndedError(message) from error
        if frame.kind != "ready":
            words = str(frame.fields.get("words", ""))
            is_shut = "sandbox" in words.lower()
            raise _BrowserEndedError(
                _NO_SANDBOX if is_shut else f"The browser did not start: {words[:200]}"
            )

    async def end(self) -> None:
        """Kill it with all below it, and remove what it wrote."""
        self._writer.close()
        process_tree.kill_tree(self.pid)
        # What the system does not end at once it ends later; nobody waits for it.
        with suppress(subprocess.TimeoutExpired):
            await asyncio.to_thread(self._process.wait, _END_SECONDS)
        await asyncio.to_thread(self._folder.cleanup)


def _environment(folder: str) -> dict[str, str]:
    """Give the variables of the browser: none of ours, which hold passwords."""
    known = {name: value for name, value in os.environ.items() if name in _KEPT_VARIABLES}
    return known | {
        "HOME": folder,
        "TMPDIR": folder,
        # Wherever our own process has its modules from.
        "PYTHONPATH": os.pathsep.join([str(_ROOT), *filter(None, sys.path)]),
        "PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD": "1",
    }
