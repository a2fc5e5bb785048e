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
from evil_queries import EVIL
from small_corpora import document, write

from corpus_site.middleware.bounds import spending
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
    # A quick machine gets no less: the product's own bound is a time by the clock.
    most_seconds = MOST_CPU_SECONDS * max(1.0, slowness())
    found = {name: asked(*question) for name, question in EVIL.items()}

    if os.environ.get("SHOW_TABLE"):
        with capsys.disabled():
            for name, (status, seconds, n_bytes) in found.items():
                sys.stdout.write(f"| {name} | {status} | {seconds:.2f} | {n_bytes / 2**20:.0f} |\n")
    assert len(found) >= 50
    assert {name: row for name, row in found.items() if row[0] >= 500} == {}
    assert {name: row for name, row in found.items() if row[1] > most_seconds} == {}
    assert {name: row for name, row in found.items() if row[2] > MOST_BYTES} == {}
