"""The hand as the dealer reported it: raw, and perhaps wrong.

Card texts stay as they were typed. What they are worth is the business of ``rules.verdict``.
"""

from dataclasses import dataclass
from typing import Literal

Exposed = Literal["yes", "refused", "not_requested"]
"""Whether the player laid his hole cards open when the dealer asked (rule 19.17)."""


@dataclass(frozen=True, slots=True)
class ReportedSeat:
    """One player's hand in the report.

    >>> ReportedSeat(3, ("Js", "Ts"), "yes", folded=False, participating=True, won_pot=True).seat
    3
    """

    seat: int
    hole: tuple[str, ...]
    exposed: Exposed
    folded: bool
    participating: bool
    """The player takes part in the jackpot (rule 1.0, definition of Poker Jackpot)."""
    won_pot: bool
    dead: str | None = None
    """A supervisor ruled the hand dead: the code of the ruling in ``rules.dead_hands``."""


@dataclass(frozen=True, slots=True)
class HandReport:
    """A reported hand; mirrors ``hand_reported`` of the wire protocol.

    >>> flop = ("As", "Ks", "Qs")
    >>> report = HandReport("holdem", 52, (flop,), True, (), players_dealt=6, pot_minor=None)
    >>> report.round_void
    False
    """

    game: str
    deck: int
    boards: tuple[tuple[str, ...], ...]
    """The first counts; later ones are evidence (rule 19.18)."""
    flop_on_request: bool
    """All others had folded and the player asked for the flop (rule 19.16)."""
    seats: tuple[ReportedSeat, ...]
    players_dealt: int | None
    """How many players were dealt in; None while nobody has said."""
    pot_minor: int | None
    """The pot in minor units of the currency; None until the round is completed."""
    round_void: bool = False
    """A supervisor declared the round void (rule 20.1)."""
    misdeal: str | None = None
    """Why, if it was said: the code of the misdeal in ``rules.dead_hands``."""
