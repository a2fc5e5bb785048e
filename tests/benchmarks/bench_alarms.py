"""`make bench-alarms`: the table of planted faults, and what keeping the alarms costs.

1. The integration test of planted faults, which records what was told, after how long, and when
   that was over.
2. One `keep` of the alarms at 1,000 publications and 1,000,000 articles, on a database of its own:
   wall and processor time of the median and the slowest of some minutes, queries. Mark: 0.5 s.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TEST = "tests/integration/corpus_site/watching/test_planted_faults.py"
N_PUBLICATIONS, N_ARTICLES = 1_000, 1_000_000


def row(*cells: object) -> None:
    print("| " + " | ".join(str(cell) for cell in cells) + " |")


def planted_faults() -> int:
    with tempfile.NamedTemporaryFile("r", suffix=".jsonl") as table:
        command = [sys.executable, "-m", "pytest", "-q", TEST, "-p", "no:cacheprovider"]
        done = subprocess.run(
            command, cwd=ROOT, env=os.environ | {"ALARM_TABLE": table.name}, check=False,
            capture_output=True, text=True,
        )  # fmt: skip
        rows = [json.loads(line) for line in table.read().splitlines()]
    row("fault", "told as", "sentence", "after", "closed after")
    row(":--", ":--", ":--", "--:", "--:")
    for cells in rows:
        row(*cells)
    print(f"\n{len(rows)} rows. {done.stdout.strip().splitlines()[-1]}")
    return done.returncode


KEEPING = """
import random, statistics, sys, time
from datetime import timedelta
import django; django.setup()
from django.core.management import call_command
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from corpus_site.alarms.keeping import keep_if_due
from corpus_site.alarms.models import Alarm
from feeds.crawler.timing.publishing import Pattern, expect, learn
from feeds.models import *
from extraction.models import Article
n_papers, n_articles = int(sys.argv[1]), int(sys.argv[2])
call_command("migrate", verbosity=0)
chance, now = random.Random(7), timezone.now()
midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
begun = now - timedelta(days=400)
Publication.objects.bulk_create(
    Publication(name=f"Paper {n}", slug=f"paper-{n}", home_url=f"http://paper{n}.example/",
                state="active", created_at=begun, started_at=begun) for n in range(n_papers))
Host.objects.bulk_create(
    Host(name=f"paper{n}.example", next_at=now, robots_body="User-agent: *\\n" * 50,
         blocked_since=now if n % 50 == 0 else None, troubled_since=now if n % 50 == 0 else None,
         troubled_by="forbidden" if n % 50 == 0 else "") for n in range(n_papers))
papers, hosts = list(Publication.objects.order_by("pk")), list(Host.objects.order_by("pk"))
pattern = Pattern()
for day in range(45, 3, -1):
    pattern = learn(pattern, midnight - timedelta(days=day),
                    [chance.randrange(4) for _ in range(24)])
stored, expected = pattern.stored(), expect(pattern).stored()
learnt_until = midnight - timedelta(days=3)  # so a day is to be learnt of each
PublishingRhythm.objects.bulk_create(
    PublishingRhythm(publication=p, pattern=stored, expectation=expected, articles_a_day=36,
                     learnt_until=learnt_until) for p in papers)
ArticleFlow.objects.bulk_create(
    ArticleFlow(publication=p, host=h, stored_at=now, recent_stored=180, recent_lost=9)
    for p, h in zip(papers, hosts))
ArticleHour.objects.bulk_create(
    (ArticleHour(publication=p, hour=midnight - timedelta(hours=n), n_stored=chance.randrange(4))
     for p in papers for n in range(96)), batch_size=5000)
def pages(kind, total, first):
    for start in range(0, total, 20000):
        Page.objects.bulk_create([
            Page(url=f"http://paper{n % n_papers}.example/{kind}{n}",
                 key=f"paper{n % n_papers}.example/{kind}{n}", kind=kind, outcome="ok",
                 host=hosts[n % n_papers], publication=papers[n % n_papers], found_at=begun,
                 visited_at=begun, content_digest="d", due_at=now + timedelta(days=n % 30 + 1))
            for n in range(start, min(start + 20000, total))])
def copied(row, n, **changes):
    table = row._meta.db_table
    names = [f.column for f in row._meta.concrete_fields if not f.primary_key]
    values = ", ".join(changes.get(name, name) for name in names)
    with connection.cursor() as cursor:
        cursor.execute(
            f"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {n}) "
            f"INSERT INTO {table} ({', '.join(names)}) "
            f"SELECT {values} FROM n, {table} WHERE {table}.id = {row.pk}")
with transaction.atomic():
    pages("feed", 3 * n_papers, 0)
    Feed.objects.bulk_create(
        Feed(publication_id=p.publication_id, page=p, created_at=begun, n_items=20, polled_at=now,
             newest_item_at=now, overlap_share=0.9)
        for p in Page.objects.filter(kind="feed"))
    copied(Page.objects.filter(kind="feed").first(), n_articles,
           kind="'article'", key="'story/' || i", url="'http://story/' || i",
           publication_id=f"{papers[0].pk} + i % {n_papers}",
           host_id=f"{hosts[0].pk} + i % {n_papers}")
    first = Page.objects.filter(kind="article").order_by("pk").first()
    one = Article.objects.create(page=Page.objects.filter(kind="feed").first(),
        publication=papers[0], url="u", dated_at=begun, text_digest="d",
        created_at=begun, updated_at=begun)
    copied(one, n_articles, page_id=f"{first.pk - 1} + i", text_digest="i",
           publication_id=f"{papers[0].pk} + i % {n_papers}")
Worker.objects.create(name="w", kind="worker", pid=1, started_at=now,
                      beat_at=now + timedelta(hours=1))
walls, cpus = [], []
with CaptureQueriesContext(connection) as queries:
    keep_if_due("bench", now)
for minute in range(1, 16):
    wall, cpu = time.perf_counter(), time.process_time()
    assert keep_if_due("bench", now + timedelta(minutes=minute, seconds=minute))
    walls.append(time.perf_counter() - wall); cpus.append(time.process_time() - cpu)
print(f"| {n_papers} publications, {Article.objects.count()} articles, "
      f"{Feed.objects.count()} feeds |"
      f" {statistics.median(walls):.2f} | {max(walls):.2f} | {statistics.median(cpus):.2f} |"
      f" {len(queries)} | {Alarm.objects.filter(closed_at=None).count()} |")
"""


def cost_of_keeping() -> None:
    print("\n| one keep of the alarms | median s | slowest s | median CPU s | queries | open |")
    print("|:--|--:|--:|--:|--:|--:|", flush=True)
    with tempfile.TemporaryDirectory(prefix="broadsheet-alarms-") as folder:
        environment = {
            "DATA_DIR": folder,
            "DJANGO_SETTINGS_MODULE": "corpus_site.settings",
            "MIN_FREE_DISK_BYTES": "0",
        }
        subprocess.run(
            [sys.executable, "-c", KEEPING, str(N_PUBLICATIONS), str(N_ARTICLES)],
            cwd=ROOT,
            env=os.environ | environment,
            check=True,
        )
    print("Mark: 0.5 s.")


def main() -> int:
    failed = planted_faults() if "--cost" not in sys.argv else 0
    cost_of_keeping()
    return failed


if __name__ == "__main__":
    sys.exit(main())
