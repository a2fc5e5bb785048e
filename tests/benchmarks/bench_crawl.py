"""`make bench-crawl`: the replay crawl, from feed list to searchable articles, timed as peers are.

Prints articles stored, articles/s, CPU s an article and requests of the sets fundus, zyte and
segments (medians of the runs), beside the marks. Scrapy with trafilatura takes its turns too where
PEERS_PYTHON names a Python that has both.
"""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SHARED = Path(os.environ.get("SHARED_DATA_DIR", ROOT.parent / "shared"))
SETS = ("fundus", "zyte", "segments")
MARKS = "Marks: 689 of 689 stored, >= 56 articles/s, <= 0.035 CPU s an article, <= 1888 requests."


def main() -> int:
    measure = SHARED / "bench/replay/peers/measure.py"
    if not measure.exists():
        print(f"left out: no replay web below {SHARED} (SHARED_DATA_DIR names the folder)")
        return 0
    ours = f"{sys.executable} {ROOT / 'tests/benchmarks/replay_peer.py'} {{feeds}} {{out}}"
    peers = ["--peer", f"broadsheet={ours}"]
    if python := os.environ.get("PEERS_PYTHON"):
        scrapy = measure.parent / "scrapy_trafilatura.py"
        peers += ["--peer", f"scrapy + trafilatura={python} {scrapy} {{feeds}} {{out}} robots"]
    runs = os.environ.get("BENCH_RUNS", "3")
    command = [sys.executable, str(measure), str(SHARED / "data/extraction"), "--sets", *SETS]
    code = subprocess.run([*command, "--runs", runs, *peers], check=False).returncode
    print(MARKS)
    return code


if __name__ == "__main__":
    sys.exit(main())
