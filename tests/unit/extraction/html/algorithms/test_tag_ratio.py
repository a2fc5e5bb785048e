"""Text-to-tag ratio by hand."""

from read_pages import kept, scored

from extraction.html.algorithms.tag_ratio import TagRatioParameters, tag_ratio

# First div: 12 characters, no tags (T = 1): 12. Second: 2 characters in 1 tag: 2, which is not more
# than 2. Third: 0 characters outside of links.
PAGE = (
    "<body><div>Sour milk is</div><div><b>ab</b></div><div><a>Menu of the page</a></div>"
    "<div>maas <a>amasi</a> or</div></body>"
)


def test_ratio_is_characters_by_tags():
    page = scored(PAGE, tag_ratio, TagRatioParameters())

    assert [(block.score, block.is_kept) for block in page.blocks] == [
        (12.0, True),
        (2.0, False),
        (0.0, False),
        (6.0, True),  # "maas" and "or": the link is neither text nor a tag
    ]


def test_words_of_links_stay_in_what_is_kept():
    assert kept(PAGE, tag_ratio, TagRatioParameters()) == ["Sour milk is", "maas amasi or"]


def test_simple_form_looks_at_children_of_the_body_only():
    page = "<body><div><p>A long paragraph of text</p><ul><li>a</li><li>b</li></ul></div></body>"

    assert kept(page, tag_ratio, TagRatioParameters()) == ["A long paragraph of text", "a", "b"]
    recursive = TagRatioParameters(is_recursive=True)
    assert kept(page, tag_ratio, recursive) == ["A long paragraph of text"]


def test_navigation_goes_whatever_its_text():
    page = "<body><nav>A long sentence in a menu</nav><p>Text of a page</p></body>"

    assert kept(page, tag_ratio, TagRatioParameters()) == ["Text of a page"]
