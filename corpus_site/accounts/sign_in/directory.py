"""Signing in with name and password of an LDAP directory (RFC 4511 to 4513).

The name is looked up, then the password is tried by a bind as the entry that was found.
"""

import logging
import ssl
from collections.abc import Iterable, Mapping
from contextlib import contextmanager
from typing import Any

from django.conf import settings
from django.contrib.auth.backends import BaseBackend
from django.http import HttpRequest
from django.utils import timezone
from ldap3 import NONE, SUBTREE, Connection, Server, Tls
from ldap3.core.exceptions import LDAPException
from ldap3.utils.conv import escape_filter_chars
from ldap3.utils.dn import parse_dn

from corpus_site.accounts.models import SignInWay, User
from corpus_site.accounts.sign_in.arrivals import Arrival, ArrivalRefusedError, arrive

log = logging.getLogger(__name__)

_SECONDS = 10
_TWO = 2  # more than one entry for a name is nobody
# Subjects that outlast a change of name: RFC 4530, and Active Directory's.
_SUBJECTS = ("entryUUID", "objectGUID")
_READ = ("uid", "cn", "mail", "givenName", "sn", "memberOf", "sAMAccountName")


class DirectoryBackend(BaseBackend):
    """People of a directory; permissions come from `RoleBackend`, as for everybody."""

    def authenticate(
        self,
        request: HttpRequest | None,
        username: str | None = None,
        password: str | None = None,
        **others: Any,
    ) -> User | None:
        # A bind without a password succeeds as nobody (RFC 4513, 5.1.2).
        if others or not (settings.SIGN_IN_LDAP_URL and username and password):
            return None
        try:
            found = _vouched(username, password)
        except LDAPException as error:
            log.warning("The directory did not answer: %s", f"{type(error).__name__}: {error}")
            _tell(request, "The directory of names does not answer. Try again in a moment.")
            return None
        try:
            return None if found is None else arrive(found, timezone.now())
        except ArrivalRefusedError as refusal:
            _tell(request, str(refusal))
            return None

    def get_user(self, user_id: int) -> User | None:
        return User.objects.filter(pk=user_id, is_active=True).first()


def _tell(request: HttpRequest | None, said: str) -> None:
    """Let the sign-in page say why, instead of blaming the password."""
    if request is not None:
        request.sign_in_refusal = said  # type: ignore[attr-defined] # read by the page


def _vouched(username: str, password: str) -> Arrival | None:
    """Describe a person whose password the directory takes."""
    with _connected(settings.SIGN_IN_LDAP_BIND_DN, settings.SIGN_IN_LDAP_BIND_PASSWORD) as reader:
        if reader is None:
            raise LDAPException("the bind of SIGN_IN_LDAP_BIND_DN was refused")
        entry = _entry(reader, username)
        if entry is None:
            return None
        with _connected(entry["dn"], password) as own:
            if own is None:
                return None
        groups = _groups(reader, entry, username)
    return _to_arrival(entry, username, groups)


@contextmanager
def _connected(name: str, password: str) -> Any:
    """Yield a bound connection, or None where name and password are refused."""
    url = settings.SIGN_IN_LDAP_URL
    tls = Tls(validate=ssl.CERT_REQUIRED, ca_certs_file=settings.SIGN_IN_LDAP_CA_FILE or None)
    server = Server(url, tls=tls, connect_timeout=_SECONDS, get_info=NONE)
    # Names of attributes that the directory does not know find nothing; they are no fault.
    connection = Connection(
        server, name or None, password or None, receive_timeout=_SECONDS, check_names=False
    )
    try:
        connection.open()
        if settings.SIGN_IN_LDAP_START_TLS and not url.lower().startswith("ldaps:"):
            connection.start_tls()
        yield connection if connection.bind() else None
    finally:
        connection.unbind()


def _entry(reader: Connection, username: str) -> Mapping[str, Any] | None:
    wanted = settings.SIGN_IN_LDAP_FILTER.replace("{name}", escape_filter_chars(username))
    found = _search(reader, settings.SIGN_IN_LDAP_BASE, wanted, (*_READ, *_SUBJECTS), limit=_TWO)
    return found[0] if len(found) == 1 else None


def _groups(reader: Connection, entry: Mapping[str, Any], username: str) -> frozenset[str]:
    """Names of groups: as the entry says, and of groups that name the entry."""
    names = {str(name) for name in _all(entry, "memberOf")}
    if settings.SIGN_IN_LDAP_GROUP_BASE:
        dn, name = escape_filter_chars(entry["dn"]), escape_filter_chars(username)
        wanted = f"(|(member={dn})(uniqueMember={dn})(memberUid={name}))"
        found = _search(reader, settings.SIGN_IN_LDAP_GROUP_BASE, wanted, ("cn",))
        names |= {group["dn"] for group in found}
    return frozenset(names | {_common_name(name) for name in names})


def _search(
    reader: Connection, base: str, wanted: str, attributes: Iterable[str], limit: int = 0
) -> list[Mapping[str, Any]]:
    reader.search(base, wanted, SUBTREE, attributes=[*attributes], size_limit=limit)
    return [found for found in reader.response or () if found.get("type") == "searchResEntry"]


def _to_arrival(entry: Mapping[str, Any], username: str, groups: frozenset[str]) -> Arrival:
    subject = next((_first(entry, name) for name in _SUBJECTS if _first(entry, name)), entry["dn"])
    return Arrival(
        SignInWay.DIRECTORY,
        subject,
        username,
        _first(entry, "mail"),
        _first(entry, "givenName"),
        _first(entry, "sn"),
        groups,
    )


def _all(entry: Mapping[str, Any], name: str) -> list[Any]:
    value = entry["attributes"].get(name) or []
    return value if isinstance(value, list) else [value]


def _first(entry: Mapping[str, Any], name: str) -> str:
    return next((str(value) for value in _all(entry, name)), "")


def _common_name(name: str) -> str:
    """Give the first value of a DN, such as "editors" of cn=editors,ou=groups,dc=example."""
    try:
        return str(parse_dn(name)[0][1])
    except (LDAPException, IndexError):
        return name
