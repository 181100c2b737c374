"""Promise: what pages show of claims and terms is what the order says.

Hits, terms, the tiers' counters and what decisions gave or limited are written beside the order so
that they can be looked up; each is held against the fold.
"""

from __future__ import annotations

import json
from dataclasses import asdict, astuple

from verifier.database.report import Scope
from verifier.database.rows import Connection, System, ask
from verifier.fold.books.state import State
from verifier.fold.terms.shapes import Refusal
from verifier.fold.terms.terms import read

KIND = "projections"
_HITS = """
    SELECT h.number, h.place, h.acts_at, g.code, h.round, h.terms, t.code, h.state, h.held,
           h.confirmed, h.report_entry, h.closing, h.strength,
           (h.corrected ->> 'entry')::bigint, h.payees::text, h.stops::text,
           h.pairing::text, h.clock::text
    FROM jackpot_hit h
    JOIN tables_gamingtable g ON g.id = h.table_id
    LEFT JOIN jackpot_tier t ON t.id = h.tier_id
    WHERE h.system_id = %s ORDER BY h.number
"""
_NAMES = (
    *("place", "acts_at", "table", "round", "terms", "tier", "state", "held", "confirmed"),
    *("report_entry", "ended", "strength", "corrected_at"),
)
_STEPS = """
    SELECT t.code, s.place, s.kind, s.fed_pool, s.fed_reserve, s.fed_overflow, s.pool, s.reserve,
           s.pool_limit, s.shown, s.shown_at, s.prize
    FROM jackpot_tierstep s JOIN jackpot_tier t ON t.id = s.tier_id WHERE t.system_id = %s
"""


def projections(connection: Connection, scope: Scope, system: System, state: State) -> None:
    """Compare hits, terms and counters with the fold."""
    _hits(connection, scope, system, state)
    rows = ask(
        connection,
        "SELECT number, document::text FROM jackpot_terms WHERE system_id = %s ORDER BY number",
        [system.id],
    )
    if [number for number, _ in rows] != list(range(1, len(state.terms) + 1)):
        scope.add(KIND, "terms", f"by the order there are {len(state.terms)} versions, not these")
    for (number, document), terms in zip(rows, state.terms, strict=False):
        try:
            same = read(json.loads(document)) == terms
        except Refusal:
            same = False
        if not same:
            scope.add(KIND, f"terms {number}", "the document is not what was put into effect")
    rows = ask(
        connection,
        "SELECT code, fed_pool, fed_reserve, fed_overflow, rolled FROM jackpot_tier"
        " WHERE system_id = %s",
        [system.id],
    )
    fed = {code: counters for code, *counters in rows}
    due = {c: [p.fed.pool, p.fed.reserve, 0, p.now.rolled] for c, p in state.pools.items()}
    for code in sorted(fed.keys() | due.keys()):
        if fed.get(code) != due.get(code):
            sentence = f"its counters are {fed.get(code)}, by the order they are {due.get(code)}"
            scope.add(KIND, f"tier {code}", sentence)
    _steps(connection, scope, system, state)


def _steps(connection: Connection, scope: Scope, system: System, state: State) -> None:
    rows = ask(connection, _STEPS, [system.id])
    written_steps = {(code, row[0]): row for code, *row in rows}
    due = {(c, step.place): [*astuple(step)] for c, p in state.pools.items() for step in p.noted}
    for code, place in sorted(written_steps.keys() | due.keys()):
        stored_step, due_step = written_steps.get((code, place)), due.get((code, place))
        if stored_step != due_step:
            sentence = f"its step at entry {place} is {stored_step}, by the order it is {due_step}"
            scope.add(KIND, f"tier {code}", sentence)


def _hits(connection: Connection, scope: Scope, system: System, state: State) -> None:
    numbers = set()
    for number, *values, payees, stops, pairing, clock in ask(connection, _HITS, [system.id]):
        numbers.add(number)
        hit = state.hits.get(number)
        if hit is None:
            scope.add(KIND, f"hit {number}", "the order knows no such hit")
            continue
        for name, value in zip(_NAMES, values, strict=True):
            if value != getattr(hit, name):
                due = getattr(hit, name)
                scope.add(KIND, f"hit {number}", f"{name} is {value}, by the order it is {due}")
        due_payees = [asdict(line) for line in hit.payees]
        if json.loads(payees) != due_payees:
            scope.add(KIND, f"hit {number}", f"its payees are {payees}, not {due_payees}")
        if json.loads(pairing) != hit.pairing:
            scope.add(KIND, f"hit {number}", f"its pairing is {pairing}, not {hit.pairing}")
        due_clock = hit.clock and {"at_us": hit.clock.at, "margin_us": hit.clock.margin}
        if json.loads(clock or "null") != due_clock:
            scope.add(KIND, f"hit {number}", f"its clock is {clock}, not {due_clock}")
        due_stops = [stop.row() for stop in hit.stops]
        if json.loads(stops) != due_stops:
            scope.add(KIND, f"hit {number}", f"its stops are {stops}, not {due_stops}")
    for number in sorted(state.hits.keys() - numbers):
        scope.add(KIND, f"hit {number}", "the order opened it, and it is missing")
