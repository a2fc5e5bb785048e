"""Other addresses under which readers meet the same article: with "www.", for telephones, as AMP.

An address → canonical keys, its own first. A guess that people may make for one address that they
typed, never an identity: two sites may mean two pages by such a pair.
"""

import re

from feeds.crawler.addressing.canonical import HOST_PREFIXES, BadUrl, canonicalize

# "/news/fire/amp", "/news/fire/amp.html", "/news/fire.amp", "/amp/news/fire"
_AMP_BEHIND = re.compile(r"(?:/amp(?:\.html?)?|\.amp(?:\.html?)?)$", re.IGNORECASE)
_AMP_BEFORE = re.compile(r"^/amp(?=/)", re.IGNORECASE)


def keys_of(address: str) -> tuple[str, ...]:
    """Give the canonical keys that an address may stand for; none where it is no address.

    Examples
    --------
    >>> keys_of("https://amp.paper.example/news/fire/amp?utm_source=x")[-1]
    'www.paper.example/news/fire'
    """
    try:
        key = canonicalize(address).key
    except BadUrl:
        return ()
    host, slash, rest = key.partition("/")
    path, mark, query = f"{slash}{rest}".partition("?")
    plain = _AMP_BEFORE.sub("", _AMP_BEHIND.sub("", path)) or "/"
    bare = host
    for prefix in HOST_PREFIXES:
        if host.count(".") > 1:
            bare = bare.removeprefix(prefix)
    hosts = (host, bare, f"www.{bare}")
    keys = [f"{name}{one}{mark}{query}" for one in (path, plain) for name in hosts]
    return tuple(dict.fromkeys([key, *keys]))
