"""The books at the end of a block, small enough to keep: from there a fold can go on.

What the future of an order may touch is kept whole: balances, counters, terms, sessions, hits
that are open or may yet be paid, each tier's last hit before them, the newest rounds of every
table. An entry that reaches behind that is not covered, and the order is folded from its start.
"""

from __future__ import annotations

import datetime as dt
import hashlib
from collections import defaultdict
from dataclasses import dataclass, field, replace
from typing import Any

import msgspec

from jackpot.audit.recorded_blocks import Sealed
from jackpot.domain.command_handlers.rounds import rounds_named
from jackpot.domain.state.blocks import canonical, instant
from jackpot.domain.state.books import SYSTEM_ACCOUNTS, Books, Hit, Round
from jackpot.domain.state.hits import Closing, ContributionTotals, Correction, Limit, Step
from jackpot.domain.versions import PRESENT
from jackpot.hits.states import OUT, HitState
from jackpot.terms.document import to_json
from jackpot.terms.posted_terms import parse
from jackpot.terms.press_rate import Presses

ROUNDS_KEPT = 20  # of each table
# Of the fold and of what it keeps: books that another one kept are not gone on from.
SHAPE = hashlib.sha256(
    canonical(
        [
            PRESENT,
            *([kind.__name__, *kind.__annotations__] for kind in (Books, Round, Hit)),
            *(
                [kind.__name__, *kind.__annotations__]
                for kind in (ContributionTotals, Correction, Limit)
            ),
        ]
    )
).hexdigest()


@dataclass(slots=True)
class Checkpoint:
    """Books behind a block. `floors`: rounds of a table below were forgotten."""

    books: Books
    block: int = 0
    hash: bytes = bytes(32)
    floors: dict[str, int] = field(default_factory=dict)

    def covers(self, sealed: Sealed, hits_through: int) -> bool:
        """Whether the books hold all that the block's entries touch of the past.

        `hits_through`: the last hit there was where this fold began.
        """
        books = self.books
        for recorded in sealed.entries:
            line = recorded.line
            if line.kind == "event" and line.table is not None and line.round is not None:
                if self._is_forgotten((line.table, line.round)):
                    return False
            elif line.command is not None:
                match recorded.source[1]:
                    case {"hit": int() as hit} if 0 < hit <= hits_through:
                        if hit not in books.hits:
                            return False
                        # One that comes back acts at its place: the replays must reach so far.
                        behind = max(books.anchors.values(), default=0) < books.hits[hit].place
                        if line.type == "reverse_rejection" and not behind:
                            return False
                if any(map(self._is_forgotten, rounds_named(recorded.source[1]))):
                    return False
        return True

    def _is_forgotten(self, key: tuple[str, int]) -> bool:
        return key[1] < self.floors.get(key[0], 0) and key not in self.books.rounds

    def forget_rounds(self, retention: int) -> None:
        """Keep the newest rounds of each table, and those that a hit stands on."""
        of_table: dict[str, list[int]] = defaultdict(list)
        for table, number in self.books.rounds:
            if number > 0:  # below stand hands of which nobody knew the round: few
                of_table[table].append(number)
        standing = {(hit.table, hit.round) for hit in self.books.hits.values()}
        for table, numbers in of_table.items():
            old = sorted(numbers)[:-retention]
            if old:
                self.floors[table] = max(self.floors.get(table, 0), old[-1] + 1)
            for number in old:
                if (table, number) not in standing:
                    del self.books.rounds[table, number]


def empty(system: str, digits: int) -> Checkpoint:
    """Where every order begins."""
    return Checkpoint(
        Books(
            system=system,
            digits=digits,
            seq=0,
            transfer_number=0,
            hit_number=0,
            terms_number=0,
            balances=dict.fromkeys(SYSTEM_ACCOUNTS, 0),
            fed={},
            terms={},
            sessions={},
            rounds={},
            hits={},
            displayed={},
            displayed_seq=None,
        )
    )


