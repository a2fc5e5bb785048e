"""The identity of a web page: any spelling of an address → canonical URL, key, host.

Two addresses with one key are one page. The URL to fetch stays what the publisher listed (parsed
by the WHATWG URL Standard through ada, repaired, without fragment); only the key loses scheme,
tracking parameters and spelling, because a server may need what an identity must not contain.
References: WHATWG URL Standard; RFC 3986 section 6.
"""

import re
from dataclasses import dataclass

import ada_url

MAX_URL_LENGTH = 2_048  # Media Cloud's limit; the longest of 1,700 real article addresses has 413
MAX_HOST_LENGTH = 253  # RFC 1035 section 2.3.4

_WEB_SCHEMES = frozenset({"http", "https"})
_DEFAULT_PORTS = (":80", ":443")  # the key has no scheme, so both are nobody's
# Copied along with an address from mail, web pages and spreadsheets; inside an address they count.
_EDGES = (
    "".join(map(chr, range(0x21))) + "\u007f\u00a0\u00ad\u200b\u200e\u200f\u2028\u2029\u2060\ufeff"
)
_CDATA = re.compile(r"^<!\[CDATA\[(.*?)\]\]>$", re.DOTALL)
_FEED_SCHEME = re.compile(
    r"^(?:feed|rss|view-source):(?://)?(?=https?:)|^(?:feed|rss):(?=//)", re.IGNORECASE
)
# "http://http://x", "https://http//x", "http:https://x": the last scheme is the meant one.
_DOUBLE_SCHEME = re.compile(r"^(?:https?[:/\\]+)+(?=https?(?::|[/\\]{2}))", re.IGNORECASE)
# "https//x", "http:/x", "http:\\x", "htttp://x", "ttps://x": one spelling of the separator.
_BROKEN_SCHEME = re.compile(r"^(?:h+t{1,3}|t{2})p(s?)(?::[/\\]+|[/\\]{2,})", re.IGNORECASE)
_SCHEME = re.compile(r"^[a-z][a-z0-9+.\-]*:", re.IGNORECASE)
_HOST_WITH_PORT = re.compile(r"^[^\s/?#@:]+:\d+(?:[/?#]|$)")

# Same host for a reader: "m." and "amp." show the paper's own articles once more.
HOST_PREFIXES = ("www.", "m.", "amp.", "mobile.")

_PERCENT = re.compile(r"%([0-9A-Fa-f]{2})?")
_UNRESERVED = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_LEFT_PLAIN_BY_ADA = re.compile(r"[\[\]|^`{}<>\"\\]")
_SLASHES = re.compile(r"/{2,}")
_SESSION_IN_PATH = re.compile(r";(?:jsessionid|phpsessid|sid)=[^/?;]*", re.IGNORECASE)

# Query parameters that say where a reader came from and never which page is meant: gathered from
# the published lists of browsers, from Media Cloud's metadata-lib and from newspapers' own feeds.
_TRACKING_PREFIXES = (
    "utm_",
    "mtm_",
    "pk_",
    "piwik_",
    "matomo_",
    "hsa_",
    "itm_",
    "fb_",
    "guce_",
    "_hs",
    "at_custom",
    "aspsessionid",
)
_TRACKING_NAMES_AS_TEXT = """
    __tn__ __twitter_impression _ga _gl _openstat at_bbc_team at_campaign at_format at_link_id
    at_link_origin at_link_type at_medium at_ptr_name campaign_id cfid cftoken cmp cmpid
    cn-reloaded dclid dicbo ef_id epik fbclid ftag gad_source gbraid gclid gclsrc guccounter
    hsctatracking icid igsh igshid ito jsessionid li_fat_id mbid mc_cid mc_eid mibextid mkt_tok
    ml_subscriber msclkid ncid nr_email_referer ns_campaign ns_fee ns_linkname ns_mchannel ns_source
    obref ocid oly_anon_id oly_enc_id outputtype phpsessid rb_clickid recip_id replytocom s_cid
    s_kwcid sc_cid share_id smid smtyp spm sr_share srsltid taid tblci trk ttclid twclid vero_id
    wbraid wickedid wprov wt.mc_id wt_mc wt_zmc wtmc xtor yclid zanpid
"""
# These carry content on some sites, so they go only with a value that names a channel.
_CHANNEL_NAMES_AS_TEXT = """
    amp campaign cid feed from medium mod origin partner ref referer referrer rss source src type
    via
"""
_CHANNELS_AS_TEXT = """
    1 atom email facebook fb feed google googlenews home homepage instagram linkedin newsletter push
    rss rss2 share social syndication telegram true tw twitter whatsapp x
"""
_TRACKING_NAMES = frozenset(_TRACKING_NAMES_AS_TEXT.split())
_CHANNEL_NAMES = frozenset(_CHANNEL_NAMES_AS_TEXT.split())
_CHANNELS = frozenset(_CHANNELS_AS_TEXT.split())
_NUMBERED_NAMES = frozenset({"cid", "src", "type"})  # "cid=1" is a content id, not "yes"
# WordPress' feeds: "/?feed=rss2" is another document than "/".
_FEED_FORMATS = frozenset({"atom", "rdf", "rss", "rss2"})


