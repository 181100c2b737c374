"""The rule book as pure functions over frozen values: no clock, no I/O, standard library only.

Rule numbers cited as ``19.17`` are those of the casino poker rules in force.
"""

RULES_VERSION: int = 2
"""Raised whenever a change here could judge an already recorded hand differently."""
