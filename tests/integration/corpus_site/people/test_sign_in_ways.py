"""Signing in by an OpenID provider, an LDAP directory and a trusted proxy: real local servers."""

import gc
import os
import shutil
import socket
import subprocess
import warnings
from ipaddress import ip_network
from urllib.parse import urlsplit

import pytest
import requests
from django.test import Client
from factories import make_user
from oidc_provider_mock import User as Claims
from oidc_provider_mock import run_server_in_thread
from pages import markup
from waiting import wait_until

from corpus_site.accounts.models import ExternalAccount, Role, User

pytestmark = pytest.mark.django_db

WORDS = "braai-braai-braai"
THANDI = {
    "preferred_username": "thandi",
    "email": "thandi@uni.example",
    "given_name": "Thandi",
    "family_name": "Nkosi",
    "groups": ["staff", "corpus-editors"],
}


def collect_connections():
    """Close what the libraries of both sides leave to the collector, before it is told of."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        gc.collect()


@pytest.fixture
def openid(settings):
    settings.SIGN_IN_OPENID_CLIENT = "broadsheet"
    settings.SIGN_IN_OPENID_SECRET = "a secret"
    people = [Claims(sub="42", claims=THANDI), Claims(sub="43", claims={"email": "x@uni.example"})]
    with run_server_in_thread(user_claims=people) as server:
        settings.SIGN_IN_OPENID_ISSUER = f"http://localhost:{server.server_port}"
        yield settings
    collect_connections()


def sign_in_by_openid(client, sub="42", wished=""):
    """Go to the provider as a browser does, be somebody there, and come back."""
    to_provider = client.get("/sign-in/openid/", {"next": wished})["Location"]
    back = requests.post(to_provider, data={"sub": sub}, allow_redirects=False, timeout=10)
    address = urlsplit(back.headers["Location"])
    return client.get(f"{address.path}?{address.query}")


def test_a_person_of_the_provider_gets_an_account(client, openid):
    assert 'href="/sign-in/openid/"' in markup(client.get("/sign-in/"))

    answer = sign_in_by_openid(client, wished="/sources/")

    user = User.objects.get()
    assert answer["Location"] == "/sources/"
    assert (user.username, user.email, user.get_full_name(), user.role) == (
        "thandi",
        "thandi@uni.example",
        "Thandi Nkosi",
        Role.LINGUIST,
    )
    assert client.get("/settings/").status_code == 200


def test_the_same_person_comes_back_under_a_new_name(client, openid):
    sign_in_by_openid(client)
    User.objects.update(username="thandi-nkosi")

    sign_in_by_openid(Client())

    assert User.objects.get().username == "thandi-nkosi"


def test_groups_give_roles_at_each_sign_in(client, openid):
    openid.SIGN_IN_EDITOR_GROUPS = ["Corpus-Editors"]
    sign_in_by_openid(client)
    first = User.objects.get().role
    openid.SIGN_IN_EDITOR_GROUPS = ["others"]
    sign_in_by_openid(Client())

    assert (first, User.objects.get().role) == (Role.EDITOR, Role.LINGUIST)


def test_a_name_from_elsewhere_never_opens_an_account_that_is_here(client, openid):
    local = make_user("admin", username="thandi")

    sign_in_by_openid(client)

    assert User.objects.exclude(pk=local.pk).get().username == "thandi-openid"
    assert client.get("/people/").status_code == 403


def test_who_is_in_none_of_the_groups_stays_outside(client, openid):
    openid.SIGN_IN_GROUPS = ["linguists"]

    answer = sign_in_by_openid(client)

    assert answer.status_code == 403
    assert "You are in none of the groups that may sign in here." in markup(answer)
    assert not User.objects.exists()


def test_who_was_sent_away_stays_outside(client, openid):
    sign_in_by_openid(client)
    User.objects.update(is_active=False)

    assert sign_in_by_openid(Client()).status_code == 403


def test_an_answer_that_nobody_asked_for_is_refused(client, openid):
    answer = client.get("/sign-in/openid/back/?code=1&state=2")

    assert answer.status_code == 502
    assert not User.objects.exists()


def test_a_provider_that_is_away_is_said(client, settings):
    settings.SIGN_IN_OPENID_ISSUER = "http://localhost:9"

    answer = client.get("/sign-in/openid/")

    assert answer.status_code == 502
    assert "did not answer as it should" in markup(answer)


def test_nothing_leads_to_another_site(client, openid):
    assert sign_in_by_openid(client, wished="https://evil.example/")["Location"] == "/"


# --- LDAP ---------------------------------------------------------------------------------------
_SLAPD = """
include {schema}/core.schema
include {schema}/cosine.schema
include {schema}/inetorgperson.schema
pidfile {folder}/slapd.pid
modulepath /usr/lib/ldap
moduleload back_mdb
database mdb
suffix "dc=uni,dc=example"
rootdn "cn=root,dc=uni,dc=example"
rootpw root-password
directory {folder}/db
access to attrs=userPassword by anonymous auth by * none
access to * by dn.exact="cn=root,dc=uni,dc=example" read by * none
"""
_PEOPLE = """
dn: dc=uni,dc=example
objectClass: dcObject
objectClass: organization
o: University
dc: uni

dn: ou=people,dc=uni,dc=example
objectClass: organizationalUnit
ou: people

dn: uid=pieter,ou=people,dc=uni,dc=example
objectClass: inetOrgPerson
uid: pieter
cn: Pieter Botha
givenName: Pieter
sn: Botha
mail: pieter@uni.example
userPassword: {words}

dn: ou=groups,dc=uni,dc=example
objectClass: organizationalUnit
ou: groups

