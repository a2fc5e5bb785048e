"""`make bench-pages INDEX=folder`: what the pages of the search cost on an index, by its words.

Every page is asked for a rare, a middling and a frequent word (WORDS, three with commas) and for a
CQL query (CQL), by Django's test client in one process: the first time, as a reader asks who has
just seen the concordance of the query, and three times more. A page that goes on in parts counts
by its first answer. The index is linked into an empty data folder, so no text has a row.
"""

import os
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from http import HTTPStatus
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

ROOT = Path(__file__).resolve().parents[2]
MARK_MS = 200  # of server time, for every page of the workbench at 100 M tokens
AGAIN = 3
EXPORTED_LINES = 1_000
WORDS = "zebra,water,said,the"
LEMMAS = "zebra,water,say"
CQL = '[pos="JJ"] [lemma="house"]'
OTHER_WORD = "time"  # of what is compared with a query
# Pages of a query, by what follows it.
OF_QUERY = {
    "concordance": ("/search/", ""),
    "concordance, sorted": ("/search/", "&sort=r1"),
    "concordance, sample": ("/search/", "&sample=200"),
    "concordance, also": ("/search/", f"&also=q%3D{OTHER_WORD}"),
    "concordance, less": ("/search/", f"&less=q%3D{OTHER_WORD}"),
    "concordance, near": ("/search/", "&near=time"),
    "concordance, headlines": ("/search/", "&part=headline"),
    "frequency": ("/search/frequency/", ""),
    "frequency, lemma and tag": ("/search/frequency/", "&by=lemma&by2=pos"),
    "frequency, first on the right": ("/search/frequency/", "&by=r1"),
    "collocates": ("/search/collocates/", ""),
    "collocates, network": ("/search/collocates/", "&net=1"),
    "collocates, compared": ("/search/collocates/", "&q2={other}"),
    "n-grams": ("/search/ngrams/", ""),
    "trend": ("/search/trend/", ""),
    "trend, two queries": ("/search/trend/", "&q2={other}"),
    "distribution": ("/search/distribution/", ""),
    "texts": ("/search/texts/", ""),
    "builder": ("/search/builder/", ""),
    "same today": ("/search/today/", "&asof=1"),
    "manifest": ("/search/manifest/", ""),
    "marking a sample": ("/markings/", ""),
    "saving": ("/saved/", ""),
    "export, 1,000 lines": ("/search/export/", "&format=csv"),
}
OF_WORD = {
    "word": "/words/{}/",
    "sketch": "/words/sketch/?lemma={}",
    "sketch, examples": "/words/sketch/?lemma={}&ex=1",
    "sketch difference": f"/words/sketch/?lemma={{}}&vs={OTHER_WORD}",
    "similar words": "/words/sketch/?lemma={}&similar=1",
}
OF_ALL = {
    "search, empty": "/search/",
    "builder, empty": "/search/builder/",
    "word list": "/words/",
    "word list, pattern": "/words/?pattern=un*able",
    "word list, most texts": "/words/?order=texts",
    "word list, lemmas without names": "/words/?by=lemma&nonames=1&stop=1",
    "Zipf": "/words/zipf/",
    "Zipf, growth": "/words/zipf/?growth=1",
    "new words": "/words/new/",
    "keyness, a year": "/search/keyness/?from=2024-01&ref=to%3D2023-12-31",
    "keyness, a month": "/search/keyness/?from=2024-01&to=2024-01&ref=to%3D2023-12-31",
    "n-grams of all": "/search/ngrams/?around=all&pattern=in+the+*",
    "history": "/history/",
    "subcorpora": "/subcorpora/",
    "one subcorpus": "/subcorpora/1/",
    "subcorpus, concordance": f"/search/?q={OTHER_WORD}&sub=bench",
    "markings": "/markings/",
    "saved": "/saved/",
    "lexicon": "/words/lexicon/",
    "word lists": "/words/lists/",
}
GOING_ON = b"/part/waiting/", b"/part/counting/", b"Still searching"
Times = tuple[float, float]  # wall and processor, ms


def main() -> int:
    named = os.environ.get("INDEX", "")
    if not (Path(named) / "manifest.json").is_file() or not named:
        print("INDEX names the folder of an index, such as make bench-search keeps.")
        return 2
    with tempfile.TemporaryDirectory(prefix="bench-pages-") as folder:
        measure(empty_site(Path(folder), Path(named).resolve()))
    return 0


