"""A proxy that no setting names: all its readers have one address, and share what one may do.

What is locked out, slowed and counted by address falls upon all of them then. A request that a
neighbour of ours passes on is noted in the data folder, once an hour, for checks and Status.
"""

import contextlib
import ipaddress
import time
from pathlib import Path

from django.conf import settings
from django.http import HttpRequest

FILE_NAME = "untrusted-proxy"
NOTED_EVERY_SECONDS = 3_600.0
# Who has named the proxy, or asked the site around it once, is not told of it for long.
REMEMBERED_SECONDS = 86_400.0


def note(request: HttpRequest) -> None:
    """Note the address of a neighbour that passes on requests and is not trusted."""
    if settings.TRUSTED_PROXIES or "X-Forwarded-For" not in request.headers:
        return
    address = str(request.META.get("REMOTE_ADDR", ""))
    if not _is_private(address) or _age_seconds() < NOTED_EVERY_SECONDS:
        return
    with contextlib.suppress(OSError):  # a full disk is told of elsewhere
        _path().write_text(address)


def seen() -> str:
    """Return the address of such a proxy that was seen within a day, empty if there is none."""
    if settings.TRUSTED_PROXIES or _age_seconds() > REMEMBERED_SECONDS:
        return ""
    with contextlib.suppress(OSError):
        return _path().read_text()
    return ""


def _is_private(address: str) -> bool:
    try:
        return ipaddress.ip_address(address.partition("%")[0]).is_private
    except ValueError:  # a socket file: a proxy of this machine
        return not address


def _path() -> Path:
    return Path(settings.DATA_DIR) / FILE_NAME


def _age_seconds() -> float:
    try:
        return time.time() - _path().stat().st_mtime
    except OSError:
        return float("inf")
