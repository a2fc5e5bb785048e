"""Fill the database and the index that the environment names as years of crawling would.

    python tests/benchmarks/grow.py N_ARTICLES N_ADDRESSES

Rows are written by SQL alone, on PostgreSQL or SQLite, with the skew of real crawls: few papers and
hosts hold most addresses; of the addresses that wait and are no article yet, a seventh is a paused
paper's and a seventh is overdue at one moment. What a row holds follows from its number, so two
databases of one size are equal. The index then holds every text (`grow_index.py`).
"""

import os
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import django
from django.apps import apps
from django.core.management import call_command
from django.core.management.color import no_style
from django.db import connection, models
from django.db.models import NOT_PROVIDED

ROWS_A_STATEMENT = 500_000
OWNER = "grow"  # of the leases with which the rows of the index stage are written
ADDRESSES_A_HOST = 50  # of hosts that are no paper's own; from the findings' 200,000 at ten million
LEAST_PAPERS, MOST_PAPERS, ARTICLES_A_PAPER = 50, 1000, 1000
FEEDS_A_PAPER = 2
HASHES_AN_ARTICLE = 5  # a text has some 20; the shape of the table is the same
_PLACES = 9973  # a prime: the rows' places in the spread of papers
# Remainders of an address's number by 100: what has become of it.
NEW_FROM, PAUSED_FROM, BACKLOG_FROM, PLANNED_FROM, GONE_FROM = 60, 75, 80, 85, 95


