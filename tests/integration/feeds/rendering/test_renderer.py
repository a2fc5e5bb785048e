"""Pages in a browser without a network: what is drawn, what gets out, and what a page may take."""

import asyncio
import ipaddress
import os
import signal
import socket
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path

import pytest
from chromium import chromium_path
from integration.feeds.origin import Origin, answer, redirect
from waiting import wait_until

from feeds.crawler.fetching.drawn_html import without_boxes
from feeds.crawler.fetching.exchange import FetchRequest, NetworkPolicy, Rendering
from feeds.crawler.fetching.http import Fetcher, utc_now
from feeds.crawler.fetching.robots_book import RobotsBook
from feeds.crawler.rendering.process_tree import descendants
from feeds.crawler.rendering.renderer import Renderer, RenderLimits, ServedPage
from feeds.crawler.rendering.requests_of_pages import RememberedAnswers, RequestsOfPage, Web

pytestmark = pytest.mark.browser

AGENT = "Broadsheet/0.1 (test)"
# The paper of a test; every other address of this machine is private.
POLICY = NetworkPolicy(
    allowed_private_networks=(ipaddress.ip_network("127.0.0.1/32"),), total_seconds=5
)
PRIVATE = "127.0.0.2"
# Of a machine on which other tests run: a page takes a second where nothing else does.
SECONDS = 6
LIMITS = RenderLimits(seconds=SECONDS)
SCRIPT_TYPE = (("Content-Type", "text/javascript"),)
JSON_TYPE = (("Content-Type", "application/json"),)
READER = b"""
fetch("/data.json").then((r) => r.json()).then((d) => { root.textContent = d.text; });
"""
SHELL = b'<!doctype html><body><div id="root"></div><script src="/app.js"></script></body>'


@pytest.fixture(autouse=True)
def _chromium() -> None:
    chromium_path()


@pytest.fixture
def origin():
    with Origin() as started:
        started.routes["/app.js"] = answer(READER, headers=SCRIPT_TYPE)
        started.routes["/data.json"] = answer(b'{"text": "Maas is sour milk."}', headers=JSON_TYPE)
        yield started


@pytest.fixture
def private_server():
    """Count who connects to an address that nothing may connect to."""
    server = socket.create_server((PRIVATE, 0))
    came = []

    def accept():
        with suppress(OSError):
            while True:
                connection, _ = server.accept()
                came.append(connection.recv(1000))
                connection.close()

    thread = threading.Thread(target=accept, daemon=True)
    thread.start()
    yield f"{PRIVATE}:{server.getsockname()[1]}", came
    server.shutdown(socket.SHUT_RDWR)
    server.close()
    thread.join(10)


class Drawn:
    """Pages drawn one after the other by one browser."""

    def __init__(self, limits=LIMITS, content_type="text/html; charset=utf-8") -> None:
        self.limits = limits
        self.content_type = content_type
        self.remembered = RememberedAnswers()
        self.n_started = 0

    def draw(self, *pages: tuple[str, bytes], before=None) -> list[Rendering]:
        return asyncio.run(self._draw(pages, before))

    async def _draw(self, pages, before) -> list[Rendering]:
        drawn = []
        renderer = Renderer(self.limits, is_sandboxed=False)
        async with Fetcher(POLICY) as fetcher, renderer:
            book = RobotsBook(fetcher, AGENT)
            web = Web(fetcher, book.decide, lambda _: 0.0, self.remembered, utc_now)
            for url, body in pages:
                asked = RequestsOfPage(web, FetchRequest(url, user_agent=AGENT))
                served = ServedPage(url, body, self.content_type, AGENT)
                if before is not None:
                    before(renderer)
                drawn.append(await renderer.render(served, asked))
                self.n_started = renderer.n_started
            await book.close()
        return drawn


def text_of(rendering: Rendering) -> str:
    """Text of the element that scripts write to."""
    body = rendering.html.decode().partition('<div id="root">')[2]
    return body.partition("</div>")[0]


def test_page_is_drawn_from_what_the_fetcher_brings(origin):
    [drawn] = Drawn().draw((f"{origin.url}/a", SHELL))

    assert (drawn.error, text_of(drawn)) == ("", "Maas is sour milk.")
    assert origin.paths == ["/robots.txt", "/app.js", "/data.json"]
    assert {request.headers["user-agent"] for request in origin.requests} == {AGENT}
    assert dict(drawn.n_of_host) == {f"127.0.0.1:{origin.port}": 2}


def test_scripts_are_asked_for_once_and_data_for_each_page(origin):
    works = Drawn()

    drawn = works.draw((f"{origin.url}/a", SHELL), (f"{origin.url}/b", SHELL))

    assert [text_of(one) for one in drawn] == ["Maas is sour milk."] * 2
    assert origin.paths == ["/robots.txt", "/app.js", "/data.json", "/data.json"]
    assert works.n_started == 1


def test_script_that_is_not_to_be_stored_is_asked_for_again(origin):
    headers = (*SCRIPT_TYPE, ("Cache-Control", "no-store"))
    origin.routes["/app.js"] = answer(READER, headers=headers)

    Drawn().draw((f"{origin.url}/a", SHELL), (f"{origin.url}/b", SHELL))

    assert origin.paths.count("/app.js") == 2


