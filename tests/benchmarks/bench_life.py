"""`make bench-life`: the demo newspapers over 48 simulated hours, and what the corpus noticed.

The papers change by themselves; the crawl runs on a clock that is set forward. Prints how pages
were visited by their age, every planted change beside the moment at which it was noticed, and how
the readers' comments grew. LIFE_HOURS sets another length.
"""

import os
import sys
import tempfile
import time
from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

ROOT = Path(__file__).resolve().parents[2]
START = datetime(2026, 11, 20, 6, 0, tzinfo=UTC)
HOURS = int(os.environ.get("LIFE_HOURS", "48"))
COMMENTS_EVERY_HOURS = 8
AGES = (("6 h", 6), ("1 day", 24), ("3 days", 72), ("a week", 168))

if TYPE_CHECKING:
    from simulated_days import PlantedChange, SimulatedDays


def prepare(data_dir: str) -> None:
    """Set the environment of a run: own data folder, loopback admitted, all else as shipped."""
    os.environ |= {
        "DATA_DIR": data_dir,
        "CRAWL_ALLOWED_PRIVATE_NETWORKS": "127.0.0.0/8",
        "DJANGO_SETTINGS_MODULE": "corpus_site.settings",
    }
    for name in ("DATABASE_URL", "REDIS_URL"):
        os.environ.pop(name, None)
    sys.path[:0] = [str(ROOT), str(ROOT / "tests")]
    import django  # noqa: PLC0415 (the environment is set by now)
    from django.core.management import call_command  # noqa: PLC0415 (as above)

    django.setup()
    call_command("migrate", verbosity=0)


def live(days: "SimulatedDays") -> list[str]:
    """Let the hours pass; returns the rows of the table of comments."""
    rows = []
    for hour in range(HOURS + 1):
        days.pass_to(START + timedelta(hours=hour))
        if hour % COMMENTS_EVERY_HOURS == 0 or hour == HOURS:
            written, kept = days.comments()
            rows.append(f"| {hour} | {written} | {kept} |")
    return rows


def visits() -> list[str]:
    """Count fetches of article pages by the age of the page: first ones, later ones by outcome."""
    from django.db.models import F  # noqa: PLC0415 (needs the settings)

    from feeds.models import Fetch, PageKind  # noqa: PLC0415 (as above)

    fetches = Fetch.objects.filter(page__kind=PageKind.ARTICLE).order_by("started_at")
    counts: dict[str, Counter[str]] = {name: Counter() for name, _ in AGES} | {"older": Counter()}
    seen: dict[int, str] = {}
    for page_id, started, published, digest, outcome in fetches.values_list(
        "page", "started_at", F("page__feed_published_at"), "digest", "outcome"
    ):
        hours = (started - published).total_seconds() / 3600
        name = next((name for name, limit in AGES if hours < limit), "older")
        same = "same bytes" if digest and digest == seen.get(page_id) else "other bytes"
        told = same if outcome == "ok" else outcome.replace("_", " ")
        counts[name]["first" if page_id not in seen else told] += 1
        seen[page_id] = digest or seen.get(page_id, "")
    kinds = sorted({kind for count in counts.values() for kind in count})
    head = [f"| age below | {' | '.join(kinds)} |", f"|:--|{'--:|' * len(kinds)}"]
    return head + [
        f"| {name} | {' | '.join(str(count[kind]) for kind in kinds)} |"
        for name, count in counts.items()
    ]


def row_of(change: "PlantedChange") -> str:
    after = "not yet" if change.after is None else f"{change.after.total_seconds() / 3600:.1f} h"
    age = change.age.total_seconds() / 3600
    return f"| {change.slug} | {age:.1f} h | {change.planted} | {after} | {change.noticed} |"


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="broadsheet-bench-") as folder:
        prepare(folder)
        from simulated_days import SimulatedDays  # noqa: PLC0415 (needs the settings)

        started, cpu = time.monotonic(), time.process_time()
        with SimulatedDays(START) as days:
            days.add_papers()
            comments = live(days)
            changes = days.planted()
        print(f"{HOURS} hours in {time.monotonic() - started:.0f} s, CPU", end=" ")
        print(f"{time.process_time() - cpu:.0f} s\n\nVisits to article pages, by their age\n")
        print("\n".join(visits()))
        print("\n| report | at the age of | planted | noticed after | as |\n|:--|--:|:--|--:|:--|")
        print("\n".join(map(row_of, changes)))
        print("\n| hour | comments written | kept |\n|--:|--:|--:|")
        print("\n".join(comments))


if __name__ == "__main__":
    main()
