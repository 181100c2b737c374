"""Two people take back a rejection that was wrong: the tier's story is played with the hand again.

It acts where it acted, whatever was confirmed for others since (`Pool` says who pays for that).
"""

from __future__ import annotations

from verifier.database.rows import Entry
from verifier.fold.books.state import State
from verifier.fold.claims.candidates import leave
from verifier.fold.claims.claims import is_for, share_out, weigh
from verifier.fold.entries.device_events import Body, Outcome, stands, won_by
from verifier.fold.entries.payments import ANY, EVIDENCE, hit_of, two_people
from verifier.fold.terms.shapes import fields, maybe, require


def reverse_rejection(state: State, entry: Entry, body: Body) -> Outcome:
    """The hand is judged by the last report that anybody gave of it."""
    shape = {"hit": ANY, "report_entry": maybe(ANY), "reason": EVIDENCE, "evidence": EVIDENCE}
    fields(body, shape)
    two_people(entry)
    hit = hit_of(state, body)
    require(hit.state == "rejected", "it is not rejected")
    newest = hit.corrected or (hit.report_entry, hit.report)
    require(body["report_entry"] == newest[0], "the report was corrected since")
    tier = hit.tier
    in_play = tier is None or state.pool_account_of(tier) == f"{tier}:pool"
    require(in_play, "its prize was closed")
    hit.state, hit.corrected = "held", None
    hit.report_entry, hit.report = newest
    state.open[hit.number] = hit
    if hit.is_required:
        return stands(state, hit)
    won = [] if hit.report is None else won_by(state, hit, hit.report)
    if won and tier not in won:
        claimed = {other.tier for other in state.hand(hit) if other is not hit}
        tier = next((code for code in won if code not in claimed), None)
    hit.tier = None
    if tier is None:
        leave(hit)
    else:
        is_for(state, hit, tier, entry.seq, is_back=True)
    if hit.report is not None:
        share_out(state, state.hand(hit), won, entry.seq, is_back=True)
        weigh(state, state.hand(hit), entry.seq)
    return stands(state, hit)
