"""`manage.py up` as a user starts it: pages, a refused second start, a stop that leaves nothing."""

import re
import signal
from pathlib import Path

import psutil
from services import free_port
from waiting import answers, wait_until


def test_installed_up_prints_address_and_password_and_stops_within_ten_seconds(installed_site):
    """From the wheel, in a folder that has nothing to do with it, which stays as it was."""
    port = free_port()
    installed_site.environment["READING_WITHOUT_SIGN_IN"] = "on"
    command = ("-P", "-m", "corpus_site", "up", "--port")
    up = installed_site.start(*command, str(port))
    wait_until(lambda: answers(f"http://127.0.0.1:{port}/healthz"), seconds=240)
    family = psutil.Process(up.pid).children(recursive=True)
    loaded = {Path(file.path).name for file in psutil.Process(up.pid).memory_maps()}
    pages = ("/", "/help/statistics/", "/static/app.js")
    answered = [path for path in pages if answers(f"http://127.0.0.1:{port}{path}")]
    second = installed_site.start(*command, str(free_port()))
    refusal, _ = second.communicate(timeout=120)

    up.send_signal(signal.SIGINT)
    output, _ = up.communicate(timeout=120)

    assert up.returncode == 0
    assert re.search(rf"http://127\.0\.0\.1:{port}/", output)
    assert re.search(r"admin\s+password\s+\S{16}", output)
    assert answered == list(pages)
    assert not any("multiarray" in name for name in loaded)  # numpy: the supervisor stays small
    data = Path(installed_site.environment["XDG_DATA_HOME"]) / "broadsheet"
    assert f"Data in      {data}\n" in output
    assert (data / "broadsheet.sqlite3").exists()
    assert list(installed_site.folder.iterdir()) == []
    assert second.returncode == 1
    assert f"already runs on {data} (process {up.pid})" in refusal
    wait_until(lambda: not any(p.is_running() for p in family), seconds=240)


def test_second_up_on_a_data_folder_prints_no_password(bare_site):
    for is_first in (True, False):
        port = free_port()
        up = bare_site.start("manage.py", "up", "--port", str(port))
        wait_until(lambda port=port: answers(f"http://127.0.0.1:{port}/healthz"), seconds=240)
        up.terminate()
        output, _ = up.communicate(timeout=120)

        assert ("password" in output) is is_first
