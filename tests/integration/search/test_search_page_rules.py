"""What holds for every search and article page: one heading, no inline code, ids used once."""

import re

import pytest
from factories import (
    NOW,
    index_all,
    make_article,
    make_comment,
    make_fetch,
    make_publication,
    make_user,
    make_version,
)
from inline_code import inline_code
from pages import is_whole

from dedup.models import Duplicate
from search.models import LexiconEntry, Marking, PastQuery, SavedQuery, Subcorpus

pytestmark = [pytest.mark.django_db, pytest.mark.sql]

# What a newspaper, a reader or a user may write.
HOSTILE = """<script>alert(1)</script>" onmouseover="alert(1)" style="color:red" '"""
PAGES = ["/search/", "/search/?q=braai", "/search/?q=braai&in=both&hit={article}-0&sort=l1,r1"]
PAGES += ["/search/?q=braai&in=both&view=sentence", "/search/?q=[&ql=cql", "/search/?q=zzzz"]
PAGES += ["/search/?q=braai&from=x&pub=<script>&zzz=<b>", "/search/?q=braai&asof=1"]
PAGES += ["/articles/", "/articles/?day=<b>", "/articles/{article}/", "/articles/{article}/page/"]
PAGES += ["/articles/{article}/tagged/?t=1", "/articles/{article}/comments/?words=<b>"]
PAGES += ["/articles/{article}/comments/?q=braai&in=both&hit=c{comment}-0"]
PAGES += ["/articles/{article}/duplicates/?with={other}", "/articles/{article}/timeline/"]
PAGES += ["/articles/{article}/versions/?diff=0", "/articles/changed/?pub=<b>&what=<b>&after=<b>"]
PAGES += ["/articles/{article}/?q=braai&hit={article}-0", "/words/lexicon/", "/saved/?query=q=a"]
PAGES += ["/words/", "/words/?pattern=<b>&by=<b>", "/words/zipf/", "/words/new/?pubs=1&typos=1"]
PAGES += ["/words/new/ignored/?word=<b>", "/words/lists/?words=<b>"]
PAGES += ["/words/braai/?in=both", "/words/<script>alert(1)<%2Fscript>/", "/search/keyness/"]
PAGES += ["/search/keyness/?in=comments&ref=in%3Darticles&error=1&min=1&texts=1"]
PAGES += ["/words/sketch/", "/words/sketch/?lemma=braai&min=1&ex=1", "/words/sketch/?lemma=<b>"]
PAGES += ["/words/sketch/?lemma=braai&vs=<b>&gram=<b>", "/words/sketch/grammar/en/"]
PAGES += ["/search/builder/", "/search/builder/?q=braai&in=both&zzz=<b>&pub=<script>"]
PAGES += ["/search/builder/?ql=cql&q=[: pos='NN' :] ('braai'|<s>) cut 2 show match .. matchend"]
PAGES += ["/search/builder/?p.part=token&p.test=line&p.what=<b>&p.how=like&p.value=(<b>&p.from=<b>"]
PAGES += [
    "/search/builder/?p.part=group&p.part=choice&p.part=written&p.value=<b>&p.part=pair&do=<b>"
]
PAGES += ["/search/keyness/?ref=pub%3D<script>&ref2=<b>"]
PAGES += ["/subcorpora/", "/subcorpora/{subcorpus}/", "/search/?q=braai&sub=t"]
PAGES += ["/markings/", "/markings/?query=q=braai&x=<b>", "/markings/{marking}/?show=<b>&p=<b>"]
PAGES += ["/markings/{marking}/results/?by=<b>&who=<b>"]
PAGES += ["/history/", "/history/?find=<b>&folder=<b>&view=<b>&p=<b>", "/search/compare/"]
PAGES += ["/search/compare/?one=q%3Dbraai&other=q%3D<b>%26pub%3D<b>", "/history/?find=alert"]
PAGES += ["/search/compare/?one=q%3Dbraai&other=q%3Dbraai%26in%3Dboth"]
PAGES += ["/search/?q=braai&also=q%3D<b>&less=q%3Dzzz"]
PAGES += ["/search/today/?q=braai&in=both&asof=1"]


