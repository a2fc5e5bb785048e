"""`manage.py up`: migrate, make the first admin, run web, workers and scheduler until Ctrl-C."""

import secrets
import socket
import subprocess
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connections

from corpus_site.accounts.models import Role, User
from corpus_site.checks import SETTINGS_TAG
from corpus_site.demo import ENVIRONMENT, Demo
from corpus_site.management.database import has_tables_of_today
from corpus_site.newsstand.server import HOST
from corpus_site.running.supervise import become_supervisor
from corpus_site.running.supervisor import AlreadyRunningError, Child, single_instance
from corpus_site.running.uploader import is_wanted
from feeds.models import Worker
from feeds.work.machine import machine_mark
from feeds.work.own_programs import own_command, own_environment, own_program

LOCAL_ADDRESSES = {"127.0.0.1", "localhost", "::1"}
WEB_THREADS = 40  # most wait: for a turn, for the database, for slow readers
# The papers' addresses are in the database with their ports, so these cannot be changed later.
PAPERS_REMEDY = (
    "a demo newspaper of this data folder stands there. Stop the program that has the port, or "
    "start the demo on another folder with DATA_DIR"
)
REQUEST_LINE_BYTES = 8190  # gunicorn's highest; queries stand in addresses


class Command(BaseCommand):
    help = "Run Broadsheet: web pages, workers and scheduler, with no other server needed."
    # Migrations and all checks, which load everything, run beside it, and only where tables change.
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--port", type=int, default=settings.PORT)
        parser.add_argument("--host", default="127.0.0.1", help="address to listen on")
        parser.add_argument("--demo", action="store_true", help="with the demo newspapers")

    def handle(self, *args: Any, **options: Any) -> None:
        host, port = options["host"], options["port"]
        if host not in LOCAL_ADDRESSES and not settings.SECRET_KEY_IS_GIVEN:
            raise CommandError(
                "To listen on another address than this machine's own, set SECRET_KEY."
            )
        try:
            with single_instance(settings.DATA_DIR):
                demo = Demo.open(settings.DATA_DIR, port) if options["demo"] else None
                self._run(host, port, demo)
        except AlreadyRunningError as error:
            raise CommandError(
                f"Broadsheet already runs on {settings.DATA_DIR} (process {error}). Stop it first, "
                "or choose another folder with DATA_DIR."
            ) from None
        except OSError as error:
            raise CommandError(f"DATA_DIR cannot be written: {error}.") from error

    def _run(self, host: str, port: int, demo: Demo | None) -> None:
        demand_port(host, port)
        if demo is not None and port in demo.ports:
            raise CommandError(
                f"Port {port} belongs to a demo newspaper of this data folder; choose another one "
                "with --port."
            )
        for paper_port in demo.ports if demo is not None else ():
            demand_port(HOST, paper_port, PAPERS_REMEDY)
        if has_tables_of_today():
            self.check(tags=[SETTINGS_TAG])
        else:
            run_beside("migrate", "--verbosity=0")
        password = first_admin()
        Worker.objects.filter(name__startswith=machine_mark()).delete()
        children = [
            _web(host, port),
            *(_worker(number) for number in range(settings.WORKER_PROCESSES)),
            _manage("scheduler", "sweep"),
            *_carriers(),
        ]
        if demo is not None:
            demo.add_papers()
            children = [demo.child(), *children]
            for child in children:
                child.environment |= ENVIRONMENT
        self._say(f"Broadsheet:  http://{_in_address(host)}:{port}/")
        self._say(f"Data in      {settings.DATA_DIR}")
        if password:
            self._say(f"Sign in as   admin    password   {password}    (shown only once)")
        if demo is not None:
            for line in demo.lines():
                self._say(line)
        self._say("Stop with Ctrl-C.")
        connections.close_all()
        become_supervisor(children)

    def _say(self, line: str) -> None:
        self.stdout.write(line)
        self.stdout.flush()


def demand_port(host: str, port: int, remedy: str = "choose another one with --port") -> None:
    """Refuse a port that another program has; its process would try it again for ever."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except (OSError, OverflowError) as error:
            raise CommandError(
                f"Port {port} of {host} cannot be used ({error}); {remedy}."
            ) from None


def run_beside(*arguments: str) -> None:
    """Run another command of manage.py and wait for it; CommandError when it fails."""
    done = subprocess.run(own_command(*arguments), env=own_environment(), check=False)  # noqa: S603 (our own command)
    if done.returncode:
        raise CommandError(f"manage.py {arguments[0]} failed; what it said stands above.")


def first_admin() -> str:
    """Make the first admin where there is none; returns the password, or an empty string."""
    if (
        User.objects.filter(role=Role.ADMIN).exists()
        or User.objects.filter(is_superuser=True).exists()
    ):
        return ""
    password = secrets.token_urlsafe(12)
    User.objects.create_superuser("admin", password=password, role=Role.ADMIN)
    return password


def _in_address(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _manage(name: str, *arguments: str) -> Child:
    return Child(name, own_command(*arguments))


def _carriers() -> list[Child]:
    """Return the processes that carry files to and from other machines, as the settings say."""
    wanted = (
        (is_wanted(), "uploader", "upload_archive"),
        (settings.INDEX_URL, "publisher", "publish_index"),
        (settings.INDEX_SOURCE, "follower", "follow_index"),
    )
    return [_manage(name, command) for is_set, name, command in wanted if is_set]


def _worker(number: int) -> Child:
    return _manage(f"worker {number + 1}", "work", "--worker", str(number))


def _web(host: str, port: int) -> Child:
    return Child(
        "web",
        own_program(
            "gunicorn",
            "corpus_site.wsgi",
            f"--bind={_in_address(host)}:{port}",
            "--workers=1",
            "--worker-class=corpus_site.running.web_worker.WebWorker",
            f"--limit-request-line={REQUEST_LINE_BYTES}",
            f"--threads={WEB_THREADS}",
            "--graceful-timeout=5",
            "--timeout=60",
            "--log-level=warning",
            "--no-control-socket",
            f"--chdir={settings.BASE_DIR}",
        ),
    )
