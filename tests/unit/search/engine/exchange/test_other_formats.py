"""JSONL, CoNLL-U and TEI as others write them, and their faults with line and reason."""

import datetime as dt
import gzip
import io
import json
from itertools import islice

import pytest
from corpus_texts import read_all
from lxml import etree

from search.engine.exchange.conllu import read_conllu, write_conllu
from search.engine.exchange.errors import CorpusFileError
from search.engine.exchange.formats import Format, format_of, read_texts
from search.engine.exchange.json_lines import read_json_lines, write_json_lines
from search.engine.exchange.source import Source
from search.engine.exchange.tei_reader import read_tei
from search.engine.exchange.tei_writer import NAMESPACE, write_tei
from search.engine.exchange.texts import CorpusText, ReadingReport, TextColumns
from search.engine.exchange.vertical_tokens import VerticalOptions
from search.engine.index.documents import DocumentKind

TEXT = CorpusText(
    TextColumns(
        name="a1",
        kind=DocumentKind.COMMENT,
        publication="Star & Sun",
        section="news",
        author="Ann Abbot; Ben Baker",
        agency="AFP; Nampa",
        language="en",
        title="Rain",
        day=dt.date(2026, 11, 20),
        published_seconds=1_795_131_000,
        story="7",
        parent="a0",
    ),
    [
        ("It", "it", "PRP"),
        ("'s", "be", "VBZ"),
        ("wet", "wet", "JJ"),
        (".", ".", "."),
        ("“", "“", "``"),
        ("No", "no", "DT"),
    ],
    [0, 4],
    [False, False, True, False, True, False],
)

CONLLU = """\
# newdoc id = a1
# meta::publication = Star & Sun
# meta::section = news
# meta::date = 2026-11-19
# meta::author = Ann Abbot; Ben Baker
# meta::agency = AFP; Nampa
# meta::kind = comment
# meta::language = en
# meta::title = Rain
# meta::published = 2026-11-19T23:30:00Z
# meta::story = 7
# meta::parent = a0
# sent_id = a1-1
# text = It's wet.
1\tIt\tit\t_\tPRP\t_\t_\t_\t_\tSpaceAfter=No
2\t's\tbe\t_\tVBZ\t_\t_\t_\t_\t_
3\twet\twet\t_\tJJ\t_\t_\t_\t_\tSpaceAfter=No
4\t.\t.\t_\t.\t_\t_\t_\t_\t_

# sent_id = a1-2
# text = “No
1\t“\t“\t_\t``\t_\t_\t_\t_\tSpaceAfter=No
2\tNo\tno\t_\tDT\t_\t_\t_\t_\t_

"""


def text_on(day: dt.date) -> CorpusText:
    values = {name: getattr(TEXT.columns, name) for name in TEXT.columns.__slots__}
    columns = TextColumns(**values | {"day": day})
    return CorpusText(columns, TEXT.tokens, TEXT.sentence_starts, TEXT.space_before)


def test_conllu_is_written_as_its_validator_wants_it():
    assert "".join(write_conllu([text_on(dt.date(2026, 11, 19))])) == CONLLU


def test_conllu_of_treebanks_with_ranges_and_empty_nodes():
    lines = [
        "# global.columns = ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC",
        "# newdoc id = x", "# newpar", "# sent_id = 1", "# text = don't go",
        "1-2\tdon't\t_\t_\t_\t_\t_\t_\t_\t_",
        "1\tdo\tdo\tAUX\tVB\t_\t3\taux\t_\t_",
        "2\tn't\tnot\tPART\tRB\t_\t3\tadvmod\t_\t_",
        "2.1\tempty\tempty\tX\tX\t_\t_\t_\t_\t_",
        "3\tgo\tgo\tVERB\t_\t_\t0\troot\t_\tSpaceAfter=No|Gloss=x",
        "",
        "1\t_\t_\tPUNCT\t_\t_\t0\troot\t_\t_",
        "2\ta b\t_\t_\t_\t_\t1\tdep\t_\t_",
    ]  # fmt: skip
    (text,), report = read_all(read_conllu, "\n".join(lines) + "\n")

    assert text[1] == [("do", "do", "VB"), ("n't", "not", "RB"), ("go", "go", "VERB"),
                       ("_", "_", "PUNCT"), ("a b", "", "")]  # fmt: skip
    assert text[2] == [(0, 3), (3, 5)]
    assert text[3] == [False, False, True, False, True]
    assert "Empty nodes were passed over." in report.sentences()


