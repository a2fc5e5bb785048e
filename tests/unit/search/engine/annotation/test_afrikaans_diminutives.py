"""Diminutives of Afrikaans: where the ending begins, and which words are no diminutives."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from search.engine.annotation.afrikaans_diminutives import base_of_diminutive


@pytest.mark.parametrize(
    ("form", "base"),
    [
        ("katjie", "kat"),
        ("boskatjies", "boskat"),
        ("potjie", "pot"),
        ("kabinetjie", "kabinet"),
        ("fluitjie", "fluit"),
        ("plaatjie", "plaat"),
        ("bootjies", "boot"),
        ("voetjie", "voet"),
        ("vuurhoutjie", "vuurhout"),
        ("seisoenkaartjie", "seisoenkaart"),
        ("poortjie", "poort"),
        ("hartjie", "hart"),
        ("puntjie", "punt"),
        ("olifantjie", "olifant"),
        ("studentjie", "student"),
        ("kloftjie", "kloft"),
    ],
)
def test_t_of_the_stem_stays(form, base):
    assert base_of_diminutive(form) == base


@pytest.mark.parametrize(
    ("form", "base"),
    [
        ("stoeltjie", "stoel"),
        ("seuntjie", "seun"),
        ("fonteintjies", "fontein"),
        ("deurtjie", "deur"),
        ("oortjie", "oor"),
        ("kantoortjie", "kantoor"),
        ("venstertjie", "venster"),
        ("motortjie", "motor"),
        ("lepeltjie", "lepel"),
        ("tekentjie", "teken"),
        ("vroutjie", "vrou"),
        ("koeitjie", "koei"),
        ("bytjie", "by"),
        ("knietjie", "knie"),
        ("uitjie", "ui"),
        ("struikbuitjie", "struikbui"),
        ("ideetjie", "idee"),
        ("fototjie", "foto"),
        ("babatjies", "baba"),
        ("oumatjie", "ouma"),
    ],
)
def test_t_of_the_ending_goes(form, base):
    assert base_of_diminutive(form) == base


@pytest.mark.parametrize(
    ("form", "base"),
    [
        ("hondjie", "hond"),
        ("tydjies", "tyd"),
        ("voetpaadjie", "voetpad"),
        ("gaatjie", "gat"),
        ("balletjie", "bal"),
        ("karretjie", "kar"),
        ("bommetjies", "bom"),
        ("dingetjie", "ding"),
        ("boompie", "boom"),
        ("filmpie", "film"),
        ("klippie", "klip"),
        ("groepie", "groep"),
        ("lampie", "lamp"),
        ("koninkie", "koning"),
        ("bankie", "bank"),
        ("vonkie", "vonk"),
        ("plekkie", "plek"),
        ("boekies", "boek"),
        ("wolkie", "wolk"),
        ("huisie", "huis"),
    ],
)
def test_other_endings(form, base):
    assert base_of_diminutive(form) == base


@pytest.mark.parametrize(
    ("form", "base"),
    [
        ("bakkie", "bakkie"),
        ("bakkies", "bakkie"),
        ("polisiebakkies", "polisiebakkie"),
        ("bietjie", "bietjie"),
        ("koekies", "koekie"),
        ("mandjie", "mandjie"),
        ("ertjies", "ertjie"),
        ("meisie", "meisie"),
        ("boontjies", "boontjie"),
        ("mannetjie", "mannetjie"),
        ("liedjie", "liedjie"),
    ],
)
def test_words_of_their_own_stay(form, base):
    assert base_of_diminutive(form) == base


@pytest.mark.parametrize(
    "form",
    [
        *("kopie", "terapie", "politikie", "kommissie", "nasie", "familie", "polisies", "poësie"),
        *("tjie", "jie", "kie", "pie", "jies", "s", "", "skool", "ie"),
    ],
)
def test_what_is_no_diminutive_is_left(form):
    assert base_of_diminutive(form) is None


@given(st.text("aeioukptnrlmdsgjê-", max_size=8), st.sampled_from(["jie", "tjie", "pie", "kies"]))
def test_a_base_is_never_empty_nor_longer(stem, ending):
    base = base_of_diminutive(stem + ending)
    assert base is None or 0 < len(base) <= len(stem + ending)
