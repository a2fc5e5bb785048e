"""A mail server and a receiver of webhooks on 127.0.0.1: what arrived, and what to say."""

import email
import email.policy
import threading
from dataclasses import dataclass, field
from email.message import EmailMessage
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Self

from aiosmtpd.controller import Controller
from services import free_port


class _Inbox:
    def __init__(self, server):
        self._server = server

    async def handle_RCPT(self, server, session, envelope, address, options):  # noqa: ARG002, N802 (as aiosmtpd calls it)
        if self._server.refusal:
            return self._server.refusal
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):  # noqa: ARG002, N802 (as aiosmtpd calls it)
        mail = email.message_from_bytes(envelope.content, policy=email.policy.default)
        self._server.mails.append((envelope.rcpt_tos[0], mail))
        return "250 OK"


@dataclass
class MailServer:
    """`refusal` is what is said to each recipient instead of OK."""

    mails: list[tuple[str, EmailMessage]] = field(default_factory=list)
    refusal: str = ""
    port: int = field(default_factory=free_port)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self.stop()

    def start(self) -> None:
        self._controller = Controller(_Inbox(self), hostname="127.0.0.1", port=self.port)
        self._controller.start()

    def stop(self) -> None:
        if self._controller is not None:
            self._controller.stop(no_assert=True)
            self._controller = None

    @property
    def ids(self) -> list[str]:
        return [mail["Message-ID"] for _, mail in self.mails]

    @property
    def subjects(self) -> list[str]:
        return [str(mail["Subject"]) for _, mail in self.mails]


@dataclass(frozen=True, slots=True)
class Posted:
    path: str
    headers: dict[str, str]
    body: bytes


@dataclass
class HookServer:
    """Answers with `status` and `location`; one that hangs answers when it is told to stop."""

    posts: list[Posted] = field(default_factory=list)
    status: int = 204
    location: str = ""
    hangs: bool = False

    def __enter__(self) -> Self:
        self._stopping = threading.Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *exception: object) -> None:
        self._stopping.set()
        self._server.shutdown()
        self._server.server_close()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}/hook"

    @property
    def ids(self) -> list[str]:
        return [post.headers["webhook-id"] for post in self.posts]

    def _handler(self):
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                headers = {name.lower(): value for name, value in self.headers.items()}
                outer.posts.append(Posted(self.path, headers, body))
                if outer.hangs:
                    outer._stopping.wait()
                    return
                self.send_response(outer.status)
                if outer.location:
                    self.send_header("Location", outer.location)
                self.send_header("Content-Length", "0")
                self.end_headers()

            do_GET = do_POST  # noqa: N815

            def log_message(self, *_):
                pass

        return Handler
