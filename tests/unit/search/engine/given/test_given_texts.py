"""Files that people give: what is read of each format, and what a broken piece costs."""

import bz2
import csv
import gzip
import io
import json
import lzma
import struct
import zipfile
import zlib
from pathlib import Path

import pytest
from cpu_time import takes_at_most, takes_less
from foreign_warcs import endless_list

from search.engine.given import conllu_texts, lines, tables, tei_texts
from search.engine.given import files as given_files
from search.engine.given.columns import chosen_columns
from search.engine.given.files import GivenFile, files_of, format_of
from search.engine.given.plain import paragraphs
from search.engine.given.reading import ReadingTerms, read_given
from search.engine.given.texts import (
    FileProblem,
    GivenText,
    Problem,
    Understood,
)

TEI = """<?xml version="1.0"?>
<!DOCTYPE TEI [<!ENTITY lol "lol"><!ENTITY file SYSTEM "file:///etc/passwd">]>
<teiCorpus xmlns="http://www.tei-c.org/ns/1.0"><teiHeader/>
<TEI><teiHeader><fileDesc><titleStmt><title>The dam</title><author>Ann Abbot</author></titleStmt>
<publicationStmt><publisher>Karoo Press</publisher><date when="1921-05-06"/><idno>t1</idno>
</publicationStmt><sourceDesc><p>None</p></sourceDesc></fileDesc></teiHeader>
<text><body><head>Water</head><p>The dam is<lb/>full<note>It was not.</note>. We
<hi>are</hi> glad.</p><lg><l>Rain, rain,</l><l>go a<lb break="no"/>way.</l></lg></body></text></TEI>
<TEI><teiHeader/><text><body><p><s><w>It</w><w join="left">'s</w> <w>late</w><pc join="left">.</pc>
</s></p></body></text></TEI>
{more}</teiCorpus>"""


@pytest.fixture
def read(tmp_path: Path):
    """Write a file and read it; gives the texts, the problems and what became of its columns."""

    def run(
        data: str | bytes, name: str, **terms: object
    ) -> tuple[list[GivenText], list[Problem], Understood]:
        path = tmp_path / name
        path.write_bytes(data.encode() if isinstance(data, str) else data)
        told = Understood()
        found = list(read_given(GivenFile(str(path)), ReadingTerms(**terms), told))  # type: ignore[arg-type]
        texts = [one for one in found if isinstance(one, GivenText)]
        return texts, [one for one in found if isinstance(one, Problem)], told

    return run


def test_plain_text_is_one_text_whose_paragraphs_end_at_empty_lines(read):
    texts, problems, _ = read("The dam\nis full.\r\n\r\nWe are glad.\n", "the_dam.txt")
    assert [(t.text, t.title, t.name) for t in texts] == [
        ("The dam is full.\nWe are glad.", "the dam", "the_dam.txt")
    ]
    assert not problems


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_a_table_names_its_columns_in_its_first_line(read, delimiter):
    rows = [
        ["ID", "Headline", "Body", "Byline", "Published at", "URL", "Words"],
        [
            "a1",
            "The dam",
            '"It is full."',
            "Ann; Ben",
            "2020-01-02",
            "https://x.example/1",
            "3",
        ],
        ["a2", "Rain", "It rains.", "", "", "", "2"],
    ]
    written = io.StringIO()
    is_tabs = delimiter == "\t"
    for row in rows:
        cells = row if is_tabs else [f'"{cell.replace(chr(34), chr(34) * 2)}"' for cell in row]
        written.write(delimiter.join(cells) + "\n")
    name = "t.tsv" if is_tabs else "t.csv"
    texts, problems, told = read(written.getvalue(), name)
    assert not problems
    assert texts[0] == GivenText(
        text="It is full." if is_tabs else '"It is full."',
        line=2,
        name="a1",
        title="The dam",
        authors=("Ann", "Ben"),
        url="https://x.example/1",
        date="2020-01-02",
        own=(("Words", "3"),),
    )
    assert texts[1].authors == ()
    assert told.columns["Body"] == "text"
    assert list(told.own) == ["Words"]