def test_conllu_without_newdoc_is_one_text():
    (text,), _ = read_all(read_conllu, "# sent_id = 1\n1\ta\ta\tX\tX\t_\t0\troot\t_\t_\n")

    assert (text[0].name, len(text[1])) == ("", 1)


WORD = "\ta\ta\tX\tX\t_\t_\t_\t_\t_\n"

CONLLU_FAULTS = {
    "nine columns": (f"1{WORD}2\ta\ta\tX\tX\t_\t_\t_\t_\n", 2, "9 columns instead of 10"),
    "number": (f"1{WORD}1{WORD}", 2, "the word's number is '1' instead of 2"),
    "no number": (f"x{WORD}", 1, "the word's number is 'x' instead of 1"),
    "range": (f"1-3{WORD}1{WORD}\n", 3, "before word 3 of a range"),
    "date": (f"# newdoc\n# meta::date = soon\n1{WORD}\n# newdoc\n", 5, "the date 'soon'"),
    "empty word": ("1\t\ta\tX\tX\t_\t_\t_\t_\t_\n", 1, "the word is empty"),
    "NUL": (f"1{WORD}\n1\tx\0\ta\tX\tX\t_\t_\t_\t_\t_\n", 3, "a NUL byte"),
}


@pytest.mark.parametrize("fault", CONLLU_FAULTS)
def test_conllu_faults(fault):
    data, line, reason = CONLLU_FAULTS[fault]

    with pytest.raises(CorpusFileError) as caught:
        read_all(read_conllu, data)

    assert reason in caught.value.reason
    assert caught.value.line == line


def test_json_lines_as_they_are_written():
    (line,) = write_json_lines([TEXT])

    assert json.loads(line) == {
        "id": "a1", "publication": "Star & Sun", "section": "news", "date": "2026-11-20",
        "author": "Ann Abbot; Ben Baker", "agency": "AFP; Nampa", "kind": "comment",
        "language": "en", "title": "Rain",
        "published": "2026-11-19T23:30:00Z", "story": "7", "parent": "a0",
        "sentences": [
            [["It", "it", "PRP", False], ["'s", "be", "VBZ", False], ["wet", "wet", "JJ", True],
             [".", ".", ".", False]],
            [["“", "“", "``", True], ["No", "no", "DT", False]],
        ],
    }  # fmt: skip


def test_json_lines_of_others():
    record = {
        "id": 7, "url": "x", "tags": ["a"], "date": None,
        "sentences": [["It", ["rains", "rain"]], [], [{"word": "now", "pos": "RB"}]],
    }  # fmt: skip
    (text,), report = read_all(read_json_lines, f"\n{json.dumps(record)}\n")

    assert text[0].name == "7"
    assert text[1] == [("It", "", ""), ("rains", "rain", ""), ("now", "", "RB")]
    assert text[2:] == ([(0, 2), (2, 3)], None)
    assert report.attributes == {"url", "tags"}


