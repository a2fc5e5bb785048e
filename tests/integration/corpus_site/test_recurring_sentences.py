"""Recurring sentences in the rule studio: offered, taken into the draft, not offered again."""

import pytest
from factories import make_article, make_publication
from pages import markup
from stored_pages import store_page

from dedup.models import Detection
from extraction.html.site_rules.rules import Rule, RuleField, RuleKind
from extraction.models import Article, RuleVersion, SiteRule
from extraction.rules.published import as_rule

pytestmark = pytest.mark.django_db

STUDIO = "/sources/karoo-courier/rules/"
CHANGE = "/sources/karoo-courier/rules/change/"
APPEAL = "Subscribe to <b>our</b> “Karoo” newsletter: all the news."


@pytest.fixture
def paper():
    """A publication with a stored page, without which there is nothing to try rules on."""
    fetch = store_page(b"<title>Rain</title><p>It rained in the Karoo for the whole of the night.")
    fetch.page.content_fetch = fetch
    fetch.page.save()
    make_article("It rained.", page=fetch.page, fetch=fetch)
    return fetch.page.publication


def add_texts(paper, n, ending=APPEAL):
    texts = [f"Report {number} tells of another thing altogether. {ending}" for number in range(n)]
    return [make_article(text, paper) for text in texts]


def test_a_sentence_in_ten_articles_is_offered_and_taken_into_a_draft(editor, paper):
    add_texts(paper, 10)

    page = markup(editor.get(STUDIO))
    answer = editor.post(
        CHANGE, {"act": "take", "rule": f"remove:text:{APPEAL}", "note": "Wording."}
    )

    assert "Recurring sentences" in page
    assert "“Subscribe to &lt;b&gt;our&lt;/b&gt; “Karoo” newsletter: all the news.”" in page
    assert "in 10 texts" in page
    assert answer.status_code == 302
    draft = RuleVersion.objects.get()
    assert draft.published_at is None
    [rule] = SiteRule.objects.all()
    assert as_rule(rule) == Rule(RuleField.REMOVE, RuleKind.TEXT, APPEAL)


def test_what_a_rule_removes_already_is_not_offered(editor, paper):
    add_texts(paper, 10)
    editor.post(CHANGE, {"act": "take", "rule": f"remove:text:{APPEAL}"})

    assert "Recurring sentences" not in markup(editor.get(STUDIO))


def test_nine_articles_copies_and_other_sites_do_not_count(editor, paper):
    first, *_ = add_texts(paper, 9)
    add_texts(make_publication("cape-herald"), 5)
    copy = make_article(first.text, paper)
    Detection.objects.filter(article=copy).update(original=first)
    left_out = make_article(f"A gallery. {APPEAL}", paper)
    Article.objects.filter(pk=left_out.pk).update(in_corpus=False, reason="gallery")

    assert "Recurring sentences" not in markup(editor.get(STUDIO))
