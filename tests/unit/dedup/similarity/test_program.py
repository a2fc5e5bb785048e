import gzip
import json
import subprocess
import sys

import pytest

from dedup.similarity.program import main

COUNCIL = (
    "The council of Makhanda voted on Tuesday to spend R40 million on new pipes. Residents have"
    " queued at the springs since January because the pumps failed twice. Mayor Nomsa Ndlovu told"
    " the meeting that the work would begin in March and take eleven months."
)
RUGBY = "The Sharks beat the Lions in Durban on Saturday after a late try before a full stadium."


def written(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def clusters_printed(capsys):
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert all(row.keys() == {"id", "cluster", "event"} for row in rows)
    return {row["id"]: row["cluster"] for row in rows}


@pytest.mark.parametrize("method", ["shingles", "sentences"])
def test_cluster_names_each_text_by_the_earliest_of_its_kind(tmp_path, capsys, method):
    texts = [("a", COUNCIL), ("b", RUGBY), ("c", COUNCIL + " More to follow."), ("d", "")]
    path = written(tmp_path / "texts.jsonl", [{"id": i, "text": text} for i, text in texts])

    assert main(["cluster", str(path), "--method", method]) == 0
    assert clusters_printed(capsys) == {"a": "a", "b": "b", "c": "a", "d": "d"}


def test_cluster_reads_compressed_files_numbers_as_ids_and_further_fields(tmp_path, capsys):
    path = tmp_path / "texts.jsonl.gz"
    rows = [{"id": n, "text": COUNCIL, "title": None, "site": ["x"]} for n in (7, 8)]
    lines = "\ufeff" + "\n\n".join(json.dumps(row) for row in rows)
    path.write_bytes(gzip.compress(lines.encode()))

    assert main(["cluster", str(path)]) == 0
    assert clusters_printed(capsys) == {"7": "7", "8": "7"}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b'{"id": "a", "text": "x"}\n{"id": "b"', "line 2: not JSON"),
        (b'\n["a"]\n', "line 2: not an object"),
        (b'{"text": "x"}', 'line 1: "id" is missing or neither text nor a whole number'),
        (b'{"id": true, "text": "x"}', 'line 1: "id" is missing or neither'),
        (b'{"id": 1, "text": 5}', 'line 1: "text" is missing or not text'),
        (b'{"id": 1, "text": "x", "title": 5}', 'line 1: "text" is missing or not text'),
        (b'{"id": 1, "text": "x"}\n{"id": "1", "text": "y"}', "line 2: the id '1' is there twice"),
        (b'{"id": 1, "text": "\xff"}', "line 1: not UTF-8"),
        (b"[" * 100_000, "line 1: not JSON"),
        (b'{"id": 1, "text": "x", "n": ' + b"9" * 5_000 + b"}", "line 1: not JSON"),
    ],
)
def test_a_bad_line_is_refused_with_its_number(tmp_path, capsys, content, message):
    path = tmp_path / "texts.jsonl"
    path.write_bytes(content)

    assert main(["cluster", str(path)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"{path}: {message}")


@pytest.mark.parametrize(
    "content", [gzip.compress(b'{"id": 1, "text": "x"}' * 99)[:-9], b"no gzip"]
)
def test_a_damaged_archive_is_refused(tmp_path, capsys, content):
    path = tmp_path / "texts.jsonl.gz"
    path.write_bytes(content)

    assert main(["cluster", str(path)]) == 2
    assert "damaged archive" in capsys.readouterr().err


def test_a_missing_file_is_refused(tmp_path, capsys):
    assert main(["cluster", str(tmp_path / "none.jsonl")]) == 2
    assert "No such file" in capsys.readouterr().err


def test_an_empty_file_gives_nothing(tmp_path, capsys):
    path = written(tmp_path / "texts.jsonl", [])

    assert main(["cluster", str(path)]) == 0
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("method", ["shingles", "sentences"])
def test_odd_texts_stop_nothing(tmp_path, capsys, method):
    texts = {
        "emoji": "🎉🎊" * 1000,
        "right to left": "اجتمع المجلس يوم الثلاثاء في المدينة",
        "nul": "a\x00b",
        "surrogate": "\ud800 alone",
        "one word": "Photos",
        "sentences": "The council met on Tuesday again. " * 100_000,
        "long word": "x" * 1_000_000,
    }
    path = written(tmp_path / "texts.jsonl", [{"id": k, "text": t} for k, t in texts.items()])

    assert main(["cluster", str(path), "--method", method]) == 0
    assert clusters_printed(capsys) == {name: name for name in texts}


def test_the_program_runs_without_the_site(tmp_path):
    path = written(tmp_path / "texts.jsonl", [{"id": "a", "text": COUNCIL}])
    program = (
        "import sys; from dedup.similarity.program import main;"
        f"code = main(['cluster', {str(path)!r}]);"
        "print([name for name in sys.modules if name.split('.')[0] in {'django', 'celery'}], code)"
    )

    printed = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    ).stdout

    assert printed == '{"id": "a", "cluster": "a", "event": "a"}\n[] 0\n'
