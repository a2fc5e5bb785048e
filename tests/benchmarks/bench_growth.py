"""`make bench-growth`: what pages, sweeps and claims cost as the tables grow.

    python tests/benchmarks/bench_growth.py [--sqlite] ARTICLES:ADDRESSES…

Databases of the sizes (10,000:100,000 and 100,000:1,000,000 unless given) are filled by `grow.py`
on a PostgreSQL of their own. A row gives the median ms of each by the clock and, behind the stroke,
of processors (of the process and of its server's), and the growth of the latter from the size
before to the last. Claims are rolled back. No worker runs beside.
"""

import json
import os
import subprocess
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path

import psycopg2

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from services import postgres

ROOT = Path(__file__).resolve().parents[2]
SIZES = ("10000:100000", "100000:1000000")
COSTS = "import django; django.setup(); import growth_costs; growth_costs.measure()"


def _run(arguments: list[str], environment: dict[str, str]) -> str:
    done = subprocess.run(
        [sys.executable, *arguments],
        env=os.environ | environment,
        cwd=ROOT,
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    return done.stdout


def _table(sizes: list[str], columns: list[dict[str, list[float]]]) -> None:
    print("| | " + " | ".join(sizes) + " | growth |")
    print("|:--|" + "--:|" * (len(sizes) + 1))
    for column in columns:
        swept = [times for name, times in column.items() if name.startswith(("sweep", "minute"))]
        column["a sweep and its minute"] = [sum(times) for times in zip(*swept, strict=True)]
    for name in columns[-1]:
        figures = [column.get(name, [float("nan")] * 2) for column in columns]
        growth = figures[-1][1] / figures[-2][1] if len(figures) > 1 else float("nan")
        cells = [f"{wall:.1f} / {cpu:.1f}" for wall, cpu in figures]
        print(f"| {name} | " + " | ".join(cells) + f" | {growth:.1f} |")


def main() -> int:
    is_sqlite = "--sqlite" in sys.argv
    sizes = [term for term in sys.argv[1:] if term != "--sqlite"] or list(SIZES)
    columns = []
    with ExitStack() as stack:
        server = ""
        if not is_sqlite:
            server = stack.enter_context(postgres())
        for size in sizes:
            data_dir = stack.enter_context(tempfile.TemporaryDirectory(prefix="broadsheet-grow-"))
            environment = {"DATA_DIR": data_dir, "DEBUG": "0", "ALLOWED_HOSTS": "127.0.0.1"}
            environment |= {"DJANGO_SETTINGS_MODULE": "corpus_site.settings", "DATABASE_URL": ""}
            environment["PYTHONPATH"] = f"{ROOT}:{Path(__file__).parent}"
            if not is_sqlite:
                name = "grown_" + size.replace(":", "_")
                connection = psycopg2.connect(server)
                connection.autocommit = True
                connection.cursor().execute(f"CREATE DATABASE {name}")
                connection.close()
                environment["DATABASE_URL"] = f"{server.rsplit('/', 1)[0]}/{name}"
            _run(["tests/benchmarks/grow.py", *size.split(":")], environment)
            columns.append(json.loads(_run(["-c", COSTS], environment)))
    _table(sizes, columns)
    return 0


if __name__ == "__main__":
    sys.exit(main())
