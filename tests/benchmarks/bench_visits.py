"""`make bench-visits`: what it costs to visit the pages of the replay web a second time.

The crawl of fundus, zyte and segments into a temporary folder, then all its pages made due again:
unchanged by 304, unchanged by equal digest, other bytes with the same text, and the same with every
tenth text changed. CPU of our own process (fetch, extract, duplicates, index), without its start;
then the room of the versions' table beside that of their texts, compressed.
"""

import argparse
import io
import json
import os
import resource
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

ROOT = Path(__file__).resolve().parents[2]
SHARED = Path(os.environ.get("SHARED_DATA_DIR", ROOT.parent / "shared"))
SETS = ("fundus", "zyte", "segments")
MARKS = (
    "Marks: <= 3 ms a page by 304, <= 6 ms by equal digest, table <= 1.2 of the texts compressed."
)
CHANGED_SHARE = 10  # every tenth page
# Put before the stops of all sentences: in any language it is another text.
_OTHER_WORDS = {"changed": b" indeed. ", "all": b" again. "}
PHASES = {
    "304": "unchanged, by 304",
    "digest": "unchanged, by equal digest",
    "noise": "other bytes, the same text",
    "changed": "every tenth text changed",
    "all": "every text changed",
}


class Altering(BaseHTTPRequestHandler):
    """A proxy before the replay web that answers whole pages, altered as the phase wants it."""

    protocol_version = "HTTP/1.1"
    upstream = ""
    phase = ""

    def do_GET(self) -> None:
        """Forward without conditions, alter what is a page."""
        known = ["User-Agent", "Host", "Accept"]
        # Equal documents come as they came first: compressed, as from a real server.
        known += ["Accept-Encoding"] if self.phase == "digest" else []
        headers = {name: self.headers[name] for name in known if self.headers[name]}
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({"http": self.upstream}))
        try:
            with opener.open(urllib.request.Request(self.path, headers=headers)) as answer:
                status, body, kind = answer.status, answer.read(), answer.headers["Content-Type"]
                coding = answer.headers["Content-Encoding"]
        except urllib.error.HTTPError as error:
            status, body, kind, coding = error.code, b"", "text/plain", None
        if "html" in (kind or ""):
            body = self.altered(body)
        self.send_response(status)
        self.send_header("Content-Type", kind or "text/plain")
        if coding:
            self.send_header("Content-Encoding", coding)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def altered(self, body: bytes) -> bytes:
        """Add a new mark to each page, and other words to every tenth."""
        if self.phase == "digest":
            return body
        is_tenth = zlib.crc32(self.path.encode()) % CHANGED_SHARE == 0
        if self.phase == "all" or (self.phase == "changed" and is_tenth):
            body = body.replace(b". ", _OTHER_WORDS[self.phase])
        return body + f"<!-- {self.phase} -->".encode()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 (the library's)
        """Keep the table readable."""


@contextmanager
def replay_web() -> Iterator[str]:
    program, data = SHARED / "bench/replay/replay.py", SHARED / "data/extraction"
    server = subprocess.Popen(
        [sys.executable, str(program), "--data", str(data), "--sets", *SETS],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert server.stdout is not None
    yield server.stdout.readline().strip()
    server.terminate()
    server.wait()


@contextmanager
def altering(upstream: str, phase: str) -> Iterator[str]:
    Altering.upstream, Altering.phase = upstream, phase
    server = ThreadingHTTPServer(("127.0.0.1", 0), Altering)
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def first_crawl(proxy: str, data_dir: str) -> None:
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    groups = json.load(direct.open(f"{proxy}/__replay__/hosts.json"))["groups"]
    feeds = Path(data_dir) / "feeds.txt"
    feeds.write_text("\n".join(group["feeds"]["rss"] for group in groups))
    peer = ROOT / "tests/benchmarks/replay_peer.py"
    command = [sys.executable, str(peer), str(feeds), f"{data_dir}/out", "--data", data_dir]
    environment = os.environ | {"http_proxy": proxy}
    subprocess.run(command, env=environment, check=True, stderr=subprocess.DEVNULL)


def visit(phase: str, proxy: str, data_dir: str) -> dict[str, float]:
    """Run one phase in a process of its own, as its start is not to be counted."""
    command = [sys.executable, __file__, "--phase", phase, "--data", data_dir]
    environment = os.environ | {"http_proxy": proxy, "PYTHONPATH": str(ROOT / "tests/benchmarks")}
    done = subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE, text=True)
    return json.loads(done.stdout.splitlines()[-1])


def run_phase(phase: str, data_dir: str) -> dict[str, float]:
    """Make all pages of articles due, work until idle, and count."""
    from replay_peer import prepare  # noqa: PLC0415 (the environment is set here)

    prepare(data_dir)
    import django  # noqa: PLC0415 (as above)

    django.setup()
    from django.core.management import call_command  # noqa: PLC0415 (as above)
    from django.utils import timezone  # noqa: PLC0415 (as above)

    from extraction.models import Article, SiteSketch  # noqa: PLC0415 (as above)
    from feeds.models import Page  # noqa: PLC0415 (as above)

    work = {"until_idle": True, "json": True, "processes": 1}
    Page.objects.exclude(kind="article").reschedule(None)
    # What the phase before left, and what its pages teach of their sites.
    call_command("work", stdout=io.StringIO(), **work)
    while SiteSketch.objects.filter(is_learnt=False).exists():
        call_command("work", stdout=io.StringIO(), **work)
    if phase != "304":
        Page.objects.update(etag="", last_modified="")
    n_pages = Page.objects.filter(article__isnull=False).reschedule(timezone.now())
    n_versions = sum(Article.objects.values_list("n_versions", flat=True))
    before, out = resource.getrusage(resource.RUSAGE_SELF), io.StringIO()
    call_command("work", stdout=out, **work)
    after = resource.getrusage(resource.RUSAGE_SELF)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    now = sum(Article.objects.values_list("n_versions", flat=True))
    told = json.loads(out.getvalue())
    return {
        "pages": n_pages,
        "not_modified": told["fetched"].get("not_modified", 0),
        "indexed": told["indexed"],
        "versions": now - n_versions,
        "ms": 1000 * seconds / n_pages,
    }


def room(data_dir: str) -> tuple[int, int, int]:
    """Bytes of the table's rows and indexes, of its pages on the disk, of its texts compressed."""
    from replay_peer import prepare  # noqa: PLC0415 (the environment is set here)

    prepare(data_dir)
    import django  # noqa: PLC0415 (as above)

    django.setup()
    from django.db import connection  # noqa: PLC0415 (as above)

    from extraction.models import ArticleVersion  # noqa: PLC0415 (as above)
    from extraction.versions import former_texts  # noqa: PLC0415 (as above)

    keys = set(ArticleVersion.objects.values_list("article", flat=True))
    former = [shown for pk in keys for shown in former_texts([pk]).get(pk, {}).values()]
    texts = sum(len(zlib.compress(shown.text.encode(), 9)) for shown in former)
    query = "SELECT sum(payload), sum(pgsize) FROM dbstat WHERE name IN (SELECT name FROM "
    query += "sqlite_master WHERE tbl_name = 'extraction_articleversion')"
    with connection.cursor() as cursor:
        cursor.execute(query)
        payload, pages = cursor.fetchone()
    return payload, pages, texts


def row(*cells: object) -> None:
    print("| " + " | ".join(str(cell) for cell in cells) + " |", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--phase")
    parser.add_argument("--data")
    arguments = parser.parse_args()
    if arguments.phase:
        print(json.dumps(run_phase(arguments.phase, arguments.data)))
        return 0
    if not (SHARED / "bench/replay/replay.py").exists():
        print(f"left out: no replay web below {SHARED} (SHARED_DATA_DIR names the folder)")
        return 0
    sys.path.insert(0, str(ROOT / "tests/benchmarks"))
    with replay_web() as proxy, tempfile.TemporaryDirectory(prefix="broadsheet-visits-") as folder:
        first_crawl(proxy, folder)
        row("second visit", "pages", "304", "versions", "indexed", "CPU ms a page")
        row("---", "---:", "---:", "---:", "---:", "---:")
        for phase, words in PHASES.items():
            if phase == "304":
                told = visit(phase, proxy, folder)
            else:
                with altering(proxy, phase) as other:
                    told = visit(phase, other, folder)
            counts = (told["pages"], told["not_modified"], told["versions"], told["indexed"])
            row(words, *counts, f"{told['ms']:.1f}")
        payload, pages, texts = room(folder)
    print(f"Versions: {texts} bytes of texts compressed; rows and indexes {payload / texts:.2f} of")
    print(f"that, pages of the SQLite file {pages / texts:.2f}.")
    print(MARKS)
    return 0


if __name__ == "__main__":
    sys.exit(main())
