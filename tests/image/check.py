"""Build the image, start compose.yaml's services, use them, stop them: `make check-image`.

Needs neither a container runtime nor a registry of images, but root, buildah and debootstrap.
BUILD_OPTIONS is given to `buildah bud` (settings of a mirror, as in `--volume
/etc/pip.conf:/etc/pip.conf:ro`), DEBIAN_MIRROR to debootstrap. What is built is kept in
IMAGE_FOLDER for the next time; `--built` uses the last image as it is.
"""

import ctypes
import json
import os
import re
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import requests
from building import Builder
from compose_file import read_services
from containers import Container, Image
from stand_ins import missing, stand_in
from waiting import wait_until

PROJECT = Path(__file__).resolve().parents[2]
PLACE = Path(os.environ.get("IMAGE_FOLDER", "/var/tmp/broadsheet-image"))
SITE = "https://corpus.example.org"  # of deploy/nginx.conf and deploy/broadsheet.env.example
NEWSSTAND_PORT = 8601
# Who is called healthy takes connections of others.
PORTS = {"postgres": 5432, "redis": 6379, "web": 8000}
# What a test needs beside the example's lines: a newspaper on this machine, read at once.
SETTINGS = (
    "CRAWL_ALLOWED_PRIVATE_NETWORKS=127.0.0.0/8",
    "CRAWL_MIN_DELAY_SECONDS=0.2",
    "CRAWL_MIN_POLL_SECONDS=10",
)
NEW_NAMESPACES = 0x40000000 | 0x00020000  # CLONE_NEWNET, CLONE_NEWNS (sched.h)
NOT_CHECKED = (
    "the real images of PostgreSQL, Redis and nginx, published ports, networks between containers, "
    "seccomp profiles, log rotation, restarts"
)


def main() -> int:
    lacking = _lacking()
    if lacking:
        print(f"The image was not checked; this machine lacks: {', '.join(lacking)}.")
        return 1
    PLACE.mkdir(parents=True, exist_ok=True)
    builder = Builder(PLACE)
    with _told("base"):
        builder.make_base(PROJECT / "Containerfile")
    if "--built" not in sys.argv:
        with _told("image"):
            builder.build(PROJECT)
    with builder.mounted() as image, tempfile.TemporaryDirectory(dir=PLACE) as folder:
        _leave_network()
        composed = Composed(image, Path(folder))
        try:
            composed.check()
        except BaseException:
            composed.show_logs()
            raise
        finally:
            composed.kill()
    print(f"Right. Not checked here: {NOT_CHECKED}.")
    return 0


def _lacking() -> list[str]:
    programs = ("buildah", "debootstrap", "unshare", "nsenter", "setpriv")
    lacking = [name for name in programs if not shutil.which(name)]
    return [*lacking, *missing(), *([] if os.geteuid() == 0 else ["root's rights"])]


@contextmanager
def _told(what: str) -> Iterator[None]:
    """Say what was done and how long it took."""
    began = time.monotonic()
    yield
    print(f"{time.monotonic() - began:7.1f} s  {what}", flush=True)


def _leave_network() -> None:
    """Go into a network of our own: every port is free there, and nothing leaves the machine."""
    if ctypes.CDLL(None, use_errno=True).unshare(NEW_NAMESPACES):
        raise SystemExit(f"no network of our own: {os.strerror(ctypes.get_errno())}")
    subprocess.run(["mount", "--make-rprivate", "/"], check=True)
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)