dn: cn=corpus-editors,ou=groups,dc=uni,dc=example
objectClass: groupOfNames
cn: corpus-editors
member: uid=pieter,ou=people,dc=uni,dc=example
"""


def _free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def _answers(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


@pytest.fixture(scope="module")
def slapd(tmp_path_factory):
    """Serve two people and a group from Debian's slapd."""
    program = shutil.which("slapd", path=f"{os.environ['PATH']}:/usr/sbin")
    if program is None:
        if os.environ.get("REQUIRE_SERVICES"):
            pytest.fail("slapd is missing")
        pytest.skip("slapd is missing")
    folder = tmp_path_factory.mktemp("slapd")
    (folder / "db").mkdir()
    config, people = folder / "slapd.conf", folder / "people.ldif"
    config.write_text(_SLAPD.format(folder=folder, schema="/etc/ldap/schema"))
    people.write_text(_PEOPLE.format(words=WORDS))
    add = shutil.which("slapadd", path=f"{os.environ['PATH']}:/usr/sbin")
    subprocess.run([add, "-f", config, "-l", people], check=True, capture_output=True)
    port = _free_port()
    command = [program, "-f", config, "-h", f"ldap://127.0.0.1:{port}", "-d", "0"]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_until(lambda: _answers(port))
        yield f"ldap://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait()


@pytest.fixture
def directory(slapd, settings):
    settings.SIGN_IN_LDAP_URL = slapd
    settings.SIGN_IN_LDAP_START_TLS = False
    settings.SIGN_IN_LDAP_BIND_DN = "cn=root,dc=uni,dc=example"
    settings.SIGN_IN_LDAP_BIND_PASSWORD = "root-password"
    settings.SIGN_IN_LDAP_BASE = "ou=people,dc=uni,dc=example"
    settings.SIGN_IN_LDAP_GROUP_BASE = "ou=groups,dc=uni,dc=example"
    settings.AUTHENTICATION_BACKENDS = [
        *settings.AUTHENTICATION_BACKENDS,
        "corpus_site.accounts.sign_in.directory.DirectoryBackend",
    ]
    yield settings
    collect_connections()


def sign_in(client, username="pieter", password=WORDS):
    return client.post("/sign-in/", {"username": username, "password": password})


def test_a_person_of_the_directory_signs_in_with_that_password(client, directory):
    directory.SIGN_IN_EDITOR_GROUPS = ["corpus-editors"]

    assert sign_in(client).status_code == 302

    user = User.objects.get()
    assert (user.username, user.email, user.get_full_name(), user.role) == (
        "pieter",
        "pieter@uni.example",
        "Pieter Botha",
        Role.EDITOR,
    )
    assert client.get("/sources/add/").status_code == 200
    assert len(ExternalAccount.objects.get().subject) == len("a4a1f3c2-0000-0000-0000-000000000000")


@pytest.mark.parametrize(
    ("username", "password"),
    [("pieter", "wrong"), ("nobody", WORDS), ("pie*", WORDS)],
)
def test_a_wrong_name_or_password_is_refused(client, directory, username, password):
    answer = sign_in(client, username, password)

    assert "The name and the password do not belong together." in markup(answer)
    assert not User.objects.exists()


def test_a_bind_without_a_password_opens_nothing(directory):
    from corpus_site.accounts.sign_in.directory import DirectoryBackend  # noqa: PLC0415

    assert DirectoryBackend().authenticate(None, "pieter", "") is None


def test_accounts_of_this_site_work_beside_the_directory(client, directory):
    local = make_user("admin", username="first")
    local.set_password("long-enough-for-us")
    local.save()
    directory.SIGN_IN_LDAP_URL = "ldap://127.0.0.1:9"

    assert sign_in(client, "first", "long-enough-for-us").status_code == 302


def test_a_directory_that_is_away_is_said(client, directory):
    directory.SIGN_IN_LDAP_URL = "ldap://127.0.0.1:9"

    assert "The directory of names does not answer." in markup(sign_in(client))


# --- Trusted header -----------------------------------------------------------------------------
@pytest.fixture
def proxy(settings):
    settings.SIGN_IN_HEADER = "X-Remote-User"
    settings.SIGN_IN_HEADER_FROM = [ip_network("127.0.0.1/32")]
    return settings


def asked_by_proxy(client, name="lerato@uni.example", **more):
    headers = {"X-Remote-User": name, "X-Remote-Email": "lerato@uni.example"} | more
    return client.get("/settings/", headers=headers)


def test_the_proxy_s_word_signs_in(client, proxy):
    proxy.SIGN_IN_ADMIN_GROUPS = ["corpus-admins"]

    answer = asked_by_proxy(client, **{"X-Remote-Groups": "staff;corpus-admins"})

    assert answer.status_code == 200
    user = User.objects.get()
    assert (user.username, user.email, user.role) == ("lerato", "lerato@uni.example", Role.ADMIN)


def test_the_header_of_anybody_else_is_worth_nothing(client, proxy):
    answer = client.get(
        "/settings/", headers={"X-Remote-User": "lerato"}, REMOTE_ADDR="198.51.100.7"
    )

    assert answer.status_code == 302
    assert not User.objects.exists()


def test_the_session_ends_when_the_proxy_names_nobody_or_another(client, proxy):
    asked_by_proxy(client)
    asked_by_proxy(client, "sipho@uni.example")
    second = client.session["_auth_user_id"]

    assert str(User.objects.get(username="sipho").pk) == second
    assert client.get("/settings/").status_code == 302


def test_who_has_no_header_signs_in_with_a_password(client, proxy):
    local = make_user("admin", username="first")
    local.set_password("long-enough-for-us")
    local.save()

    sign_in(client, "first", "long-enough-for-us")

    assert client.get("/people/").status_code == 200
