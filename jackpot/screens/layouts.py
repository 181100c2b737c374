"""What a screen can show, and what a house can choose of its look."""

from django.utils.translation import gettext_noop as _

MAIN, TIERS, WINNERS, HIGH_HANDS, SLIDES, LOBBY = (
    *("main", "tiers", "winners", "high_hands"),
    *("slides", "lobby"),
)
LAYOUTS = {
    MAIN: _("The highest prize, large"),
    TIERS: _("All prizes"),
    WINNERS: _("The last winners"),
    HIGH_HANDS: _("High hands: who leads"),
    SLIDES: _("Slides"),
    LOBBY: _("Lobby: jackpot systems side by side"),
}
OF_PERIODS = {MAIN, TIERS, HIGH_HANDS, LOBBY}  # they say who leads a high hand
TURNS = {
    0: _("Not rotated"),
    90: _("A quarter turn to the right"),
    270: _("A quarter turn to the left"),
}
HOUSE_FONT = "house"  # the file that the house sent
# Fonts that every browser has one of; none is loaded.
FONTS = {
    "sans": _("Plain"),
    "serif": _("With serifs"),
    "rounded": _("Rounded"),
    "narrow": _("Narrow"),
}
BACKGROUND, TEXT, ACCENT = "#07090c", "#f4f1ea", "#f5cc73"  # where the house says nothing
