"""The program that drives a browser for one worker: `python -m … FD BROWSER FOLDER [--sandbox]`.

Pages come over the socket FD, what they ask for goes back over it, and at the end what was drawn.
It runs without our settings and secrets, below limits of the system. The browser has no network:
each request is taken from it and answered by the worker or by nobody; whatever escapes that (a
preconnect, a report) meets names that do not resolve and a proxy that nobody listens at.
"""

import asyncio
import json
import os
import resource
import shutil
import socket
import sys
from contextlib import suppress
from dataclasses import dataclass, field

from playwright.async_api import (
    Browser,
    BrowserContext,
    Error,
    Page,
    Playwright,
    Route,
    WebSocketRoute,
    async_playwright,
)

from feeds.crawler.fetching.drawn_html import BOX_ATTRIBUTE
from feeds.crawler.rendering.frames import Frame, read_frame, write_frame
from feeds.crawler.rendering.process_tree import adopt_orphans, kill_below

# Nothing listens at the port of the discard protocol (RFC 863), and names do not resolve.
_DEAD_PROXY = "http://127.0.0.1:9"
_ARGUMENTS = [
    f"--proxy-server={_DEAD_PROXY}",
    "--proxy-bypass-list=<-loopback>",  # this machine too is reached through the proxy alone
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
    *("--disable-gpu", "--disable-quic", "--disable-sync", "--no-first-run", "--no-pings"),
    *("--disable-background-networking", "--disable-component-update", "--disable-dev-shm-usage"),
    *("--disable-domain-reliability", "--disable-remote-fonts", "--mute-audio"),
    "--dns-prefetch-disable",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--renderer-process-limit=2",
    "--blink-settings=imagesEnabled=false",
    "--js-flags=--max-old-space-size=512",
]
# Ways out that are no requests of a page; a script that asks for them finds an old browser.
_WITHOUT = """
for (const name of ["RTCPeerConnection", "webkitRTCPeerConnection", "RTCDataChannel",
                    "WebTransport", "SharedWorker"]) delete globalThis[name];
"""
_VIEWPORT = (1280, 1024)
# A page's document with the place of each element. It runs in a world of its own, whose functions
# the page's scripts cannot replace. All is measured before anything is written: else each element
# would be laid out anew.
_MEASURED = """
(([name, n_most]) => {
  const elements = Array.from(document.querySelectorAll("*"));
  const boxes = elements.slice(0, n_most).map((element) => element.getBoundingClientRect());
  for (const element of elements) element.removeAttribute(name);
  boxes.forEach((box, i) => elements[i].setAttribute(name,
    [box.left + scrollX, box.top + scrollY, box.width, box.height].map(Math.round).join(" ")));
  const type = document.doctype;
  const head = type ? new XMLSerializer().serializeToString(type) : "";
  return head + document.documentElement.outerHTML;
})(%s)
"""
_MOST_BOXES = 20_000
# Of each process, whatever becomes of who watches them: no file is larger, none runs for longer.
_MOST_FILE_BYTES = 512 << 20
_MOST_CPU_SECONDS = 900
# A page is drawn once it was read to its end and nothing was asked for since so long a time.
_QUIET_SECONDS = 0.5
_LOOK_SECONDS = 0.05
# Its main thread must answer within this time when it is asked for what it holds.
_ANSWER_SECONDS = 3.0
_MOST_WORDS = 200
_CRASHED = "The browser crashed on this page: its scripts took too much memory, or met a fault."
# Windows that a page may open before it is given up; each is closed at once.
_MOST_WINDOWS = 10


class _GivenUpError(Exception):
    """A page that is not drawn, with a sentence; caught where its answer is sent."""


@dataclass
class _Drawing:
    """A page while it is drawn."""

    url: str
    html: bytes
    content_type: str
    waiting: dict[int, asyncio.Future[Frame]] = field(default_factory=dict)
    n_asked: int = 0
    n_windows: int = 0
    is_served: bool = False
    is_read: bool = False
    last_at: float = 0.0


