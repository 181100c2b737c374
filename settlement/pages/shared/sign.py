"""The page on which a person signs an act with a passkey: what it is, in words and byte for byte.

It holds the form that was sent, and sends it again to the same address with what was signed.
"""

from __future__ import annotations

import json
from collections.abc import Callable

from django.contrib.auth import get_user_model
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from jackpot.domain.command_handlers import METHODS, TAX
from jackpot.labels.claim_names import claim_name
from jackpot.labels.figures import write_money
from settlement.core.words.labels import plain
from settlement.models import Action, Proposal, SetUpProposal
from settlement.people.factors.reauthentication import PASSKEY_FIELD
from settlement.people.rights.permissions import name_of
from settlement.set_up import proposals as set_up
from settlement.signatures import acts, keys, signing
from settlement.signatures.acts import Act
from tables.models import Casino, JackpotSystem

_NOT_SENT_AGAIN = ("csrfmiddlewaretoken", "password", PASSKEY_FIELD, signing.FIELD)


def to_sign(request: HttpRequest, needed: signing.SignatureNeeded) -> HttpResponse:
    """The page; for whoever has no key that signs, what to do."""
    options = needed.options()
    states = keys.states_of(needed.user)
    context = {
        "acts": [words_of(act) for act in needed.acts],
        "statement": options["statement"],
        "options": json.dumps(options),
        "fields": [
            (name, value)
            for name, values in request.POST.lists()
            for value in values
            if name not in _NOT_SENT_AGAIN
        ],
        "address": request.get_full_path(),
        "has_key": bool(options["allowCredentials"]),
        "waits": any(state.key and not state.signs for state in states.values()),
    }
    return render(request, "console/people/sign.html", context)


def words_of(act: Act) -> str:
    """What somebody signs, in a sentence."""
    return _WORDS.get(act["act"], _on_claim)(act)


def _on_claim(act: Act) -> str:
    """An action: what, on which claim, for how much and how."""
    system = JackpotSystem.objects.select_related("casino").get(code=act["system"])
    body, casino = act["body"], system.casino
    words = {
        "what": _VERBS[act["act"]](),
        "claim": claim_name(act["system"], act["claim"]),
    }
    if "amount" in body:
        amount = _money(casino, body["amount"])
        return _("%(what)s %(claim)s: %(amount)s") % {**words, "amount": amount}
    if act["act"] == Action.Kind.PAY:
        parts = body["parts"]
        names = dict(zip(METHODS, (_("chips"), _("cash"), _("cash equivalent")), strict=True))
        names[TAX] = _("tax that is withheld")
        amounts = [
            _("%(money)s in %(words)s") % {"money": _money(casino, parts[each]), "words": name}
            for each, name in names.items()
            if parts.get(each)
        ]
        return _("%(what)s %(claim)s, payment %(line)s, seat %(seat)s: %(amounts)s") % {
            **words,
            "line": body["line"],
            "seat": body["seat"],
            "amounts": ", ".join(amounts),
        }
    return _("%(what)s %(claim)s") % words


_VERBS: dict[str, Callable[[], str]] = {
    Action.Kind.VERIFY: lambda: _("Verify"),
    Action.Kind.APPROVE: lambda: _("Approve, as the first of two managers,"),
    Action.Kind.CONFIRM: lambda: _("Confirm"),
    Action.Kind.SECOND_REJECTION: lambda: _("Approve rejection of"),
    Action.Kind.PAY: lambda: _("Pay"),
}


def _on_proposal(act: Act) -> str:
    """Agreeing: to what kind, about what, and each figure of its body."""
    kind = _(str(Proposal.Kind(act["kind"]).label))
    system = JackpotSystem.objects.select_related("casino").get(code=act["system"])
    details = [
        f"{plain(name)}: {_money(system.casino, int(value)) if name == 'amount' else value}"
        for name, value in sorted(act["body"].items())
        if isinstance(value, (str, int)) and value != ""
    ]
    words = {
        "kind": kind,
        "system": system.name,
        "subject": act["subject"],
        "details": "; ".join(details),
    }
    text = _("%(kind)s, %(system)s, %(subject)s. %(details)s") % words
    if act["act"] == acts.APPROVE:
        return _("Approve, as the first of two managers: %(text)s") % {"text": text}
    return _("Approve: %(words)s") % {"words": text}


def _on_set_up(act: Act) -> str:
    proposal = SetUpProposal.objects.select_related("casino").get(pk=act["proposal"])
    return _("Approve: %(words)s") % {"words": set_up.in_words(proposal)}


def _on_key(act: Act) -> str:
    person = get_user_model().objects.get(pk=act["of"])
    return _("Endorse the passkey of %(name)s with the fingerprint %(key)s") % {
        "name": name_of(person),
        "key": keys.fingerprint(bytes.fromhex(act["public_key"])),
    }


def _on_registration(act: Act) -> str:
    return _("Use this passkey to sign, with the fingerprint %(key)s") % {
        "key": keys.fingerprint(bytes.fromhex(act["public_key"])),
    }


def _money(casino: Casino, micros: int) -> str:
    return write_money(micros, casino)


_WORDS: dict[str, Callable[[Act], str]] = {
    acts.AGREE: _on_proposal,
    acts.APPROVE: _on_proposal,
    acts.AGREE_SET_UP: _on_set_up,
    acts.ENDORSE: _on_key,
    acts.REGISTER: _on_registration,
}
