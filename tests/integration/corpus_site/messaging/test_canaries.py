"""Secrets stand in clear nowhere: rows, dumps, backups, archive, logs, pages, what is sent.

A canary each of what people entrust to the site: a newspaper's password, the secret of a webhook,
the address of a chat, the mail server's password, a token of the API, a person's own password. All
are used, well and in vain, and then everything that is kept, told or shown is looked through. The
forms and sessions of newspapers are looked through in `feeds/test_log_in_forms.py`.
"""

import base64
import gzip
import io
import logging
from datetime import timedelta

import pytest
from all_addresses import address, make_rows, routes
from django.core.management import call_command
from django.test import Client
from django.utils import timezone
from factories import NOW, make_user
from integration.feeds.newspapers import add_page, crawl, make_paper
from integration.feeds.origin import Origin, page, redirect

from corpus_site.accounts.models import ApiToken, User
from corpus_site.accounts.tokens import make_token
from corpus_site.copies import backup
from corpus_site.messaging import channels
from corpus_site.messaging.models import Channel, ChannelKind, Delivery
from feeds.models import Account, AccountKind, Host
from feeds.network import archive_writer

PAPERS, CHATS, MAILS, OWN = (f"canary-of-the-{whose}" for whose in ("paper", "chat", "mail", "own"))
BASIC = base64.b64encode(f"desk:{PAPERS}".encode()).decode()  # as it is sent


def fetch_with_an_account(settings):
    """Fetch a page that leads to another host, and one of the paper's own; both fail and work."""
    settings.CRAWL_MIN_DELAY_SECONDS = 0.05
    paper = make_paper(NOW)
    Account.objects.create(
        publication=paper, kind=AccountKind.BASIC, user_name="desk", secret=PAPERS
    )
    with Origin() as web:
        settings.CRAWL_PROXY_URL = web.url
        web.routes["karoo.example/a"] = redirect("http://other.example/b")
        web.routes["karoo.example/c"] = page()
        web.routes["other.example/b"] = page()
        for name in "ac":
            add_page(paper, f"http://karoo.example/{name}", NOW)
            Host.objects.update(next_at=NOW)
            crawl(NOW)
        sent = {request.host for request in web.requests if BASIC in str(request.headers.values())}
    settings.CRAWL_PROXY_URL = ""
    archive_writer().sync()
    return sent


def send_to_all(world, settings, hook, chat, mail_channel, hook_server):
    """Tell of an alarm where everything fails, and where all but the mail server takes it."""
    settings.EMAIL_HOST_USER, settings.EMAIL_HOST_PASSWORD = "desk", MAILS
    for row in (hook, chat, mail_channel):
        world.subscribe(row)
    for number, status in enumerate((500, 200), start=1):
        hook_server.status = status
        world.pass_minutes(1, lambda _, number=number: world.alarm(number))
        world.pass_minutes(30)


def ask_as_program(token):
    """Ask with a token, and with one that is wrong in its last letter."""
    wrong = token[:-1] + ("a" if token[-1] != "a" else "b")
    return [
        Client().get("/api/search?q=rain", headers={"Authorization": f"Bearer {text}"}).status_code
        for text in (token, wrong)
    ]


def sign_in(person):
    person.set_password(OWN)
    person.save()
    for password in (OWN, OWN + "!"):
        Client().post("/sign-in/", {"username": person.username, "password": password})


# Pages of what uses secrets or tells of it; the others show texts.
TELLING = ("settings/", "status/", "sources/", "people/", "messages/", "metrics", "hosts", "feeds/")
TABLES = ("account", "channel", "delivery", "message", "apitoken", "user", "fetch", "hostdecision")


def is_telling(route):
    app, _, table = route.removeprefix("admin/").partition("/")
    return route.startswith(TELLING) or (bool(app) and table.startswith(TABLES))


def shown(browse):
    """Read the pages that an admin can open, those of the tables too."""
    admin = browse("admin")
    User.objects.filter(username="thandi").update(username="nomsa")  # a row below is another one
    rows = make_rows()
    for each in sorted({address(route, rows) for route in routes() if is_telling(route)}):
        answer = admin.get(each)
        yield each, b"".join(answer) if answer.streaming else answer.content


def kept(folder):
    for path in folder.rglob("*"):
        if path.is_file():
            held = path.read_bytes()
            is_packed = ".warc" in path.name or path.suffix == ".gz"
            yield str(path), gzip.GzipFile(fileobj=io.BytesIO(held)).read() if is_packed else held


@pytest.mark.django_db(transaction=True)
def test_secrets_stand_in_clear_nowhere(
    settings, caplog, tmp_path, browse, world, owner, mail_server, mail_channel, hook_channel,
    hook_server, capsys,
):  # fmt: skip
    caplog.set_level(logging.DEBUG)
    settings.EMAIL_URL = f"smtp://desk:{MAILS}@127.0.0.1:{mail_server.port}"
    chat = channels.add_channel(
        Channel(owner=owner, kind=ChannelKind.CHAT, name="Phone"),
        hook_server.url.replace("http://", f"ntfy://desk:{CHATS}@").replace("/hook", "/alarms"),
        NOW,
    ).row
    token = make_token(
        ApiToken(owner=owner, name="notebook", expires_at=timezone.now() + timedelta(days=9)), NOW
    )
    secrets = [PAPERS, BASIC, CHATS, MAILS, OWN, hook_channel.secret, token.text]

    sent = fetch_with_an_account(settings)
    send_to_all(world, settings, hook_channel.row, chat, mail_channel, hook_server)
    statuses = ask_as_program(token.text)
    sign_in(make_user("editor", username="zola"))
    call_command("dumpdata", output=str(tmp_path / "rows.json"), exclude=["contenttypes"])
    backup.make_backup(tmp_path / "saved", timezone.now(), print)
    places = dict(kept(tmp_path)) | dict(shown(browse))
    places["log"], places["printed"] = caplog.text.encode(), capsys.readouterr().out.encode()

    assert sent == {"karoo.example"}
    assert statuses == [200, 401]
    assert {delivery.is_taken for delivery in Delivery.objects.all()} == {True, False}
    assert len(places) > 100
    assert any(b"desk" in held and b"Karoo" in held for held in places.values())  # whose it is
    found = {
        (name, secret)
        for name, held in places.items()
        for secret in secrets
        if secret.encode() in held
    }
    assert found == set()
