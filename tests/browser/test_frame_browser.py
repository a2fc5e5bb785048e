"""Hostile stored pages in a real browser: nothing runs, is asked for, or leads away."""

import pytest
from factories import make_article
from stored_pages import store_page

pytestmark = pytest.mark.django_db(transaction=True)

ADDRESS = "https://evil.example/"
TEXT = "Nothing is as sour as maas that was left in the sun of the Karoo for an afternoon. " * 3
RUN = "document.documentElement.dataset.ran=1;parent.document.title=1;top.location=1"
CLICK_ALL = """(() => {
    const elements = [...frames.archived.document.body.querySelectorAll("*")];
    elements.forEach((element) => { element.click(); element.focus(); });
    return elements.length;
})()"""
# EVIL stands for an address elsewhere, RUN for a script.
ATTACKS = {
    "refresh": """<meta http-equiv="refresh" content="0;url=EVIL">""",
    "base": """<base href="EVIL" target="_top"><img src="pot.png"><a href="x">x</a>""",
    "script": """<script>RUN</script><script src="EVILx.js"></script>""",
    "handlers": """<img src="x" onerror="RUN"><body onload="RUN"><p onfocus="RUN" autofocus>x""",
    "svg": """<svg onload="RUN"><script>RUN</script><image href="EVILs.png"/>
        <use href="EVILs.svg#x"/><animate onbegin="RUN"/></svg>""",
    "mutation": """<math><mtext><table><mglyph><style><!--</style>
        <img title="--&gt;&lt;img src=1 onerror=RUN&gt;"></mglyph></table></mtext></math>""",
    "links": """<a href="javascript:RUN">go</a><a href="EVIL" target="_top" ping="EVILp">out</a>""",
    "pictures": """<img src="EVIL1" srcset="EVIL2 2x"><picture><source srcset="EVIL3"></picture>
        <video poster="EVIL4" src="EVIL5" autoplay></video><audio src="EVIL6" autoplay></audio>
        <input type="image" src="EVIL7"><table background="EVIL8"><td background="EVIL9">x</table>
        """,
    "styles": """<style>@import 'EVILa'; body { background: url(EVILb) }</style>
        <link rel="stylesheet" href="EVILc"><link rel="preload" as="image" href="EVILd">
        <p style="background:url(EVILe);list-style:url(EVILf)">x</p>
        <p style="width:1px;background-image:image-set('EVILg' 1x)">x</p>""",
    "forms": """<form action="EVIL" id="f"><input name="password"><button>go</button></form>
        <button form="f" formaction="EVILb">go</button>""",
    "frames": """<iframe srcdoc="<script>RUN</script>"></iframe><iframe src="EVIL"></iframe>
        <frameset><frame src="EVIL"></frameset><object data="EVILo"></object><embed src="EVILe">
        <applet code="EVIL"></applet><portal src="EVILp"></portal>""",
    "noscript": """<noscript><p title="</noscript><img src=EVILn onerror=RUN>"></noscript>""",
    "marks": """<p data-why='"><script>RUN</script>' data-mark="kept" id="n3">x</p>
        <p class='x"><img src=EVILm>'>x</p>""",
}


@pytest.mark.parametrize("attack", ATTACKS)
def test_a_hostile_page_is_only_looked_at(window, attack):
    markup = ATTACKS[attack].replace("EVIL", ADDRESS).replace("RUN", RUN)
    body = f"<html><head>{markup}</head><body><article><p>{TEXT}</p></article>{markup}"
    fetch = store_page(body.encode())
    article = make_article(page=fetch.page, fetch=fetch, text=TEXT.strip())

    page = window.open(f"/articles/{article.pk}/page/?view=page")
    page.wait_for_load_state("networkidle")
    n_clicked = page.evaluate(CLICK_ALL)
    page.wait_for_load_state("networkidle")

    assert n_clicked > 0
    assert window.path == f"/articles/{article.pk}/page/?view=page"
    assert [address for address in window.requests if not address.startswith(window.address)] == []
    assert page.title().endswith("Archived page – Broadsheet")
    assert len(page.frames) == 2
    assert page.evaluate("frames.archived.document.documentElement.dataset.ran ?? 0") == 0
    assert TEXT.strip() in page.evaluate("frames.archived.document.body.textContent")
    assert window.complaints == []
