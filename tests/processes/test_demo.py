"""`make demo` without internet: demo newspapers to concordance lines and comments."""

import json
import socket
from datetime import datetime
from pathlib import Path

from processes.test_kills import Books
from services import free_port
from waiting import answers, wait_until

from corpus_site.newsstand.edition import Edition
from corpus_site.newsstand.papers import PAPER_KEYS

INDEXED = "SELECT count(*) FROM search_indexed{} WHERE indexed_at IS NOT NULL"
VERSIONS = (
    "SELECT count(*) FROM extraction_articleversion v JOIN extraction_article a "
    "ON a.id = v.article_id WHERE a.url = ?"
)


def test_demo_collects_its_papers_with_comments_and_twins(bare_site):
    port = str(free_port())
    up = bare_site.start("manage.py", "up", "--demo", "--port", port)

    def hits(*arguments: str) -> int:
        found = bare_site.manage("search", *arguments, "--json", "--limit", "1")
        return json.loads(found)["total"]

    # A look by a program takes a second of what it waits for: it is asked when rows are there.
    books = Books(Path(bare_site.environment["DATA_DIR"]))
    wait_until(lambda: answers(f"http://127.0.0.1:{port}/healthz"), seconds=240)
    wait_until(lambda: books.ask(INDEXED.format("article")) > [(0,)], seconds=240)
    wait_until(lambda: hits("braai") > 0 and hits("die") > 0, seconds=240)
    wait_until(lambda: books.ask(INDEXED.format("comment")) > [(0,)], seconds=240)
    wait_until(lambda: hits("--in", "comments", "die") > 0, seconds=240)
    # By itself: the paper corrects, and the hurried plan of visits finds it.
    corrected = address_of(bare_site, "council-water-tariff")
    wait_until(lambda: books.ask(VERSIONS, corrected) > [(0,)], seconds=400)
    assert n_versions(bare_site, corrected) > 1
    up.terminate()
    output, _ = up.communicate(timeout=120)

    assert up.returncode == 0
    assert "Karoo Courier is being collected" in output
    assert "Isibani can be added: paste this address" in output


def address_of(site, slug):
    """Address of a piece of the first paper."""
    kept = json.loads((Path(site.environment["DATA_DIR"]) / "newsstand.json").read_text())
    edition = Edition(PAPER_KEYS[0], datetime.fromisoformat(kept["opened_at"]))
    [piece] = [item for item in edition.by_number.values() if item.piece.slug == slug]
    return f"http://127.0.0.1:{kept['ports'][0]}{piece.path}"


def n_versions(site, address):
    return len(json.loads(site.manage("versions", address, "--json")))


def test_a_demo_whose_port_is_taken_says_so_and_stops(bare_site):
    folder = Path(bare_site.environment["DATA_DIR"])
    folder.mkdir(parents=True, exist_ok=True)
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        taken = other.getsockname()[1]
        kept = {"ports": [taken] * 4, "opened_at": "2026-11-20T08:00:00+00:00"}
        (folder / "newsstand.json").write_text(json.dumps(kept))

        up = bare_site.start("manage.py", "up", "--demo", "--port", str(free_port()))
        output, _ = up.communicate(timeout=120)

    assert up.returncode == 1
    assert f"Port {taken} of 127.0.0.1 cannot be used" in output
    assert "is being collected" not in output


def test_demo_on_a_port_of_its_own_papers_says_so_and_stops(bare_site):
    folder = Path(bare_site.environment["DATA_DIR"])
    folder.mkdir(parents=True, exist_ok=True)
    own = free_port()
    kept = {"ports": [own] * 4, "opened_at": "2026-11-20T08:00:00+00:00"}
    (folder / "newsstand.json").write_text(json.dumps(kept))

    up = bare_site.start("manage.py", "up", "--demo", "--port", str(own))
    output, _ = up.communicate(timeout=120)

    assert up.returncode == 1
    assert f"Port {own} belongs to a demo newspaper of this data folder" in output