class _Driver:
    """Draws one page after the other as the worker says."""

    def __init__(
        self, browser: Browser, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        self._browser = browser
        self._reader = reader
        self._writer = writer
        self._drawing: _Drawing | None = None
        self._work: asyncio.Task[None] | None = None

    async def run(self) -> None:
        """Take messages until the worker has ended."""
        while (frame := await read_frame(self._reader)) is not None:
            if frame.kind == "draw":
                self._work = asyncio.create_task(self._draw(frame))
            elif self._drawing is not None:
                answered = self._drawing.waiting.pop(int(frame.fields["id"]), None)
                if answered is not None and not answered.done():
                    answered.set_result(frame)

    async def _draw(self, frame: Frame) -> None:
        fields = frame.fields
        drawing = _Drawing(fields["url"], frame.body, fields["content_type"])
        self._drawing = drawing
        html, error = b"", ""
        try:
            html = await self._content(drawing, fields["user_agent"], fields["seconds"])
        except _GivenUpError as reason:
            error = str(reason)
        except (Error, TimeoutError) as reason:
            words = str(reason).partition("\n")[0][:_MOST_WORDS]
            error = _CRASHED if "crashed" in words else f"The browser failed: {words}"
        self._drawing = None
        write_frame(self._writer, "drawn", html, error=error)
        await self._writer.drain()

    async def _content(self, drawing: _Drawing, user_agent: str, seconds: float) -> bytes:
        width, height = _VIEWPORT
        context = await self._browser.new_context(
            user_agent=user_agent,
            viewport={"width": width, "height": height},
            service_workers="block",
            accept_downloads=False,
            permissions=[],
        )
        try:
            await context.add_init_script(_WITHOUT)
            page = await self._guarded(context, drawing)
            end = asyncio.get_running_loop().time() + seconds
            await self._load(page, drawing, end)
            try:
                async with asyncio.timeout(_ANSWER_SECONDS):
                    text = await _measured(context, page)
            except TimeoutError as error:
                raise _GivenUpError(f"Its scripts did not pause within {seconds:g} s.") from error
            return text.encode("utf-8", "replace")
        finally:
            with suppress(Error, TimeoutError):
                async with asyncio.timeout(_ANSWER_SECONDS):
                    await context.close()

    async def _guarded(self, context: BrowserContext, drawing: _Drawing) -> Page:
        """Make the one window of a page; all that it asks for comes to us."""

        async def answer(route: Route) -> None:
            with suppress(Error):  # the page is gone by now
                await self._answer(route, drawing)

        async def refuse(socket_route: WebSocketRoute) -> None:
            with suppress(Error):
                await socket_route.close()

        async def close(page: Page) -> None:
            drawing.n_windows += 1
            with suppress(Error):
                await page.close()

        def read() -> None:
            drawing.is_read = True
            drawing.last_at = asyncio.get_running_loop().time()

        await context.route("**/*", answer)
        await context.route_web_socket("**/*", refuse)
        page = await context.new_page()
        page.on("domcontentloaded", lambda _: read())
        context.on("page", close)
        return page

    async def _load(self, page: Page, drawing: _Drawing, end: float) -> None:
        """Wait until a page asks for nothing more, or its time is over."""
        loop = asyncio.get_running_loop()
        drawing.last_at = loop.time()
        try:
            async with asyncio.timeout_at(end):
                await page.goto(drawing.url, wait_until="commit", timeout=0)
                drawing.last_at = loop.time()
                while not self._is_quiet(drawing):
                    if drawing.n_windows > _MOST_WINDOWS:
                        raise _GivenUpError(f"It opened more than {_MOST_WINDOWS} windows.")
                    await asyncio.sleep(_LOOK_SECONDS)
        except TimeoutError:
            pass  # what is there by now is taken

    @staticmethod
    def _is_quiet(drawing: _Drawing) -> bool:
        """Whether a page was read to its end, or wants to be elsewhere, and asks for no more."""
        age = asyncio.get_running_loop().time() - drawing.last_at
        return drawing.is_read and not drawing.waiting and age >= _QUIET_SECONDS

    async def _answer(self, route: Route, drawing: _Drawing) -> None:
        request = route.request
        if request.is_navigation_request():
            is_own = request.frame.parent_frame is None and request.url == drawing.url
            if is_own and not drawing.is_served:
                drawing.is_served = True
                headers = {"content-type": drawing.content_type}
                await route.fulfill(status=200, headers=headers, body=drawing.html)
            else:
                # Frames, and wherever scripts want to go; "aborted" leaves what is there.
                drawing.is_read = drawing.is_read or request.frame.parent_frame is None
                await route.abort("aborted")
            return
        loop = asyncio.get_running_loop()
        drawing.n_asked += 1
        number = drawing.n_asked
        answered: asyncio.Future[Frame] = loop.create_future()
        drawing.waiting[number] = answered
        write_frame(
            self._writer,
            "ask",
            id=number,
            url=request.url,
            method=request.method,
            resource=request.resource_type,
        )
        frame = await answered
        drawing.last_at = loop.time()
        if frame.kind != "answer":
            await route.abort("blockedbyclient")
            return
        headers = {
            "content-type": frame.fields["content_type"],
            "access-control-allow-origin": request.headers.get("origin", "*"),
            "access-control-allow-credentials": "true",
        }
        await route.fulfill(status=frame.fields["status"], headers=headers, body=frame.body)


async def _measured(context: BrowserContext, page: Page) -> str:
    """Give the document with the places of its elements; without them where they cannot be had."""
    arguments = json.dumps([BOX_ATTRIBUTE, _MOST_BOXES])
    try:
        session = await context.new_cdp_session(page)
        tree = await session.send("Page.getFrameTree")
        frame = {"frameId": tree["frameTree"]["frame"]["id"]}
        world = await session.send("Page.createIsolatedWorld", frame)
        asked = {"expression": _MEASURED % arguments, "returnByValue": True}
        asked["contextId"] = world["executionContextId"]
        answer = await session.send("Runtime.evaluate", asked)
        return str(answer["result"]["value"])
    except (Error, KeyError):
        return await page.content()


def _bound() -> None:
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    for kind, most in (
        (resource.RLIMIT_FSIZE, _MOST_FILE_BYTES),
        (resource.RLIMIT_CPU, _MOST_CPU_SECONDS),
    ):
        hard = resource.getrlimit(kind)[1]
        least = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(kind, (least, least))


async def _launch(playwright: Playwright, path: str, *, is_sandboxed: bool) -> Browser:
    return await playwright.chromium.launch(
        executable_path=path,
        args=_ARGUMENTS,
        ignore_default_args=["--disable-popup-blocking"],
        chromium_sandbox=is_sandboxed,
        handle_sigint=False,
    )


async def _main(descriptor: int, path: str, folder: str, *, is_sandboxed: bool) -> None:
    own = socket.socket(fileno=descriptor)
    reader, writer = await asyncio.open_connection(sock=own)
    async with async_playwright() as playwright:
        try:
            browser = await _launch(playwright, path, is_sandboxed=is_sandboxed)
        except Error as error:
            lines = [line for line in str(error).splitlines() if line.strip()]
            write_frame(writer, "failed", words=" ".join(lines)[:2000])
            await writer.drain()
            return
        write_frame(writer, "ready")
        await _Driver(browser, reader, writer).run()
        # The worker has ended or wants no more: nothing of the browser is worth an orderly end.
        kill_below(os.getpid())
        shutil.rmtree(folder, ignore_errors=True)
        os._exit(0)


if __name__ == "__main__":
    _bound()
    adopt_orphans()
    asyncio.run(
        _main(
            int(sys.argv[1]), sys.argv[2], sys.argv[3], is_sandboxed=sys.argv[4:] == ["--sandbox"]
        )
    )
