"""What a dealer types at the unit in a terminal, turned into the values of its forms.

open omaha seats=1,2,3,4 dealer=Tom
press
complete pot=120 drop=2 commission=6
call royal 3
report As Ks | Qs Js Ts 2d 3c seat=3
report As Ad | Ah Kh Ks 7d 7c seat=2 beaten-by=Kd,Kc seat2=4
amend As Ks | Qs Js Ts 2d 4c
void defective_deck a card with a mark
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rules.games import GAMES

FIGURES = {
    "pot": "pot",
    "uncalled": "uncalled",
    "commission": "commission",
    "drop": "jackpot_drop",
}
_FLAGS: dict[str, dict[str, object]] = {
    "folded": {"folded": True, "won_pot": False},
    "refused": {"exposed": "refused"},
    "not-asked": {"exposed": "not_requested"},
    "lost": {"won_pot": False},
    "out": {"participating": False},
    "on-request": {"flop_on_request": True},
}
HELP = (
    ("open [game] [seats=1,2,3] [dealer=Tom]", "open the table, or change its session"),
    ("press", "the jackpot button: a round starts"),
    ("complete [pot=120 drop=2 commission=6 uncalled=0]", "the round's figures"),
    ("call [prize] [seat]", "three taps take the hand's place"),
    ("report As Ks | Qs Js Ts 2d 3c [| second board]", "also: seat=3 " + " ".join(_FLAGS)),
    ("report As Ad | Ah Kh Ks 7d 7c beaten-by=Kd,Kc", "a bad beat; also: seat=2 seat2=4"),
    ("amend ...", "as report: the hand keeps its place"),
    ("void reason [note]", "ask for a void"),
    ("missed count [note]", "say that the button was forgotten"),
    ("withdraw [reason]", "ask to withdraw the hand"),
    ("close", "close the table"),
    ("quit", "leave; the unit's journal stays"),
)  # fmt: skip

Values = dict[str, object]


class TypedError(ValueError):
    """The line cannot be understood; the message says how to write it."""


def parse(line: str) -> tuple[str, Values]:
    """The action's name and the values that were typed; what was left out has its usual value.

    >>> parse("report As Ks | Qs Js Ts 2d 3c seat=5 folded")[1]["board"]
    'Qs Js Ts 2d 3c'
    >>> parse("complete pot=120 drop=2")
    ('complete', {'pot': '120', 'jackpot_drop': '2'})
    """
    name, _, rest = line.strip().partition(" ")
    if name not in _READERS:
        raise TypedError(f"There is no “{name}”. Type help.")
    return ("report" if name == "amend" else name), _READERS[name](rest.split())


def _open(words: Sequence[str]) -> Values:
    values: Values = {}
    for word in words:
        name, is_named, value = word.partition("=")
        if word in GAMES:
            values["game"] = word
        elif is_named and name == "seats":
            values["seats"] = value.split(",")
        elif is_named and name in {"dealer", "stakes", "game"}:
            values[name] = value
        else:
            raise TypedError(f"“{word}”? Games: {', '.join(GAMES)}.")
    return values


def _complete(words: Sequence[str]) -> Values:
    values: Values = {}
    for word in words:
        name, is_named, value = word.partition("=")
        if not is_named or name not in FIGURES:
            raise TypedError(f"“{word}”? Write {', '.join(f'{each}=...' for each in FIGURES)}.")
        values[FIGURES[name]] = value
    return values


def _call(words: Sequence[str]) -> Values:
    values: Values = {}
    for word in words:
        values["seat" if word.isdigit() else "tier"] = word
    return values


def _report(words: Sequence[str]) -> Values:
    values: Values = {}
    cards: list[list[str]] = [[]]
    for word in words:
        if word == "|":
            cards.append([])
        elif word.startswith(("seat=", "seat2=")):
            name, _, seat = word.partition("=")
            values[name] = seat
        elif word.startswith("beaten-by="):
            values |= {"hole2": word.removeprefix("beaten-by=").replace(",", " "), "won_pot": False}
        elif word in _FLAGS:
            values |= _FLAGS[word]
        else:
            cards[-1].append(word)
    if not cards[0] or len(cards) > 3:
        raise TypedError("Write the hole cards, then | and the board: As Ks | Qs Js Ts 2d 3c")
    for name, texts in zip(("hole", "board", "board2"), [*cards, [], []], strict=False):
        values[name] = " ".join(texts)
    return values


def _reason_and_note(first: str) -> Callable[[Sequence[str]], Values]:
    def read(words: Sequence[str]) -> Values:
        if not words:
            raise TypedError(f"Say the {first} first, then a note.")
        return {first: words[0], "note": " ".join(words[1:])}

    return read


def _withdraw(words: Sequence[str]) -> Values:
    return {"reason": " ".join(words)} if words else {}


def _nothing(words: Sequence[str]) -> Values:
    if words:
        raise TypedError(f"Nothing follows: “{' '.join(words)}”?")
    return {}


_READERS: dict[str, Callable[[Sequence[str]], Values]] = {
    "open": _open,
    "press": _nothing,
    "complete": _complete,
    "call": _call,
    "report": _report,
    "amend": _report,
    "void": _reason_and_note("reason"),
    "missed": _reason_and_note("count"),
    "withdraw": _withdraw,
    "close": _nothing,
}