class BadUrl(ValueError):  # noqa: N818 - named for what the frontier stores and the form shows
    """Raised by `canonicalize` with a plain sentence; whoever adds an address catches it."""


@dataclass(frozen=True, slots=True)
class CanonicalUrl:
    """An address as it is fetched, its identity, and the host whose politeness it is under."""

    url: str
    key: str
    host: str


def canonicalize(url: str, base: str | None = None) -> CanonicalUrl:
    """Give the canonical form of an address.

    Parameters
    ----------
    url
        Any text that is meant as an address; relative ones need `base`.
    base
        Absolute URL of the document in which the address stands.

    Returns
    -------
    CanonicalUrl
        ``url`` absolute, http or https, without fragment; ``key`` = ``host[:port]/path[?query]``
        without tracking parameters; ``host`` with its port unless that is the default one.

    Raises
    ------
    BadUrl
        With a sentence that says what is wrong.

    Notes
    -----
    Parameters are sorted by name (values of one name keep their order), a trailing slash is
    dropped, ``www.`` is not: only a redirect shows that both are one site. Linear time.

    Examples
    --------
    >>> canonicalize("HTTP://Example.com:80/a//b/%7euser/?utm_source=rss&b=2&a=1#top").key
    'example.com/a/b/~user?a=1&b=2'
    """
    address = _without_fragment(_parse(_repair(url, base), base))
    scheme, _, rest = address.partition(":")
    if scheme not in _WEB_SCHEMES:
        raise BadUrl(f"The address starts with “{scheme}:”; only http and https are read.")
    # As ada writes it: two slashes, the host, and a path of one slash at least.
    authority, _, rest = rest[2:].partition("/")
    if "@" in authority:
        raise BadUrl("The address carries a user name or a password.")
    host = _checked_host(authority)
    if host != authority:
        address = f"{scheme}://{host}/{rest}"
    if len(address) > MAX_URL_LENGTH:
        raise BadUrl(f"The address is longer than {MAX_URL_LENGTH} characters.")
    path, _, query = rest.partition("?")
    return CanonicalUrl(address, _key(host, f"/{path}", query), host)


def _without_fragment(address: str) -> str:
    return address.partition("#")[0]


def _repair(url: str, base: str | None) -> str:
    """Undo what feeds, editors and content systems do to addresses."""
    text = url.strip(_EDGES)
    if not text:
        raise BadUrl("The address is empty.")
    if text.startswith("<"):
        cdata = _CDATA.match(text)
        text = (cdata[1] if cdata else text.strip("<>")).strip(_EDGES)
    if "&amp;" in text:  # escaped twice
        text = text.replace("&amp;", "&")
    text = _FEED_SCHEME.sub(
        lambda match: "" if "http" in text[match.end() :][:5] else "http:", text
    )
    text = _DOUBLE_SCHEME.sub("", text)
    text = _BROKEN_SCHEME.sub(lambda match: f"http{match[1].lower()}://", text)
    return text if base else _with_scheme(text)