@pytest.fixture
def rows():
    publication = make_publication(name=HOSTILE)
    article = make_article(f"braai {HOSTILE}\nbraai", publication, title=HOSTILE, authors=[HOSTILE])
    other = make_article(f"braai {HOSTILE}\nbraai", publication, standfirst=HOSTILE)
    comment = make_comment(article, f"braai {HOSTILE}", author_name=HOSTILE, html=f"<p>{HOSTILE}")
    make_version(article, f"braai {HOSTILE}", title=f"{HOSTILE}.")
    make_fetch(article.page, error=HOSTILE, next_visit_reason=HOSTILE)
    Duplicate.objects.create(
        article=article, other=other, relation="repost", similarity=1, n_shared=1, detected_at=NOW
    )
    LexiconEntry.objects.create(word="braai", tag="NN", note=HOSTILE)
    index_all()
    marking = make_marking(article.pk, make_user("linguist", username="marker"))
    keys = {"article": article.pk, "other": other.pk, "comment": comment.pk}
    return {**keys, "marking": marking.pk}


def make_marking(article_id, marker):
    """Make a marking that others see, with a note by somebody who may write anything."""
    marking = Marking.objects.create(
        name=HOSTILE, categories=[HOSTILE], parameters="q=braai&asof=1", generation=1, drawn_at=1,
        n_hits=1, base_tokens=9, n_lines=1, is_shared=True, created_at=NOW, opened_at=NOW,
    )  # fmt: skip
    line = marking.lines.create(
        number=1, kind=1, key=article_id, article_key=article_id, position=0, length=1,
        words="braai",
    )  # fmt: skip
    row = marking.markers.create(person=marker, name=HOSTILE)
    row.marks.create(line=line, value=1, note=HOSTILE, marked_at=NOW)
    return marking


@pytest.fixture
def signed_in(client, rows):
    user = make_user("editor")
    found = {"address": "q=<b>&author=<b>", "comments": True}
    row = Subcorpus.objects.create(owner=user, name="<b>", slug="t", definition=found)
    rows["subcorpus"] = row.pk
    SavedQuery.objects.create(
        owner=user, short="a", name=HOSTILE, parameters="q=a", note=HOSTILE, generation=1, n_hits=1
    )
    Subcorpus.objects.create(owner=user, name=HOSTILE, slug="s", filters="in=both")
    for number in range(2):
        PastQuery.objects.create(
            owner=user, digest=number, view=["search", "<b>"][number], parameters=f"q={HOSTILE}",
            text=HOSTILE, choices=HOSTILE, generation=1, asked_at=NOW, name=HOSTILE,
            folder=HOSTILE[:60], note=HOSTILE,
        )  # fmt: skip
    client.force_login(user, backend="corpus_site.accounts.backends.RoleBackend")
    return client


@pytest.mark.parametrize("address", PAGES)
def test_a_page_is_whole_safe_and_titled(address, signed_in, rows):
    answer = signed_in.get(address.format(**rows), headers={"HX-Request": "true"})

    text = answer.content.decode()
    assert answer.status_code in {200, 400}
    assert is_whole(text)
    assert text.count("<h1") == 1
    assert re.search(r"<title>\S.* – Broadsheet</title>", text, re.DOTALL)
    assert inline_code(text) == []
    ids = re.findall(r'\sid="([^"]+)"', text)
    assert sorted(ids) == sorted(set(ids))


@pytest.mark.parametrize("address", PAGES)
def test_a_page_keeps_the_content_policy(address, signed_in, rows):
    sent = signed_in.get(address.format(**rows))["Content-Security-Policy"].split("; ")

    assert {"script-src 'self'", "style-src 'self'", "default-src 'none'"} <= set(sent)
    assert ("frame-src 'self'" in sent) == address.endswith("/page/")
