"""Shared by tests: worked example."""

BOARD = ["Qs", "Js", "Ts", "2d", "3c"]
