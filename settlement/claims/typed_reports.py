"""Reading a hand that a supervisor types on the console into the form of a device's report."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from django.utils.translation import gettext as _

from jackpot.domain.play.hands import Report
from settlement.core.errors import BadReport


def read_report(form: Mapping[str, Any]) -> dict[str, Any]:
    """The report as the writer takes it. BadReport says what cannot be read.

    Cards are kept as typed (spaces and capitals corrected: `as td` is `As Td`); whether they are
    possible is for the rules to say, on the claim.
    """
    try:
        typed = msgspec.convert(dict(form), Report)
    except msgspec.ValidationError as error:
        raise BadReport(
            _("The report cannot be read: %(error)s. Nothing was changed.") % {"error": error}
        ) from error
    if not typed.boards or not typed.hands:
        raise BadReport(_("A report needs a board and at least one hand."))
    report: dict[str, Any] = msgspec.to_builtins(typed)
    report["boards"] = [[_card(text) for text in board] for board in report["boards"]]
    for hand in report["hands"]:
        hand["hole"] = [_card(text) for text in hand["hole"]]
    return report


def _card(text: str) -> str:
    text = text.strip()
    if text[:2] == "10":
        text = "T" + text[2:]
    return text[:1].upper() + text[1:].lower()