def _with_scheme(text: str) -> str:
    """Complete what somebody typed: "www.example.co.za/news" or "//example.co.za"."""
    if text.startswith(("//", "\\\\")):
        return "https:" + text
    if not _SCHEME.match(text) or _HOST_WITH_PORT.match(text):
        return "https://" + text
    return text


def _parse(text: str, base: str | None) -> str:
    """Write an address as the standard does; each further question to ada costs as much again."""
    try:
        return ada_url.join_url(base, text) if base else ada_url.normalize_url(text)
    except ValueError as error:  # also lone surrogates, which cannot be encoded
        shown = text[:200].encode("utf-8", "replace").decode()
        raise BadUrl(f"“{shown}” is not a web address.") from error


def _checked_host(host: str) -> str:
    name, colon, port = host.partition(":") if not host.startswith("[") else (host, "", "")
    is_absolute = name.endswith(".")  # the absolute form of the same name
    name = name.removesuffix(".")
    if len(name) > MAX_HOST_LENGTH or not all(name.split(".")):
        raise BadUrl(f"“{name[:100] or '.'}” is not a host name.")
    return f"{name}{colon}{port}" if is_absolute else host


def _key(host: str, path: str, query: str) -> str:
    for port in _DEFAULT_PORTS:
        host = host.removesuffix(port)
    if ";" in path:
        path = _SESSION_IN_PATH.sub("", path)
    path = normalize_percent(_SLASHES.sub("/", path)).removesuffix("/") or "/"
    query = _key_query(query) if query else ""
    return f"{host}{path}?{query}" if query else f"{host}{path}"


def _key_query(query: str) -> str:
    kept = []
    for pair in query.split("&"):
        name, _, value = pair.partition("=")
        if name and not is_tracking(name, value):
            kept.append((name, f"{name}={value}" if value else name))
    kept.sort(key=lambda item: item[0])
    return normalize_percent("&".join(pair for _, pair in kept)).replace("%20", "+")


def is_tracking(name: str, value: str) -> bool:
    """Tell whether the parameter names a channel, a campaign or a session.

    Parameters
    ----------
    name, value
        As they stand in the query, not decoded; upper and lower case are the same.

    Examples
    --------
    >>> is_tracking("utm_source", "x"), is_tracking("ref", "rss"), is_tracking("ref", "main")
    (True, True, False)
    """
    name = name.lower()
    if name in _TRACKING_NAMES or name.startswith(_TRACKING_PREFIXES):
        return True
    if name not in _CHANNEL_NAMES or (name == "feed" and value.lower() in _FEED_FORMATS):
        return False
    if not value or value == "1":
        return name in {"amp", "rss"} or (value == "1" and name not in _NUMBERED_NAMES)
    return value.lower() in _CHANNELS


def normalize_percent(text: str) -> str:
    """Spell escapes one way: unreserved characters plain, others upper case, a lone "%" as "%25".

    Examples
    --------
    >>> normalize_percent("/%7euser/100%/%c3%a9[1]")
    '/~user/100%25/%C3%A9%5B1%5D'
    """
    if "%" in text:
        text = _PERCENT.sub(_spell_escape, text)
    return _LEFT_PLAIN_BY_ADA.sub(lambda match: f"%{ord(match[0]):02X}", text)


def _spell_escape(match: re.Match[str]) -> str:
    if match[1] is None:
        return "%25"
    code = int(match[1], 16)
    return chr(code) if code in _UNRESERVED else match[0].upper()


def is_same_site(host: str, home_host: str) -> bool:
    """Whether a host belongs to the paper of `home_host`: itself, or a subdomain of it.

    Examples
    --------
    >>> is_same_site("sport.a.example", "www.a.example"), is_same_site("b.example", "a.example")
    (True, False)
    """
    host, home = _bare_host(host), _bare_host(home_host)
    return host == home or host.endswith("." + home)


def _bare_host(host: str) -> str:
    for prefix in HOST_PREFIXES:
        if host.startswith(prefix) and host.count(".") > 1:
            return host.removeprefix(prefix)
    return host
