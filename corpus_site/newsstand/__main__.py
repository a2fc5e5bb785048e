"""`python -m corpus_site.newsstand`: serve the demo newspapers until the process is ended."""

import argparse
import asyncio
import json
import sys
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from corpus_site.newsstand.server import HOST, SERVER_KEYS, Newsstand, StandAddress


@dataclass(frozen=True, slots=True)
class Kept:
    """What makes a later start show the same pages under the same addresses."""

    ports: tuple[int, ...]
    opened_at: datetime


def main() -> int:
    """Read the arguments, open the newsstand, print its addresses, serve."""
    arguments = _arguments()
    kept = _read_kept(arguments.keep)
    address = StandAddress(kept.ports if kept else _ports(arguments.port), arguments.host)
    try:
        newsstand = Newsstand(_utc_now, kept.opened_at if kept else None, address, arguments.hurry)
    except OSError as error:
        sys.stderr.write(f"The newsstand cannot listen: {error}\n")
        return 1
    if arguments.keep:
        _write_kept(arguments.keep, Kept(newsstand.ports, newsstand.opened_at))
    for name, url in zip(newsstand.names.values(), newsstand.home_urls, strict=True):
        sys.stdout.write(f"{url} {name}\n")
    sys.stdout.write(f"{newsstand.comments_url} comments\n")
    sys.stdout.flush()
    with suppress(KeyboardInterrupt):
        asyncio.run(newsstand.serve())
    return 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m corpus_site.newsstand", description=__doc__)
    parser.add_argument("--host", default=HOST, help="interface to listen on")
    parser.add_argument(
        "--port",
        type=int,
        default=0,
        help=f"first of {len(SERVER_KEYS)} ports in a row; 0 takes any free ones",
    )
    parser.add_argument(
        "--keep",
        type=Path,
        help="file that keeps ports and dates, so that a later start shows the same pages",
    )
    parser.add_argument(
        "--hurry", type=float, default=1.0, help="how many times as fast revisions follow"
    )
    return parser.parse_args()


def _ports(first: int) -> list[int]:
    return [first + index if first else 0 for index in range(len(SERVER_KEYS))]


def _read_kept(path: Path | None) -> Kept | None:
    if path is None or not path.exists():
        return None
    values = json.loads(path.read_text(encoding="utf-8"))
    return Kept(tuple(values["ports"]), datetime.fromisoformat(values["opened_at"]))


def _write_kept(path: Path, kept: Kept) -> None:
    values = {"ports": kept.ports, "opened_at": kept.opened_at.isoformat()}
    path.write_text(json.dumps(values), encoding="utf-8")


def _utc_now() -> datetime:
    return datetime.now(UTC)


if __name__ == "__main__":
    sys.exit(main())
