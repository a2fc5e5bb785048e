"""Knowledge of each site from a folder of pages, learnt when its first page is asked for.

Or all at once, before a clock runs: a site is learnt from readings that an installation does
anyway, so what a page costs must not hold a second reading of its neighbours and itself.

The folder is laid out as the evaluation data are: `pages/<set>/<id>.html.gz` and, for the addresses
only, `gold/<set>.jsonl`. Where no address is given the page's own canonical link tells its site.
Nothing but addresses is read from gold.
"""

import gzip
import json
import re
from functools import cache, lru_cache
from pathlib import Path
from urllib.parse import urlsplit

from extraction.html.extract_page import extract_page
from extraction.html.page import PageInput
from extraction.html.site.knowledge import SiteKnowledge

# More pages of a site teach nothing new; the counters fade at 256 articles.
MOST_PAGES = 400
# Second-level labels under which domains are registered: bbc.co.uk, sina.com.cn.
_SHARED_LABELS = frozenset("ac co com edu go gov in ne net or org".split())  # noqa: SIM905
_CANONICAL = re.compile(
    rb"""<(?:link[^>]+rel=["']?canonical|meta[^>]+og:url)[^>]*?(?:href|content)=["']?(http[^"'\s>]+)""",
    re.IGNORECASE,
)


def site_of(url):
    """Registered domain of an address, by labels; empty where there is none.

    >>> [site_of(url) for url in ("http://news.bbc.co.uk/1", "www.ifeng.com", "http://a.in.com")]
    ['bbc.co.uk', 'ifeng.com', 'in.com']
    """
    host = (urlsplit(url if "//" in url else f"//{url}").hostname or "").rstrip(".")
    labels = host.split(".")
    is_shared = len(labels) > 2 and len(labels[-1]) == 2 and labels[-2] in _SHARED_LABELS
    return ".".join(labels[-3 if is_shared else -2 :])


@lru_cache(maxsize=4)
def pages_by_site(folder):
    """Paths and addresses of the folder's pages, by site."""
    urls = {}
    for path in sorted((folder / "gold").glob("*.jsonl")):
        with path.open(encoding="utf-8") as lines:
            for line in lines:
                record = json.loads(line)
                urls[path.stem, record["id"]] = record.get("url", "")
    found = {}
    pages = sorted(path for path in folder.rglob("*") if path.name.endswith((".html", ".html.gz")))
    for path in pages:
        name = path.name.removesuffix(".gz").removesuffix(".html")
        url = urls.get((path.parent.name, name)) or _canonical(path)
        found.setdefault(site_of(url), []).append((path, url))
    found.pop("", None)
    return found


@cache
def knowledge_of(folder, site):
    """Knowledge of a site from all its pages of the folder; None where it has none."""
    pages = pages_by_site(folder).get(site, [])[:MOST_PAGES]
    if not pages:
        return None
    knowledge = SiteKnowledge()
    for path, url in pages:
        sketch = extract_page(PageInput(body=_bytes(path), url=url)).sketch
        if sketch is not None:
            knowledge.learn(sketch)
    return knowledge


def learn_all(folder):
    """Learn every site of a folder: some 20 KB a site."""
    for site in pages_by_site(Path(folder)):
        knowledge_of(Path(folder), site)


def knowledge_for(folder, url):
    """What the folder's pages say of the site of an address; None without folder or pages."""
    return knowledge_of(Path(folder), site_of(url)) if folder and site_of(url) else None


def _bytes(path):
    data = path.read_bytes()
    return gzip.decompress(data) if path.suffix == ".gz" else data


def _canonical(path):
    match = _CANONICAL.search(_bytes(path)[:200_000])
    return match.group(1).decode("ascii", "ignore") if match else ""
