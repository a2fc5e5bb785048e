from extraction.html.meta_tags import HeadData
from extraction.html.title_affixes import learn_site_names, title_pieces
from extraction.html.titles import TitleCandidate, choose_title


def pieces(title, og=""):
    return title_pieces(HeadData(values={"og:title": [og]} if og else {}, title=title))


def test_pieces_at_the_ends_of_a_title():
    assert pieces("Fire | Port | News | The Post") == ("fire", "thepost", "news")
    assert pieces("Fire", "Fire - The Post") == ("fire", "thepost")
    assert pieces("火灾_新闻_人民网") == ("火灾", "人民网", "新闻")
    assert pieces("火灾--时政--人民网") == ("火灾", "人民网", "时政")
    assert pieces("Fire in the harbour-side pub") == ()
    assert pieces("") == ()


def test_a_name_stands_on_enough_pages():
    pages = [(f"story{number}", "thepost") for number in range(10)]

    assert learn_site_names(pages) == ("thepost",)
    assert learn_site_names(pages[:2]) == ()
    assert learn_site_names([*pages[:3], *[(f"other{n}",) for n in range(8)]]) == ()


def test_a_learnt_name_is_cut_from_titles():
    titles = ["Fire_Coast_Seven Seas", "Smoke_Coast_Seven Seas", "Ashes_Coast_Seven Seas"]
    names = learn_site_names(map(pieces, titles))

    assert set(names) == {"coast", "sevenseas"}
    assert choose_title([TitleCandidate("title", "Rain_Coast_Seven Seas")], names).text == "Rain"