def test_what_robots_forbid_is_not_fetched(origin):
    origin.routes["/robots.txt"] = answer(b"User-agent: *\nDisallow: /data.json")

    [drawn] = Drawn().draw((f"{origin.url}/a", SHELL))

    assert (drawn.error, text_of(drawn)) == ("", "")
    assert origin.paths == ["/robots.txt", "/app.js"]


def test_pictures_fonts_forms_frames_and_trackers_are_not_fetched(origin):
    body = b"""<!doctype html><body><div id="root"></div>
    <img src="/i.png"><video src="/v.mp4"></video><iframe src="/frame"></iframe>
    <object data="/o"></object><link rel="icon" href="/f.ico">
    <style>@font-face{font-family:x;src:url(/f.woff)}
    p{font-family:x;background:url(/b.png)}</style>
    <p>text</p><script src="https://www.google-analytics.com/a.js"></script>
    <form id="form" method="post" action="/post"></form>
    <script>
      fetch("/post", {method: "POST", body: "1"}).catch(() => {});
      navigator.sendBeacon("/beacon", "1");
      new EventSource("/events");
      setTimeout(() => form.submit(), 20);
      setTimeout(() => { location = "/elsewhere"; }, 60);
      root.textContent = "drawn";
    </script></body>"""

    [drawn] = Drawn().draw((f"{origin.url}/a", body))

    assert (drawn.error, text_of(drawn), drawn.n_requests) == ("", "drawn", 0)
    assert origin.paths == []


LEAKS = """<!doctype html><head>
<link rel="preconnect" href="http://{0}"><link rel="dns-prefetch" href="http://{0}">
<link rel="prefetch" href="http://{0}/p"><link rel="stylesheet" href="http://{0}/c.css">
<link rel="modulepreload" href="http://{0}/m.js"><link rel="manifest" href="http://{0}/m">
<script type="speculationrules">{{"prerender":[{{"urls":["http://{0}/s"]}}]}}</script></head>
<body><div id="root"></div><img src="http://{0}/i"><iframe src="http://{0}/f"></iframe>
<iframe src="file:///etc/passwd"></iframe><a id="d" href="http://{0}/d" download>x</a>
<script src="http://{0}/s.js"></script><script>
const said = [];
const say = (word) => {{ said.push(word); root.textContent = said.sort().join(" "); }};
fetch("http://{0}/x").then(() => say("FETCHED"), () => say("fetch"));
fetch("/go").then(() => say("REDIRECTED"), () => say("redirect"));
fetch("file:///etc/passwd").then(() => say("READ"), () => say("file"));
const ws = new WebSocket("ws://{0}/ws");
ws.onopen = () => say("OPENED"); ws.onclose = () => say("socket");
const code = "fetch('http://{0}/w').then(() => postMessage('WORKED'), () => postMessage('worker'))";
new Worker(URL.createObjectURL(new Blob([code]))).onmessage = (m) => say(m.data);
navigator.sendBeacon("http://{0}/b", "x"); new EventSource("http://{0}/e");
say(typeof RTCPeerConnection + typeof WebTransport + typeof SharedWorker);
if (navigator.serviceWorker) navigator.serviceWorker.register("/sw.js").catch(() => {{}});
d.click(); window.open("http://{0}/w");
setTimeout(() => {{ location = "http://{0}/n"; }}, 300);
</script></body>"""


def test_page_reaches_no_private_address_by_any_way(origin, private_server):
    place, came = private_server
    origin.routes["/go"] = redirect(f"http://{place}/secret")

    [drawn] = Drawn().draw((f"{origin.url}/a", LEAKS.format(place).encode()))

    without = "undefined" * 3
    words = sorted(["fetch", "redirect", "file", "socket", "worker", without])
    assert (drawn.error, text_of(drawn)) == ("", " ".join(words))
    assert came == []
    assert origin.paths == ["/robots.txt", "/go"]


def test_a_page_cannot_say_where_its_elements_stand(origin):
    body = b"""<!doctype html><body style="margin: 0"><p style="margin: 0; height: 40px"
        data-broadsheet-box="1 2 3 4">Maas</p><script>
        Element.prototype.getBoundingClientRect = () => ({ left: 7, top: 7, width: 7, height: 7 });
        Element.prototype.setAttribute = () => {}; document.querySelectorAll = () => [];
        </script></body>"""

    [drawn] = Drawn().draw((f"{origin.url}/a", body))

    assert b'height: 40px" data-broadsheet-box="0 0 1280 40">Maas' in drawn.measured
    assert drawn.html == without_boxes(drawn.measured)
    assert drawn.html.startswith(b"<!DOCTYPE html><html><head></head><body")


