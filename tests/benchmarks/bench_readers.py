"""`make bench-readers`: what honest readers feel while others try to take the site from them.

A site that anybody may read, on a free port of 127.0.0.1, in a temporary folder: 3,000 articles, a
million tokens. Five honest readers open a page a second each, from addresses of their own; beside
them, for 40 s each: nobody; 20 hostile readers at one address; 20 at as many addresses. The hostile
ones ask what `evil_queries.py` holds as fast as they are answered; one does not come to the end of
its headers, one does not read what it is sent. Then requests with evil headers, one by one.

Beside the time by the clock stands the processor time that the web process used while an honest
reader waited: what was done before the answer, on a machine however busy with other things.
"""

import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from urllib.parse import urlencode

import psutil

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from evil_queries import EVIL
from services import free_port
from small_corpora import document, write

ROOT = Path(__file__).resolve().parents[2]
HOST = "127.0.0.1"
SECONDS = 40
N_HONEST, N_HOSTILE = 5, 20
MARK_SECONDS = 1.0  # p95 of honest readers
THINK_SECONDS = 1.0
PATIENCE_SECONDS = 30  # of a hostile reader
N_ARTICLES, N_ADDRESSES = 3_000, 20_000
N_TEXTS, N_TOKENS, N_OF_SENTENCE, N_WORDS = 2_000, 500, 25, 20_000
HONEST = (
    "/",
    "/search/?q=w40",
    "/articles/",
    "/search/?ql=cql&q=%22w9%22+%5B%5D+%22w12%22",
    "/search/frequency/?q=w30&by=pub",
    "/articles/7/",
    "/words/w25/",
    "/search/collocates/?q=w300",
    "/search/trend/?q=w100",
    "/api/search?q=w77",
)
BIG = "/api/search/frequency?ql=cql&q=%5B%5D%7B2%7D"  # megabytes of JSON
GET = b"GET /search/?q=w40 HTTP/1.1\r\nHost: 127.0.0.1\r\n"
EVIL_HEADERS = {
    "9 kB of path": b"GET /" + b"a" * 9_000 + b" HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    "1 MB of one header": GET + b"X-A: " + b"a" * 1_000_000 + b"\r\n\r\n",
    "5,000 headers": GET + b"X-A: b\r\n" * 5_000 + b"\r\n",
    "8 kB of cookies": GET + b"Cookie: " + b"a=b; " * 1_600 + b"\r\n\r\n",
    "quoted cookies": GET + b'Cookie: sessionid="\\' + b"\\\\\\" * 2_000 + b'"\r\n\r\n',
    "8 kB of languages": GET + b"Accept-Language: " + b"a-b;q=0.1," * 800 + b"\r\n\r\n",
    "8 kB of encodings": GET + b"Accept-Encoding: " + b"gzip;q=0.1," * 700 + b"\r\n\r\n",
    "8 kB of forwarders": GET + b"X-Forwarded-For: " + b"10.0.0.1, " * 800 + b"\r\n\r\n",
    "another host": b"GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n",
    "no host": b"GET / HTTP/1.1\r\n\r\n",
    "two lengths": GET + b"Content-Length: 5\r\nContent-Length: 6\r\n\r\n",
    "length and chunks": GET + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "negative length": GET + b"Content-Length: -1\r\n\r\n",
    "length of an exabyte": GET + b"Content-Length: 1152921504606846976\r\n\r\n",
    "zero byte in a value": GET + b"X-A: a\x00b\r\n\r\n",
    "space before the colon": GET + b"X-A : b\r\n\r\n",
    "folded line": GET + b"X-A: b\r\n c\r\n\r\n",
    "unknown method": b"BREW / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    "9 kB of method": b"A" * 9_000 + b" / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    "HTTP/9.9": b"GET / HTTP/9.9\r\nHost: 127.0.0.1\r\n\r\n",
    "ranges": GET + b"Range: bytes=" + b"0-1," * 1_500 + b"0-1\r\n\r\n",
    "8 kB of ETags": GET + b"If-None-Match: " + b'"a",' * 1_600 + b'"b"\r\n\r\n',
    "year 99999": GET + b"If-Modified-Since: Mon, 01 Jan 99999 00:00:00 GMT\r\n\r\n",
    "8 kB of token": GET.replace(b"/search/", b"/api/search") + b"Authorization: Bearer "
    + b"a" * 8_000 + b"\r\n\r\n",
    "random bytes": bytes(random.Random(14).randrange(256) for _ in range(2_000)) + b"\r\n\r\n",
}  # fmt: skip