JSON_FAULTS = {
    "number of many digits": ('{"sentences": [], "n": ' + "1" * 5000 + "}", "too many digits"),
    "not JSON": ('{"id": ', "not JSON: Expecting value at character 8"),
    "list": ("[]", "not a JSON object"),
    "no sentences": ('{"id": "a"}', "“sentences” is not a list"),
    "flat sentences": ('{"sentences": ["a"]}', "“sentences” is not a list of lists"),
    "number for token": ('{"sentences": [[3]]}', "a token is not like"),
    "number for word": ('{"sentences": [[[3]]]}', "word, lemma and tag are not strings"),
    "five members": ('{"sentences": [[["a","b","c",true,1]]]}', "a token is not like"),
    "spaces here and there": ('{"sentences": [["a", ["b","b","b",true]]]}', "white space is not"),
    "list for column": ('{"author": ["a"], "sentences": []}', "“author” is not a string"),
    "surrogate": ('{"sentences": [["\\ud800"]]}', "half of a surrogate pair"),
    "NUL": ('{"sentences": [["\\u0000"]]}', "a NUL byte"),
    "NUL in a column": (
        '{"publication": "a\\u0000b", "sentences": [["a"]]}',
        "“publication” has a NUL byte in it",
    ),
    "empty word": ('{"sentences": [[""]]}', "the word is empty"),
    "depth": ("[" * 100_000, "not JSON that can be read"),
    "date": ('{"date": "1 May", "sentences": []}', "the date '1 May'"),
}


@pytest.mark.parametrize("fault", JSON_FAULTS)
def test_json_faults(fault):
    data, reason = JSON_FAULTS[fault]

    with pytest.raises(CorpusFileError) as caught:
        read_all(read_json_lines, '{"sentences": []}\n' + data)

    assert reason in caught.value.reason
    assert caught.value.line == 2


def test_tei_is_written_in_its_namespace():
    root = etree.fromstring("".join(write_tei([TEXT, TEXT])).encode())
    names = {"t": NAMESPACE}

    assert root.tag == f"{{{NAMESPACE}}}teiCorpus"
    assert len(root.findall("t:TEI", names)) == 2
    assert [w.get("join") for w in root.findall("t:TEI[1]//t:w", names)] == [
        "right", None, "right", None,
    ]  # fmt: skip
    assert [pc.text for pc in root.findall("t:TEI[1]//t:pc", names)] == [".", "“"]
    assert root.findtext("t:TEI//t:publisher", namespaces=names) == "Star & Sun"
    assert [d.get("when") for d in root.findall("t:TEI[1]//t:date", names)] == [
        "2026-11-20", "2026-11-19T23:30:00Z",
    ]  # fmt: skip


def test_tei_of_others():
    file = """\
<?xml version="1.0" encoding="ISO-8859-1"?>
<!DOCTYPE TEI SYSTEM "http://127.0.0.1:9/tei.dtd">
<TEI><teiHeader><fileDesc>
<titleStmt><title>A <hi>day</hi></title><author>Ann</author><author>Ben</author></titleStmt>
<publicationStmt><publisher>Star</publisher><date when="2026">last year</date></publicationStmt>
</fileDesc></teiHeader>
<text><front><head><w>Title</w></head></front><body><div><p n="1">
<s><w lemma="caf\xe9" pos="NN">caf\xe9</w><pc join="left">!</pc></s>
<lb/><s><w lemma="do"><w>do</w><w>
  n't</w></w></s></p></div></body></text></TEI>"""
    (text,), report = read_all(read_tei, file.encode("latin-1"))

    assert text[0].title == "A day"
    assert (text[0].author, text[0].publication) == ("Ann; Ben", "Star")
    assert text[0].day == dt.date(2026, 1, 1)
    assert text[1] == [
        ("Title", "", ""),
        ("café", "café", "NN"),
        ("!", "", ""),
        ("do n't", "do", ""),
    ]
    assert text[2] == [(0, 1), (1, 3), (3, 4)]
    assert text[3] == [False, True, False, True]
    assert report.tags == {"front", "head", "div", "p", "lb"}


def tei(body: str, start: str = "") -> str:
    return f"{start}<TEI>\n<text>\n<body>\n{body}</body></text></TEI>"


