"""Misdeals and dead hands (20.1, 20.4, 20.33; Robert's 3), and which games have them."""

from __future__ import annotations

_STUDS = ("five_card_stud", "seven_card_stud")
_FLOPS = ("holdem", "pineapple", "crazy_pineapple", "omaha")

# Misdeals by the reason that a dealer asks by.
MISDEALS: dict[str, tuple[str, ...]] = {
    "cut_exposed": ("exposed_in_cut",),
    "not_shuffled_or_cut": ("not_shuffled",),
    "out_of_order": ("out_of_order",),
    "player_missed_or_extra_hand": ("missed_or_extra",),
    "wrong_count": ("wrong_count",),
    "defective_deck": ("defective_deck",),
    "cards_exposed": (
        *("exposed_in_deal", "wrong_face_up", "two_face_up", "wrong_face_up_seven"),
        *("two_face_up_seven", "three_face_up", "exposed_holes_manila", "exposed_holes"),
    ),
}
DEAD_HANDS = (
    *("acted_on_wrong_count", "last_with_wrong_count", "shown_from_the_muck", "not_discarded"),
    *("folded_facing_bet", "thrown_away", "picked_up_upcards", "wrong_number", "joker"),
    *("out_of_time", "in_the_muck", "mixed"),
)
# Those that not every game has.
GAMES: dict[str, tuple[str, ...]] = {
    "exposed_in_deal": ("draw",),
    **dict.fromkeys(("wrong_face_up", "two_face_up"), ("five_card_stud",)),
    **dict.fromkeys(
        ("wrong_face_up_seven", "two_face_up_seven", "three_face_up"), ("seven_card_stud",)
    ),
    "exposed_holes_manila": ("two_card_manila", "three_card_manila"),
    "exposed_holes": _FLOPS,
    "not_discarded": ("pineapple", "crazy_pineapple"),
    "picked_up_upcards": _STUDS,
}


def happens_in(misdeal: str, game: str | None) -> bool:
    """Whether the game, if anybody knows it, has such a misdeal or dead hand."""
    return game is None or game in GAMES.get(misdeal, (game,))
