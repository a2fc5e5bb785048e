"""News agencies in bylines, apart from people; forms are those of the development pages."""

import csv

import pytest

from extraction.html.extract_page import extract_page
from extraction.html.fields.agencies import _LIST, agency_names, agency_of, part_agencies
from extraction.html.page import PageInput

# What a byline holds, its authors and its agencies as they are written.
BYLINES = {
    ("Reuters",): ((), ("Reuters",)),
    ("Deutsche Presse-Agentur",): ((), ("Deutsche Presse-Agentur",)),
    ("Agencia EFE",): ((), ("Agencia EFE",)),
    ("AFP/Nampa",): ((), ("AFP", "Nampa")),
    ("Sapa-AFP",): ((), ("Sapa", "AFP")),
    ("AFP/The Local",): (("The Local",), ("AFP",)),
    ("det/dpa",): ((), ("dpa",)),
    ("dsw", "DPA"): ((), ("DPA",)),
    ("Thandi Nkosi", "Reuters"): (("Thandi Nkosi",), ("Reuters",)),
    ("Reuters Staff",): ((), ("Reuters Staff",)),
    ("AFP-verslaggewer",): ((), ("AFP-verslaggewer",)),
    ("Netwerk24-verslaggewer",): ((), ("Netwerk24-verslaggewer",)),
    ("Sport-verslaggewer",): (("Sport-verslaggewer",), ()),
    ("Court Reporter",): (("Court Reporter",), ()),
    ("Anna-Marie Botha",): (("Anna-Marie Botha",), ()),
    ("jrobison",): (("jrobison",), ()),
}


@pytest.mark.parametrize("names", BYLINES)
def test_authors_and_agencies_are_parted(names):
    assert part_agencies(names) == BYLINES[names]


@pytest.mark.parametrize("name", ["Sid", "Hina", "Ani", "Map", "Sita", "Antara", "Lusa", "Ana"])
def test_a_first_name_is_no_agency_unless_it_is_in_capitals(name):
    assert agency_of(name) == ""


def test_spellings_have_one_name():
    assert agency_names(["Agence France-Presse", "SAPA", "AFP News Agency", "Sapa", "Ann"]) == [
        "AFP",
        "SAPA",
    ]


def test_the_list_names_each_agency_once_with_its_source():
    with _LIST.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))

    assert [row["name"] for row in rows] == sorted({row["name"] for row in rows}, key=str.casefold)
    assert all(row["country"] and "https://" in row["source"] for row in rows)
    spelled = [name for row in rows for name in (row["name"], *row["also"].split("; ")) if name]
    assert len(set(spelled)) == len(spelled)
    assert all(agency_of(name) for name in spelled)
    assert all(agency_of(row["name"]) == row["name"] for row in rows)


def test_a_page_names_people_and_agencies_apart():
    page = b"""<html><head><script type="application/ld+json">
      {"@type": "NewsArticle", "headline": "Rain in the Karoo",
       "author": [{"@type": "Person", "name": "Thandi Nkosi"}, {"name": "Reuters"}]}</script></head>
      <body><h1>Rain in the Karoo</h1><p>Rain fell on the farms of the Karoo for three days.</p>
      </body></html>"""

    found = extract_page(PageInput(body=page, url="https://karoo.example/rain"))

    assert (found.authors, found.agencies) == (("Thandi Nkosi",), ("Reuters",))
