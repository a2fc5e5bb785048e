"""Questions made to take the machine: each ends within its time and memory, with words.

Each is asked in a process of its own, made when all that answers need is loaded, whose processor
time and memory are those of the question. `SHOW_TABLE=1` prints them.
"""

import os
import random
import resource
import sys
from pathlib import Path
from urllib.parse import urlencode

import pytest
from cpu_time import slowness
from django.test import Client
from small_corpora import document, write

from corpus_site.bounds_middleware import spending
from search.opened_index import current_snapshot

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.skipif(sys.platform != "linux", reason="memory is read from Linux' /proc"),
]

MOST_CPU_SECONDS = 12.0  # ten of work, and what stands between two looks at the clock
MOST_BYTES = 300 << 20
# Where a child is ended, far above the bounds: a fault is told, the machine is not taken.
LIMIT_CPU_FOLD = 3
LIMIT_MORE_ADDRESSES = 4 << 30
N_TEXTS, N_TOKENS, N_OF_SENTENCE = 200, 500, 25
BROKEN = 599  # ended by a limit, or by a fault
LOADED_BY = ("/search/", "/search/frequency/", "/search/collocates/", "/search/ngrams/",
             "/search/trend/", "/search/distribution/", "/search/keyness/", "/search/export/",
             "/words/", "/words/zipf/", "/words/w1/", "/api/search",
             "/api/search/frequency")  # fmt: skip


def cql(pattern, page="search", **more):
    """Give the address and the parameters of a page for a pattern."""
    path = "/search/" if page == "search" else f"/search/{page}/"
    return path, {"ql": "cql", "q": pattern, **more}


def api(place, pattern, **more):
    return f"/api/{place}", {"ql": "cql", "q": pattern, **more}


def deep(opening, closing, n):
    return opening * n + '"rain"' + closing * n


WORDS_1000 = " OR ".join(f"w{n}" for n in range(1_000))
EVIL = {
    # repetitions
    "repeated 200, frequency": cql("[]{200}", "frequency"),
    "repeated 200, two lemmas": cql("[]{200}", "frequency", by="lemma", by2="pos"),
    "repeated 50, frequency": cql("[]{50}", "frequency", whole=1),
    "repeated 500, frequency": cql("[]{500}", "frequency"),
    "repeated 999": cql("[]{999}"),
    "repeated a million times": cql("[]{1000000}"),
    "repeated 1 to 100 in a sentence": cql("[]{1,100} within s"),
    "repeated 1 to 100, frequency": cql("[]{1,100} within s", "frequency", whole=1),
    "repeated 0 to 500 around words": cql('"w1" []{0,500} "w2"'),
    "star in text": cql('"w1" []* "w2" within text'),
    "star alone": cql("[]*"),
    "plus of plus": cql("(([]+)+)+"),
    "star of star of words": cql('(("w1"*)*)* "w2"'),
    "nested repetitions": cql("((([]{1,9}){1,9}){1,9}){1,9}"),
    "all that may be left out": cql("[]?" * 300),
    "negative range": cql("[]{-5,-1}"),
    "range upside down": cql("[]{9,1}"),
    "longest of everything": cql("[]{1,400}", "frequency", whole=1, export="json"),
    # alternatives
    "500 alternatives": cql(" | ".join(f'"w{n}"' for n in range(500))),
    "two lists of 400": cql("(" + "|".join(f'"w{n}"' for n in range(400)) + "){2}"),
    "same prefix 12 times": cql('("w1"|"w1" "w2"|"w1" "w2" "w3"){12}'),
    "optional alternatives": cql("(([]|[][]|[][][])*){20}"),
    "conditions of 500 parts": cql("[" + " | ".join(f'word="w{n}"' for n in range(500)) + "]"),
    # parentheses
    "500 brackets deep": cql(deep("(", ")", 500)),
    "3,000 brackets deep": cql(deep("(", ")", 3_000)),
    "2,000 open brackets": cql("(" * 2_000),
    "2,000 negations": cql("[" + "!" * 2_000 + 'word="w1"]'),
    # regular expressions
    "everything by pattern": cql('[word=".*"]', "frequency"),
    "all lemmas": cql('[lemma=".+"]', "frequency", by="lemma", n=1000),
    "a+ of a+": cql('"(a+)+b"'),
    "(a|a)*b": cql('"(a|a)*b"'),
    "(.*)* with look ahead": cql(r'"(?=(.*)*z)(.*)*q"'),
    "reference back": cql(r'"(.*)(.*)(.*)\1\2\3x"'),
    "counted thousand": cql('"(.{1,1000}){1,1000}"'),
    "classes of unicode": cql(r'"[\p{L}\p{N}]{1,50}(\p{L}|\p{N})*"'),
    "half a pattern": cql('"([" '),
    # long and strange
    "10 kB of letters": cql('"' + "a" * 10_000 + '"'),
    "10 kB of simple words": ("/search/", {"q": "w1 " * 3_300}),
    "1,000 words OR": ("/search/", {"q": WORDS_1000}),
    "1,000 stars": ("/search/", {"q": "* " * 1_000}),
    "marks over letters": ("/search/", {"q": "z" + "\u0301" * 3_000}),
    "right to left": cql('"\u202e\u2066\ud7ff\uffff"'),
    "zero bytes": ("/search/", {"q": "a\x00b"}),
    "flags": cql('"\U0001f1ff\U0001f1e6{5}"%cdzz'),
    # pages
    "sorted by far context": cql("[]", sort="r10.lemma"),
    "sorted by nodes of 100": cql("[]{100}", sort="node"),
    "a million pages down": cql("[]", after="1.999999999"),
    "widest context": cql("[]{90}", context=1_000_000),
    "collocates of everything": cql("[]", "collocates", left=10, right=10),
    "collocates far away": cql("[]{1,100} within s", "collocates", left=9_999, right=9_999),
    "n-grams of 50": ("/search/ngrams/", {"size": 50}),
    "n-grams of everything": cql("[]{1,100}", "ngrams", size=6, min=1, n=1000),
    "trend by hour": cql("[]", "trend", by="hour"),
    "trend by day of long nodes": cql("[]{200}", "trend", by="day"),
    "distribution of long nodes": cql("[]{200}", "distribution"),
    "cross table of everything": cql("[]{3}", "frequency", by="lemma", by2="r1.lemma"),
    "export of everything": cql("[]{90}", "export", format="csv"),
    "key words against nothing": ("/search/keyness/", {"ref": "all", "q": "[]", "ql": "cql"}),
    "all words of the corpus": ("/words/", {"n": 1_000_000, "export": "json"}),
    "ranks of everything": ("/words/zipf/", {"pattern": ".*"}),
    "one long word": (f"/words/{'a' * 3_000}/", {}),
    "more parameters than Django takes": (
        "/search/",
        {f"x{n}": "y" * 9 for n in range(1_000)} | {"q": "w1"},
    ),
    "slices by the hundred": ("/search/", {"q": "w1", "only": [f"lemma:w{n}" for n in range(300)]}),
    # the same by the API
    "API: collocates": api("search/collocates", "[]{1,100}", left=10),
    "API: n-grams": ("/api/search/ngrams", {"size": 50}),
    "API: everything": api("search", "[]*"),
    "API: (.*)*": api("search", r'"(.*)*(.*)*q"'),
    "API: 3,000 brackets deep": api("search", deep("(", ")", 3_000)),
    "API: export of everything": api("search/export", "[]{90}"),
    "API: trend of long nodes": api("search/trend", "[]{200}", by="day"),
    "API: all words": ("/api/words", {"n": 1_000_000, "pattern": ".*"}),
    "API: 1,000 words OR": ("/api/search", {"q": WORDS_1000}),
}


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    """Folder of an index of 100,000 tokens, words as frequent as in texts (Zipf)."""
    drawn = random.Random(14)
    words = [f"w{n}" for n in range(20_000)]
    weights = [1 / (n + 1) for n in range(len(words))]
    texts = []
    for key in range(N_TEXTS):
        tokens = drawn.choices(words, weights, k=N_TOKENS)
        starts = range(0, N_TOKENS, N_OF_SENTENCE)
        sentences = (" ".join(tokens[start : start + N_OF_SENTENCE]) for start in starts)
        texts.append(document(key + 1, " | ".join(sentences)))
    folder = tmp_path_factory.mktemp("evil") / "index"
    write(folder, texts)
    return folder


