"""The contrast table of the visual language, computed from the style sheet; one set of tokens."""

import re
from pathlib import Path

import pytest

STATIC = Path(__file__).resolve().parents[3] / "static"
SHEET = (STATIC / "broadsheet.css").read_text()
ADMIN = (STATIC / "admin-colours.css").read_text()
THEMES = ("light", "dark")


def _tokens(block):
    return dict(re.findall(r"--([a-z0-9-]+): (#[0-9a-f]{3,6})", block))


def _blocks(text, selectors):
    """Token blocks in their order: light, dark by the system, dark by choice."""
    found = [text[text.index(f"{selector} {{") :] for selector in selectors]
    return [_tokens(block[: block.index("}")]) for block in found]


LIGHT, SYSTEM_DARK, DARK = _blocks(
    SHEET, ["\n:root", ':root:not([data-theme="light"])', '\n:root[data-theme="dark"]']
)
COLOURS = {"light": LIGHT, "dark": DARK}


def _luminance(colour):
    digits = colour.lstrip("#")
    digits = "".join(2 * digit for digit in digits) if len(digits) == 3 else digits
    values = [int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4)]
    linear = [
        value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in values
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    """Contrast ratio of WCAG 2.2."""
    bright, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (bright + 0.05) / (dark + 0.05)


def test_contrast_of_black_on_white_is_21():
    assert contrast("#000", "#ffffff") == pytest.approx(21)


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("ground", ["paper", "sheet", "sunk"])
@pytest.mark.parametrize("ink", ["ink", "ink-2", "ink-3", "link", "hit"])
def test_text_is_readable_on_every_ground(theme, ground, ink):
    colours = COLOURS[theme]

    assert contrast(colours[ink], colours[ground]) >= 4.5


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize(
    ("ink", "ground"),
    [
        ("ok", "ok-tint"),
        ("warn", "warn-tint"),
        ("bad", "bad-tint"),
        ("link", "link-tint"),
        ("hit", "hit-tint"),
        ("ink", "mark"),
        ("hit", "mark"),
        ("sheet", "ink"),
        *((f"c{number}", "sheet") for number in range(1, 7)),
    ],
)
def test_states_marks_and_series_are_readable_on_their_own_ground(theme, ink, ground):
    colours = COLOURS[theme]

    assert contrast(colours[ink], colours[ground]) >= 4.5


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("ground", ["paper", "sheet", "sunk"])
def test_borders_of_controls_are_visible(theme, ground):
    colours = COLOURS[theme]

    assert contrast(colours["edge"], colours[ground]) >= 3


@pytest.mark.parametrize(
    ("theme", "token", "ground", "ratio"),
    [
        ("light", "ink", "sheet", 17.7),
        ("light", "ink-3", "sunk", 4.9),
        ("light", "link", "paper", 6.3),
        ("light", "edge", "sunk", 3.1),
        ("dark", "ink", "sheet", 14.1),
        ("dark", "hit", "paper", 8.9),
        ("dark", "edge", "sheet", 4.4),
    ],
)
def test_the_table_of_the_visual_language_is_what_the_sheet_says(theme, token, ground, ratio):
    colours = COLOURS[theme]

    assert contrast(colours[token], colours[ground]) == pytest.approx(ratio, abs=0.06)


def test_dark_is_the_same_by_the_system_and_by_choice():
    assert SYSTEM_DARK == DARK


def test_the_admin_has_the_same_colours():
    light, system_dark, dark = _blocks(
        ADMIN, ["\nbody", "body:not(.theme-light)", "\nbody.theme-dark"]
    )

    assert light.items() <= LIGHT.items()
    assert system_dark == dark
    assert dark.items() <= DARK.items()
    assert set(light) == set(dark)


def test_the_sheets_load_nothing_from_elsewhere():
    assert re.findall(r"url\(|@import|@font-face", SHEET + ADMIN) == []
