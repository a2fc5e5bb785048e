import pytest

from extraction.html.page import PageKind
from extraction.html.page_kind import page_kind

LONG = "The harbour was quiet. " * 30


@pytest.mark.parametrize(
    ("url", "text", "expected"),
    [
        ("https://x.example/news/fire-in-harbour", LONG, PageKind.TEXT),
        ("https://x.example/gallery/fire", LONG, PageKind.GALLERY),
        ("https://x.example/Gallery-of-the-fire", LONG, PageKind.GALLERY),
        ("https://x.example/galleries/2024/fire", LONG, PageKind.GALLERY),
        ("https://x.example/news/PICS-fire", LONG, PageKind.GALLERY),
        ("https://x.example/video/fire", LONG, PageKind.VIDEO),
        ("https://x.example/fire-video", LONG, PageKind.VIDEO),
        ("https://x.example/videos/fire", LONG, PageKind.VIDEO),
        ("https://x.example/olympics-epics-topics", LONG, PageKind.TEXT),
        ("https://video.example/news/fire", LONG, PageKind.TEXT),
        ("https://x.example/fire", "Gallery: the fire in pictures. " + LONG, PageKind.GALLERY),
        ("https://x.example/fire", "x" * 499, PageKind.SHORT),
        ("https://x.example/fire", "x" * 500, PageKind.TEXT),
        ("https://x.example/gallery/fire", "  ", PageKind.EMPTY),
        ("", LONG, PageKind.TEXT),
    ],
)
def test_page_kind_by_url_start_and_length(url, text, expected):  # COR-46, COR-47
    assert page_kind(url, text) is expected
