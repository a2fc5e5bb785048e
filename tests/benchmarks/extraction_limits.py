"""What the extraction does at its limits: damaged and hostile pages, and memory over many pages.

Crashes and the slowest page of three runs: every development page cut at a random byte (seeded),
the same with its rest moved, and made pages (deep, wide, empty, no HTML, 50 MB of inline data).
Memory is the resident set of a fresh process that reads 5,000 pages, the development pages over and
over; its own growth is that of the second half.
"""

import gzip
import random
import subprocess
import sys
import time
from itertools import cycle, islice
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MEMORY_PAGES = 5_000
MEMORY_STEP = 500
_MEBIBYTE = 1 << 20
_SEED = 20261122


def made_pages():
    """Name and bytes of pages no newspaper would send."""
    text = b"<p>" + b"Words of a sentence that goes on. " * 40
    yield "empty", b""
    yield "no HTML: a picture", b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 2_000
    yield "no HTML: packed", gzip.compress(text * 50)
    yield "no HTML: JSON", b'{"a": [' + b'{"b": "<p>x"},' * 50_000 + b"]}"
    yield "UTF-16 called UTF-8", b"<meta charset=utf-8>" + (text * 20).decode().encode("utf-16")
    yield "200,000 nested div", b"<div>" * 200_000 + text
    yield "200,000 nested b", b"<b>" * 200_000 + text
    yield "nested tables", b"<table><tr><td>" * 70_000 + text
    yield "nested lists", b"<ul><li>" * 100_000 + text
    yield "200,000 paragraphs", b"<p>A paragraph of a few words." * 200_000
    yield "200,000 links", b"<a href=/x>A link of words</a> " * 200_000
    yield "200,000 breaks", b"A line of words<br>" * 200_000
    yield "200,000 attributes", b"<p " + b"a='b' " * 200_000 + b">" + text
    yield "a class of 2 MB", b"<div class='" + b"tooltip-" * 250_000 + b"'>" + text
    yield "200,000 classes", b"<div class='" + b"comment article " * 100_000 + b"'>" + text
    yield "one word of 5 MB", b"<p>" + b"a" * 5_000_000
    yield "50 MB of inline picture", b"<img src='data:," + b"A" * 50_000_000 + b"'>" + text
    yield "50 MB of inline script", b"<script>" + b"x=1;" * 12_500_000 + b"</script>" + text
    yield (
        "50 MB of inline JSON-LD",
        b'<script type=\'application/ld+json\'>{"a": "' + b"A" * 50_000_000 + b'"}</script>' + text,
    )
    yield "open brackets", b"<" * 2_000_000
    yield "open comments", b"<!--" * 500_000 + text
    yield "1,000,000 paragraphs", b"<p>A paragraph of a few words." * 1_000_000
    yield "1,000,000 breaks", b"A line of words<br>" * 1_000_000
    yield "100,000 comments", text + b"".join(map(_comment, range(100_000)))
    yield "200,000 hidden", b"<b style='display:none'>Words</b> more " * 200_000
    yield "a headline of 10 MB", b"<h1>" + b"Words of a headline " * 500_000 + b"</h1>" + text
    yield "lines of 1.4 MB", (b"<p>" + b"Words of a sentence, that goes on. " * 40_000) * 10
    yield "entities", b"&amp;&#x41;&" * 300_000


def _comment(number):
    return (
        b"<div class='comment' id='comment-%d'><b class='author'>Piet %d</b>"
        b"<div class='comment-body'><p>These words are a reader's, who comments.</p></div></div>"
    ) % (number, number)


def cut_pages(pages):
    """Each page cut at a random byte."""
    chance = random.Random(_SEED)
    for name, body in pages:
        yield name, body[: chance.randrange(len(body) + 1)]


def moved_pages(pages):
    """Each page from a random byte on, its beginning behind its end."""
    chance = random.Random(_SEED + 1)
    for name, body in pages:
        where = chance.randrange(len(body) + 1)
        yield name, body[where:] + body[:where]


def survey(extract, pages):
    """Pages, names of those that crashed, seconds and name of the slowest."""
    n_pages, crashed, slowest = 0, [], (0.0, "")
    for name, body in pages:
        start = time.process_time()
        try:
            extract(body, "http://example.org/2026/11/a")
        except Exception as error:  # noqa: BLE001 (what is counted)
            crashed.append(f"{name}: {type(error).__name__}")
        n_pages += 1
        slowest = max(slowest, (time.process_time() - start, name))
    return n_pages, crashed, slowest


def resident_bytes():
    """Memory of this process."""
    status = Path("/proc/self/status").read_text().splitlines()
    line = next(line for line in status if line.startswith("VmRSS"))
    return int(line.split()[1]) * 1024


def memory_of_a_worker(shared):
    """MiB after each `MEMORY_STEP` pages, measured in a process of its own."""
    command = [sys.executable, __file__, str(shared)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return [float(number) for number in done.stdout.split()]


def _read_on(shared):
    """Extract page after page; print the memory now and then."""
    sys.path[:0] = [str(ROOT), str(ROOT / "tests")]
    from benchmarks.adapters import extract  # noqa: PLC0415 (after the path)

    files = sorted((Path(shared) / "data/extraction/pages").glob("*/*.html.gz"))
    for number, path in enumerate(islice(cycle(files), MEMORY_PAGES), 1):
        extract(gzip.decompress(path.read_bytes()), "")
        if number % MEMORY_STEP == 0:
            print(f"{resident_bytes() / _MEBIBYTE:.1f}", flush=True)


if __name__ == "__main__":
    _read_on(sys.argv[1])
