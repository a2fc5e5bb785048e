"""`make bench-warc`: a WARC file of real pages under generated addresses, imported and read.

PAGES=3000 sets how many pages; 30,000 make a file of about 1 GB. Prints pages/s of the import and
of all stages, records/s where everything is left out, and the most resident memory that one process
of each command had at any moment, pages of files among it. The file is written by a process of its
own: a child's peak begins with the memory of whoever starts it. The pages' sites are no real ones,
so their publications pause: what would be asked of them is not waited for.
"""

import gzip
import json
import multiprocessing
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from foreign_warcs import Answer, plain_records  # noqa: E402 (the path is set above)

SHARED = Path(os.environ.get("SHARED_DATA_DIR", ROOT.parent / "shared"))
N_PAGES = int(os.environ.get("PAGES", "3000"))
PROCESSES = 2
PAGES_PER_HOST = 40  # of a newspaper in a file of Common Crawl News
PAUSE = (
    "from feeds.models import Publication, PublicationState as State;"
    " Publication.objects.update(state=State.PAUSED)"
)
# A run of text of a sentence's length, between two tags of a paragraph.
_WORDS = re.compile(rb"(?<=<p>)[^<>{}]{60,2000}(?=<)")
MARKS = "Marks: >= 45 pages/s with every stage, >= 400 records/s left out, <= 600 MB a process."


@dataclass(frozen=True, slots=True)
class Cost:
    """What a command took: seconds by the clock and of processors, MB of its largest process."""

    wall: float
    cpu: float
    megabytes: float
    told: dict[str, float]


def documents() -> list[bytes]:
    """Real pages, plain."""
    paths = sorted(path for path in (SHARED / "data/extraction/pages").rglob("*") if path.is_file())
    return [
        gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
        for path in paths
    ]


def answers(pages: list[bytes], n_pages: int) -> Iterator[Answer]:
    """Give pages of newspapers: one document each, and the same with other words in its text."""
    chance = random.Random(17)
    n_papers = max(n_pages // PAGES_PER_HOST, 1)
    chosen = [page for page in chance.sample(pages, len(pages)) if len(_WORDS.findall(page)) > 5]
    for number in range(n_pages):
        paper, turn = number % n_papers, number // n_papers
        body = chosen[paper % len(chosen)]
        words = b" ".join(_WORDS.findall(body)).split()
        if turn:
            body = _WORDS.sub(lambda run, words=words: _reworded(run[0], words, chance), body)
        day = f"20{chance.randrange(10, 26)}-{chance.randrange(1, 13):02}-15T08:00:00Z"
        address = f"https://www.paper-{paper}.example/news/story-of-number-{turn}"
        yield Answer(address, body, day)


def _reworded(run: bytes, words: list[bytes], chance: random.Random) -> bytes:
    return b" ".join(chance.choices(words, k=run.count(b" ") + 1))


def write(path: Path, n_pages: int) -> None:
    with path.open("wb") as file:
        for answer in answers(documents(), n_pages):
            for record in plain_records([answer])[1:]:
                file.write(gzip.compress(record, 6))


def run(folder: Path, *arguments: str) -> Cost:
    began = time.monotonic()
    environment = {**os.environ, "DATA_DIR": str(folder), "OPENBLAS_NUM_THREADS": "1"}
    process = subprocess.Popen(
        [sys.executable, str(ROOT / "manage.py"), *arguments],
        env=environment, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    with process.stdout as stdout:
        said = stdout.read()
    # Of this command and all that it has waited for; `subprocess` would tell nothing of it.
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, process.args)
    told = json.loads(said) if "--json" in arguments else {}
    wall = time.monotonic() - began
    return Cost(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, told)


def main() -> None:
    if not (SHARED / "data/extraction/pages").exists():
        print(f"left out: no pages below {SHARED} (SHARED_DATA_DIR names the folder)")
        return
    with tempfile.TemporaryDirectory(prefix="broadsheet-warc-") as name:
        folder, path = Path(name) / "data", Path(name) / "news.warc.gz"
        writer = multiprocessing.get_context("spawn").Process(target=write, args=(path, N_PAGES))
        writer.start()
        writer.join()
        print(f"{N_PAGES} pages, {path.stat().st_size / 1e6:.0f} MB")
        run(folder, "migrate", "--verbosity=0")
        none = run(folder, "import_warc", str(path), "--hosts", "nobody.example", "--json")
        taken = run(folder, "import_warc", str(path), "--json")
        run(folder, "shell", "--verbosity=0", "--command", PAUSE)
        texts = run(folder, "work", "--until-idle", "--processes", str(PROCESSES), "--json")
    print(f"{'':24}{'wall s':>9}{'CPU s':>9}{'MB':>7}{'a second':>10}")
    for label, cost, n in (
        ("all left out, records", none, none.told["records"]),
        ("taken, pages", taken, taken.told["stored"]),
        ("read by every stage", texts, taken.told["stored"]),
    ):
        rate = n / cost.wall
        print(f"{label:24}{cost.wall:9.1f}{cost.cpu:9.1f}{cost.megabytes:7.0f}{rate:10.1f}")
    whole = taken.wall + texts.wall
    print(f"file to corpus: {taken.told['stored'] / whole:.1f} pages/s; {taken.told}")
    print(MARKS)


if __name__ == "__main__":
    main()
