"""`make soak`: a year of crawling in about an hour, against what appeared and what went wrong.

SOAK_DAYS, SOAK_PAPERS, SOAK_ARTICLES and SOAK_FAULTS set another size.
"""

import os
import sys
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BEGIN = datetime(2026, 1, 5, tzinfo=UTC)  # a Monday
MONTH = 30  # days


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="broadsheet-soak-") as folder:
        os.environ |= {"DATA_DIR": folder, "DJANGO_SETTINGS_MODULE": "corpus_site.settings"}
        sys.path[:0] = [str(ROOT), str(ROOT / "tests")]
        import django  # noqa: PLC0415 (the environment is set by now)
        from django.core.management import call_command  # noqa: PLC0415 (as above)

        django.setup()
        call_command("migrate", verbosity=0)
        from soak.report import lines  # noqa: PLC0415 (needs the settings)
        from soak.year import Plan, Year, lived  # noqa: PLC0415 (as above)

        size = {
            name: int(os.environ[f"SOAK_{key}"])
            for name, key in (
                ("n_days", "DAYS"), ("n_papers", "PAPERS"), ("n_articles", "ARTICLES"),
                ("n_faults", "FAULTS"),
            )
            if f"SOAK_{key}" in os.environ
        }  # fmt: skip
        plan, began = Plan(BEGIN, **size), time.monotonic()

        def tables(year: Year) -> str:
            return "\n".join(lines(year, timedelta(seconds=time.monotonic() - began)))

        def told(year: Year) -> None:
            """Say how far it has come, each month with all tables."""
            print(year.costs[-1], file=sys.stderr, flush=True)
            if len(year.costs) % MONTH == 0 and len(year.costs) < plan.n_days:
                print(tables(year), file=sys.stderr, flush=True)

        with lived(plan, told) as year:
            print(tables(year))


if __name__ == "__main__":
    main()
