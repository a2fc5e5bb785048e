"""`make bench-withdrawal`: 10,000 articles withdrawn at once, until no search finds them.

An invented corpus (SIZE articles of some 160 words in 40 publications, with a comment under every
fifth) goes through detection and index; then 10,000 of them are withdrawn by one order, and the
stages run until nothing is due: how long until their hits are gone, from the newest generation and
from an older one, what a search of the others finds meanwhile, and how long until all rows are
closed. Then half are put back, and 200 erased. SQLite in a temporary folder; PostgreSQL where
TEST_DATABASE_URL names a server.

python tests/benchmarks/bench_withdrawal.py [SIZE] [sqlite|postgres]
"""

import os
import random
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
SIZE = 20_000
WITHDRAWN = 10_000
ERASED = 200
WORDS_PER_TEXT = 160
PUBLICATIONS = 40
START = datetime(2026, 1, 1, tzinfo=UTC)
COMMENT_EVERY = 5
LIMIT_SECONDS = 60.0
ROWS = 500


def open_database(kind: str, folder: str) -> None:
    """Make the tables of an empty installation."""
    os.environ["DATA_DIR"] = folder
    os.environ["DATABASE_URL"] = os.environ.get("TEST_DATABASE_URL", "") if kind != "sqlite" else ""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "corpus_site.settings")
    sys.path.insert(0, str(ROOT))
    import django  # noqa: PLC0415 -- the settings read the environment above
    from django.core.management import call_command  # noqa: PLC0415

    django.setup()
    call_command("migrate", verbosity=0)


def row(*cells: object) -> None:
    print("| " + " | ".join(str(cell) for cell in cells) + " |", flush=True)


def fill(size: int) -> None:
    """Write articles and comments of invented words, every text with the word `withdrawable`."""
    from extraction.models import Article, Comment  # noqa: PLC0415
    from extraction.text.digest import text_digest  # noqa: PLC0415
    from feeds.models import Host, Page, PageKind, Publication  # noqa: PLC0415

    chance = random.Random(7)
    words = [f"{first}{last}" for first in "bdfgklmnprst" for last in ("ara", "oto", "iki", "ene")]
    words += [f"word{number}" for number in range(20_000)]
    host = Host.objects.create(name="paper.example", next_at=START)
    papers = [
        Publication.objects.create(
            slug=f"paper-{n}",
            name=f"Paper {n}",
            home_url=f"https://p{n}.example/",
            created_at=START,
        )
        for n in range(PUBLICATIONS)
    ]
    for first in range(0, size, ROWS):
        numbers = range(first, min(first + ROWS, size))
        pages = Page.objects.bulk_create(
            Page(
                url=f"https://paper.example/{n}", key=f"paper.example/{n}", kind=PageKind.ARTICLE,
                host=host, publication=papers[n % PUBLICATIONS], found_at=START, visited_at=START,
            )
            for n in numbers
        )  # fmt: skip
        articles = Article.objects.bulk_create(
            _article(page, chance, words, text_digest) for page in pages
        )
        Comment.objects.bulk_create(
            Comment(
                article=one, system="disqus", remote_id=str(one.pk), posted_at=START,
                text="I think it is withdrawable.", text_digest=str(one.pk), language="en",
                created_at=START, updated_at=START,
            )
            for one in articles
            if one.pk % COMMENT_EVERY == 0
        )  # fmt: skip


def _article(
    page: Any, chance: random.Random, words: list[str], digest: Callable[[str], str]
) -> Any:
    from extraction.models import Article  # noqa: PLC0415

    body = " ".join(chance.choices(words, k=WORDS_PER_TEXT))
    text = f"This is withdrawable. {body}."
    moment = START + timedelta(minutes=10 * (page.pk % 40_000))
    return Article(
        page=page, publication=page.publication, url=page.url, title=f"Article {page.pk}",
        text=text, text_digest=digest(text), n_words=WORDS_PER_TEXT, language="en",
        dated_at=moment, created_at=START, updated_at=START,
    )  # fmt: skip


