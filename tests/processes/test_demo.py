"""`make demo` without internet: demo newspapers to concordance lines and comments."""

import json
import socket
from pathlib import Path

from services import free_port
from waiting import answers, wait_until


def test_demo_collects_its_papers_with_comments_and_twins(bare_site):
    port = str(free_port())
    up = bare_site.start("manage.py", "up", "--demo", "--port", port)

    def hits(*arguments: str) -> int:
        found = bare_site.manage("search", *arguments, "--json", "--limit", "1")
        return json.loads(found)["total"]

    wait_until(lambda: answers(f"http://127.0.0.1:{port}/healthz"), seconds=240)
    wait_until(lambda: hits("braai") > 0 and hits("die") > 0, seconds=240)
    wait_until(lambda: hits("--in", "comments", "die") > 0, seconds=240)
    up.terminate()
    output, _ = up.communicate(timeout=120)

    assert up.returncode == 0
    assert "Karoo Courier is being collected" in output
    assert "Isibani can be added: paste this address" in output


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
