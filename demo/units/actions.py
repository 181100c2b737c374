"""What each button of the unit's page does: the form it wants, and the word to the unit."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django import forms
from django.http import QueryDict

from demo.units.forms import CallForm, CompleteForm, MissedForm, OpenForm, ReportForm, VoidForm
from demo.units.forms import WithdrawForm as Withdraw
from demo.units.hand_unit import HandUnit
from jackpot.display.values import in_effect
from jackpot.models import Head


class ActionError(Exception):
    """The dealer must do something else first; the message says what."""


Do = Callable[[HandUnit, dict[str, Any]], int]


@dataclass(frozen=True)
class Action:
    """One button."""

    do: Do
    form: type[forms.Form] | None = None
    opens: str = ""  # the part of the page that comes next


def tiers_of(hand: HandUnit) -> list[tuple[str, str]]:
    """Code and name of the prizes that this table can win, the highest first."""
    head = Head.objects.filter(system=hand.system).first()
    if head is None:
        return []
    return [
        (tier.code, tier.name)
        for terms in in_effect(hand.system.pk, head.terms_number)
        if terms.tables is None or hand.table.code in terms.tables
        for tier in sorted(terms.tiers, key=lambda tier: tier.rank)
    ]


def make_form(hand: HandUnit, name: str, data: QueryDict | None = None, **options: Any) -> Any:
    """The form of an action, bound when there is data."""
    kind = ACTIONS[name].form
    assert kind is not None
    options.setdefault("auto_id", f"{name}-%s")
    if kind is CallForm:
        return CallForm(data, tiers=tiers_of(hand), **options)
    return kind(data, **options)


def report_values(hand: HandUnit) -> dict[str, Any]:
    """What was reported of this round, for an amendment; empty when nothing was."""
    _, report = hand.hand_of_round()
    if report is None:
        return {}
    fields = report.fields
    boards = [" ".join(board) for board in fields["boards"]]
    typed, *others = fields["hands"]
    second = (
        {"hole2": " ".join(others[0]["hole"]), "seat2": str(others[0]["seat"])} if others else {}
    )
    return {
        **second,
        **{name: typed[name] for name in ("exposed", "folded", "participating", "won_pot")},
        "seat": str(typed["seat"]),
        "hole": " ".join(typed["hole"]),
        "board": boards[0],
        "board2": boards[1] if len(boards) > 1 else "",
        "flop_on_request": fields.get("flop_on_request", False),
    }


def _round(hand: HandUnit) -> None:
    if hand.unit.round == 0:
        raise ActionError("No round yet: press the jackpot button first.")


def _open(hand: HandUnit, form_values: dict[str, Any]) -> int:
    session = {**form_values, "seats_in_play": form_values["seats"]}
    del session["seats"]
    if hand.unit.is_session_open:
        return hand.unit.change_session(deck=52, **session)
    return hand.unit.open_session(deck=52, **session)


def _close(hand: HandUnit, _form_values: dict[str, Any]) -> int:
    return hand.unit.close_session()


def _press(hand: HandUnit, _form_values: dict[str, Any]) -> int:
    seq = hand.unit.press()
    if seq is None:
        raise ActionError("Second press ignored: the button has just been pressed.")
    return seq


def _complete(hand: HandUnit, form_values: dict[str, Any]) -> int:
    _round(hand)
    figures = {name: amount for name, amount in form_values.items() if amount is not None}
    return hand.unit.complete(**figures)


def _call(hand: HandUnit, form_values: dict[str, Any]) -> int:
    _round(hand)
    return hand.unit.call_hand([form_values["seat"]], form_values["tier"] or None)


def _report(hand: HandUnit, form_values: dict[str, Any]) -> int:
    _round(hand)
    boards = [form_values["board"], *([form_values["board2"]] if form_values["board2"] else [])]
    names = ("seat", "hole", "exposed", "folded", "participating", "won_pot")
    hands = [{name: form_values[name] for name in names}]
    if form_values["hole2"]:
        hands.append(
            {
                "seat": form_values["seat2"],
                "hole": form_values["hole2"],
                "won_pot": not form_values["won_pot"],
            }
        )
    return hand.report(boards, hands, flop_on_request=form_values["flop_on_request"])


def _void(hand: HandUnit, form_values: dict[str, Any]) -> int:
    _round(hand)
    return hand.unit.request_void(form_values["reason"], form_values["note"] or None)


def _missed(hand: HandUnit, form_values: dict[str, Any]) -> int:
    return hand.unit.rounds_missed(form_values["count"], form_values["note"] or None)


def _withdraw(hand: HandUnit, form_values: dict[str, Any]) -> int:
    call, report = hand.hand_of_round()
    if call is None and report is None:
        raise ActionError("No hand was called or reported in this round.")
    return hand.unit.withdraw(
        form_values["reason"],
        called_seq=call.seq if call else None,
        reported_seq=report.seq if report else None,
    )


ACTIONS = {
    "open": Action(_open, OpenForm, opens="complete"),
    "press": Action(_press, opens="complete"),
    "complete": Action(_complete, CompleteForm),
    "call": Action(_call, CallForm, opens="report"),
    "report": Action(_report, ReportForm),
    "void": Action(_void, VoidForm),
    "missed": Action(_missed, MissedForm),
    "withdraw": Action(_withdraw, Withdraw),
    "close": Action(_close, opens="open"),
}