def n_found(generation: int | None = None) -> int:
    """Count the texts that a search finds, as a page would."""
    from search.engine.query.filters import DocumentFilter  # noqa: PLC0415
    from search.engine.query.language.parser import Language, parse  # noqa: PLC0415
    from search.engine.query.run import run  # noqa: PLC0415
    from search.opened_index import current_snapshot  # noqa: PLC0415

    wanted = DocumentFilter(generation=generation)
    return run(current_snapshot(), parse('"withdrawable"', Language.CQL), wanted).n_texts


def run_stages(each: Callable[[], object] = lambda: None) -> None:
    """Run the stages of texts in turns until nothing is due, as a process of `work` does."""
    from corpus_site import pipeline  # noqa: PLC0415
    from feeds.work.leases import Claim  # noqa: PLC0415

    names = ("detect", "index", "erase")
    is_working = True
    while is_working:
        is_working = False
        for name in names:
            terms = Claim.make("bench", datetime.now(UTC))
            is_working |= bool(pipeline.BY_NAME[name].run(terms).n_claimed)
            each()


def main() -> None:
    size = int(sys.argv[1]) if len(sys.argv) > 1 else SIZE
    kind = sys.argv[2] if len(sys.argv) > 2 else "sqlite"
    with tempfile.TemporaryDirectory() as folder:
        open_database(kind, folder)
        measure(size)


def measure(size: int) -> None:
    from corpus_site import pipeline  # noqa: PLC0415
    from corpus_site.removal import withdrawals  # noqa: PLC0415
    from extraction.models import Article  # noqa: PLC0415
    from extraction.withdrawal.register import Order  # noqa: PLC0415
    from search.opened_index import current_snapshot  # noqa: PLC0415

    fill(size)
    ids = list(Article.objects.order_by("pk").values_list("pk", flat=True))
    pipeline.follow("articles", ids, datetime.now(UTC))
    pipeline.sweep(datetime.now(UTC))
    run_stages()
    while pipeline.sweep(datetime.now(UTC)):
        run_stages()
    before, generation = n_found(), current_snapshot().generation
    gone = set(random.Random(1).sample(ids, min(WITHDRAWN, size // 2)))
    n_comments = sum(pk % COMMENT_EVERY == 0 for pk in gone)
    expected = before - len(gone) - n_comments
    row("what", "seconds", "texts found")
    row("---", "---:", "---:")
    row(f"{size} articles with comments, before", "", before)
    started = time.perf_counter()
    seen: list[tuple[float, int]] = []

    def look() -> None:
        if not seen or seen[-1][1] != expected:
            seen.append((time.perf_counter() - started, n_found()))

    withdrawals.withdraw_articles(gone, Order("For the bench.", None, datetime.now(UTC)))
    told = time.perf_counter() - started
    row(f"{len(gone)} withdrawn: rows, register, stages told", f"{told:.1f}", n_found())
    run_stages(look)
    took = next(at for at, n in seen if n == expected)
    row("gone from search", f"{took:.1f}", expected)
    row("found meanwhile", "", ", ".join(str(n) for n in sorted({n for _, n in seen})))
    row(f"found at generation {generation}, of before", "", n_found(generation))
    row("all rows closed", f"{time.perf_counter() - started:.1f}", n_found())
    started = time.perf_counter()
    back = sorted(gone)[: len(gone) // 2]
    withdrawals.put_back_articles(back, None, datetime.now(UTC))
    run_stages()
    row(
        f"{len(back)} put back and searched again",
        f"{time.perf_counter() - started:.1f}",
        n_found(),
    )
    started = time.perf_counter()
    withdrawals.erase_articles(back[:ERASED], Order("A court.", None, datetime.now(UTC)))
    run_stages()
    row(f"{ERASED} erased", f"{time.perf_counter() - started:.1f}", n_found())
    print()
    print(f"Limit: {LIMIT_SECONDS:.0f} s until they are gone from search.")
    if took > LIMIT_SECONDS:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
