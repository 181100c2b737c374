"""Messages of hits in the language of now; the wire has them in English alone.

A page knows a message by its kind, and takes prize, table and amount out of the English words that
`jackpot.display.values` composes. What it does not know stays as it came.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from jackpot.labels.figures import localized

_REPORTED, _REFUSED, _WON = ", AWAITING CONFIRMATION", ": NOT CONFIRMED", " WIN, "
_EMPTY = ": THE POOL WAS EMPTY"


def in_language(display: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    """A display message whose messages read as people here do; `names` of prizes by their tier,
    where the house wrote them in this language."""
    prizes = {tier["tier"]: tier["name"] for tier in display["tiers"]}
    messages = []
    for message in display["messages"]:
        tier = message.get("tier")
        prize = str(prizes.get(tier, "JACKPOT")).upper()
        name = names[tier].upper() if tier in names else prize
        text = _text(message, prize, name)
        messages.append({**message, "text": _with_amount(message, text, name)})
    return {**display, "messages": messages}


def _text(message: Mapping[str, Any], prize: str, name: str) -> str:
    text, kind = str(message["text"]), message["kind"]
    if kind == "reported" and text.endswith(_REPORTED):
        about = text.removesuffix(_REPORTED)
        if about.startswith("JACKPOT REPORTED, "):
            table = about.removeprefix("JACKPOT REPORTED, ")
            return _("JACKPOT REPORTED, %(table)s, AWAITING CONFIRMATION") % {"table": table}
        if about.startswith(f"{prize}, "):
            parts = {"prize": name, "table": about.removeprefix(f"{prize}, ")}
            return _("%(prize)s, %(table)s, AWAITING CONFIRMATION") % parts
    if kind == "not_confirmed" and text.startswith(f"{prize}, ") and text.endswith(_REFUSED):
        table = text.removeprefix(f"{prize}, ").removesuffix(_REFUSED)
        return _("%(prize)s, %(table)s: NOT CONFIRMED") % {"prize": _prize(name), "table": table}
    if kind == "win" and text.startswith(f"{prize}{_WON}"):
        about = text.removeprefix(f"{prize}{_WON}")
        parts = {"prize": _prize(name)}
        if about.endswith(_EMPTY):
            parts["table"] = about.removesuffix(_EMPTY)
            return _("%(prize)s WIN, %(table)s: THE POOL WAS EMPTY") % parts
        parts["table"], _colon, amount = about.rpartition(": ")
        return _("%(prize)s WIN, %(table)s: %(amount)s") % {**parts, "amount": localized(amount)}
    return text


def _with_amount(message: Mapping[str, Any], text: str, name: str) -> str:
    """Of a report which prize and how much is being verified, where a page was told."""
    if "amount" not in message:
        return text
    parts = {"report": text, "prize": name, "amount": localized(message["amount"])}
    if str(message["text"]).startswith("JACKPOT REPORTED, "):
        return _("%(report)s: %(prize)s, %(amount)s") % parts
    return _("%(report)s: %(amount)s") % parts  # of a high hand it names the prize itself


def _prize(name: str) -> str:
    """Of a hand whose prize nobody knows yet the general word."""
    return _("JACKPOT") if name == "JACKPOT" else name
