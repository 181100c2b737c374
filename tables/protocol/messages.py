"""The message types of wire protocol version 1.

Structure is judged here (unknown fields, types, sizes); the meaning of cards, hands and
figures is not: an impossible hand is sequenced and the fault becomes a reason in its
verification, so that a slip of the finger never costs a player his place.

Amounts are integers in the currency's minor unit.
"""

from __future__ import annotations

import datetime as dt
from typing import Annotated, ClassVar, Literal

import msgspec
from msgspec import Meta

MAX_BYTES = 8 * 1024
MAX_INTEGER = 2**53 - 1
ROUNDS_OF_A_BOOT = 1_000_000  # the rounds of a boot begin at its number times this
# The last boot whose rounds can be numbered.
MAX_BOOT = MAX_INTEGER // ROUNDS_OF_A_BOOT - 1

Counter = Annotated[int, Meta(ge=1, le=MAX_INTEGER)]
Boot = Annotated[int, Meta(ge=1, le=MAX_BOOT)]
MOST_AMOUNT = 10**12  # minor units: what protocol and displays can say
Amount = Annotated[int, Meta(ge=0, le=MOST_AMOUNT, description="minor units of the currency")]
Seat = Annotated[int, Meta(ge=1, le=23)]
Seats = Annotated[list[Seat], Meta(max_length=23)]
Instant = Annotated[dt.datetime, Meta(tz=True, description="RFC 3339 with offset")]
# A lookahead rather than an anchored class: `$` would let a trailing newline through.
Text = Annotated[str, Meta(max_length=200, pattern=r"^(?![\s\S]*[\x00-\x1f\x7f-\x9f])")]
Code = Annotated[str, Meta(pattern=r"^[a-z0-9-]{1,32}(?![\s\S])")]
CardText = Annotated[str, Meta(max_length=8, pattern=r"^(?![\s\S]*[\x00-\x1f\x7f-\x9f])")]
GameCode = Literal[
    "holdem",
    "pineapple",
    "crazy_pineapple",
    "omaha",
    "two_card_manila",
    "three_card_manila",
    "draw",
    "five_card_stud",
    "seven_card_stud",
]
VoidReason = Literal[
    "cut_exposed",
    "not_shuffled_or_cut",
    "out_of_order",
    "player_missed_or_extra_hand",
    "wrong_count",
    "defective_deck",
    "cards_exposed",
]


class Event(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    tag_field="type",
    forbid_unknown_fields=True,
    omit_defaults=True,
):
    """What every event of a table unit carries. (system, table, boot, seq) is its identity."""

    type: ClassVar[str]
    v: Literal[1]
    system: Code
    table: Code
    boot: Boot
    seq: Counter
    recorded_at: Instant
    test: bool = False


class SessionOpened(Event, frozen=True, kw_only=True, tag="session_opened"):
    """The table opens with a game and a deck."""

    type = "session_opened"
    game: GameCode
    deck: Literal[52, 40, 36, 32]
    dealer: Text
    seats_in_play: Seats
    stakes: Text | None = None


class SessionChanged(Event, frozen=True, kw_only=True, tag="session_changed"):
    """Game, deck, dealer, seats or stakes changed."""

    type = "session_changed"
    game: GameCode
    deck: Literal[52, 40, 36, 32]
    dealer: Text
    seats_in_play: Seats
    stakes: Text | None = None


class SessionClosed(Event, frozen=True, kw_only=True, tag="session_closed"):
    """The table closes."""

    type = "session_closed"


class RoundStarted(Event, frozen=True, kw_only=True, tag="round_started"):
    """The jackpot button at the commencement of a round (19.9)."""

    type = "round_started"
    round: Counter
    seats_dealt: Seats | None = None


class RoundCompleted(Event, frozen=True, kw_only=True, tag="round_completed"):
    """The figures of the round at its completion (19.10)."""

    type = "round_completed"
    round: Counter
    jackpot_drop: Amount | None = None
    pot: Amount | None = None
    uncalled: Amount | None = None
    commission: Amount | None = None
    flop_dealt: bool | None = None
    blinds_only: bool | None = None
    tied_alone: bool | None = None
    seats_dealt: Seats | None = None


