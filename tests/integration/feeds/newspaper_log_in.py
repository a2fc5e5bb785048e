"""A newspaper behind a log-in form, as a web server: hidden fields, a token, a session."""

import asyncio
import secrets
from dataclasses import dataclass, field
from urllib.parse import parse_qsl

from integration.feeds.origin import Origin, Request

FORM = """<title>Sign in</title><form action="/search"><input name="q"></form>
<form method="{method}" action="{action}"><input type="hidden" name="csrf" value="{token}">
<input type="hidden" name="back" value="/my account"><input name="log" type="text">
<input name="pwd" type="password"><button name="go" value="in">Sign in</button></form>"""
STORY = "<title>Rain</title><p>Rain fell over the whole of the Karoo, says the farmer.</p>"


@dataclass
class Newspaper:
    """What its server knows: who may sign in, whose sessions run, and what it was sent."""

    user: str = "desk@corpus.example"
    password: str = "canary-of-the-password"
    method: str = "post"
    action: str = "/in"
    sessions: set[str] = field(default_factory=set)
    sent: list[dict[str, str]] = field(default_factory=list)
    seen_cookies: list[tuple[str, str]] = field(default_factory=list)
    _token: str = ""

    def serve(self, origin: Origin, host: str = "karoo.example") -> None:
        """Answer for the log-in page, its form, and stories."""
        origin.routes[host + "/log-in"] = self.log_in_page
        origin.routes[host + "/in"] = self.take_form
        origin.routes[host + "/account"] = self.account
        for name in "abc":
            origin.routes[f"{host}/{name}"] = self.story

    async def log_in_page(self, _: Request, writer: asyncio.StreamWriter) -> None:
        self._token = secrets.token_hex(8)
        body = FORM.format(method=self.method, action=self.action, token=self._token)
        _write(writer, 200, body, f"csrf={self._token}; Path=/; HttpOnly")

    async def take_form(self, request: Request, writer: asyncio.StreamWriter) -> None:
        given = dict(parse_qsl(request.body.decode(), keep_blank_values=True))
        self.sent.append(given)
        is_token = self._token in request.headers.get("cookie", "") and given["csrf"] == self._token
        if not is_token or (given["log"], given["pwd"]) != (self.user, self.password):
            body = FORM.format(method=self.method, action=self.action, token=self._token)
            _write(writer, 200, "<p>Wrong.</p>" + body)
            return
        session = "canary-of-the-session-" + secrets.token_hex(8)
        self.sessions.add(session)
        cookie = f"sid={session}; Path=/; Domain=karoo.example; HttpOnly"
        _write(writer, 302, "", cookie, ("Location", "/account"))

    async def account(self, request: Request, writer: asyncio.StreamWriter) -> None:
        _write(writer, 200 if self.knows(request) else 401, "<p>Your account.</p>")

    async def story(self, request: Request, writer: asyncio.StreamWriter) -> None:
        self.seen_cookies.append((request.host, request.headers.get("cookie", "")))
        if self.knows(request):
            _write(writer, 200, STORY, "seen=canary-of-the-session-too; Path=/")
        else:
            body = FORM.format(method=self.method, action=self.action, token="")
            _write(writer, 200, "<p>Read on as a subscriber.</p>" + body)

    def knows(self, request: Request) -> bool:
        cookies = dict(
            part.strip().partition("=")[::2]
            for part in request.headers.get("cookie", "").split(";")
        )
        return cookies.get("sid") in self.sessions


def _write(
    writer: asyncio.StreamWriter, status: int, text: str, cookie: str = "", *more: tuple[str, str]
) -> None:
    body = text.encode()
    lines = [f"HTTP/1.1 {status} Status", f"Content-Length: {len(body)}"]
    lines += ["Content-Type: text/html; charset=utf-8"]
    lines += [f"{name}: {value}" for name, value in more]
    lines += [f"Set-Cookie: {cookie}"] if cookie else []
    writer.write("\r\n".join([*lines, "", ""]).encode() + body)
