import pytest
from cpu_time import takes_less

from extraction.html.markup.cleaning import clean
from extraction.html.markup.parse import parse_html


def cleaned(markup):
    root = parse_html(f"<body>{markup}")
    clean(root)
    return " ".join("".join(root.itertext()).split())


@pytest.mark.parametrize("n_styled", [0, 1_500, 3_000])
def test_hidden_elements_go_however_many_have_a_style(n_styled):
    others = "<i style='color: red'>x</i>" * n_styled

    text = cleaned(f"{others}<p>a <b style='display:none'>b</b> c <b hidden>d</b> e</p>")

    assert text.removeprefix("x" * n_styled) == "a c e"


@pytest.mark.parametrize("n_hidden", [1, 2_500])
def test_text_behind_hidden_elements_stays_in_its_place(n_hidden):
    page = parse_html("<body><p>0 " + "<b hidden>h</b>1 <i>2</i> " * n_hidden)

    clean(page)

    assert "".join(page.itertext()).strip() == ("0 " + "1 2 " * n_hidden).strip()
    assert not page.xpath("//*[@hidden]")


def test_hidden_inside_hidden_and_the_body_itself():
    root = parse_html("<body hidden><div hidden>a<p hidden>b</p>c</div>d")

    clean(root)

    assert "".join(root.itertext()) == "d"


def test_a_hundred_thousand_hidden_elements_take_no_time():
    page = parse_html("<body><p>" + "<b hidden>h</b>word " * 90_000)

    assert takes_less(2, lambda: clean(page))  # seconds; minutes if texts are moved one by one
    assert "".join(page.itertext()).split() == ["word"] * 90_000