def empty_site(folder: Path, index: Path) -> Any:
    """Set up Django on an empty data folder that has the index by links; returns a client."""
    linked = folder / "index"
    linked.mkdir()
    for file in index.iterdir():
        (linked / file.name).symlink_to(file)
    os.environ |= {"DATA_DIR": str(folder), "DJANGO_SETTINGS_MODULE": "corpus_site.settings"}
    sys.path.insert(0, str(ROOT))
    import django  # noqa: PLC0415 (the environment is set by now)

    django.setup()
    from django.core.management import call_command  # noqa: PLC0415 (as above)
    from django.test import Client  # noqa: PLC0415 (as above)

    from corpus_site.accounts.models import Role, User  # noqa: PLC0415 (as above)
    from search.models import Subcorpus  # noqa: PLC0415 (as above)

    call_command("migrate", verbosity=0)
    user = User.objects.create(username="bench", role=Role.LINGUIST)
    Subcorpus.objects.create(
        owner=user, name="bench", slug="bench", filters="from=2023-01&to=2023-12"
    )
    client = Client(SERVER_NAME="localhost")
    client.force_login(user)
    return client


def measure(client: Any) -> None:
    client.get("/search/")  # what the first request of a process loads
    names = (*os.environ.get("WORDS", WORDS).split(","), "CQL")
    print(f"Times in ms: first / wall (processor) of {AGAIN} more, medians. Above {MARK_MS} ms are")
    print(
        "! the processor's, ? the wall's, as beside other work, (!) the first; … goes on in parts"
    )
    print(f"| page | {' | '.join(names)} |")
    print("|:--|" + "--:|" * len(names))
    for page, addresses in pages(names):
        cells = [cell_of(client, address) if address else "" for address in addresses]
        print(f"| {page} | {' | '.join(cells)} |", flush=True)


def pages(names: tuple[str, ...]) -> Iterator[tuple[str, list[str]]]:
    """Yield each page with its addresses, one for each query; empty where it has none."""
    wanted = os.environ.get("PAGES", "")
    asked = [{"q": name} for name in names[:-1]]
    asked.append({"q": os.environ.get("CQL", CQL), "ql": "cql"})
    for page, (path, more) in OF_QUERY.items():
        if wanted in page:
            yield page, [_of_query(path, query, more) for query in asked]
    lemmas = os.environ.get("LEMMAS", LEMMAS).split(",")
    for page, address in OF_WORD.items():
        if wanted in page:
            of_page = names[:-1] if page == "word" else lemmas
            yield page, [address.format(word) for word in of_page]
    for page, address in OF_ALL.items():
        if wanted in page:
            yield page, [address]


def _of_query(path: str, query: dict[str, str], more: str) -> str:
    if path in ("/markings/", "/saved/"):  # where a query is taken whole
        return f"{path}?{urlencode({'query': urlencode(query)})}"
    other = f"%22{OTHER_WORD}%22" if "ql" in query else OTHER_WORD
    return f"{path}?{urlencode(query)}{more.format(other=other)}"


def cell_of(client: Any, address: str) -> str:
    first, mark = timed(client, address)
    again = [timed(client, address)[0] for _ in range(AGAIN)]
    wall, cpu = (statistics.median(column) for column in zip(*again, strict=True))
    late = "!" if cpu > MARK_MS else "?" if wall > MARK_MS else ""
    late += "(!)" if first[1] > MARK_MS and not late else ""
    return f"{first[0]:.0f} / {wall:.0f} ({cpu:.0f}){late}{mark}"


def timed(client: Any, address: str) -> tuple[Times, str]:
    """Ask for a page; returns its times, and what is special about the answer."""
    wall, cpu = time.perf_counter(), time.process_time()
    answer = client.get(address)
    content = read_lines(answer.streaming_content) if answer.streaming else answer.content
    times = 1000 * (time.perf_counter() - wall), 1000 * (time.process_time() - cpu)
    answer.close()
    mark = "" if answer.status_code == HTTPStatus.OK else f" {answer.status_code}"
    goes_on = any(part in content for part in GOING_ON)
    return times, mark + (" …" if goes_on else "")


def read_lines(pieces: Iterator[bytes]) -> bytes:
    """Read the first lines of a file that is sent in pieces."""
    content = b""
    for piece in pieces:
        content += piece
        if content.count(b"\n") >= EXPORTED_LINES:
            break
    return content


if __name__ == "__main__":
    sys.exit(main())
