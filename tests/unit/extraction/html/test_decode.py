import pytest

from extraction.html.decode import decode_html

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
def test_bytes_win_over_claims(body, content_type, encoding):  # COR-12
    decoded = decode_html(body, content_type)

    assert decoded.encoding == encoding
    assert decoded.text.endswith(TEXT)


def test_damaged_utf_8_is_utf_8_still():
    body = "<meta charset=gbk><p>新闻</p>".encode() * 50 + b"\xe6"

    assert decode_html(body).text.count("新闻") == 50


def test_empty_body_is_empty_text():
    assert decode_html(b"").text == ""
