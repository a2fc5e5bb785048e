"""`make bench-dedup SIZE=1M`: the table of fingerprints while it grows to a million articles.

Invented articles of 18 to 30 fingerprints (24 on average, as on the development set) fill the table
at once; the last 50,000 come in batches of the stage's size, and are measured: look-up,
short list, entry, commit. 15 % of these are copies of earlier ones; each of 200 sites has standing
fingerprints that soon are full. SQLite in a temporary folder;
PostgreSQL where TEST_DATABASE_URL names a server. CPU is that of this process and, on PostgreSQL,
of the server's process for this connection. At the end 1,000 articles change their text, and the
whole stage detects the development set beside what is stored.

python tests/benchmarks/dedup_store.py SIZE [sqlite|postgres]    (SIZE: 200k, 1M, a number)
"""

import gzip
import json
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from itertools import islice
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
BATCH = 500
MEASURED = 50_000
ARTICLES_PER_FILLING = 50_000
ROWS_PER_INSERT = 500_000
SHARE_OF_COPIES = 0.15
N_SITES = 200
N_STANDING = 3
FIRST = 1_000_000_001  # apart from the real articles that come at the end
N_AGAIN = 1000
SLOTS = 64  # numbers reserved for an article's fingerprints
TICK = os.sysconf("SC_CLK_TCK")


def mix(values):
    """Scramble numbers to 64 bits (splitmix64), so that any article's are known by its number."""
    values = values.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    values ^= values >> np.uint64(30)
    values *= np.uint64(0xBF58476D1CE4E5B9)
    values ^= values >> np.uint64(27)
    values *= np.uint64(0x94D049BB133111EB)
    return values ^ (values >> np.uint64(31))


def fingerprints_of(article, n_standing=N_STANDING):
    """Between 18 and 30 numbers, three of them of the article's site."""
    size = 18 + int(mix(np.array([article]))[0] % 13)
    own = mix(article * SLOTS + np.arange(size - N_STANDING))
    standing = mix(2**62 + article % N_SITES * SLOTS + np.arange(n_standing))
    # Sampled fingerprints are the smallest fourteenth of all hashes.
    return np.sort((np.concatenate([standing, own]) >> np.uint64(4)).view(np.int64))


def open_database(kind, folder):
    os.environ["DATA_DIR"] = str(folder)
    os.environ["DATABASE_URL"] = os.environ.get("TEST_DATABASE_URL", "") if kind != "sqlite" else ""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "corpus_site.settings")
    sys.path.insert(0, str(ROOT))
    import django  # noqa: PLC0415 -- the settings read the environment above
    from django.core.management import call_command  # noqa: PLC0415

    django.setup()
    call_command("migrate", verbosity=0)


class Clock:
    """Seconds by the wall and of CPU, the database server's among them."""

    def __init__(self, server_pid):
        self.server_pid = server_pid
        self.wall, self.cpu = time.perf_counter(), self._cpu()

    def _cpu(self):
        own = time.process_time()
        if self.server_pid is None:
            return own
        fields = Path(f"/proc/{self.server_pid}/stat").read_text().rsplit(")", 1)[1].split()
        return own + (int(fields[11]) + int(fields[12])) / TICK

    def lap(self):
        """Give the seconds since the last lap."""
        wall, cpu = time.perf_counter(), self._cpu()
        found = wall - self.wall, cpu - self.cpu
        self.wall, self.cpu = wall, cpu
        return found


def fill(n_articles):
    """Enter articles without asking: only the first twelve of a site have its standing ones.

    PostgreSQL's rows lie in order of arrival and the index is built afterwards; SQLite's rows are
    the index, so they are written in its order.
    """
    from django.db import connection  # noqa: PLC0415

    from dedup.similarity.near import MAX_HOLDERS  # noqa: PLC0415
    from dedup.stage import fingerprints, hash_tables  # noqa: PLC0415

    n_early = FIRST + MAX_HOLDERS * N_SITES
    made = (
        (fingerprints_of(article, N_STANDING if article < n_early else 0), article)
        for article in range(FIRST, FIRST + n_articles)
    )
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT indexdef FROM pg_indexes WHERE tablename = 'dedup_fingerprint'")
            [[index]] = cursor.fetchall()
            cursor.execute("DROP INDEX fingerprint_holders")
            for entries in batched(made, ARTICLES_PER_FILLING):
                fingerprints.add(entries)
            cursor.execute(index)
            cursor.execute("VACUUM ANALYZE dedup_fingerprint")
        return
    keys, articles = [], []
    for entries in batched(made, ARTICLES_PER_FILLING):
        fingerprints.keep_entered({article: hashes for hashes, article in entries})
        keys += [hashes for hashes, _ in entries]
        articles += [np.full(len(hashes), article) for hashes, article in entries]
    columns = np.concatenate(keys), np.concatenate(articles)
    order = np.argsort(columns[0])
    for start in range(0, len(order), ROWS_PER_INSERT):
        piece = order[start : start + ROWS_PER_INSERT]
        hash_tables.insert(fingerprints.TABLE, [column[piece] for column in columns])


def batched(values, size):
    values = iter(values)
    while batch := list(islice(values, size)):
        yield batch