@pytest.mark.parametrize(
    ("script", "sentence"),
    [
        ("for (;;);", f"Its scripts did not pause within {SECONDS} s."),
        ("setTimeout(() => { for (;;); }, 20);", f"Its scripts did not pause within {SECONDS} s."),
        (
            # Without a pause: on a slow machine a page that pauses is drawn before it has so much.
            "while (keep.length < 60) keep.push(new Uint8Array(20 << 20).fill(1)); for (;;);",
            "Its scripts took more than 600 MB of memory.",
        ),
    ],
)
def test_page_that_takes_too_much_is_given_up_and_the_next_is_drawn(origin, script, sentence):
    works = Drawn(RenderLimits(seconds=SECONDS, n_bytes=600 << 20))
    body = f"<body><script>const keep = []; {script}</script></body>".encode()

    bad, good = works.draw((f"{origin.url}/a", body), (f"{origin.url}/b", SHELL))

    assert (bad.error, bad.html) == (sentence, b"")
    assert text_of(good) == "Maas is sour milk."
    assert works.n_started == 2


def test_page_that_writes_more_than_a_page_holds_is_too_long(origin):
    body = b"""<body><script>document.body.append("endless ".repeat(200000));</script></body>"""

    [drawn] = Drawn(RenderLimits(seconds=SECONDS, max_html_bytes=1_000_000)).draw(
        (f"{origin.url}/a", body)
    )

    assert drawn.error == "Its scripts wrote more than 1 MB."


def test_windows_a_page_opens_are_never_there(origin):
    body = b"""<body><div id="root">here</div><a id="a" target="_blank" href="about:blank">x</a>
    <script>setInterval(() => { for (let i = 0; i < 20; i++) { a.click(); window.open("/w"); } }, 1)
    </script></body>"""

    [drawn] = Drawn().draw((f"{origin.url}/a", body))

    assert (drawn.error, text_of(drawn), origin.paths) == ("", "here", [])


def test_browser_that_dies_is_an_outcome(origin):
    works = Drawn()
    body = b"<body><script>setInterval(() => fetch('/data.json'), 10)</script></body>"
    killed = []

    def kill_soon(renderer) -> None:
        if killed:
            return

        async def kill() -> None:
            is_drawing = lambda: renderer.pid and "/data.json" in origin.paths  # noqa: E731
            await asyncio.to_thread(wait_until, is_drawing)
            os.kill(renderer.pid, signal.SIGKILL)

        killed.append(asyncio.ensure_future(kill()))

    bad, good = works.draw((f"{origin.url}/a", body), (f"{origin.url}/b", SHELL), before=kill_soon)

    assert bad.error == "The browser died while it drew this page."
    assert text_of(good) == "Maas is sour milk."


def test_browser_is_started_anew_after_some_pages(origin):
    works = Drawn(RenderLimits(seconds=SECONDS, n_pages=2))

    works.draw(*((f"{origin.url}/{n}", b"<body>x</body>") for n in range(3)))

    assert works.n_started == 2


WORKER = """
import asyncio, sys
from feeds.crawler.rendering.renderer import _Child

async def main():
    child = await _Child.start(is_sandboxed=False)
    await child.wait_until_ready(60)
    print(child.pid, child._folder.name, flush=True)
    await asyncio.sleep(600)

asyncio.run(main())
"""


def test_nothing_of_a_browser_outlives_a_worker_that_is_killed():
    worker = subprocess.Popen([sys.executable, "-c", WORKER], stdout=subprocess.PIPE)
    number, folder = worker.stdout.readline().decode().split()
    driver = int(number)
    below = [driver, *descendants(driver)]
    assert len(below) > 4

    worker.kill()
    worker.wait(10)
    worker.stdout.close()

    wait_until(lambda: not any(is_running(pid) for pid in below))
    assert not Path(folder).exists()


def is_running(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat") as file:  # noqa: PTH123 (no path to be made)
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_browser_sees_none_of_our_variables(origin, monkeypatch):
    monkeypatch.setenv("SECRET_KEY", "of the installation")
    seen = []

    def look(renderer) -> None:
        if renderer.pid:
            with open(f"/proc/{renderer.pid}/environ", "rb") as file:  # noqa: PTH123
                seen.append(b"SECRET_KEY" in file.read())

    Drawn().draw(
        (f"{origin.url}/a", b"<body>x</body>"), (f"{origin.url}/b", b"<body>x</body>"), before=look
    )

    assert seen == [False]


def test_browser_that_has_no_time_to_start_is_an_outcome(origin):
    async def draw() -> Rendering:
        async with Fetcher(POLICY) as fetcher, Renderer(LIMITS, is_sandboxed=False) as renderer:
            book = RobotsBook(fetcher, AGENT)
            web = Web(fetcher, book.decide, lambda _: 0.0, RememberedAnswers(), utc_now)
            requests = RequestsOfPage(web, FetchRequest(f"{origin.url}/a", user_agent=AGENT))
            served = ServedPage(f"{origin.url}/a", SHELL, "text/html", AGENT)
            return await renderer.render(served, requests, asyncio.get_running_loop().time())

    assert asyncio.run(draw()).error == "The browser did not start within 0 s."


def test_page_in_another_encoding_comes_as_utf_8(origin):
    body = '<meta charset=windows-1252><div id="root">Brontë</div>'.encode("cp1252")

    [drawn] = Drawn(content_type="text/html").draw((f"{origin.url}/a", body))

    assert text_of(drawn) == "Brontë"