class RoundsMissed(Event, frozen=True, kw_only=True, tag="rounds_missed"):
    """The dealer's word that the button was forgotten (19.19): a request."""

    type = "rounds_missed"
    count: Annotated[int, Meta(ge=1, le=1000)]
    note: Text | None = None


class VoidRequested(Event, frozen=True, kw_only=True, tag="void_requested"):
    """A misdeal or a defective deck (20.1): a supervisor decides."""

    type = "void_requested"
    round: Counter
    reason: VoidReason
    note: Text | None = None


class HandCalled(Event, frozen=True, kw_only=True, tag="hand_called"):
    """Three taps: the hand takes its place in the order (19.11, 19.14(b))."""

    type = "hand_called"
    round: Counter
    tier: Code | None = None
    seats: Seats


class ReportedHand(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One seat of a reported hand, as the dealer typed it."""

    seat: Seat
    hole: Annotated[list[CardText], Meta(max_length=10)]
    exposed: Literal["yes", "refused", "not_requested"]
    folded: bool
    participating: bool
    won_pot: bool


class HandReported(Event, frozen=True, kw_only=True, tag="hand_reported"):
    """The winning hand on the handset (19.11); the first board counts (19.18)."""

    type = "hand_reported"
    round: Counter
    boards: Annotated[
        list[Annotated[list[CardText], Meta(max_length=10)]], Meta(min_length=1, max_length=7)
    ]
    flop_on_request: bool = False
    hands: Annotated[list[ReportedHand], Meta(min_length=1, max_length=23)]
    called_seq: Counter | None = None
    seats_dealt: Seats | None = None
    button_seat: Seat | None = None
    pot: Amount | None = None


class HandWithdrawn(Event, frozen=True, kw_only=True, tag="hand_withdrawn"):
    """A call or report made in error: a request, a supervisor decides."""

    type = "hand_withdrawn"
    called_seq: Counter | None = None
    reported_seq: Counter | None = None
    reason: Text
    round: Counter | None = None


class EventsLost(Event, frozen=True, kw_only=True, tag="events_lost"):
    """The journal lost these events of this boot: the gap is closed."""

    type = "events_lost"
    from_seq: Counter
    to_seq: Counter


AnyEvent = (
    SessionOpened
    | SessionChanged
    | SessionClosed
    | RoundStarted
    | RoundCompleted
    | RoundsMissed
    | VoidRequested
    | HandCalled
    | HandReported
    | HandWithdrawn
    | EventsLost
)


class Presence(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True
):
    """A unit's presence, or its last will. `boot` 0: a unit without memory, and no `last_seq`."""

    v: Literal[1]
    state: Literal["online", "offline"]
    boot: Annotated[int, Meta(ge=0, le=MAX_BOOT)]
    connection: Annotated[int, Meta(ge=0, le=MAX_INTEGER)]
    last_seq: Annotated[int, Meta(ge=0, le=MAX_INTEGER)] | None = None
    at: Instant | None = None


class Shown(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One tier's value as a display showed it, in minor units."""

    tier: Code
    value: Amount


class Reading(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a display at a table shows, read back (19.8)."""

    v: Literal[1]
    display: Code
    at: Instant
    terms: Annotated[int, Meta(ge=0, le=MAX_INTEGER)]
    shown: Annotated[list[Shown], Meta(max_length=64)]
    system_seq: Annotated[int, Meta(ge=0, le=MAX_INTEGER)]


Outcome = Literal["recorded", "duplicate", "quarantined", "sequenced"]


class Result(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The outcome of one event in a receipt."""

    seq: int
    outcome: Outcome
    reason: str | None = None
    system_seq: int | None = None
    hit: list[int] | None = None


class Receipt(msgspec.Struct, frozen=True, kw_only=True):
    """The console's answer, sent after its commit.

    `committed_seq`: every event of that boot up to it is held; within an era it never falls.
    """

    v: Literal[1] = 1
    era: int
    boot: int
    committed_seq: int
    next_boot: int
    resend_from: int | None
    results: list[Result]


event_decoder: msgspec.json.Decoder[AnyEvent] = msgspec.json.Decoder(AnyEvent)
encoder = msgspec.json.Encoder()
