import pytest
from hypothesis import given
from hypothesis import strategies as st

from extraction.html.markup.decode import decode_html

TEXT = "<p>Brontë’s café – “naïve”</p>"


@pytest.mark.parametrize(
    ("body", "content_type", "encoding"),
    [
        (TEXT.encode(), "", "UTF-8"),
        (TEXT.encode(), "text/html; charset=iso-8859-1", "UTF-8"),
        (("<meta charset=gbk>" + TEXT).encode(), "", "UTF-8"),
        (b"\xef\xbb\xbf" + TEXT.encode(), "", "UTF-8"),
        (TEXT.encode("windows-1252"), "", "windows-1252"),
        (TEXT.encode("utf-16-le"), "text/html; charset=utf-16le", "UTF-16LE"),
    ],
)
def test_bytes_win_over_claims(body, content_type, encoding):
    decoded = decode_html(body, content_type)

    assert decoded.encoding == encoding
    assert decoded.text.endswith(TEXT)


def test_damaged_utf_8_is_utf_8_still():
    body = "<meta charset=gbk><p>新闻</p>".encode() * 50 + b"\xe6"

    assert decode_html(body).text.count("新闻") == 50


def test_empty_body_is_empty_text():
    assert decode_html(b"").text == ""


@pytest.mark.parametrize(
    ("body", "encoding", "expected"),
    [
        # One pasted byte in UTF-8, declared or not.
        (("<meta charset=utf-8>" + "ünïcödé " * 9).encode() + b"\x93x\x94 .", "UTF-8", "“x” ."),
        (("ünïcödé " * 9).encode() + b"\x93x\x94 .", "UTF-8", "“x” ."),
        # Cut by a size limit within a character.
        (("<p>" + "é" * 50).encode()[:-1], "UTF-8", "é" * 49),
        # windows-1252 under the name of Latin-1 or of UTF-8.
        (b"<meta charset=iso-8859-1>\x93x\x94 \x80", "windows-1252", "“x” €"),
        (b"<meta charset=utf-8>caf\xe9 \x93x\x94", "windows-1252", "café “x”"),
        # Declared after the first 1024 bytes.
        (
            b"<!--" + b"x" * 3000 + b"--><meta charset=windows-1251>" + "мир".encode("cp1251"),
            "windows-1251",
            "мир",
        ),
        # UTF-16 without a mark or a header, in both orders.
        ("<html><p>мир и труд".encode("utf-16-le"), "UTF-16LE", "мир и труд"),
        ("<html><p>мир и труд".encode("utf-16-be"), "UTF-16BE", "мир и труд"),
        ("\ufeff<p>мир".encode("utf-16-le"), "UTF-16LE", "мир"),
        # Nothing is declared: the language of the page tells.
        ("<html lang=ru><p>мир и труд".encode("cp1251"), "windows-1251", "мир и труд"),
        ("<html lang='pl-PL'><p>zażółć gęślą".encode("iso-8859-2"), "iso-8859-2", "zażółć gęślą"),
        ("<html lang=ja><p>日本語のページ".encode("shift_jis"), "shift_jis", "日本語のページ"),
        # A wrong declaration that damages the text.
        (
            "<html lang=zh><meta charset=utf-8><p>中文网页的正文在这里".encode("gbk"),
            "gb18030",
            "中文网页的正文在这里",
        ),
    ],
)
def test_wrong_or_missing_declaration(body, encoding, expected):
    decoded = decode_html(body)

    assert decoded.encoding == encoding
    assert decoded.text.endswith(expected)
    assert "\ufffd" not in decoded.text


@given(st.binary(max_size=200), st.sampled_from(["", "text/html; charset=utf-8", "x; charset=gbk"]))
def test_decoding_never_fails(body, content_type):
    assert isinstance(decode_html(body, content_type).text, str)


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=50))
def test_utf_8_is_read_back(text):
    assert decode_html(("é" + text).encode()).text == "é" + text