def test_fields_of_a_table_may_hold_line_ends_and_bad_rows_cost_themselves_alone(read):
    table = b'text,id\n"one\ntwo",a\nthree,b,c\n,d\n"f\xe9e",e\nx\0y,f\nlast,g\n'
    texts, problems, _ = read(table, "t.csv")
    assert [(t.text, t.name, t.line) for t in texts] == [("one\ntwo", "a", 2), ("last", "g", 8)]
    assert [problem.line for problem in problems] == [4, 5, 6, 7]
    assert [words.partition(":")[0] for words in (p.words for p in problems)] == [
        "3 columns instead of 2",
        "the row has no text",
        "byte 0xe9 is not UTF-8",
        "a NUL byte",
    ]


def test_a_quote_that_is_never_closed_ends_in_the_report(read):
    texts, problems, _ = read('text\nfine\n"never closed\nlost\n', "t.csv")
    assert texts[0].text == "fine"
    assert len(texts) + len(problems) == 2
    before = csv.field_size_limit(1_000)
    try:
        texts, problems, _ = read('text\nfine\n"' + "never closed\n" * 100 + "last\n", "t.csv")
    finally:
        csv.field_size_limit(before)
    assert [texts[0].text, texts[-1].text] == ["fine", "last"]
    assert problems[0].words.endswith("Lines 3 to 79 are left out.")


def test_a_table_without_a_column_of_texts_says_which_there_are(read):
    _, problems, _ = read("Nr, ,Inhalt\n1,,Es regnet.\n", "t.csv")
    assert "there are: Nr, Inhalt. Name it among the columns" in problems[0].words
    texts, _, _ = read("Nr,Inhalt\n1,Es regnet.\n", "t.csv", columns=chosen_columns("text=Inhalt"))
    assert texts[0].text == "Es regnet."
    with pytest.raises(ValueError, match="names no column"):
        chosen_columns("words=Inhalt")


def test_other_encodings_are_read_where_they_are_named_or_marked(read):
    table = "text\nDie Dämme sind voll.\n"
    assert read(table.encode("utf-16"), "t.csv")[0][0].text == "Die Dämme sind voll."
    assert read(table.encode("utf-8-sig"), "t.csv")[0][0].text == "Die Dämme sind voll."
    encoded = table.encode("windows-1252")
    assert "is not UTF-8: name the encoding" in read(encoded, "t.csv")[1][0].words
    assert read(encoded, "t.csv", encoding="windows-1252")[0][0].text == "Die Dämme sind voll."


def test_jsonl_takes_running_text_or_sentences_of_tokens(read):
    written = (
        '{"id": 7, "content": "It is full.", "authors": ["Ann", "Ben"], "n": 3}\n'
        '{"text": 5}\n[1]\n{"text": \n\n{"id": "s", "sentences": [[["It", "it", "PRP", false], '
        '["\'s", "be", "VBZ", false], ["late", "late", "JJ", true], [".", ".", ".", false]]]}\n'
    )
    texts, problems, told = read(written, "t.jsonl")
    assert [(t.text, t.name, t.authors) for t in texts] == [
        ("It is full.", "7", ("Ann", "Ben")),
        ("It's late.", "s", ()),
    ]
    assert [problem.line for problem in problems] == [2, 3, 4]
    assert told.columns["sentences"] == "text"
    assert list(told.own) == ["n"]


def test_a_line_that_is_too_long_and_a_nul_byte_cost_their_lines_alone(read, monkeypatch):
    monkeypatch.setattr(lines, "MAX_TEXT_BYTES", 1_000_000)
    long = b'{"text": "' + b"a " * 1_200_000 + b'"}'
    data = b'{"text": "one"}\n' + long + b'\n{"text": "\0"}\n{"text": "two"}\n'
    texts, problems, _ = read(data, "t.jsonl")
    assert [t.text for t in texts] == ["one", "two"]
    assert [(p.line, p.words[:15]) for p in problems] == [
        (2, "a line of more "),
        (3, "a NUL byte: thi"),
    ]


