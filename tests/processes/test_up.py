"""`manage.py up` as a user starts it: pages, a refused second start, a stop that leaves nothing."""

import re
import signal
from pathlib import Path

import psutil
from services import free_port
from waiting import answers, wait_until


def test_up_prints_address_and_password_and_stops_within_ten_seconds(bare_site):
    port = free_port()
    up = bare_site.start("manage.py", "up", "--port", str(port))
    wait_until(lambda: answers(f"http://127.0.0.1:{port}/healthz"), seconds=240)
    family = psutil.Process(up.pid).children(recursive=True)
    loaded = {Path(file.path).name for file in psutil.Process(up.pid).memory_maps()}
    second = bare_site.start("manage.py", "up", "--port", str(free_port()))
    refusal, _ = second.communicate(timeout=120)

    up.send_signal(signal.SIGINT)
    output, _ = up.communicate(timeout=120)

    assert up.returncode == 0
    assert re.search(rf"http://127\.0\.0\.1:{port}/", output)
    assert re.search(r"admin\s+password\s+\S{16}", output)
    assert not any("multiarray" in name for name in loaded)  # numpy: the supervisor stays small
    assert second.returncode == 1
    assert f"already runs on {bare_site.environment['DATA_DIR']} (process {up.pid})" in refusal
    wait_until(lambda: not any(p.is_running() for p in family), seconds=240)


def test_second_up_on_a_data_folder_prints_no_password(bare_site):
    for is_first in (True, False):
        port = free_port()
        up = bare_site.start("manage.py", "up", "--port", str(port))
        wait_until(lambda port=port: answers(f"http://127.0.0.1:{port}/healthz"), seconds=240)
        up.terminate()
        output, _ = up.communicate(timeout=120)

        assert ("password" in output) is is_first
