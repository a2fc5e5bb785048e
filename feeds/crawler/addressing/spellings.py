"""Other addresses under which readers meet the same article: with "www.", for telephones, as AMP.

An address → canonical keys, its own first; a key → what is left without all that spells it in
another way. A guess, never an identity: two sites may mean two pages by such a pair, so that a page
itself must say it (`feeds.crawler.addressing.same_page`).
"""

import re

from feeds.crawler.addressing.canonical import HOST_PREFIXES, BadUrl, canonicalize

# "/news/fire/amp", "/news/fire/amp.html", "/news/fire.amp", "/amp/news/fire"
_AMP_BEHIND = re.compile(r"(?:/amp(?:\.html?)?|\.amp(?:\.html?)?)$", re.IGNORECASE)
_AMP_BEFORE = re.compile(r"^/amp(?=/)", re.IGNORECASE)
# What servers give for a folder that is asked for.
_INDEX_FILE = re.compile(r"/(?:index|default)\.(?:html?|shtml|php|aspx?|jsp|cfm)$", re.IGNORECASE)
_INDEX_FILES = ("/index.html", "/index.php")
# Which form of the page is wanted, by the plugins and viewers that write it. "m" is Blogger's.
_FORMS = frozenset({"_amp", "amp", "amp_gsa", "m", "mobile", "noamp", "nonamp"})
_FORM_VALUES = frozenset({"amp", "0", "1", "true", "false", "yes", "no", "mobile", "available"})
# Signatures and versions: whatever they say.
_SIGNED = ("gaa_", "usqp", "amp_js_v")


def keys_of(address: str) -> tuple[str, ...]:
    """Give the canonical keys that an address may stand for; none where it is no address.

    Some twenty, with and without "www.", for telephones and as AMP, whichever of these it is.

    Examples
    --------
    >>> keys = keys_of("https://amp.paper.example/news/fire/amp?utm_source=x")
    >>> keys[0], "www.paper.example/news/fire" in keys
    ('amp.paper.example/news/fire/amp', True)
    """
    try:
        key = canonicalize(address).key
    except BadUrl:
        return ()
    host, path, query = _parts(key)
    bare, plain, asked = _bare_host(host), _plain_path(path), _bare_query(query)
    near = (host, bare, f"www.{bare}")
    keys = [_join(name, plain, asked) for name in (*near, *_with_prefixes(bare))]
    folder = plain.removesuffix("/")
    ends = ("/amp", *_INDEX_FILES) if "." not in folder.rsplit("/", 1)[-1] else ("/amp",)
    others = [f"{folder}{end}" for end in ends] + ([f"/amp{plain}"] if folder else [])
    keys += [_join(name, one, asked) for one in others for name in (bare, f"www.{bare}")]
    return tuple(dict.fromkeys([*_nearest(key), *keys]))


def nearest_keys_of(address: str) -> tuple[str, ...]:
    """Give the first of `keys_of`: with and without "www.", not as AMP; at most six.

    For questions in which each key is dear.
    """
    try:
        return _nearest(canonicalize(address).key)
    except BadUrl:
        return ()


def _nearest(key: str) -> tuple[str, ...]:
    host, path, query = _parts(key)
    bare = _bare_host(host)
    keys = [
        _join(name, one, query)
        for one in (path, _plain_path(path))
        for name in (host, bare, f"www.{bare}")
    ]
    return tuple(dict.fromkeys([key, *keys]))


def bare_key(key: str) -> str:
    """Take off a canonical key what only spells an address in another way.

    "www." and what stands for telephones and AMP, the name of a folder's index file, parameters
    that are empty or choose a form of the page.

    Examples
    --------
    >>> bare_key("m.paper.example/amp/news/fire?page&id=7"), bare_key("paper.example/index.html")
    ('paper.example/news/fire?id=7', 'paper.example/')
    """
    host, path, query = _parts(key)
    return _join(_bare_host(host), _plain_path(path), _bare_query(query))


def _parts(key: str) -> tuple[str, str, str]:
    rest, _, query = key.partition("?")
    host, slash, path = rest.partition("/")
    return host, f"{slash}{path}", query


def _join(host: str, path: str, query: str) -> str:
    return f"{host}{path}?{query}" if query else f"{host}{path}"


def _bare_host(host: str) -> str:
    for prefix in HOST_PREFIXES:
        if host.count(".") > 1:
            host = host.removeprefix(prefix)
    return host


def _with_prefixes(bare: str) -> list[str]:
    return [f"{prefix}{bare}" for prefix in HOST_PREFIXES]


def _plain_path(path: str) -> str:
    plain = _INDEX_FILE.sub("", _AMP_BEHIND.sub("", path))
    return _AMP_BEFORE.sub("", plain) or "/"


def _bare_query(query: str) -> str:
    pairs = (pair.partition("=") for pair in query.split("&"))
    return "&".join(f"{name}{sign}{value}" for name, sign, value in pairs if _counts(name, value))


def _counts(name: str, value: str) -> bool:
    """Whether a parameter tells pages apart: "?12345" does without a value, "?page" does not."""
    if not value:
        return any(character.isdigit() for character in name)
    name, value = name.lower(), value.lower()
    if name.startswith(_SIGNED):
        return False
    return value != "amp" and not (name in _FORMS and value in _FORM_VALUES)