def ingest(first, rng, clock):
    """One batch: look up, shorten, enter; how many copies there were, and how many were found."""
    from django.db import transaction  # noqa: PLC0415

    from dedup.similarity.near import MAX_HOLDERS, entries, shortlist, signature  # noqa: PLC0415
    from dedup.stage import fingerprints  # noqa: PLC0415

    empty = signature("")
    originals = [
        int(rng.integers(FIRST, first)) if rng.random() < SHARE_OF_COPIES else None
        for _ in range(BATCH)
    ]
    signatures = [
        replace(empty, fingerprints=fingerprints_of(original or first + n))
        for n, original in enumerate(originals)
    ]
    n_found, rows = 0, []
    clock.lap()
    with transaction.atomic():
        holders = fingerprints.holders(np.concatenate([new.fingerprints for new in signatures]))
        for n, (new, original) in enumerate(zip(signatures, originals, strict=True)):
            names = shortlist(new.fingerprints, holders)
            if original is not None:
                n_found += original in names
                continue
            keys = entries(new, holders)
            for key in keys:
                holders.setdefault(key, []).append(first + n)
            rows.append((keys, first + n))
        fingerprints.add(rows)
    seconds = clock.lap()
    assert max(map(len, holders.values())) <= MAX_HOLDERS
    return n_found, sum(original is not None for original in originals), seconds


def size_bytes(folder):
    from django.db import connection  # noqa: PLC0415

    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            return (Path(folder) / "broadsheet.sqlite3").stat().st_size
        cursor.execute(
            "SELECT pg_total_relation_size('dedup_fingerprint')"
            " + pg_total_relation_size('dedup_enteredtext')"
        )
        return cursor.fetchone()[0]


def main(kind, n_articles):
    if kind == "postgres" and not os.environ.get("TEST_DATABASE_URL"):
        print("not run: TEST_DATABASE_URL names no PostgreSQL server")
        return 0
    with tempfile.TemporaryDirectory(prefix="broadsheet-store-") as folder:
        open_database(kind, folder)
        grow(kind, n_articles, folder)
    return 0


def grow(kind, n_articles, folder):
    from django.db import connection  # noqa: PLC0415

    rng = np.random.default_rng(2026)
    server_pid = None
    connection.ensure_connection()
    if kind == "postgres":
        server_pid = connection.connection.info.backend_pid
    empty = size_bytes(folder)
    n_filled = n_articles - MEASURED
    fill(n_filled)
    clock = Clock(server_pid)
    found = np.zeros(4)
    for first in range(FIRST + n_filled, FIRST + n_articles, BATCH):
        n_found, n_copies, seconds = ingest(first, rng, clock)
        found += [n_found, n_copies, *seconds]
    n_found, n_copies, wall, cpu = found
    print(
        f"\n{kind}, {n_articles:,} articles, batches of {BATCH}: {MEASURED / wall:,.0f} articles/s,"
        f" {1000 * cpu / MEASURED:.3f} CPU ms an article,"
        f" {(size_bytes(folder) - empty) / n_articles:,.0f} bytes an article,"
        f" {n_found / n_copies:.2%} of the copies found",
        flush=True,
    )
    change(rng, n_articles, clock)
    detect(clock)


def change(rng, n_articles, clock):
    """Take articles out and enter them under other fingerprints, as a changed text does."""
    from django.db import transaction  # noqa: PLC0415

    from dedup.stage import fingerprints  # noqa: PLC0415

    changed = rng.integers(FIRST, FIRST + n_articles, N_AGAIN).tolist()
    clock.lap()
    for start in range(0, N_AGAIN, BATCH):
        ids = changed[start : start + BATCH]
        entries = [(fingerprints_of(10 * article), article) for article in ids]
        with transaction.atomic():
            fingerprints.remove(ids)
            fingerprints.holders(np.concatenate([keys for keys, _ in entries]))
            fingerprints.add(entries)
    wall, cpu = clock.lap()
    print(
        f"{N_AGAIN} changed texts: {N_AGAIN / wall:,.0f} articles/s,"
        f" {1000 * cpu / N_AGAIN:.3f} CPU ms an article",
        flush=True,
    )


def detect(clock):
    """Run the stage over the development set, with a million articles stored."""
    sys.path.insert(0, str(ROOT / "tests" / "benchmarks"))
    import bench_dedup  # noqa: PLC0415

    path = bench_dedup.FOLDER / "dedup-dev.jsonl.gz"
    if not path.exists():
        print(f"not run: {path} is absent")
        return
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        documents = [json.loads(line) for line in lines]
    bench_dedup.store(documents)
    clock.lap()
    bench_dedup.detect_all()
    wall, cpu = clock.lap()
    n = len(documents)
    print(
        f"whole stage, {n} articles: {n / wall:,.0f} articles/s, {1000 * cpu / n:.2f} CPU ms each",
        flush=True,
    )


def articles(size):
    """Read a size: 200k, 1M or a plain number; no less than what is measured."""
    factors = {"k": 1000, "M": 1_000_000}
    n = int(size[:-1]) * factors[size[-1]] if size[-1] in factors else int(size)
    return max(n, MEASURED)


if __name__ == "__main__":
    kinds = sys.argv[2:] or ["sqlite", "postgres"]
    if len(kinds) == 1:
        sys.exit(main(kinds[0], articles(sys.argv[1])))
    for name in kinds:  # Django's settings hold one database a process
        subprocess.run([sys.executable, __file__, sys.argv[1], name], check=True)
