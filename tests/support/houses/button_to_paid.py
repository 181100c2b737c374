"""The royal flush, hand and board, that stories take from the button to the payment."""

ROYAL = {"seat": 3, "hole": ["As", "Ks"]}


BOARD = ["Qs", "Js", "Ts", "2d", "3c"]