def test_verticals_are_put_together_to_running_text(read):
    vertical = (
        '<corpus>\n<doc id="d1" title="The &quot;dam&quot;" date="2020-05" n="9">\n<p>\n<s>\n'
        "It\tPRP\tit\n<g/>\n's\tVBZ\tbe\nlate\tJJ\tlate\n<g/>\n.\t.\t.\n</s>\n</p>\n"
        "<p>\nGo\tVB\tgo\n</p>\n</doc>\n</corpus>\nstray\tNN\n"
        '<text id="t2">\nNo\n,\nthanks\n.\n</text>\n'
        '<text id="t3">\nopen\n'
    )
    texts, problems, told = read(vertical, "t.vert")
    assert [(t.name, t.text) for t in texts] == [
        ("d1", "It's late.\nGo"),
        ("t2", "No, thanks."),
        ("t3", "open"),
    ]
    assert texts[0].title == 'The "dam"'
    assert texts[0].date == "2020-05"
    assert list(told.own) == ["n"]
    assert [problem.line for problem in problems] == [18, 25]


def test_conllu_takes_the_text_of_sentences_or_puts_words_together(read):
    word = "{}\t{}\t_\t_\t_\t_\t_\t_\t_\t{}\n"
    data = (
        "# newdoc id = d1\n# meta::date = 2020-01-02\n# newpar\n# text = It’s late.\n"
        + word.format(1, "It", "_")
        + "\n# newpar\n"
        + word.format("1-2", "don't", "_")
        + word.format(1, "do", "_")
        + word.format(2, "n't", "_")
        + word.format("2.1", "ghost", "_")
        + word.format(3, "go", "SpaceAfter=No")
        + word.format(4, ".", "_")
        + "\n# newdoc id = d2\nbroken line\n\n# newdoc id = d3\n"
        + word.format(1, "Yes", "_")
    )
    texts, problems, _ = read(data, "t.conllu")
    assert [(t.name, t.text, t.date) for t in texts] == [
        ("d1", "It’s late.\ndon't go.", "2020-01-02"),
        ("d3", "Yes", ""),
    ]
    assert len(problems) == 1
    assert "1 columns instead of 10" in problems[0].words


def test_tei_gives_paragraphs_and_headers_and_never_follows_entities(read):
    texts, problems, _ = read(TEI.replace("{more}", ""), "t.xml")
    assert not problems
    assert [(t.name, t.title, t.authors, t.date) for t in texts] == [
        ("t1", "The dam", ("Ann Abbot",), "1921-05-06"),
        ("", "", (), ""),
    ]
    assert texts[0].text == "Water\nThe dam is full. We are glad.\nRain, rain,\ngo away."
    assert texts[1].text == "It's late."


@pytest.mark.parametrize(
    "more", ["<TEI><text><p>&lol;</p></text></TEI>", "<TEI><p>&file;</p></TEI>", "<TEI>"]
)
def test_broken_xml_and_entities_cost_what_follows_alone(read, more):
    texts, problems, _ = read(TEI.replace("{more}", more), "t.xml")
    assert len(texts) == 2
    assert len(problems) == 1
    assert problems[0].line == 11
    assert "root:" not in str(problems)


def test_packed_files_are_unpacked_as_they_are_read(read):
    for pack, suffix in ((gzip.compress, "gz"), (bz2.compress, "bz2"), (lzma.compress, "xz")):
        texts, problems, _ = read(pack(b'{"text": "one"}\n'), f"t.jsonl.{suffix}")
        assert ([t.text for t in texts], problems) == (["one"], [])
    whole = gzip.compress(b'{"text": "one"}\n' * 2000, compresslevel=0)
    texts, problems, _ = read(whole[: len(whole) // 2], "t.jsonl.gz")
    assert texts
    assert "the file breaks off" in problems[-1].words


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("t.txt", b"", "the file is empty"),
        ("t.csv", b"", "the file is empty"),
        ("t.jsonl", b"", "the file holds no text"),
        ("t.vert", b"", "the file holds no text"),
        ("t.conllu", b"", "the file holds no text"),
        ("t.xml", b"", "not well-formed XML"),
        ("t.docx", b"PK", "its name does not say what it is"),
        ("t.gz", b"", "its name does not say what it is"),
        ("t.txt", b"\xff\xd8\xff\xe0", "is not UTF-8"),
    ],
)
def test_files_without_a_text_end_in_one_line(read, name, data, words):
    texts, problems, _ = read(data, name)
    assert not texts
    assert len(problems) == 1
    assert words in problems[0].words