@dataclass(frozen=True, slots=True)
class Size:
    """How much is to be there."""

    n_articles: int
    n_addresses: int
    years: float = 3  # over which the articles were published
    fetch_days: float = 90  # over which the addresses were asked for

    @property
    def n_papers(self) -> int:
        return min(MOST_PAPERS, max(LEAST_PAPERS, self.n_articles // ARTICLES_A_PAPER))

    @property
    def n_hosts(self) -> int:
        return self.n_papers + self.n_addresses // ADDRESSES_A_HOST


class Filler:
    """Writes rows of models by expressions of SQL over their number `i`."""

    def __init__(self, now: datetime) -> None:
        self._now = now
        self._is_postgres = connection.vendor == "postgresql"

    def rows(self, name: str, n: int, values: Mapping[str, str]) -> None:
        """Write `n` rows of the model `app.Model`; columns without an expression get defaults."""
        model = apps.get_model(name)
        columns, terms = [], []
        for column, term in self._terms(model, values):
            columns.append(connection.ops.quote_name(column))
            terms.append(term)
        table, named = connection.ops.quote_name(model._meta.db_table), ", ".join(columns)
        started = time.perf_counter()
        for first in range(0, n, ROWS_A_STATEMENT):
            last = min(n, first + ROWS_A_STATEMENT) - 1
            self.run(
                f"INSERT INTO {table} ({named}) SELECT {', '.join(terms)}"  # noqa: S608 (our words)
                f" FROM {self._numbers(first, last)}"
            )
        print(f"{n:>12,} {name:<28} {time.perf_counter() - started:6.1f} s", file=sys.stderr)

    def run(self, sql: str) -> None:
        with connection.cursor() as cursor:
            cursor.execute(sql)

    def at(self, seconds_ago: str) -> str:
        """Give the moment so many seconds ago, by an expression."""
        if self._is_postgres:
            return f"('{self._now.isoformat()}'::timestamptz - ({seconds_ago}) * interval '1 s')"
        base = self._now.timestamp()
        return f"strftime('%Y-%m-%d %H:%M:%f', {base} - ({seconds_ago}), 'unixepoch')"

    def moment(self, at: datetime) -> str:
        return f"'{at.isoformat(sep=' ')}'" if self._is_postgres else f"'{at:%Y-%m-%d %H:%M:%S}'"

    def text(self, words: str, times: int) -> str:
        """Repeat words that hold the row's number, so that no two rows are equal."""
        if self._is_postgres:
            return f"repeat({words}, {times})"
        return f"replace(hex(zeroblob({times})), '00', {words})"

    def truth(self, term: str) -> str:
        return f"(({term}) <> 0)"

    def _numbers(self, first: int, last: int) -> str:
        if self._is_postgres:
            return f"generate_series({first}, {last}) AS numbers(i)"
        return (
            f"(WITH RECURSIVE numbers(i) AS (SELECT {first} UNION ALL"  # noqa: S608 (numbers)
            f" SELECT i + 1 FROM numbers WHERE i < {last}) SELECT i FROM numbers)"
        )

    def _terms(
        self, model: type[models.Model], values: Mapping[str, str]
    ) -> Iterator[tuple[str, str]]:
        known = dict(values)
        for field in model._meta.local_concrete_fields:
            if field.column in known:
                yield field.column, known.pop(field.column)
            elif not field.primary_key and not field.null:
                yield field.column, self._default(field)
        if known:
            raise ValueError(f"{model.__name__} has no columns {', '.join(known)}")

    def _default(self, field: models.Field) -> str:
        if isinstance(field, models.DateTimeField):
            return self.moment(self._now)
        given = "" if field.default is NOT_PROVIDED else field.get_default()
        if isinstance(field, models.JSONField):
            return "'{}'" if given == {} else "'[]'"
        if isinstance(field, models.BooleanField):
            return ("true" if given else "false") if self._is_postgres else str(int(bool(given)))
        if isinstance(field, models.BinaryField):
            return "''"
        if isinstance(field, models.CharField | models.TextField | models.UUIDField):
            return f"'{given}'"
        return str(given or 0)


def fill(size: Size, now: datetime) -> None:
    """Fill an empty database; its migrations are applied first."""
    call_command("migrate", verbosity=0)
    with _without_indexes():
        fill_tables(size, now)
    _finish()
    _index(now)
    _settle(now)
    _finish()


def fill_tables(size: Size, now: datetime) -> None:
    """Write the rows alone; those of the index stage are held."""
    filler = Filler(now)
    first = {name: _free_key(name) for name in ("feeds.Publication", "feeds.Host", "feeds.Page")}
    ids = _Keys(size, **{name.split(".")[1].lower(): key for name, key in first.items()})
    _sources(filler, size, ids)
    _addresses(filler, size, ids)
    _articles(filler, size, ids)
    _watched(filler, size, ids)


@contextmanager
def _without_indexes() -> Iterator[None]:
    """Let the indexes of full tables be made, and check no reference of a row that we make.

    Rows come in a tenth of the time; what is unique keeps its index.
    """
    is_postgres = connection.vendor == "postgresql"
    listed, checks, unchecked = _INDEXES[is_postgres]
    with connection.cursor() as cursor:
        cursor.execute(listed)
        indexes = cursor.fetchall()
        for name, _ in indexes:
            cursor.execute(f"DROP INDEX {name}")
        cursor.execute(unchecked)
        yield
        cursor.execute(checks)
        started = time.perf_counter()
        for _, definition in indexes:
            cursor.execute(definition)
    print(
        f"{len(indexes):>12,} {'indexes':<28} {time.perf_counter() - started:6.1f} s",
        file=sys.stderr,
    )


# Whether it is PostgreSQL → what lists the indexes that nothing unique stands on, with their
# definitions; how references are checked, and how they are not.
_INDEXES = {
    True: (
        """SELECT indexrelid::regclass::text, pg_get_indexdef(indexrelid) FROM pg_index
        JOIN pg_class ON pg_class.oid = indrelid
        WHERE relnamespace = current_schema()::regnamespace AND NOT indisunique""",
        "SET session_replication_role = origin",
        "SET session_replication_role = replica",
    ),
    False: (
        "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql LIKE 'CREATE INDEX %'",
        "PRAGMA foreign_keys = ON",
        "PRAGMA foreign_keys = OFF",
    ),
}


def _free_key(name: str) -> int:
    """The key after the highest that is there; rows are written with keys of their own."""
    return 1 + (
        apps.get_model(name).objects.order_by("-pk").values_list("pk", flat=True).first() or 0
    )


@dataclass(frozen=True, slots=True)
class _Keys:
    """First keys of the tables that others point to, and who owns row `i`."""

    size: Size
    publication: int
    host: int
    page: int

    @property
    def paper(self) -> str:
        """Papers by a cube of an even spread: the first tenth holds near half of all rows."""
        place = f"((CAST(i AS BIGINT) * 7919) % {_PLACES})"
        cube = f"{self.size.n_papers} * {place} * {place} * {place} / {_PLACES**3}"
        return f"({self.publication} + {cube})"

    @property
    def paper_host(self) -> str:
        return f"({self.paper} - {self.publication} + {self.host})"


def _age(days: float) -> str:
    """Seconds up to so many days, spread evenly over the rows."""
    return f"(((CAST(i AS BIGINT) * 7919) % 1000003) / 1000003.0 * {days * 86400})"


def _is_paper(size: Size, yes: str, no: str) -> str:
    return f"CASE WHEN i < {size.n_papers} THEN '{yes}' ELSE '{no}' END"


def _sources(filler: Filler, size: Size, ids: _Keys) -> None:
    number = "i"
    # The last paper of fifty is paused; its addresses are those of remainder 75 to 79.
    filler.rows(
        "feeds.Publication",
        size.n_papers,
        {
            "id": f"{ids.publication} + i",
            "name": f"'Paper ' || {number}",
            "slug": f"'paper-' || {number}",
            "home_url": f"'https://paper' || {number} || '.example/'",
            "state": f"CASE WHEN i = {size.n_papers - 1} THEN 'paused' ELSE 'active' END",
            "started_at": filler.at("90000000"),
            "created_at": filler.at("90000000"),
            "language": "CASE i % 3 WHEN 0 THEN 'en' WHEN 1 THEN 'af' ELSE 'zu' END",
        },
    )
    filler.rows(
        "feeds.Host",
        size.n_hosts,
        {
            "id": f"{ids.host} + i",
            "name": f"{_is_paper(size, 'paper', 'site')} || i || '.example'",
            # The papers' own hosts are first in line, with the longest lists of due pages.
            "next_at": filler.at(f"CASE WHEN i < {size.n_papers} THEN 7200 ELSE i % 3600 END"),
            "delay_seconds": "2",
        },
    )
    feeds = size.n_papers * FEEDS_A_PAPER
    owner = f"i / {FEEDS_A_PAPER}"
    filler.rows(
        "feeds.Page",
        feeds,
        {
            "id": f"{ids.page} + i",
            "url": f"'https://paper' || ({owner}) || '.example/feed/' || i",
            "key": f"'paper' || ({owner}) || '.example/feed/' || i",
            "kind": "'feed'",
            "host_id": f"{ids.host} + {owner}",
            "publication_id": f"{ids.publication} + {owner}",
            "found_at": filler.at("90000000"),
            "visited_at": filler.at("i % 3600"),
            "due_at": filler.at("(i % 3600) - 1800"),
            "outcome": "'ok'",
        },
    )
    filler.rows(
        "feeds.Feed",
        feeds,
        {
            "publication_id": f"{ids.publication} + {owner}",
            "page_id": f"{ids.page} + i",
            "title": "'News ' || i",
            "newest_item_at": filler.at("i % 7200"),
            "n_items": "20",
        },
    )


def _addresses(filler: Filler, size: Size, ids: _Keys) -> None:
    """Articles first, then what was found besides them."""
    first = ids.page + size.n_papers * FEEDS_A_PAPER
    ago = _age(size.years * 365)
    filler.rows(
        "feeds.Page",
        size.n_articles,
        {
            "id": f"{first} + i",
            "url": "'https://p.example/news/story-of-the-day-' || i",
            "key": "'p.example/news/story-of-the-day-' || i",
            "slug": "'story-of-the-day-' || i",
            "kind": "'article'",
            "host_id": ids.paper_host,
            "publication_id": ids.paper,
            "found_at": filler.at(ago),
            "visited_at": filler.at(ago),
            "outcome": "'ok'",
            "content_digest": "'d' || i",
            # Young texts are to be visited again.
            "due_at": f"CASE WHEN i % 20 = 0 THEN {filler.at('-((i * 31) % 2592000)')} END",
            "purpose": "CASE WHEN i % 20 = 0 THEN 'planned' ELSE '' END",
        },
    )
    fate = "(i % 100)"
    others = size.n_addresses - size.n_articles
    away = f"({ids.host} + {size.n_papers} + (i * 31) % {max(1, size.n_hosts - size.n_papers)})"
    own = f"CASE WHEN i % 2 = 0 THEN {ids.paper_host} ELSE {away} END"
    paused = ids.publication + size.n_papers - 1
    was_visited = f"({fate} < {NEW_FROM} OR {fate} >= {PLANNED_FROM})"
    is_paused = f"{fate} BETWEEN {PAUSED_FROM} AND {BACKLOG_FROM - 1}"
    filler.rows(
        "feeds.Page",
        others,
        {
            "id": f"{first + size.n_articles} + i",
            "url": "'https://q.example/archive/page-' || i",
            "key": "'q.example/archive/page-' || i",
            "slug": "'page-' || i",
            "kind": "CASE i % 10 WHEN 0 THEN 'comments' WHEN 1 THEN 'index' ELSE 'article' END",
            "host_id": f"CASE WHEN {is_paused} THEN {ids.host + size.n_papers - 1} ELSE {own} END",
            "publication_id": f"CASE WHEN {is_paused} THEN {paused} ELSE {ids.paper} END",
            "found_at": filler.at(ago),
            "visited_at": f"CASE WHEN {was_visited} THEN {filler.at(ago)} END",
            "outcome": f"CASE WHEN {fate} >= {GONE_FROM} THEN 'not_found'"
            f" WHEN {was_visited} THEN 'ok' ELSE '' END",
            "due_at": f"CASE WHEN {fate} < {NEW_FROM} OR {fate} >= {GONE_FROM} THEN NULL"
            f" WHEN {fate} < {BACKLOG_FROM} THEN {filler.at('(i * 17) % 864000')}"
            f" WHEN {fate} < {PLANNED_FROM} THEN {filler.at('1000')}"
            f" ELSE {filler.at('-((i * 31) % 2592000)')} END",
            "purpose": f"CASE WHEN {fate} BETWEEN {PLANNED_FROM} AND {GONE_FROM - 1}"
            " THEN 'planned' ELSE '' END",
            "quarantined_at": f"CASE WHEN {fate} >= {GONE_FROM} THEN {filler.at(ago)} END",
        },
    )
    n_fetches = size.n_addresses * 7 // 10
    filler.rows(
        "feeds.Fetch",
        n_fetches,
        {
            "page_id": f"{first} + i",
            "host_id": ids.paper_host,
            "url": "'https://p.example/news/story-of-the-day-' || i",
            # A log is written in the order of time: what a day holds lies together.
            "started_at": filler.at(
                f"({n_fetches} - i) * {size.fetch_days * 86400.0} / {n_fetches}"
            ),
            "elapsed_ms": "200",
            "status": "200",
            "outcome": "CASE WHEN i % 50 = 0 THEN 'not_found' ELSE 'ok' END",
            "archive_file": "'2026/11/crawl-' || (i / 1000) || '.warc.gz'",
            "archive_offset": "i % 1000 * 30000",
            "archive_length": "30000",
        },
    )


def _articles(filler: Filler, size: Size, ids: _Keys) -> None:
    first = ids.page + size.n_papers * FEEDS_A_PAPER
    n = size.n_articles
    ago = _age(size.years * 365)
    article = _free_key("extraction.Article")
    taken = "(CASE WHEN i % 12 = 0 THEN 0 ELSE 1 END)"
    words = "(300 + (i * 37) % 400)"
    filler.rows(
        "extraction.Extraction",
        n,
        {
            "page_id": f"{first} + i",
            "done_digest": "'d' || i || '|'",
            "outcome": "'ok'",
            "extracted_at": filler.at(ago),
            # A backlog after an upgrade: many rows due at one moment.
            "due_at": f"CASE WHEN i % 20 = 0 THEN {filler.at('1000')} END",
        },
    )
    filler.rows(
        "extraction.Article",
        n,
        {
            "id": f"{article} + i",
            "page_id": f"{first} + i",
            "publication_id": ids.paper,
            "url": "'https://p.example/news/story-of-the-day-' || i",
            "slug": "'story-of-the-day-' || i",
            "title": "'Story of the day ' || i",
            "published_at": filler.at(ago),
            "dated_at": filler.at(ago),
            "created_at": filler.at(ago),
            "updated_at": filler.at(ago),
            "text": filler.text("'Water ran in street ' || i || ' again. '", 20),
            "text_digest": "'t' || i",
            "n_words": words,
            "reason": f"CASE WHEN {taken} = 1 THEN '' ELSE 'too_short' END",
            "in_corpus": filler.truth(taken),
            "language": "CASE i % 7 WHEN 0 THEN 'af' WHEN 1 THEN 'zu' ELSE 'en' END",
            "n_versions": "CASE WHEN i % 20 = 0 THEN 2 ELSE 1 END",
            "changed_at": f"CASE WHEN i % 20 = 0 THEN {filler.at(ago)} END",
        },
    )
    hidden = "(CASE WHEN i % 10 = 1 THEN 1 ELSE 0 END)"
    original = f"{article} + i - {hidden}"  # of what is no copy: itself
    filler.rows(
        "dedup.Detection",
        n,
        {
            "article_id": f"{article} + i",
            "done_digest": f"'t' || i || CASE WHEN {taken} = 1 THEN '' ELSE '-out' END",
            "original_id": original,
            "representative_id": original,
            "is_hidden": filler.truth(hidden),
            "n_sentences": "20",
            "detected_at": filler.at(ago),
        },
    )
    filler.rows(
        "dedup.StoryReport",
        n,
        {"article_id": f"{article} + i", "digest": "'t' || i", "placed_at": filler.at(ago)},
    )
    filler.rows(
        "dedup.SentenceHash",
        n * HASHES_AN_ARTICLE,
        {
            "hash": "(CAST(i AS BIGINT) * 7919) % 1000000007",
            "article_id": f"{article} + i / {HASHES_AN_ARTICLE}",
            "position": f"i % {HASHES_AN_ARTICLE}",
        },
    )
    from search.stage.text_parts import PARTS_VERSION  # noqa: PLC0415 (needs Django set up)

    held = {"lease_owner": f"'{OWNER}'", "lease_until": filler.at("-86400")}
    filler.rows(
        "search.IndexedArticle",
        n,
        {"article_id": f"{article} + i", "parts_version": str(PARTS_VERSION), **held},
    )
    comment = _free_key("extraction.Comment")
    filler.rows(
        "extraction.Comment",
        n // 2,
        {
            "id": f"{comment} + i",
            "article_id": f"{article} + (i * 3) % {n}",
            "system": "'disqus'",
            "remote_id": "'c' || i",
            "posted_at": filler.at(ago),
            "text": "'I agree with number ' || i",
            "n_words": "5",
        },
    )
    filler.rows("search.IndexedComment", n // 2, {"comment_id": f"{comment} + i", **held})


def _watched(filler: Filler, size: Size, ids: _Keys) -> None:
    """What the alarms count by."""
    hours = 60 * 12
    filler.rows(
        "feeds.ArticleHour",
        size.n_papers * hours,
        {
            "publication_id": f"{ids.publication} + i / {hours}",
            "hour": filler.at(f"3600 * (2 * (i % {hours}))"),
            "n_stored": "1 + i % 3",
        },
    )
    filler.rows(
        "feeds.ArticleFlow",
        size.n_papers,
        {
            "publication_id": f"{ids.publication} + i",
            "host_id": f"{ids.host} + i",
            "stored_at": filler.at("i % 7200"),
        },
    )


def _finish() -> None:
    """Let sequences go on behind the rows, and the planner know them as it does in use.

    Nobody analyses an embedded SQLite; without statistics it keeps to the indexes.
    """
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            for sql in connection.ops.sequence_reset_sql(no_style(), list(apps.get_models())):
                cursor.execute(sql)
            cursor.execute("VACUUM ANALYZE")


def _settle(now: datetime) -> None:
    """Write what the stages note once of each publication."""
    from extraction import placing  # noqa: PLC0415 (its models need Django set up)

    placing.pending(0, now)


def _index(now: datetime) -> None:
    from grow_index import fill_index  # noqa: PLC0415 (its models need Django set up)

    fill_index(now)


def _is_filled() -> bool:
    tables = connection.introspection.table_names()
    publications = apps.get_model("feeds", "Publication")._default_manager
    return publications.model._meta.db_table in tables and publications.exists()


def main() -> int:
    try:
        size = Size(int(sys.argv[1]), int(sys.argv[2]))
    except (IndexError, ValueError):
        print(__doc__, file=sys.stderr)
        return 2
    if not 0 < size.n_articles <= size.n_addresses:
        print(
            "Each article has an address: give at least as many, and one article.", file=sys.stderr
        )
        return 2
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "corpus_site.settings")
    django.setup()
    if _is_filled():
        print(
            "There are publications in this database already: give an empty one.", file=sys.stderr
        )
        return 2
    fill(size, datetime.now(UTC).replace(microsecond=0) - timedelta(seconds=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
