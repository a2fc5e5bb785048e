"""Words, characters and tags of a page, by hand."""

from extraction.html.extract_page import extract_page
from extraction.html.markup.page_size import PageSize
from extraction.html.page import PageInput
from extraction.html.site_rules.rules import Rule, RuleField, RuleKind, SiteRules

# Words: Rain today, Home News, It rained in the Karoo, more, Ad here: 2 + 2 + 5 + 1 + 2. Of the
# text that is no link and no menu, "Rain today", "It rained in the", "Karoo" and "Ad here" have 10,
# 16, 5 and 7 characters; h1, p, b and div are the tags around.
PAGE = """<html><head><title>Rain</title><style>p { color: red }</style></head><body>
<script>var words = "not seen";</script><nav><a href="/">Home</a> <a href="/n">News</a></nav>
<h1>Rain today</h1><p>It rained in the <b>Karoo</b></p><a href="/more">more</a><br>
<div class="ad">Ad here</div><p hidden>never seen</p></body></html>"""


def size(body, **given):
    return extract_page(PageInput(body.encode(), "https://a.example/rain", **given)).size


def test_all_that_a_reader_sees_counts_as_words_and_running_text_by_tags():
    assert size(PAGE) == PageSize(n_words=12, n_chars=38, n_tags=4)


def test_what_an_editor_removes_was_there_before_the_cleaning():
    rule = Rule(RuleField.REMOVE, RuleKind.CSS, ".ad")

    found = size(PAGE, rules=SiteRules((rule,)))

    assert found == PageSize(n_words=12, n_chars=31, n_tags=3)


def test_an_empty_page_has_nothing():
    assert size("") == PageSize(0, 0, 0)
