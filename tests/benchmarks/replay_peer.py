"""The whole pipeline as one command: feed URLs in, stored articles out as JSON lines.

    python tests/benchmarks/replay_peer.py FEEDS OUT [--processes 2]

Everything is on: robots.txt, politeness table, archive, duplicates, tags, index, database rows. The
data folder is a fresh temporary one; `http_proxy` names the replay web. It is what `bench_crawl.py`
times beside the peers.
"""

import argparse
import io
import json
import os
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def prepare(data_dir: str) -> None:
    """Set the environment of a run: own data folder, no delays, loopback admitted."""
    os.environ |= {
        "DATA_DIR": data_dir,
        "CRAWL_PROXY_URL": os.environ.get("http_proxy", ""),
        "CRAWL_ALLOWED_PRIVATE_NETWORKS": "127.0.0.0/8",
        "CRAWL_MIN_DELAY_SECONDS": "0",
        "DJANGO_SETTINGS_MODULE": "corpus_site.settings",
    }
    for name in ("http_proxy", "HTTP_PROXY", "DATABASE_URL", "REDIS_URL"):
        os.environ.pop(name, None)
    sys.path.insert(0, str(ROOT))


def run(feeds: str, processes: int) -> dict:
    """Add the feeds and work until idle; returns the summary of `manage.py work --json`."""
    import django  # noqa: PLC0415 (the environment is set by now)
    from django.core.management import call_command  # noqa: PLC0415 (as above)

    django.setup()
    call_command("migrate", verbosity=0)
    call_command("add_source", feeds, "--activate", stdout=io.StringIO())
    out = io.StringIO()
    call_command("work", "--until-idle", "--json", processes=processes, stdout=out)
    return json.loads(out.getvalue())


def export(path: Path) -> None:
    from extraction.models import Article  # noqa: PLC0415 (as above)

    rows = Article.objects.exclude(text="").select_related("page").iterator()
    with path.open("w", encoding="utf-8") as out:
        for article in rows:
            date = article.published_at.date().isoformat() if article.published_at else None
            row = {
                "url": article.page.url,
                "title": article.title,
                "authors": article.authors,
                "date": date,
                "text": article.text,
            }
            out.write(json.dumps(row, ensure_ascii=False) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("feeds")
    parser.add_argument("out", type=Path)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--data", help="keep the data folder here")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="broadsheet-bench-") as folder:
        prepare(arguments.data or folder)
        print(json.dumps(run(arguments.feeds, arguments.processes)), file=sys.stderr)
        export(arguments.out)


if __name__ == "__main__":
    main()
