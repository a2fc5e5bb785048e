"""`python -m corpus_site.messaging.chat_program`: hands one message to a chat, by Apprise.

JSON on standard input (`url`, `title`, `body`, `allowed`, `refused`, `proxy`), JSON on standard
output (`is_taken`, `said`). A process of its own, because Apprise opens its connections itself:
here an audit hook (PEP 578) looks at the address of each before it is made, whatever name, redirect
or library has led there; whoever started this process can end it; and it knows neither the
database nor the settings. It imports no Django.
"""

import ipaddress
import json
import logging
import socket
import sys
from typing import Any
from urllib.parse import urlsplit

import apprise

from feeds.crawler.fetching.connections import AddressGuard, parse_target
from feeds.crawler.fetching.exchange import NetworkPolicy
from feeds.crawler.fetching.ip_addresses import ForbiddenAddressError

_INTERNET = (socket.AF_INET, socket.AF_INET6)
_HTTPS = 443
_STARTING = ("subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.fork")


class _Watch:
    """The hook: which connections were refused, and why."""

    def __init__(self, policy: NetworkPolicy) -> None:
        self._guard = AddressGuard(policy)
        self.refused: list[str] = []
        if policy.proxy_url:
            proxy = parse_target(policy.proxy_url)
            for address in _addresses(proxy.host):
                self._guard.exempt(address, proxy.port)

    def allows_host(self, url: str) -> bool:
        """Look at the host that an address names: behind a proxy nobody sees what it resolves to.

        Of a service it is no host but a token, which resolves to nothing.
        """
        try:
            for address in _addresses(urlsplit(url).hostname or ""):
                self._guard.check(address, _HTTPS)
        except ForbiddenAddressError as error:
            self.refused.append(str(error))
        return not self.refused

    def __call__(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event in _STARTING:
            raise PermissionError("no programs are started here")
        if event != "socket.connect":
            return
        connected, address = arguments
        try:
            if connected.family not in _INTERNET:
                raise ForbiddenAddressError("Only the internet is connected to.")  # noqa: TRY301
            self._guard.check(str(address[0]), int(address[1]))
        except ForbiddenAddressError as error:
            self.refused.append(str(error))
            raise


def _addresses(host: str) -> list[str]:
    """Resolve a name, to nothing if it has no address."""
    try:
        found = socket.getaddrinfo(host, None, proto=socket.IPPROTO_TCP)
    except (OSError, UnicodeError):
        return []
    return [str(sockaddr[0]) for *_, sockaddr in found]


class _LastWords(logging.Handler):
    """What Apprise logged as warning or error: the only place where it says why."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.said: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.said.append(record.getMessage())


def policy_of(asked: dict[str, Any]) -> NetworkPolicy:
    def networks(name: str) -> tuple[ipaddress.IPv4Network | ipaddress.IPv6Network, ...]:
        return tuple(ipaddress.ip_network(text) for text in asked[name])

    return NetworkPolicy(networks("allowed"), networks("refused"), asked["proxy"])


def hand_over(asked: dict[str, Any]) -> dict[str, Any]:
    """Send one message; what went wrong is in `said`."""
    words = _LastWords()
    logging.getLogger("apprise").addHandler(words)
    asset = apprise.AppriseAsset(app_id="Broadsheet", app_desc="Broadsheet", http_redirects=False)
    sender = apprise.Apprise(asset=asset)
    if not sender.add(asked["url"]):
        return {"is_taken": False, "said": "Apprise cannot read this address."}
    watch = _Watch(policy_of(asked))
    if asked["proxy"] and not watch.allows_host(asked["url"]):
        return {"is_taken": False, "said": watch.refused[-1]}
    sys.addaudithook(watch)
    is_taken = sender.notify(title=asked["title"], body=asked["body"])
    return {"is_taken": bool(is_taken), "said": " ".join(watch.refused[-1:] or words.said[-1:])}


if __name__ == "__main__":
    json.dump(hand_over(json.load(sys.stdin)), sys.stdout)
