"""Every text can be read in a dim pit: WCAG AA, computed from the style sheets."""

import pytest

from tests.support.pages.browser.colours import colours, contrast

DARK = colours("tokens.css")
LIGHT = {**DARK, **colours("light.css")}
THEMES = pytest.mark.parametrize("theme", [DARK, LIGHT], ids=["dark", "light"])

SURFACES = ("bg", "surface", "surface-2", "surface-3")
TEXT = [(text, surface) for text in ("text", "muted") for surface in SURFACES]
LINKS = [("link", surface) for surface in SURFACES[:3]]
MEANINGS = [
    (meaning, surface)
    for meaning in ("ok", "warn", "bad", "info", "violet")
    for surface in (f"{meaning}-bg", "bg", "surface")
]
OTHERS = [
    ("text", "ok-bg"),
    ("text", "warn-bg"),
    ("text", "bad-bg"),
    ("text", "info-bg"),
    ("brass", "surface"),
    ("brass-ink", "brass"),
    ("brass-ink", "brass-hover"),
    ("danger-ink", "danger"),
    ("danger-ink", "danger-hover"),
    ("spade", "face"),
    ("heart", "face"),
    ("bad-bg", "bad"),
]


@THEMES
@pytest.mark.parametrize(("text", "surface"), [*TEXT, *LINKS, *MEANINGS, *OTHERS])
def test_text_reads_at_4_5(theme: dict[str, str], text: str, surface: str) -> None:
    assert contrast(theme[text], theme[surface]) >= 4.5


@THEMES
@pytest.mark.parametrize("surface", SURFACES[:3])
@pytest.mark.parametrize("edge", ["line-strong", "focus"])
def test_edges_of_controls_and_focus_are_seen_at_3(
    theme: dict[str, str], edge: str, surface: str
) -> None:
    assert contrast(theme[edge], theme[surface]) >= 3


@pytest.mark.parametrize("suit", sorted(colours("tokens.css", ':root[data-deck="four"]')))
def test_four_card_colours_read_on_the_face_and_differ(suit: str) -> None:
    four = colours("tokens.css", ':root[data-deck="four"]')
    assert contrast(four[suit], DARK["face"]) >= 4.5
    assert four[suit] not in (DARK["spade"], DARK["heart"])


def test_the_focus_ring_is_seen_beside_the_brass_button() -> None:
    # The ring stands off by two pixels of the surface.
    assert contrast(DARK["focus"], DARK["surface"]) >= 3


def test_light_changes_only_colours_that_there_are() -> None:
    assert set(colours("light.css")) <= set(DARK)


@pytest.mark.parametrize("text", ["text", "muted", "gold", "gold-soft"])
def test_the_display_reads_from_five_metres(text: str) -> None:
    board = colours("display.css")
    assert contrast(board[text], board["bg"]) >= 7