LAUGHS = "".join(f'<!ENTITY a{i} "{f"&a{i - 1};" * 10}">' for i in range(1, 10))
TEI_FAULTS = {
    "not closed": ("<TEI>\n<text>\n", 3, "not XML"),
    "crossed": (tei("<s><w>a</s></w>"), 4, "not XML"),
    "sentence in sentence": (tei("<s>\n<s><w>a</w></s></s>"), 5, "<s> inside of <s>"),
    "text in text": ("<TEI>\n<TEI></TEI></TEI>", 2, "<TEI> inside of the <TEI> of line 1"),
    "word outside": ("<x>\n<w>a</w></x>", 2, "<w> outside of any <TEI>"),
    "empty word": (tei("<s><w>a</w>\n<w> </w></s>"), 5, "the word is empty"),
    "no tokens": (tei("<p>It rains.</p>"), 0, "not divided into tokens"),
    "NUL": (tei("<s><w>a\0</w></s>"), 4, "not XML"),
    "UTF-8": (tei("<s><w>").encode() + b"\xe9\xe9</w></s>", 4, "not XML"),
    "own entity": (
        tei("<s><w>&x;</w></s>", '<!DOCTYPE TEI [<!ENTITY x "y">]>'), 4, "the entity &x;",
    ),
    "file as entity": (
        tei("<s><w>&x;</w></s>", '<!DOCTYPE TEI [<!ENTITY x SYSTEM "file:///etc/hostname">]>'),
        4, "the entity &x;",
    ),
    "laughs": (
        tei('<s><w lemma="&a9;">x</w></s>', f'<!DOCTYPE TEI [<!ENTITY a0 "ha">{LAUGHS}]>'),
        4, "not XML",
    ),
    "gzip cut short": (gzip.compress(tei("<s><w>a</w></s>").encode())[:-12], 0, ""),
    "empty": ("", 1, "not XML"),
}  # fmt: skip


@pytest.mark.parametrize("fault", TEI_FAULTS)
def test_tei_faults(fault):
    data, line, reason = TEI_FAULTS[fault]

    with pytest.raises(CorpusFileError) as caught:
        read_all(read_tei, data)

    assert reason in caught.value.reason
    if line:
        assert caught.value.line == line


class Endless(io.RawIOBase):
    """A file that never ends: a beginning, then the same text again and again."""

    def __init__(self, beginning: str, again: str) -> None:
        super().__init__()
        self._again = again.encode()
        self._left = beginning.encode() or self._again

    def readable(self) -> bool:
        return True

    def readinto(self, buffer) -> int:
        part, self._left = self._left[: len(buffer)], self._left[len(buffer) :] or self._again
        buffer[: len(part)] = part
        return len(part)


ENDLESS = {
    Format.VERTICAL: ("", "<text>\n" + "a\tb\tc\n" * 1000 + "</text>\n"),
    Format.JSONL: ("", '{"sentences": [[' + '"a", ' * 999 + '"a"]]}\n'),
    Format.CONLLU: ("", "# newdoc\n" + f"1{WORD}\n" * 1000),
    Format.TEI: ("<teiCorpus>", "<TEI><text><s>" + "<w>a</w>" * 1000 + "</s></text></TEI>"),
}


@pytest.mark.parametrize("kind", Format)
def test_texts_come_while_the_file_is_still_read(kind):
    source = Source("endless", io.BufferedReader(Endless(*ENDLESS[kind])))

    found = islice(read_texts(kind, source, VerticalOptions(), ReadingReport()), 3)

    assert [len(text.tokens) for text in found] == [1000] * 3


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("news.vrt", Format.VERTICAL),
        ("news.vrt.gz", Format.VERTICAL),
        ("-", Format.VERTICAL),
        ("a.b/news.jsonl.xz", Format.JSONL),
        ("en-ud.conllu", Format.CONLLU),
        ("text.xml", Format.TEI),
    ],
)
def test_formats_by_name(name, kind):
    assert format_of(name) is kind