def pack(end: Checkpoint) -> dict[str, Any]:
    """As JSON, without what no entry to come should touch."""
    books = end.books
    hits, anchors = _still_moving(books)
    small = Checkpoint(
        replace(books, hits=hits, rounds=dict(books.rounds)), end.block, end.hash, {**end.floors}
    )
    small.forget_rounds(ROUNDS_KEPT)
    rounds = small.books.rounds
    # The hand of a kept round may be repeated: its hit must be known.
    hits |= {r.hit: books.hits[r.hit] for r in rounds.values() if r.hit in books.hits}
    # All claims of one hand, or none.
    hands = {(hit.table, hit.round) for hit in hits.values()}
    hits |= {n: hit for n, hit in books.hits.items() if (hit.table, hit.round) in hands}
    return {
        "shape": SHAPE,
        "block": end.block,
        "hash": end.hash.hex(),
        "floors": small.floors,
        "system": books.system,
        "digits": books.digits,
        "seq": books.seq,
        "transfer_number": books.transfer_number,
        "hit_number": books.hit_number,
        "terms_number": books.terms_number,
        "balances": books.balances,
        "fed": {tier: [fed.pool, fed.reserve, fed.overflow] for tier, fed in books.fed.items()},
        "terms": [[number, to_json(terms)] for number, terms in books.terms.items()],
        "sessions": books.sessions,
        "session_at": books.session_at,
        "presses": msgspec.to_builtins(books.presses),
        "rounds": [[*key, msgspec.to_builtins(round_)] for key, round_ in rounds.items()],
        "hits": [msgspec.to_builtins(hits[number]) for number in sorted(hits)],
        "displayed": books.displayed,
        "displayed_seq": books.displayed_seq,
        "anchors": anchors,
        "limits": books.limits,
        "periods": {tier: instant(began) for tier, began in books.periods.items()},
        "rolled": books.rolled,
        "day_closed": books.day_closed,
        "month_closed": books.month_closed,
        "steps": {
            tier: [_packed(step) for step in _from(steps, anchors.get(tier, 0))]
            for tier, steps in books.steps.items()
        },
    }


def unpack(checkpoint: dict[str, Any]) -> Checkpoint:
    """The checkpoint that `pack` of the same SHAPE made."""
    same = (
        "system",
        "digits",
        "seq",
        "transfer_number",
        "hit_number",
        "terms_number",
        "balances",
        "sessions",
        "displayed",
        "displayed_seq",
        "anchors",
        "limits",
        "rolled",
        "day_closed",
        "month_closed",
    )
    hits = msgspec.convert(checkpoint["hits"], list[Hit])
    books = Books(
        fed={tier: ContributionTotals(*counters) for tier, counters in checkpoint["fed"].items()},
        terms={number: parse(document) for number, document in checkpoint["terms"]},
        rounds={
            (table, number): msgspec.convert(round_, Round)
            for table, number, round_ in checkpoint["rounds"]
        },
        hits={hit.number: hit for hit in hits},
        periods={
            tier: dt.datetime.fromisoformat(began) for tier, began in checkpoint["periods"].items()
        },
        session_at={table: (boot, seq) for table, (boot, seq) in checkpoint["session_at"].items()},
        presses=msgspec.convert(checkpoint["presses"], dict[str, Presses]),
        steps={tier: [_step(*row) for row in rows] for tier, rows in checkpoint["steps"].items()},
        **{name: checkpoint[name] for name in same},
    )
    return Checkpoint(
        books, checkpoint["block"], bytes.fromhex(checkpoint["hash"]), checkpoint["floors"]
    )


def digest(checkpoint: dict[str, Any]) -> bytes:
    """What seals the kept books: SHA-256 of their canonical form."""
    return hashlib.sha256(canonical(checkpoint)).digest()


def _from(steps: list[Step], anchor: int) -> list[Step]:
    """What a replay that begins at the anchor still meets, with the limit in force there."""
    limits = [step for step in steps if isinstance(step, Limit) and step.place < anchor]
    return [*limits[-1:], *(step for step in steps if step.place >= anchor)]


def _packed(step: Step) -> list[Any]:
    fed = [step.fed.pool, step.fed.reserve, step.fed.overflow]
    match step:
        case Limit():
            return ["limit", step.place, fed, step.limit]
        case Closing():
            return ["period", step.place, fed, step.shown, step.shown_at, step.prize]
        case Correction():
            return ["correction", step.place, fed, step.pool, step.reserve]


def _step(kind: str, place: int, fed: list[int], *rest: Any) -> Step:
    kind_of_body = {"limit": Limit, "period": Closing, "correction": Correction}[kind]
    step: Step = kind_of_body(place, ContributionTotals(*fed), *rest)
    return step


def _still_moving(books: Books) -> tuple[dict[int, Hit], dict[str, int]]:
    """Hits that a decision or a payment can still move, and where each tier's replay begins."""
    held, confirmed = HitState.HELD, HitState.CONFIRMED  # looked up once: there may be many hits
    earliest = min(
        (min(hit.place, hit.acts_at) for hit in books.hits.values() if hit.state == held),
        default=None,
    )
    anchors = dict(books.anchors)
    hits = {}
    for hit in books.hits.values():
        before = earliest is None or hit.acts_at < earliest
        if not before or hit.state == confirmed or hit.round < 0:
            hits[hit.number] = hit
        if before and hit.state not in OUT and hit.tier is not None:
            anchors[hit.tier] = max(anchors.get(hit.tier, 0), hit.acts_at)
    for hit in books.hits.values():
        if hit.tier is not None and hit.acts_at == anchors.get(hit.tier):
            hits[hit.number] = hit
    return hits, anchors
