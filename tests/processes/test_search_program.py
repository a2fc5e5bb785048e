"""The search engine as a program: `python -m search build`, `info`, `query`, `export`."""

import gzip
import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from oracle_corpus import oracle, oracle_vertical

ROOT = Path(__file__).resolve().parents[2]
EVERY_EIGHTH = 8  # of the oracle's 79 pairs; all of them run inside the process of their own test

CORPUS = """\
<text id="n1" publication="Star &amp; Sun" section="home" date="2026-11-01" author="Ann" \
kind="article" language="en">
<s>
Rain\train\tNN
falls\tfall\tVBZ
.\t.\t.
</s>
<s>
“\t“\t``
AT&amp;T\tAT&amp;T\tNNP
</s>
</text>
<text id="n2" publication="Sun" date="2026-10-02" kind="comment">
<s>
No\tno\tDT
rain\train\tNN
</s>
</text>
"""


def run(*arguments: object, data: bytes | None = None) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "search", *map(str, arguments)],
        cwd=ROOT,
        input=data,
        capture_output=True,
        check=False,
        timeout=240,
    )


@pytest.fixture(scope="module")
def index(tmp_path_factory):
    place = tmp_path_factory.mktemp("program")
    (place / "corpus.vrt").write_text(CORPUS)
    done = run("build", place / "corpus.vrt", place / "index")
    assert (done.returncode, done.stderr) == (0, b"")
    return place / "index"


def test_a_corpus_comes_out_as_it_went_in(index):
    assert run("export", index).stdout.decode() == CORPUS


@pytest.mark.parametrize("kind", ["jsonl", "conllu", "tei", "vertical"])
def test_a_corpus_goes_through_every_format(index, kind, tmp_path):
    file, again = tmp_path / f"corpus.{kind}.gz", tmp_path / "again"

    exported = run("export", index, file, "--format", kind)
    built = run("build", file, again, "--format", kind, "--quiet")

    assert (exported.returncode, exported.stderr, built.returncode) == (0, b"", 0)
    assert run("export", again).stdout.decode().replace(' title="n1"', "").replace(
        ' title="n2"', ""
    ) == CORPUS  # fmt: skip


def test_figures_of_an_index(index):
    found = json.loads(run("info", index, "--json").stdout)

    del found["bytes"], found["bytes_per_token"]
    assert found == {
        "tokens": 7, "texts": 2, "types": 7, "tags": 6, "segments": 1,
        "generation": 1, "first_generation": 1,
        "first_day": "2026-10-02", "last_day": "2026-11-01",
        "texts_by_kind": {"article": 1, "comment": 1, "post": 0},
        "tokens_by_kind": {"article": 5, "comment": 2, "post": 0},
        "publications": [
            {"publication": "Star & Sun", "texts": 1, "tokens": 5},
            {"publication": "Sun", "texts": 1, "tokens": 2},
        ],
        "damaged": [],
    }  # fmt: skip
    assert b"tokens                      7" in run("info", index).stdout


def test_each_question_is_answered_before_the_next(index):
    with subprocess.Popen(
        [sys.executable, "-m", "search", "query", index],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as program:
        assert program.stdin is not None
        assert program.stdout is not None
        for query, hits in (('"rain"%c', 2), ("[]", 7), ('"?', None)):
            program.stdin.write(json.dumps({"cql": query}) + "\n")
            program.stdin.flush()
            assert json.loads(program.stdout.readline()).get("hits") == hits
        program.stdin.close()
        assert program.stdout.read() == ""
    assert program.returncode == 0


def test_standard_input_may_be_packed(tmp_path):
    done = run("build", "-", tmp_path / "index", data=gzip.compress(CORPUS.encode()))

    assert done.returncode == 0
    assert done.stdout.startswith(b"7 tokens, 2 texts, 7 types, 1 segments, ")


def test_a_fault_ends_with_line_and_reason(tmp_path):
    file = tmp_path / "bad.vrt"
    file.write_text(CORPUS + "odd\n")

    done = run("build", file, tmp_path / "index")

    assert done.returncode == 2
    reason = "text outside of any text (texts are marked <text>)"
    assert done.stderr.decode() == f"{file}:18: {reason}\n"
    assert not (tmp_path / "index").exists()


def test_what_is_not_there_is_said(tmp_path):
    commands = (
        ("build", tmp_path / "none.vrt", tmp_path / "index"),
        ("query", tmp_path / "index"),
        ("info", tmp_path / "index"),
        ("export", tmp_path / "index"),
    )
    for command in commands:
        done = run(*command)
        assert (done.returncode, done.stdout) == (2, b"")
        assert len(done.stderr.splitlines()) == 1
    assert not (tmp_path / "index").exists()


def test_a_reader_that_goes_away_ends_the_program_quietly(tmp_path):
    body = "".join(f"<text>\n<s>\nw{i}\tw\tN\n</s>\n</text>\n" for i in range(10_000))
    run("build", "-", tmp_path / "index", data=body.encode())

    with subprocess.Popen(
        [sys.executable, "-m", "search", "export", tmp_path / "index"],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as program:
        assert program.stdout is not None
        assert program.stderr is not None
        program.stdout.readline()
        program.stdout.close()
        assert program.stderr.read() == b""
    assert program.returncode == -signal.SIGPIPE


def test_the_program_knows_no_django(index):
    check = (
        "import sys; from search.engine.workbench.program import main; "
        "main(sys.argv[1:]); sys.exit('django' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", check, "query", index],
        cwd=ROOT,
        input=b'{"cql": "[]", "want": ["kwic", "freq", "colloc", "trend"]}\n',
        capture_output=True,
        check=False,
        timeout=240,
    )

    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.data
def test_hits_of_cqp_through_the_program(tmp_path):
    cases = oracle()["queries"][::EVERY_EIGHTH]
    assert run("build", oracle_vertical(), tmp_path / "index", "--quiet").returncode == 0
    asked = "".join(
        json.dumps({"cql": c["query"], "strategy": c["strategy"], "want": "spans_sha1"}) + "\n"
        for c in cases
    )

    done = run("query", tmp_path / "index", data=asked.encode())

    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(a["hits"], a["spans_sha1"]) for a in answers] == [
        (c["hits"], c["sha1"]) for c in cases
    ]