@pytest.fixture
def loaded(corpus, settings):
    """Open the index and load what answers need, once for all children."""
    settings.READING_WITHOUT_SIGN_IN = True
    settings.INDEX_DIR = corpus
    assert current_snapshot() is not None
    for path in LOADED_BY:
        Client().get(path, {"q": "w1", "ref": "all"})
    spending.clear()


def of_status(name):
    """Read kilobytes of this process from what Linux says of it, as bytes."""
    status = Path("/proc/self/status").read_text()
    return int(status.partition(f"{name}:")[2].split()[0]) << 10


def limit():
    seconds = int(MOST_CPU_SECONDS * slowness() * LIMIT_CPU_FOLD) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    most = of_status("VmSize") + LIMIT_MORE_ADDRESSES
    resource.setrlimit(resource.RLIMIT_AS, (most, most))


def answered(path, parameters):
    """Status, seconds of processor time of this process, bytes by which it has grown."""
    Path("/proc/self/clear_refs").write_text("5")  # the highest mark begins anew
    before = of_status("VmHWM")
    client = Client(raise_request_exception=False)
    answer = client.get(f"{path}?{urlencode(parameters, doseq=True)}")
    answer.getvalue()
    used = resource.getrusage(resource.RUSAGE_SELF)
    return answer.status_code, used.ru_utime + used.ru_stime, of_status("VmHWM") - before


def asked(path, parameters):
    """Ask in a child."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        try:
            limit()
            os.write(writing, " ".join(map(str, answered(path, parameters))).encode())
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        said = pipe.read()
    os.waitpid(child, 0)
    status, seconds, n_bytes = (said or f"{BROKEN} inf inf").split()
    return int(status), float(seconds), float(n_bytes)


@pytest.mark.usefixtures("loaded")
def test_every_evil_question_ends_in_time_within_its_memory_and_with_words(capsys):
    most_seconds = MOST_CPU_SECONDS * slowness()
    found = {name: asked(*question) for name, question in EVIL.items()}

    if os.environ.get("SHOW_TABLE"):
        with capsys.disabled():
            for name, (status, seconds, n_bytes) in found.items():
                sys.stdout.write(f"| {name} | {status} | {seconds:.2f} | {n_bytes / 2**20:.0f} |\n")
    assert len(found) >= 50
    assert {name: row for name, row in found.items() if row[0] >= 500} == {}
    assert {name: row for name, row in found.items() if row[1] > most_seconds} == {}
    assert {name: row for name, row in found.items() if row[2] > MOST_BYTES} == {}