@dataclass(slots=True)
class Seen:
    """What readers of one kind saw: seconds of each answer, and how often each status came."""

    seconds: list[float] = field(default_factory=list)
    cpu_seconds: list[float] = field(default_factory=list)
    statuses: Counter[int | str] = field(default_factory=Counter)

    def percentile(self, share: float) -> float:
        """Seconds within which so many of a hundred were answered."""
        return percentile(self.seconds, share)


def percentile(values: list[float], share: float) -> float:
    ranked = sorted(values)
    return ranked[min(len(ranked) - 1, int(share * len(ranked) / 100))] if ranked else 0.0


def corpus(data_dir: Path, environment: dict[str, str]) -> None:
    """Fill database and index; articles of both have the same numbers."""
    subprocess.run(
        [sys.executable, "tests/benchmarks/grow.py", str(N_ARTICLES), str(N_ADDRESSES)],
        env=environment,
        cwd=ROOT,
        check=True,
        stderr=subprocess.DEVNULL,
    )
    drawn = random.Random(14)
    words = [f"w{n}" for n in range(N_WORDS)]
    weights = [1 / (n + 1) for n in range(N_WORDS)]
    texts = []
    for key in range(1, N_TEXTS + 1):
        tokens = drawn.choices(words, weights, k=N_TOKENS)
        starts = range(0, N_TOKENS, N_OF_SENTENCE)
        sentences = (" ".join(tokens[start : start + N_OF_SENTENCE]) for start in starts)
        texts.append(document(key, " | ".join(sentences)))
    write(data_dir / "index", texts)


@contextmanager
def serving(environment: dict[str, str], port: int) -> Iterator[psutil.Process]:
    """Run the web process as in production."""
    config = ["--config", "deploy/gunicorn.conf.py", f"--bind={HOST}:{port}"]
    command = [sys.executable, "-m", "gunicorn", *config, "corpus_site.wsgi"]
    log = Path(environment["DATA_DIR"]) / "web.log"
    with log.open("wb") as file:
        web = subprocess.Popen(command, cwd=ROOT, env=environment, stderr=file)
    try:
        wait_for(port)
        yield psutil.Process(web.pid)
    finally:
        web.send_signal(signal.SIGTERM)
        web.wait(timeout=30)
        if os.environ.get("SHOW_LOG"):
            print(log.read_text()[-3_000:])


def wait_for(port: int) -> None:
    for _ in range(300):
        try:
            urllib.request.urlopen(f"http://{HOST}:{port}/healthz", timeout=5).close()
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise RuntimeError("The site did not start.")


def asked(port: int, address: str, path: str, seen: Seen) -> None:
    """Open one page and read it."""
    began = time.monotonic()
    connection = HTTPConnection(HOST, port, PATIENCE_SECONDS, (address, 0))
    try:
        connection.request("GET", path)
        answer = connection.getresponse()
        answer.read()
        status: int | str = answer.status
    except (OSError, HTTPException) as error:
        status = type(error).__name__
    finally:
        connection.close()
    seen.seconds.append(time.monotonic() - began)
    seen.statuses[status] += 1


def cpu_seconds(web: psutil.Process) -> float:
    """Processor time of the process that answers."""
    times = web.cpu_times()
    return float(times.user + times.system)


def honest(port: int, web: psutil.Process, number: int, ends: float, seen: Seen) -> None:
    drawn = random.Random(number)
    time.sleep(drawn.random() * THINK_SECONDS)
    while time.monotonic() < ends:
        before = cpu_seconds(web)
        asked(port, f"127.0.1.{number + 1}", drawn.choice(HONEST), seen)
        seen.cpu_seconds.append(cpu_seconds(web) - before)
        time.sleep(drawn.uniform(0.5, 1.5) * THINK_SECONDS)


def hostile(port: int, number: int, address: str, ends: float, seen: Seen) -> None:
    questions = list(EVIL.values())
    random.Random(number).shuffle(questions)
    while time.monotonic() < ends:
        path, parameters = questions.pop(0)
        questions.append((path, parameters))
        asked(port, address, f"{path}?{urlencode(parameters, doseq=True)}", seen)


def stalling(port: int, begin: bytes, address: str, ends: float) -> None:
    """Send the beginning of a request, or all of one for much, and do nothing more."""
    while time.monotonic() < ends:
        with socket.socket() as client:
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
            client.bind((address, 0))
            client.connect((HOST, port))
            client.sendall(begin)
            time.sleep(max(0.0, ends - time.monotonic()))


