"""SiteLevel by hand: what recurs, what contains it, what stays."""

import pytest
from read_pages import read

from extraction.html.algorithms.site_level import SiteLevelParameters, site_level
from extraction.html.site.fragments import SiteSample, page_fragments

MENU = "<ul class='menu'><li><a href='/a'>Home</a></li><li><a href='/b'>Sport</a></li></ul>"


def article(number, extra=""):
    return (
        f"<body>{MENU}<div id='a{number}'><p>Text number {number} of the paper.</p>{extra}</div>"
        "<p>© The Paper</p></body>"
    )


def sample(htmls):
    return SiteSample.of([page_fragments(read(html).outline) for html in htmls])


def kept_texts(html, site, parameters):
    page = read(html, site=site)
    lines = site_level(page, parameters).kept_lines
    return [page.outline.lines[position].text for position in lines]


def test_what_recurs_goes_and_the_rest_stays():
    pages = [article(number) for number in range(10)]

    found = kept_texts(pages[4], sample(pages), SiteLevelParameters())

    assert found == ["Text number 4 of the paper."]


def test_fragment_counts_once_a_page():
    site = sample(["<body><p>milk</p><p>milk</p></body>", "<body><p>tea</p></body>"])

    assert sorted(site.counts.values()) == [1] * 6  # two of html, two of body, milk, tea


def test_share_of_pages_decides():
    note = "<p>Read more of it here</p>"
    pages = [article(number, note if number < 4 else "") for number in range(40)]

    site = sample(pages)

    assert note[3:-4] not in kept_texts(pages[0], site, SiteLevelParameters())
    strict = SiteLevelParameters(page_share=0.11)
    assert note[3:-4] in kept_texts(pages[0], site, strict)


def test_element_that_is_mostly_template_is_template():
    about = "All about this paper. " * 20
    # The div differs on each page by one letter, the paragraph in it does not.
    pages = [
        f"<body><p>Text {n}</p><div><p>{about}</p>{chr(97 + n)}</div></body>" for n in range(8)
    ]
    site = sample(pages)

    assert kept_texts(pages[0], site, SiteLevelParameters()) == ["Text 0"]
    assert kept_texts(pages[0], site, SiteLevelParameters(contained_share=1.0)) == ["Text 0", "a"]


def test_digits_of_ids_do_not_make_a_fragment_new():
    first, second = (
        page_fragments(read(f"<body><p id='post-{n}'>milk</p></body>").outline) for n in (7, 19)
    )

    assert first.hashes == second.hashes


@pytest.mark.parametrize("n_pages", [0, 2])
def test_few_pages_decide_nothing(n_pages):
    pages = [article(number) for number in range(n_pages)]
    page = read(article(0), site=sample(pages) if pages else None)

    found = site_level(page, SiteLevelParameters())

    assert len(found.kept_lines) == len(page.outline.lines)
    assert found.remark == f"Only {n_pages} pages of the site are known."
