"""Shared by tests: button to paid."""

ROYAL = {"seat": 3, "hole": ["As", "Ks"]}


BOARD = ["Qs", "Js", "Ts", "2d", "3c"]
