"""Messages to chats and push services: an address of Apprise's → a process that hands one over.

Apprise knows over a hundred services, and some of them are no services: programs that are started,
sockets of this machine, files that are read. Here only public services are let through, and three
kinds of server that people run themselves; which host that is, is looked at by the program at each
connection (`chat_program`). Options that read files or leave certificates unchecked are refused.
"""

import json
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from urllib.parse import parse_qsl, urlsplit

from django.conf import settings

from corpus_site.messaging.attempts import Attempt
from corpus_site.messaging.content import Content
from corpus_site.messaging.models import Message
from feeds.network import network_policy
from feeds.secrets_at_rest import SealBrokenError, unseal

# Scheme of the address: how people call the service. With an s at the end: by https.
SERVICES = {
    "slack": "Slack",
    "discord": "Discord",
    "tgram": "Telegram",
    "msteams": "Microsoft Teams",
    "workflows": "Microsoft Teams (workflow)",
    "gchat": "Google Chat",
    "zulip": "Zulip",
    "pover": "Pushover",
    "pbul": "Pushbullet",
    "ntfys": "ntfy",
    "matrixs": "Matrix",
    "mmosts": "Mattermost",
    "rockets": "Rocket.Chat",
    "gotifys": "Gotify",
}
# The same without https, for servers in an intranet that CRAWL_ALLOWED_PRIVATE_NETWORKS opens.
_PLAIN = {"ntfy": "ntfy", "matrix": "Matrix", "mmost": "Mattermost", "rocket": "Rocket.Chat"}
_OPTIONS = frozenset(
    {"priority", "topic", "thread", "silent", "mode", "to", "tags", "msgtype", "v", "version"}
)
# Apprise gives up after some seconds; who drips bytes for ever is ended here.
SECONDS = 20.0
_SENTENCE_CHARS = 300
_SHOWN = "…"


def service_of(url: str) -> str:
    """Name the service of an address; empty for one that is none of ours."""
    scheme = url.partition("://")[0].lower()
    return SERVICES.get(scheme) or _PLAIN.get(scheme, "")


def refusal(url: str) -> str:
    """Say why an address is not taken; empty if it is."""
    if not service_of(url):
        names = ", ".join(SERVICES)
        return f"This is no address of a service that messages are sent to. Known are: {names}."
    try:
        options = {name.lower() for name, _ in parse_qsl(urlsplit(url).query)}
    except ValueError:
        return "This address cannot be read."
    unknown = sorted(options - _OPTIONS)
    if unknown:
        return f"The option “{unknown[0]}” is not taken here. Leave it out of the address."
    return ""


def shown(url: str) -> str:
    """Write an address so that it opens nothing: its service alone."""
    return f"{url.partition('://')[0].lower()}://{_SHOWN}"


def hand_over_all(messages: Sequence[Message]) -> list[Attempt]:
    """Hand messages over, side by side; one attempt for each, in their order."""
    begun = time.monotonic()
    started = [_start(message) for message in messages]
    return [one if isinstance(one, Attempt) else _end(one, begun) for one in started]


def _start(message: Message) -> "subprocess.Popen[str] | Attempt":
    try:
        url = unseal(message.channel.sealed)
    except SealBrokenError as error:
        return Attempt(str(error), is_final=True)
    why = refusal(url)
    if why:  # kept before the list was as short as now
        return Attempt(why, is_final=True)
    program = subprocess.Popen(
        [sys.executable, "-m", "corpus_site.messaging.chat_program"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        cwd=settings.BASE_DIR,
        env=_environment(),
    )
    if program.stdin is not None:
        json.dump(_asked(url, Content.of(message.content)), program.stdin)
        program.stdin.close()
        program.stdin = None
    return program


def _environment() -> dict[str, str]:
    """Leave all settings and passwords behind; requests reads its proxies from here."""
    proxy = settings.CRAWL_PROXY_URL
    proxies = {"http_proxy": proxy, "https_proxy": proxy} if proxy else {}
    return {"PATH": os.defpath, "LANG": "C.UTF-8", **proxies}


def _asked(url: str, content: Content) -> dict[str, object]:
    policy = network_policy()
    return {
        "url": url,
        "title": content.title,
        "body": content.text(),
        "allowed": [str(network) for network in policy.allowed_private_networks],
        "refused": [str(network) for network in policy.refused_networks],
        "proxy": policy.proxy_url,
    }


def _end(program: "subprocess.Popen[str]", begun: float) -> Attempt:
    """Wait for a program, or end it when its time is over."""
    left = max(0.1, SECONDS - (time.monotonic() - begun))
    try:
        output, _ = program.communicate(timeout=left)
        answer = json.loads(output)
    except subprocess.TimeoutExpired:
        program.kill()
        program.communicate()
        answer = {"is_taken": False, "said": f"No answer within {SECONDS:g} s."}
    except ValueError:
        answer = {"is_taken": False, "said": f"The sender ended with {program.returncode}."}
    elapsed = round((time.monotonic() - begun) * 1000)
    sentence = "Taken." if answer["is_taken"] else answer["said"] or "It was not taken."
    return Attempt(
        sentence[:_SENTENCE_CHARS], elapsed_ms=elapsed, is_taken=bool(answer["is_taken"])
    )
