"""A report with a mistyped card, and amounts by which the order of hands shows."""

from jackpot.terms.money import MICROS

UNIT, RESET = MICROS, 20 * MICROS


BOARD, MISTYPED = "Qs Js Ts 2d 3c", "As Xs"


REPORT = {
    "boards": [BOARD.split()],
    "hands": [
        {
            "seat": 3,
            "hole": ["As", "Ks"],
            "exposed": "yes",
            "folded": False,
            "participating": True,
            "won_pot": True,
        },
        {
            "seat": 6,
            "hole": [],
            "exposed": "not_requested",
            "folded": True,
            "participating": False,
            "won_pot": False,
        },
    ],
    "seats_dealt": [1, 2, 3, 4, 5, 6],
    "button_seat": 2,
}
