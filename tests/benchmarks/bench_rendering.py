"""`make bench-rendering`: what it costs to let a browser draw a page.

Pages of a paper on this machine that a script draws from a JSON document: script, style sheet and
data come through the fetcher without delays. A browser that is kept warm beside one that is started
for each page; processor time and memory of the browser with all its processes and its driver, as
Linux tells them (RssAnon: what is theirs alone), and those of the worker itself.
"""

import argparse
import asyncio
import ipaddress
import json
import os
import sys
import time
from contextlib import suppress
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from integration.feeds.origin import Origin, answer  # noqa: E402

from feeds.crawler.fetching.exchange import FetchRequest, NetworkPolicy  # noqa: E402
from feeds.crawler.fetching.http import Fetcher, utc_now  # noqa: E402
from feeds.crawler.fetching.robots_book import RobotsBook  # noqa: E402
from feeds.crawler.rendering import process_tree  # noqa: E402
from feeds.crawler.rendering.renderer import Renderer, RenderLimits, ServedPage  # noqa: E402
from feeds.crawler.rendering.requests_of_pages import (  # noqa: E402
    RememberedAnswers,
    RequestsOfPage,
    Web,
)

AGENT = "Broadsheet/0.1 (bench)"
POLICY = NetworkPolicy(allowed_private_networks=(ipaddress.ip_network("127.0.0.1/32"),))
SENTENCE = "The council said on Monday that the road would be mended before the winter. "
STORY = json.dumps([SENTENCE * 4] * 20).encode()
# A reader of some hundred kB, as a newspaper's own code and its framework are.
READER = (
    b"const padding = " + json.dumps("x" * 300_000).encode() + b";"
    b"""
fetch("/data.json").then((r) => r.json()).then((paragraphs) => {
  for (let n = 0; n < 300; n++) {
    const made = document.createElement("div"); made.className = "teaser";
    made.textContent = "Teaser " + n; root.append(made);
  }
  for (const text of paragraphs) {
    const made = document.createElement("p"); made.textContent = text; root.append(made);
  }
});
"""
)
SHELL = b"""<!doctype html><html><head><link rel="stylesheet" href="/s.css"></head>
<body><div id="root"></div><script src="/app.js"></script></body></html>"""
ROUTES = {
    "/app.js": answer(READER, headers=(("Content-Type", "text/javascript"),)),
    "/s.css": answer(b".teaser{float:left}", headers=(("Content-Type", "text/css"),)),
    "/data.json": answer(STORY, headers=(("Content-Type", "application/json"),)),
}


def cpu_seconds(root: int) -> float:
    """Processor time of a process, all below it, and their children that have ended."""
    ticks = 0
    for pid in (root, *process_tree.descendants(root)):
        with suppress(OSError, ValueError, IndexError):
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            ticks += sum(int(value) for value in fields[11:15])  # utime stime cutime cstime
    return ticks / os.sysconf("SC_CLK_TCK")


async def measure(url: str, n_pages: int, limits: RenderLimits) -> str:
    """Draw pages one after the other; a row of the table."""
    remembered, browser_cpu, most = RememberedAnswers(), 0.0, 0
    async with Fetcher(POLICY) as fetcher, Renderer(limits, is_sandboxed=False) as renderer:
        book = RobotsBook(fetcher, AGENT)
        web = Web(fetcher, book.decide, lambda _: 0.0, remembered, utc_now)
        began, own, pid = time.monotonic(), time.process_time(), None
        last = 0.0
        for n in range(n_pages):
            request = FetchRequest(f"{url}/{n}", user_agent=AGENT)
            page = ServedPage(request.url, SHELL, "text/html; charset=utf-8", AGENT)
            async with renderer.turn:
                drawn = await renderer.render(page, RequestsOfPage(web, request))
            if drawn.error or SENTENCE.encode() not in drawn.html:
                raise SystemExit(f"page {n} was not drawn: {drawn.error}")
            if renderer.pid != pid:
                browser_cpu, pid = browser_cpu + last, renderer.pid
            last = cpu_seconds(pid)
            most = max(most, process_tree.tree_use(pid).n_bytes)
        elapsed = time.monotonic() - began
        own_cpu = time.process_time() - own
        await book.close()
    browser = (browser_cpu + last) / n_pages
    return (
        f"{n_pages / elapsed:8.2f} {elapsed / n_pages:10.2f} {browser:14.2f} "
        f"{own_cpu / n_pages:13.3f} {most / (1 << 20):10.0f} {renderer.n_started:8d}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=40)
    n_pages = parser.parse_args().pages
    head = f"{'pages/s':>8} {'s a page':>10} {'browser CPU s':>14} {'worker CPU s':>13}"
    print(f"{'':22} {head} {'highest MB':>10} {'browsers':>8}")
    with Origin(dict(ROUTES)) as origin:
        for name, limits in (
            ("one browser", RenderLimits(n_pages=n_pages)),
            ("anew after 50 pages", RenderLimits()),
            ("a browser for each", RenderLimits(n_pages=1)),
        ):
            print(f"{name:22} {asyncio.run(measure(origin.url, n_pages, limits))}", flush=True)


if __name__ == "__main__":
    main()
