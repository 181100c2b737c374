"""What the dealer sent: the report beside what counts now, and a wish to withdraw the hand."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from jackpot.domain.play.hands import report_in
from jackpot.hits.columns import Report
from jackpot.hits.states import HitState
from jackpot.labels.figures import write_amount
from jackpot.models import Entry, Hit
from jackpot.terms.money import minor_to_micros
from rules.dead_hands import DEAD_HANDS
from settlement.core.words.translation import Labels, translated
from settlement.floor.rulings import withdrawals_of
from settlement.pages.claims.panels.history import versions_of
from tables.models import TableEvent
from tables.protocol.messages import HandReported

_EXPOSED = Labels(
    {
        "yes": gettext_noop("yes"),
        "refused": gettext_noop("refused"),
        "not_requested": gettext_noop("not asked for"),
    }
)


def sent_context(hit: Hit, entries: Iterable[Entry]) -> dict[str, Any]:
    """`sent`: the dealer's last report where something else counts by now; `sent_as_is`: the entry
    by which the dealer sent what counts. Neither where no report came from the table.
    """
    versions = versions_of(entries)
    reports = [e for e in entries if e.type == "hand_reported" and _counts(e, versions)]
    if hit.read_report is None or not reports:
        return {"sent": None, "sent_as_is": None}
    last = reports[-1]
    if last.seq == hit.report_entry:
        return {"sent": None, "sent_as_is": last}
    report = msgspec.convert(dealers_report(last), Report)
    return {
        "sent": {
            "entry": last,
            "version": versions.get(last.seq),
            "now": versions.get(hit.report_entry or 0),
            "report": report,
            "differences": _differences(hit, report, hit.read_report),
        },
        "sent_as_is": None,
    }


def dealers_report(entry: Entry) -> dict[str, Any]:
    """The report that a unit's event brought."""
    event = TableEvent.objects.only("body").get(pk=entry.event_id or 0)
    return report_in(msgspec.json.decode(bytes(event.body), type=HandReported))


def _counts(entry: Entry, versions: dict[int, int]) -> bool:
    return entry.seq in versions or "paired" in entry.outcome.get("flags", [])


def _differences(hit: Hit, before: Report, now: Report) -> list[dict[str, Any]]:
    """What differs, line by line: cards as lists, the rest in words."""
    was, is_now = _lines(hit, before), _lines(hit, now)
    return [
        {"what": what, "sent": was.get(what, ""), "now": is_now.get(what, "")}
        for what in dict.fromkeys([*was, *is_now])
        if was.get(what) != is_now.get(what)
    ]


def _lines(hit: Hit, report: Report) -> dict[str, list[str] | str]:
    """A report as lines that can be compared."""
    lines: dict[str, list[str] | str] = {}
    for number, board in enumerate(report.boards, start=1):
        name = _("First board") if number == 1 else _("Board %(number)s") % {"number": number}
        lines[name] = board
    for hand in report.hands:
        seat = {"seat": hand.seat}
        lines[_("Seat %(seat)s, hole cards") % seat] = hand.hole
        lines[_("Seat %(seat)s, exposed") % seat] = _EXPOSED[hand.exposed]
        lines[_("Seat %(seat)s, folded") % seat] = _yes(hand.folded)
        lines[_("Seat %(seat)s, participating") % seat] = _yes(hand.participating)
        lines[_("Seat %(seat)s, won the pot") % seat] = _yes(hand.won_pot)
        if dead := DEAD_HANDS.get(hand.dead or ""):
            ruled = f"{translated(dead.text)} ({translated(dead.rule)})"
            lines[_("Seat %(seat)s, ruled dead") % seat] = ruled
    lines[_("Flop asked for")] = _yes(report.flop_on_request)
    lines[_("Seats dealt in")] = ", ".join(map(str, report.seats_dealt or ())) or _("not given")
    lines[_("Button")] = (
        _("seat %(button_seat)s") % {"button_seat": report.button_seat}
        if report.button_seat
        else _("not given")
    )
    digits = hit.system.casino.minor_digits
    lines[_("Pot")] = (
        _("not given")
        if report.pot is None
        else write_amount(minor_to_micros(report.pot, digits), digits)
    )
    return lines


def _yes(is_so: bool) -> str:
    return _("yes") if is_so else _("no")


def withdrawal_context(hit: Hit, entries: Iterable[Entry], user: Any) -> dict[str, Any]:
    """For `console/claims/withdrawal.html`."""
    withdrawals = withdrawals_of(hit, entries)
    may = bool(withdrawals) and user.has_perm("settlement.rule_round")
    return {
        "withdrawals": withdrawals,
        "may_keep_hand": may,
        "may_withdraw_hand": may and hit.state == HitState.HELD,
    }