def round_of(
    port: int, web: psutil.Process, address_of: Callable[[int], str] | None
) -> tuple[Seen, Seen]:
    """Let all read for some time: what honest and hostile ones saw."""
    good, bad, ends = Seen(), Seen(), time.monotonic() + SECONDS
    threads = [
        threading.Thread(target=honest, args=(port, web, number, ends, good))
        for number in range(N_HONEST)
    ]
    if address_of is not None:
        big = f"GET {BIG} HTTP/1.1\r\nHost: {HOST}\r\n\r\n".encode()
        for number, begin in enumerate((GET, big)):
            address = address_of(number)
            threads.append(threading.Thread(target=stalling, args=(port, begin, address, ends)))
        for number in range(2, N_HOSTILE):
            values = (port, number, address_of(number), ends, bad)
            threads.append(threading.Thread(target=hostile, args=values))
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return good, bad


def status_of_raw(port: int, request: bytes) -> str:
    """Send bytes and read the status of what comes back."""
    with socket.socket() as client:
        client.settimeout(PATIENCE_SECONDS)
        client.connect((HOST, port))
        try:
            client.sendall(request)
            head = client.recv(200)
        except OSError as error:
            return type(error).__name__
    return head.split(b" ")[1].decode() if head.startswith(b"HTTP/") else "closed"


def print_headers(port: int) -> None:
    print("\n| evil headers | answer | ms |\n|:--|--:|--:|")
    for name, request in EVIL_HEADERS.items():
        began = time.monotonic()
        status = status_of_raw(port, request)
        print(f"| {name} | {status} | {1000 * (time.monotonic() - began):.0f} |", flush=True)


def megabytes(web: psutil.Process) -> tuple[float, float]:
    """Resident memory of the largest process, now and at its highest."""
    now, highest = 0.0, 0.0
    for process in (web, *web.children(recursive=True)):
        now = max(now, process.memory_info().rss / 2**20)
        status = Path(f"/proc/{process.pid}/status").read_text()
        highest = max(highest, int(status.partition("VmHWM:")[2].split()[0]) / 1024)
    return now, highest


def main() -> int:
    port, is_met = free_port(), True
    rounds: dict[str, Callable[[int], str] | None] = {
        "nobody": None,
        "20 at one address": lambda _: "127.0.2.1",
        "20 at as many addresses": lambda number: f"127.0.3.{number + 1}",
    }
    with tempfile.TemporaryDirectory(prefix="broadsheet-readers-") as folder:
        own = {"DATA_DIR": folder, "READING_WITHOUT_SIGN_IN": "1", "DATABASE_URL": "", "DEBUG": "0"}
        own |= {"DJANGO_SETTINGS_MODULE": "corpus_site.settings", "ALLOWED_HOSTS": HOST}
        environment = os.environ | own
        corpus(Path(folder), environment)
        with serving(environment, port) as web:
            for path in HONEST:
                asked(port, HOST, path, Seen())
            print("| beside 5 honest readers | honest: answers | p50 ms | p95 ms | longest ms |"
                  " p50, p95 of processor ms | not 200 | hostile: answers by status | MB |"
                  " highest |")  # fmt: skip
            print("|:--|--:|--:|--:|--:|--:|--:|:--|--:|--:|", flush=True)
            for name, address_of in rounds.items():
                good, bad = round_of(port, web.children()[0], address_of)
                is_met &= good.percentile(95) <= MARK_SECONDS
                print_round(name, good, bad, megabytes(web))
            print_headers(port)
    print(f"Mark: p95 of honest readers {MARK_SECONDS:g} s: {'met' if is_met else 'missed'}.")
    return 0 if is_met else 1


def print_round(name: str, good: Seen, bad: Seen, memory: tuple[float, float]) -> None:
    times = [1000 * good.percentile(share) for share in (50, 95, 100)]
    worked = [1000 * percentile(good.cpu_seconds, share) for share in (50, 95)]
    refused = {status: n for status, n in good.statuses.items() if status != 200}
    statuses = ", ".join(f"{n} × {status}" for status, n in bad.statuses.most_common())
    cells = [name, str(len(good.seconds)), *(f"{ms:.0f}" for ms in times)]
    cells += [", ".join(f"{ms:.0f}" for ms in worked), str(refused or 0)]
    cells += [statuses or "–", *(f"{size:.0f}" for size in memory)]
    print("| " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    sys.exit(main())