def read_all(file: GivenFile) -> list[GivenText | Problem]:
    return list(read_given(file, ReadingTerms(), Understood()))


def texts_in(items: list[GivenText | Problem]) -> list[str]:
    return [item.text for item in items if isinstance(item, GivenText)]


def zipped(path: Path, members: dict[str, bytes]) -> str:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as whole:
        for name, data in members.items():
            whole.writestr(name, data)
    return str(path)


def test_a_zip_gives_its_files_and_nothing_outside_of_it(tmp_path):
    members = {
        "a/one.txt": b"One.",
        "__MACOSX/a/._one.txt": b"x",
        "../two.txt": b"Two.",
        "/etc/three.txt": b"Three.",
        "inner.zip": b"PK",
        "a/four.txt": b"Four.",
    }
    found = {file.name: read_all(file) for file in files_of(zipped(tmp_path / "t.zip", members))}
    texts = {name: texts_in(items) for name, items in found.items()}
    assert texts == {
        "a/one.txt": ["One."],
        "../two.txt": [],
        "/etc/three.txt": [],
        "inner.zip": [],
        "a/four.txt": ["Four."],
    }
    assert not (tmp_path.parent / "two.txt").exists()


def test_bombs_and_half_zips_end_in_the_report(tmp_path, monkeypatch):
    monkeypatch.setattr(given_files, "RATIO_COUNTS_FROM", 100_000)
    monkeypatch.setattr(given_files, "MAX_RATIO", 10)
    path = zipped(tmp_path / "t.zip", {"a.jsonl": b'{"text": "a"}\n' * 100_000, "b.txt": b"Fine."})
    bomb, fine = map(read_all, files_of(path))
    assert isinstance(bomb[-1], Problem)
    assert "a bomb?" in bomb[-1].words
    assert texts_in(fine) == ["Fine."]
    monkeypatch.setattr(given_files, "MAX_FILE_BYTES", 1000)
    whole = read_all(files_of(path)[0])
    assert "more than 1,000 bytes" in whole[-1].words  # type: ignore[union-attr]
    half = tmp_path / "half.zip"
    half.write_bytes(Path(path).read_bytes()[:200])
    with pytest.raises(FileProblem, match="the zip cannot be read"):
        files_of(str(half))


def test_an_encrypted_or_damaged_member_costs_itself_alone(tmp_path):
    path = zipped(tmp_path / "t.zip", {"a.txt": b"One. " * 100, "b.txt": b"Two."})
    data = bytearray(Path(path).read_bytes())
    at = data.index(b"a.txt") + len("a.txt")
    data[at : at + 8] = b"\xff" * 8
    Path(path).write_bytes(bytes(data))
    first, second = (
        list(read_given(file, ReadingTerms(), Understood())) for file in files_of(path)
    )
    assert isinstance(first[-1], Problem)
    assert texts_in(second) == ["Two."]


def test_names_say_formats():
    assert format_of("A.TXT").value == "plain"
    assert format_of("x.y.vrt.xz").value == "vertical"


def test_zip_with_a_name_of_no_encoding_is_a_sentence(tmp_path):
    path = tmp_path / "strange.zip"
    with zipfile.ZipFile(path, "w") as whole:
        whole.writestr("é.txt", "words")
    path.write_bytes(path.read_bytes().replace("é".encode(), b"\xff\xfe"))
    with pytest.raises(FileProblem, match="the zip cannot be read"):
        files_of(str(path))


