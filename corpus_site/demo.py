"""`manage.py up --demo`: the demo newspapers beside the site, two of them watched from the start.

The third is left for the curious user to add. The papers keep their ports and dates in the data
folder, so that a later start shows the same articles under the same addresses.
"""

import contextlib
import json
import socket
from dataclasses import dataclass
from pathlib import Path

from django.utils import timezone

from corpus_site.newsstand.papers import PAPER_KEYS, Paper, read_paper
from corpus_site.newsstand.server import HOST, SERVER_KEYS
from corpus_site.running.supervisor import Child
from feeds.sources.publications import (
    NewFeed,
    NewPublication,
    PublicationProblem,
    activate,
    create_publication,
)
from feeds.work.own_programs import own_program

# So far above the site's own port, where little else listens; as many rows of ports are tried.
PORTS_ABOVE = 101
PORT_RANGE = 400
HIGHEST_PORT = 65_535
WATCHED_FROM_THE_START = PAPER_KEYS[:2]
# An hour of a report's life is a second: within three minutes the papers have corrected, carried on
# and taken off reports of the last days, and visits of a week's age have found it.
HURRY = 3_600
# The demo is on this machine and nobody's server is hurt: visits are quick, threads soon looked at.
ENVIRONMENT = {
    "CRAWL_ALLOWED_PRIVATE_NETWORKS": "127.0.0.0/8",
    "CRAWL_MIN_DELAY_SECONDS": "0.2",
    "CRAWL_MIN_POLL_SECONDS": "10",
    "CRAWL_MAX_POLL_SECONDS": "20",
    "CRAWL_COMMENTS_CHECK_SECONDS": "20",
    "CRAWL_VISIT_HURRY": str(HURRY),
}


@dataclass(frozen=True, slots=True)
class Demo:
    """The newsstand of one data folder; `ports` in the order of the newsstand's servers."""

    keep: Path
    ports: tuple[int, ...]

    @classmethod
    def open(cls, data_dir: Path, site_port: int) -> "Demo":
        """Take the ports of the last start, or free ones beside the site's."""
        keep = data_dir / "newsstand.json"
        if keep.exists():
            ports = tuple(json.loads(keep.read_text(encoding="utf-8"))["ports"])
        else:
            first = first_free_ports(len(SERVER_KEYS), site_port)
            ports = tuple(range(first, first + len(SERVER_KEYS)))
        return cls(keep, ports)

    def child(self) -> Child:
        """Make the process that serves the papers."""
        keep, port = str(self.keep), str(self.ports[0])
        command = own_program(
            "corpus_site.newsstand", "--keep", keep, "--port", port, "--hurry", str(HURRY)
        )
        return Child("newsstand", command, is_quiet=True)

    def add_papers(self) -> None:
        """Watch the first papers, as an editor would have added them; repeating it adds nothing."""
        for paper in map(read_paper, WATCHED_FROM_THE_START):
            home = self.home(paper.key)
            feed = NewFeed(f"{home}{paper.feed_path.lstrip('/')}", paper.name)
            now = timezone.now()
            with contextlib.suppress(PublicationProblem):  # it is watched already
                new = NewPublication(paper.name, home, (feed,), language=paper.language)
                activate(create_publication(new, now), now)

    def home(self, key: str) -> str:
        """Return the address of a paper's home page."""
        return f"http://{HOST}:{self.ports[SERVER_KEYS.index(key)]}/"

    def lines(self) -> list[str]:
        """Say which papers there are, and which one waits to be added."""
        return [self._line(read_paper(key)) for key in PAPER_KEYS]

    def _line(self, paper: Paper) -> str:
        is_watched = paper.key in WATCHED_FROM_THE_START
        what = "is being collected" if is_watched else "can be added: paste this address"
        return f"{paper.name} {what}:  {self.home(paper.key)}"


def first_free_ports(n_ports: int, site_port: int) -> int:
    """Find `n_ports` free ports in a row, without the site's own; returns the first."""
    lowest = min(site_port + PORTS_ABOVE, HIGHEST_PORT - PORT_RANGE - n_ports)
    for first in range(lowest, lowest + PORT_RANGE):
        ports = range(first, first + n_ports)
        if site_port not in ports and all(map(_is_free, ports)):
            return first
    raise OSError(f"No {n_ports} free ports from {lowest} on.")


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError:
            return False
    return True
