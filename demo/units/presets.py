"""Hands that a visitor may want to report: one that wins, and some that teach something."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Preset:
    """A hand ready to be reported. Cards as the wire protocol writes them."""

    code: str
    name: str
    lesson: str
    hole: str
    board: str
    board2: str = ""
    folded: bool = False
    exposed: str = "yes"
    hole2: str = ""  # of the hand that beat it

    def values(self, game: str) -> dict[str, object]:
        """The values of the report form; an Omaha player holds two cards more."""
        more, more2 = (" 8d 4h", " 9c 3s") if game == "omaha" else ("", "")
        return {
            "hole": self.hole + more,
            "hole2": self.hole2 and self.hole2 + more2,
            "board": self.board,
            "board2": self.board2,
            "folded": self.folded,
            "won_pot": not self.folded and not self.hole2,
            "participating": True,
            "exposed": self.exposed,
        }


PRESETS = (
    Preset("royal", "Royal flush in spades", "the highest hand", "As Ks", "Qs Js Ts 2d 3c"),
    Preset("straight-flush", "Straight flush", "nine high", "9h 8h", "7h 6h 5h Kc 2d"),
    Preset("aces-full", "Aces full of tens", "the least that wins", "Ad Th", "Ah As Tc 6c 2s"),
    Preset(
        code="bad-beat",
        name="Bad beat",
        lesson="aces full, beaten by four kings",
        hole="As Ad",
        board="Ah Kh Ks 7d 7c",
        hole2="Kd Kc",
    ),
    Preset("below", "Aces full of nines", "below the terms (19.5)", "Ad 9h", "Ah As 9c 6c 2s"),
    Preset("mistyped", "A mistyped card", "it keeps its place", "As Ks", "Qs Js 10s 2d 3c"),
    Preset("twice", "The same card twice", "shown as a fault", "As Ks", "Qs Js Ts As 3c"),
    Preset(
        "folded", "A folded hand", "not eligible (19.17)", "As Ks", "Qs Js Ts 2d 3c", folded=True
    ),
    Preset(
        "refused",
        "Cards not shown",
        "refused (19.17)",
        "As Ks",
        "Qs Js Ts 2d 3c",
        exposed="refused",
    ),
    Preset(
        code="two-boards",
        name="Two boards",
        lesson="the first counts (19.18)",
        hole="As Ks",
        board="Qh 9s 5d 2c 7h",
        board2="Qs Js Ts 2d 3c",
    ),
)