class Composed:
    """The services of compose.yaml in a copy of the project's folder, set up as the docs say."""

    def __init__(self, image: Image, work: Path) -> None:
        self.work = work
        password = secrets.token_hex(24)
        shutil.copy(PROJECT / "compose.yaml", work)
        example = (PROJECT / "deploy/broadsheet.env.example").read_text()
        settings = example.replace("SECRET_KEY=\n", f"SECRET_KEY={secrets.token_urlsafe(48)}\n")
        (work / "broadsheet.env").write_text("\n".join((settings, *SETTINGS)))
        self._make_certificate()
        services = read_services(work / "compose.yaml", {"POSTGRES_PASSWORD": password})
        hosts = work / "hosts"
        names = (*services, SITE.removeprefix("https://"))
        hosts.write_text("".join(f"127.0.0.1 {name}\n" for name in ("localhost", *names)))
        subprocess.run(["mount", "--bind", hosts, "/etc/hosts"], check=True)
        self.containers: dict[str, Container] = {}
        for name, service in services.items():
            if service.is_of_a_profile:
                print(f"           left out: {name}, which only a profile starts")
                continue
            files = {"/etc/hosts": hosts}
            for mount in service.mounts:
                if mount.is_of_the_project:
                    inside = work if mount.source == "./certificates" else PROJECT
                    files[mount.source] = inside / mount.source
            own = image
            if not service.is_built:
                own, seen = stand_in(service.image.rpartition("/")[2].partition(":")[0], work)
                files |= seen
            self.containers[name] = Container(service, own, work, files)

    def _make_certificate(self) -> None:
        folder = self.work / "certificates"
        folder.mkdir()
        name = SITE.removeprefix("https://")
        made = ["-keyout", folder / "privkey.pem", "-out", folder / "fullchain.pem"]
        kind = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"]
        words = ["-subj", f"/CN={name}", "-addext", f"subjectAltName=DNS:{name}"]
        subprocess.run(["openssl", *kind, *words, *made], check=True, capture_output=True)

    def check(self) -> None:
        """Start, use and stop all of it; AssertionError at what is wrong."""
        for step in (
            self.start,
            self.demand_limits,
            self.sign_in,
            self.read_newspaper,
            self.back_up,
            self.demand_own_health,
            self.set_up_again,
            self.stop,
        ):
            with _told(step.__name__.replace("_", " ")):
                step()

    def start(self) -> None:
        """In the order of `depends_on`, each as soon as what it waits for is so."""
        started: set[str] = set()
        while waiting := [name for name in self.containers if name not in started]:
            for name in waiting:
                waits = self.containers[name].service.waits_for
                if started.issuperset(waits):
                    for other, condition in waits.items():
                        self._wait(other, condition)
                    self.containers[name].start()
                    started.add(name)
        for name, container in self.containers.items():
            if container.service.health:
                self._wait(name, "service_healthy")

    def _wait(self, name: str, condition: str) -> None:
        container = self.containers[name]
        process = container.process
        assert process is not None
        if condition == "service_healthy":
            wait_until(lambda: container.is_healthy() or process.poll() is not None, 300)
            assert process.poll() is None, f"{name} ended with {process.poll()}"
            if name in PORTS:
                socket.create_connection((name, PORTS[name]), timeout=5).close()
        else:
            assert condition == "service_completed_successfully", condition
            assert process.wait(300) == 0, f"{name} ended with {process.returncode}"

    def demand_limits(self) -> None:
        """Users, capabilities and what can be written, of the running processes themselves."""
        for name, container in self.containers.items():
            service = container.service
            if service.drops_capabilities and name != "setup":
                for program in container.programs():
                    fields = _status(program.pid)
                    assert set(fields["Uid"].split()) != {"0"}, name
                    for kind in ("CapPrm", "CapEff", "CapBnd", "CapAmb"):
                        assert int(fields[kind], 16) == 0, (name, kind)
                    assert fields["NoNewPrivs"] == "1", name
            if service.is_built and name != "setup":
                self._demand_read_only(container)
        web = self.containers["web"]
        assert web.execute("id", "-u").stdout.strip() != "0"

    def _demand_read_only(self, container: Container) -> None:
        for path in ("/app/x", "/venv/x", "/home/broadsheet/x", "/etc/x"):
            assert container.execute("touch", path).returncode != 0, path
        for path in ("/data/x", "/backup/x", "/tmp/x", "/dev/shm/x"):
            done = container.execute("touch", path)
            assert done.returncode == 0, done.stderr

    def sign_in(self) -> None:
        """As a person: through the proxy, with the password that `setup` has shown."""
        shown = re.search(r"admin +password +(\S+)", self.containers["setup"].log.read_text())
        assert shown, "setup showed no password"
        plain = requests.get(SITE.replace("https", "http"), allow_redirects=False, timeout=30)
        assert plain.headers["Location"] == f"{SITE}/"
        self.browser = requests.Session()
        self.browser.trust_env = False  # neither proxies nor certificates of this machine
        self.browser.verify = str(self.work / "certificates/fullchain.pem")
        page = self._page("/sign-in/")
        token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page.text)
        assert token
        form = {"username": "admin", "password": shown[1], "csrfmiddlewaretoken": token[1]}
        answer = self.browser.post(
            f"{SITE}/sign-in/", form, headers={"Referer": f"{SITE}/sign-in/"}, timeout=60
        )
        assert answer.status_code == 200
        assert all(cookie.secure for cookie in self.browser.cookies)
        assert "max-age=" in page.headers["Strict-Transport-Security"]
        for path in ("/", "/status/", "/sources/", "/help/admins/", "/static/broadsheet.css"):
            self._page(path)
        assert self.browser.get(f"{SITE}/metrics", timeout=60).status_code == 200

    def _page(self, path: str) -> requests.Response:
        page = self.browser.get(SITE + path, timeout=60)
        assert page.status_code == 200, (path, page.status_code)
        assert page.url == SITE + path, page.url
        return page

    def read_newspaper(self) -> None:
        """A demo newspaper's words are found: fetched, extracted and indexed by containers."""
        worker, web = self.containers["worker"], self.containers["web"]
        stand = ["python", "-m", "corpus_site.newsstand", "--port", str(NEWSSTAND_PORT)]
        with (self.work / "logs/newsstand.log").open("wb") as log:
            self.newsstand = subprocess.Popen(web.entering(*stand), stdout=log, stderr=log)
        address = f"http://127.0.0.1:{NEWSSTAND_PORT}/"
        wait_until(lambda: _answers(address))
        added = worker.execute("python", "manage.py", "add_source", address, "--activate")
        assert added.returncode == 0, added.stdout + added.stderr

        def n_hits() -> int:
            found = web.execute("python", "manage.py", "search", "water", "--json", "--limit=1")
            return json.loads(found.stdout)["total"] if found.returncode == 0 else 0

        wait_until(lambda: n_hits() > 0, 300)

    def back_up(self) -> None:
        made = self.containers["worker"].execute("python", "manage.py", "backup", "/backup")
        assert made.returncode == 0, made.stdout + made.stderr

    def demand_own_health(self) -> None:
        """Each container's check is about itself: a dead neighbour is not its business."""
        for dead, alive in (("indexer", "worker"), ("web", "worker")):
            self.containers[dead].kill()
            assert not self.containers[dead].is_healthy(), f"{dead} is dead and called healthy"
            assert self.containers[alive].is_healthy(), alive
            self.containers[dead].start()
            self._wait(dead, "service_healthy")

    def set_up_again(self) -> None:
        """A second `up` of compose: nothing to do, and no password is shown."""
        setup = self.containers["setup"]
        setup.log.unlink()
        setup.start()
        self._wait("setup", "service_completed_successfully")
        assert "password" not in setup.log.read_text()

    def stop(self) -> None:
        """All end by themselves in their time, those that depend on others first."""
        for name, container in reversed(list(self.containers.items())):
            if name not in ("postgres", "redis"):
                container.stop()
        for name in ("redis", "postgres"):
            self.containers[name].stop()
        for name, container in self.containers.items():
            if container.service.is_built:
                assert "Traceback" not in container.log.read_text(), name

    def show_logs(self) -> None:
        for container in self.containers.values():
            if container.log.exists():
                print(f"--- {container.log.name}", container.log.read_text()[-3000:], sep="\n")

    def kill(self) -> None:
        for container in self.containers.values():
            container.kill()
        subprocess.run(["umount", "/etc/hosts"], check=False)


def _status(pid: int) -> dict[str, str]:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return {name: value.strip() for name, _, value in (line.partition(":") for line in lines)}


def _answers(address: str) -> bool:
    try:
        return requests.get(address, timeout=5).ok
    except requests.ConnectionError:
        return False


if __name__ == "__main__":
    sys.exit(main())
