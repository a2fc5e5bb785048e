"""Tell the document that was asked for from the page of a bot guard in its place.

Status, headers and body → the guard's name, or none. Guards answer with 403, 429 or 503, and some
with 200, so status alone does not tell. Marks were taken from the guards' own pages; on a 200 only
those count that no article carries (Cloudflare also adds scripts to pages it lets through).
"""

from feeds.crawler.timing.conditional import Headers, header

# Guards' pages are small; a long page with such a mark is an article about them.
_MAX_CHALLENGE_BYTES = 120_000
_WINDOW_BYTES = _MAX_CHALLENGE_BYTES // 2  # the marks stand in the head and its scripts
# (mark in the lower-cased body, guard); each stands only on pages that refuse.
_STRONG_MARKS = (
    (b"window._cf_chl_opt", "Cloudflare"),
    (b"cf-browser-verification", "Cloudflare"),
    (b"<title>attention required! | cloudflare</title>", "Cloudflare"),
    (b"geo.captcha-delivery.com", "DataDome"),
    (b"request unsuccessful. incapsula incident id", "Imperva"),
    (b"/_incapsula_resource?swudnsai=", "Imperva"),
    (b'id="px-captcha"', "HUMAN"),
    (b"<title>sucuri website firewall - access denied</title>", "Sucuri"),
    (b"<title>ddos-guard</title>", "DDoS-Guard"),
    (b"awswafcookiedomainlist", "AWS WAF"),
    (b"/.well-known/sgcaptcha/", "SiteGround"),
)
# These stand on refusals only together with a status that refuses.
_WEAK_MARKS = (
    (b"<title>just a moment...</title>", "Cloudflare"),
    (b"/cdn-cgi/challenge-platform/", "Cloudflare"),
    (b"errors.edgesuite.net", "Akamai"),
    (b"<title>access to this page has been denied", "HUMAN"),
    (b"captcha", "captcha"),
)
# Statuses by which a server refuses by itself.
_REFUSING = frozenset({401, 403, 405, 429, 503})
# Guards' pages come with these; 202 and 405 are AWS WAF's.
_SUSPECT = _REFUSING | {200, 202}


def find_challenge(status: int, headers: Headers, body: bytes) -> str | None:
    """Name the guard that answered instead of the site.

    Parameters
    ----------
    status : int
        Status of the answer.
    headers : tuple of (name, value)
        Its headers.
    body : bytes
        Decoded body; only its first 60 kB are looked at.

    Returns
    -------
    str or None
        The guard's name, None for an honest answer (an honest refusal too).

    Examples
    --------
    >>> find_challenge(403, (("cf-mitigated", "challenge"),), b"")
    'Cloudflare'
    >>> find_challenge(403, (), b"<h1>Forbidden</h1>") is None
    True
    """
    if status not in _SUSPECT:
        return None
    if (header(headers, "cf-mitigated") or "").lower() == "challenge":
        return "Cloudflare"
    if (header(headers, "x-amzn-waf-action") or "").lower() in {"challenge", "captcha"}:
        return "AWS WAF"
    if len(body) > _MAX_CHALLENGE_BYTES:
        return None
    window = body[:_WINDOW_BYTES].lower()
    marks = _STRONG_MARKS + _WEAK_MARKS if status in _REFUSING else _STRONG_MARKS
    return next((guard for mark, guard in marks if mark in window), None)