def test_a_packed_file_of_empty_members_ends_soon(tmp_path):
    """Twenty bytes a member, nothing in any: in a zip, 200 kB of them make 100 MB."""
    for name, empty in (
        ("x.txt.gz", gzip.compress(b"", mtime=0)),
        ("x.txt.bz2", bz2.compress(b"")),
        ("x.txt.xz", lzma.compress(b"")),
    ):
        path = tmp_path / f"{name}.zip"
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as whole:
            whole.writestr(name, empty * (20_000_000 // len(empty)))
        [problem] = read_all(files_of(str(path))[0])
        assert "far less comes out of it than is packed" in problem.words  # type: ignore[union-attr]


def test_a_line_that_comes_byte_by_byte_is_read_in_linear_time(tmp_path):
    def path_of(n_bytes: int) -> str:
        path = tmp_path / f"{n_bytes}.txt.gz"
        # A flush between two bytes ends a block of the packing, and so what is read at once.
        engine = zlib.compressobj(9, zlib.DEFLATED, 31)
        pieces = (
            engine.compress(b"a" * 1000) + engine.flush(zlib.Z_FULL_FLUSH)
            for _ in range(n_bytes // 1000)
        )
        path.write_bytes(b"".join(pieces) + engine.flush())
        return str(path)

    short, long = GivenFile(path_of(500_000)), GivenFile(path_of(4_000_000))
    assert takes_at_most(20, lambda: read_all(long), lambda: read_all(short))


def test_a_zip_of_many_files_lists_them_once(tmp_path):
    members = {f"{number}.txt": b"One." for number in range(3_000)}
    files = files_of(zipped(tmp_path / "t.zip", members))
    assert takes_less(3, lambda: [read_all(file) for file in files])


def test_a_zip_whose_files_lie_on_top_of_each_other_is_refused(tmp_path):
    path = tmp_path / "t.zip"
    with zipfile.ZipFile(path, "w") as whole:
        whole.writestr("a.txt", b"One. " * 1000)
    data = path.read_bytes()
    # Each entry of the list has 46 bytes and the name; the place of its file stands at 42.
    at = data.index(b"PK\x01\x02")
    entry = data[at : at + 51]
    overlapping = data[:at] + entry * 9
    n_list = len(entry) * 9
    end = struct.pack("<4sHHHHLLH", b"PK\x05\x06", 0, 0, 9, 9, n_list, at, 0)
    path.write_bytes(overlapping + end)
    with pytest.raises(FileProblem, match="on top of each other"):
        files_of(str(path))


def test_a_zip_with_a_list_of_a_million_files_is_refused_before_it_is_read(tmp_path):
    path = tmp_path / "t.zip"
    path.write_bytes(endless_list())
    with pytest.raises(FileProblem, match="its list of files is longer"):
        files_of(str(path))


def test_lines_of_which_no_text_comes_end_in_the_report(read, monkeypatch):
    monkeypatch.setattr(lines, "MAX_LINES_OF_TEXT", 100)
    for name, line in (
        ("t.csv", "\n"), ("t.jsonl", "\n"), ("t.conllu", "# newpar\n"), ("t.vert", "out\n"),
    ):  # fmt: skip
        texts, problems, _ = read("text\n" + line * 200, name)
        assert texts == []
        assert "more than 100 lines without a text's end" in problems[-1].words
    # Texts begin the count anew.
    assert len(read("text\n" + "Rain.\n" * 300, "t.csv")[0]) == 300


def test_a_row_whose_quotes_never_end_is_not_held(read, monkeypatch):
    monkeypatch.setattr(tables, "MAX_ROW_CHARACTERS", 1000)
    texts, problems, _ = read('text,b\n"' + 'ab","\n' * 1000, "t.csv")
    assert texts == []
    assert "a row of more than 1,000 characters" in problems[-1].words


def test_a_sentence_without_an_end_and_paragraphs_without_words_are_not_held(read, monkeypatch):
    monkeypatch.setattr(conllu_texts, "MAX_TEXT_BYTES", 1000)
    word = "{}\tword\t_\t_\t_\t_\t_\t_\t_\t_\n"
    data = "".join(word.format(number) for number in range(1, 1000))
    texts, [problem], _ = read(
        data + "\n# newdoc\n" + "# newpar\n" * 99 + word.format(1), "t.conllu"
    )
    assert [text.text for text in texts] == ["word"]
    assert "a text of more than 1,000 characters" in problem.words


def test_a_number_of_a_word_that_is_none_costs_its_text(read):
    cells = "\tword" + "\t_" * 8 + "\n"
    texts, problems, _ = read(f"{'9' * 5000}{cells}\n# newdoc\n1{cells}", "t.conllu")
    assert [text.text for text in texts] == ["word"]
    assert "is no number of a word" in problems[0].words


def test_a_block_of_tei_without_an_end_and_elements_without_a_text_are_not_held(read, monkeypatch):
    monkeypatch.setattr(tei_texts, "MAX_ELEMENTS_OF_BLOCK", 100)
    monkeypatch.setattr(tei_texts, "MAX_ELEMENTS_OF_TEXT", 1000)
    text = "<TEI><text>" + "<p><w>Rain</w></p>" * 200 + "</text></TEI>"
    texts, problems, _ = read(f"<a>{text}{text}<TEI><p>{'<w>a</w>' * 200}</p></TEI></a>", "t.xml")
    assert len(texts) == 2
    assert "a block of more than 100 elements" in problems[0].words
    _, problems, _ = read(f"<TEI>{'<a/>' * 2000}</TEI>", "t.xml")
    assert "more than 1,000 elements without a text's end" in problems[0].words


def test_names_and_authors_by_the_million_are_not_kept(read):
    record = {"text": "Rain.", "author": [f"A{n}" for n in range(5000)]}
    record |= {f"key {n}": n for n in range(5000)}
    [text], _, told = read(json.dumps(record), "t.jsonl")
    assert len(text.authors) == 1000
    assert (len(told.own), len(text.own)) == (30, 30)
    assert len(told.not_kept) == 1000


@pytest.mark.parametrize(
    ("name", "data"),
    [
        (
            "t.csv",
            'text,register,Place: of birth,register,empty\n"It rains.",letter,Cape  Town,diary,\n',
        ),
        ("t.tsv", "text\tregister\tPlace: of birth\tempty\nIt rains.\tletter\tCape Town\t\n"),
        (
            "t.jsonl",
            '{"text": "It rains.", "register": "letter", "Place: of birth": "Cape Town", "l": [1]}',
        ),
        (
            "t.vert",
            '<text register="letter" Place="Cape Town">\nIt\nrains\n<g/>\n.\n</text>\n',
        ),
    ],
)
def test_columns_that_are_none_of_ours_are_kept_under_their_names(read, name, data):
    [text], _, told = read(data.encode(), name)

    place = "Place of birth" if "birth" in data else "Place"
    assert text.text == "It rains."
    assert dict(text.own) == {"register": "letter", place: "Cape Town"}
    assert set(told.own) >= {"register", place}


def test_long_values_of_own_columns_are_cut(read):
    [text], _, _ = read(f"text,{'n' * 90}\nIt rains.,{'v' * 300}\n".encode(), "t.csv")

    assert text.own == (("n" * 60, "v" * 200),)


def test_meta_lines_of_a_document_are_columns(read):
    head = "# newdoc\n# meta::register = letter\n# meta::date = 1921\n# text = It rains.\n"
    [text], _, _ = read(head + "1\tIt\t_\t_\t_\t_\t_\t_\t_\t_\n", "t.conllu")

    assert (text.text, text.date, text.own) == ("It rains.", "1921", (("register", "letter"),))


def test_a_text_behind_many_empty_lines_is_read_in_linear_time():
    def read_behind(n_lines: int) -> str:
        return paragraphs([*[" "] * n_lines, "Rain."])

    assert read_behind(3) == "Rain."
    assert takes_less(1, lambda: read_behind(500_000))
