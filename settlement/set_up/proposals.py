"""Roles and rules of the house by two people: one proposes, another agrees, and the database
carries it out. No entry of the order is made: what these rules move is judged at its own time.
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Mapping
from typing import Any

from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from jackpot.labels.figures import write_amount, write_money
from settlement.core import guards
from settlement.core.errors import BadSetUp
from settlement.core.gaming_day import DAY, today
from settlement.core.input import required_text
from settlement.models import (
    Invitation,
    MoneyCount,
    ReportSchedule,
    SetUpDecision,
    SetUpProposal,
    SignaturePolicy,
)
from settlement.people.factors import demand
from settlement.people.programs import programs
from settlement.people.rights.permissions import Reauthenticated, name_of, require
from settlement.people.rights.roles import PROGRAM, ROLE_NAMES, ROLES
from settlement.people.sessions import idle_limits
from settlement.people.shared.database_calls import ask
from settlement.people.staff.invitation_mail import goes_by_mail
from settlement.people.staff.persons import last_day
from settlement.set_up import escalation
from settlement.set_up.day_starts import require_steady
from settlement.signatures import acts, policy, signing
from tables.models import Casino

MAY, SECOND = "propose_set_up", "second_set_up"
MOST = 1000
FARTHEST = dt.timedelta(days=366)  # of a day from which something holds
Kind = SetUpProposal.Kind


def open_proposals() -> QuerySet[SetUpProposal]:
    """What waits for a second person, the oldest first."""
    rows = SetUpProposal.objects.filter(decision=None)
    return rows.select_related("person", "casino")


def resets_proposed() -> set[int]:
    """The people whose second factors somebody proposed to reset, and nobody decided on it yet."""
    rows = SetUpProposal.objects.filter(kind=Kind.RESET_FACTORS, decision=None)
    return set(rows.values_list("body__person", flat=True))


def waiting_for(person: Any) -> set[str]:
    """The kinds of what is proposed for a person's log-in, and nobody decided on yet."""
    kinds = (Kind.MAIL_ADDRESS, Kind.NEW_PASSWORD)
    rows = SetUpProposal.objects.filter(kind__in=kinds, decision=None, body__person=person.pk)
    return set(rows.values_list("kind", flat=True))


def propose_amount(by: Any, casino: Casino, amount: int | None) -> None:
    """Above this amount (micros) two managers confirm a claim; None: never."""
    _propose(by, casino, Kind.SECOND_MANAGER, {"amount": amount})


def propose_count(by: Any, casino: Casino, kind: str, count: int) -> None:
    """Missed rounds that one person credits, or the factor of terms."""
    least = 0 if kind == Kind.MISSED_ROUNDS else 1
    if not least <= count <= MOST:
        raise BadSetUp(
            _("Enter a whole number from %(least)s to %(most)s.") % {"least": least, "most": MOST}
        )
    name = "count" if kind == Kind.MISSED_ROUNDS else "factor"
    _propose(by, casino, kind, {name: count})


def propose_variance(by: Any, casino: Casino, of: str, amount: int) -> None:
    """A variance above this amount (micros) opens a finding; `of`: a kind of `MoneyCount`."""
    if of not in MoneyCount.Kind.values:
        raise BadSetUp(_("Choose the drop or the bank."))
    _propose(by, casino, Kind.VARIANCE_LIMIT, {"of": of, "amount": amount})


def propose_counting(by: Any, casino: Casino, of: str, *, is_counted: bool, since: dt.date) -> None:
    """Whether the drop, or the bank's balance, is counted from a later gaming day on; `of`: a kind
    of `MoneyCount`."""
    if of not in MoneyCount.Kind.values:
        raise BadSetUp(_("Choose the drop or the bank."))
    first = today(casino) + DAY
    if not first <= since <= first + FARTHEST:
        raise BadSetUp(
            _("Choose a gaming day from %(first)s on, within a year.") % {"first": first}
        )
    body = {"of": of, "is_counted": is_counted, "since": since.isoformat()}
    _propose(by, casino, Kind.COUNTING, body)


def propose_signatures(by: Any, casino: Casino, of_acts: str) -> None:
    """Which acts people sign with their passkeys: a value of `SignaturePolicy.Acts`."""
    if of_acts not in SignaturePolicy.Acts.values:
        raise BadSetUp(_("Choose which acts are signed."))
    _propose(by, casino, Kind.SIGNATURES, {"acts": of_acts})


def propose_idle_limit(by: Any, casino: Casino, role: str, minutes: int) -> None:
    """After so many minutes without a touch the screen of that role locks."""
    if role not in ROLES:
        raise BadSetUp(_("Choose a role."))
    if not idle_limits.LEAST <= minutes <= idle_limits.MOST:
        raise BadSetUp(
            _("Enter whole minutes from %(least)s to %(most)s.")
            % {"least": idle_limits.LEAST, "most": idle_limits.MOST}
        )
    body = {"role": Group.objects.get(name=role).pk, "minutes": minutes}
    _propose(by, casino, Kind.IDLE_LIMIT, body)


def propose_escalation(by: Any, casino: Casino, levels: list[escalation.Level]) -> None:
    """Whom a claim that nobody confirms is told to, each after so many minutes; empty: nobody."""
    _propose(by, casino, Kind.ESCALATION, {"levels": escalation.checked(levels)})


def propose_day_start(by: Any, casino: Casino, day_starts: dt.time) -> None:
    """Another start of the gaming day."""
    require(by, MAY)
    require_steady(day_starts, casino.timezone)
    _propose(by, casino, Kind.DAY_STARTS, {"day_starts": day_starts.isoformat()})


def propose_unrehearsed(by: Any, casino: Casino, note: str) -> None:
    """To open the casino without a rehearsal; the note says why."""
    _propose(by, casino, Kind.OPEN_UNREHEARSED, {"note": note})


def propose_pack(by: Any, casino: Casino, pack: Mapping[str, str], since: dt.date) -> None:
    """A jurisdiction pack from a gaming day on: `settlement.jurisdiction.choices` knows them.

    `pack`: the file's name (`pack`), what people call it (`name`), and the file's SHA-256.
    """
    _propose(by, casino, Kind.JURISDICTION, {**pack, "since": since.isoformat()})


def agree(proposal: SetUpProposal, person: Reauthenticated) -> None:
    """The second person agrees, signed where the house wants it, and it is carried out."""
    user = person.user
    require(user, SECOND)
    casino = proposal.casino
    if proposal.kind == Kind.DAY_STARTS and casino:  # its zone may have been changed since
        require_steady(dt.time.fromisoformat(proposal.body["day_starts"]), casino.timezone)
    pen = signing.take_up(
        user, acts.on_set_up(proposal, user), lambda: policy.is_asked_of_set_up(proposal)
    )
    with guards.in_words():
        ask("decide_set_up", user.pk, proposal.pk, True, "")
        decision = SetUpDecision.objects.get(proposal=proposal)
        pen.sign("settlement_setupdecision", decision.pk)
        if proposal.kind == Kind.FACTOR_DEMAND:
            demand.warn(proposal, user)


def withdraw(proposal: SetUpProposal, by: Any, note: str) -> None:
    """Whoever proposed it, or could agree, takes it back with a note."""
    note = required_text(note, _("Enter why the proposal is withdrawn."))
    ask("decide_set_up", by.pk, proposal.pk, False, note)


def in_words(proposal: SetUpProposal) -> str:
    """What somebody agrees to."""
    body, casino = proposal.body, proposal.casino
    match proposal.kind:
        case Kind.INVITE:
            row = Invitation.objects.select_related("role").get(pk=body["invitation"])
            return invitation_in_words(row, casino)
        case Kind.GIVE_ROLE:
            person = get_user_model().objects.get(pk=body["person"])
            until = dt.datetime.fromisoformat(body["until"]) if body["until"] else None
            role = Group.objects.get(pk=body["role"]).name
            words = _role_words(name_of(person), role, casino, until)
            return f"{words}. {programs.in_words(person)}" if role == PROGRAM else words
        case Kind.UNLOCK:
            person = get_user_model().objects.get(pk=body["person"])
            return _("%(name)s (%(username)s) may log in again") % {
                "name": name_of(person),
                "username": person.get_username(),
            }
        case Kind.RESET_FACTORS:
            person = get_user_model().objects.get(pk=body["person"])
            text = _(
                "The second factors and log-ins of %(name)s (%(username)s) end; you hand over the"
                " code for the next device"
            )
            return text % {"name": name_of(person), "username": person.get_username()}
        case Kind.MAIL_ADDRESS | Kind.NEW_PASSWORD:
            return _log_in_in_words(proposal)
        case Kind.FACTOR_DEMAND:
            role = demand.role_of(proposal)
            return _("%(role)s needs no second factor any more") % {
                "role": ROLE_NAMES.get(role, role)
            }
    return _rule_in_words(proposal)


def invitation_in_words(row: Invitation, casino: Casino | None) -> str:
    """Who is invited, as what, and who gets the link."""
    name = f"{row.first_name} {row.last_name}".strip()
    words = _role_words(f"{name} ({row.username})", row.role.name, casino, row.until)
    return f"{words}. {way_of(row)}"


def _log_in_in_words(proposal: SetUpProposal) -> str:
    person = get_user_model().objects.get(pk=proposal.body["person"])
    words = {"name": name_of(person), "username": person.get_username()}
    if proposal.kind == Kind.NEW_PASSWORD:
        text = _(
            "%(name)s (%(username)s) sets a new password by a code, which you hand over in person"
        )
        return text % words
    after = proposal.body["after"]
    if not after:
        return _("%(name)s (%(username)s) has no mail address any more") % words
    text = _(
        "The mail address of %(name)s (%(username)s) becomes %(after)s: links for a forgotten"
        " password go there"
    )
    return text % {**words, "after": after}


def _rule_in_words(proposal: SetUpProposal) -> str:
    body = proposal.body
    match proposal.kind:
        case Kind.SECOND_MANAGER:
            return _second_manager_in_words(proposal)
        case Kind.SIGNATURES:
            label = SignaturePolicy.Acts(body["acts"]).label
            return _("Signed with a passkey: %(acts)s") % {"acts": label}
        case Kind.MISSED_ROUNDS:
            return _("One person credits up to %(count)s missed rounds") % body
        case Kind.TERMS_FACTOR:
            return _("Figures that move by more than a factor of %(factor)s are typed again") % body
        case Kind.VARIANCE_LIMIT:
            return _("A variance of %(of)s above %(amount)s opens a finding") % {
                "of": MoneyCount.Kind(body["of"]).label,
                "amount": _amount(proposal),
            }
        case Kind.COUNTING:
            return _counting_in_words(body)
        case Kind.IDLE_LIMIT:
            role = Group.objects.get(pk=body["role"]).name
            return _("Minutes until an untouched screen locks: %(minutes)s, %(role)s") % {
                "role": ROLE_NAMES.get(role, role),
                "minutes": body["minutes"],
            }
        case Kind.OPEN_UNREHEARSED:
            return _("The casino opens without a rehearsal: %(note)s") % body
        case Kind.ESCALATION:
            levels = escalation.in_words(body["levels"])
            return _("Notified of waiting claims: %(levels)s") % {"levels": levels}
        case Kind.REPORT_SCHEDULE:
            return _schedule_in_words(body)
        case Kind.JURISDICTION:
            return _("The jurisdiction pack %(name)s holds from the gaming day %(since)s on") % body
    return _("The gaming day starts at %(day_starts)s") % body


def _second_manager_in_words(proposal: SetUpProposal) -> str:
    if proposal.body["amount"] is None:
        return _("One manager confirms any amount")
    return _("Two managers confirm above %(amount)s") % {"amount": _amount(proposal)}


def _counting_in_words(body: Mapping[str, Any]) -> str:
    words = {"of": MoneyCount.Kind(body["of"]).label, "since": body["since"]}
    if body["is_counted"]:
        return _("%(of)s: counted from the gaming day %(since)s on") % words
    return _("%(of)s: not counted from the gaming day %(since)s on") % words


def _schedule_in_words(body: Mapping[str, Any]) -> str:
    words = _("The report %(report)s (%(files)s), %(moment)s, is mailed to %(addresses)s") % {
        "report": ", ".join(
            (body["report"] or body["of_return"], *(f"{k} {v}" for k, v in body["filters"].items()))
        ),
        "files": ", ".join(body["formats"]),
        "moment": _(ReportSchedule.Moment(body["moment"]).label),
        "addresses": ", ".join(body["mail_to"].split()),
    }
    if not body["folder"]:
        return words
    return _("%(words)s and put into the folder %(folder)s") % {
        "words": words,
        "folder": body["folder"],
    }


def way_of(invitation: Invitation) -> str:
    """Who gets the link, and later ones: whoever has it chooses the password."""
    email = {"email": invitation.email}
    words = _("No mail: the link is handed over by the inviter.")
    if goes_by_mail(invitation):
        words = _("The link goes to %(email)s.") % email
    if not invitation.email:
        return words
    return words + " " + _("Passwords are reset by this address: %(email)s.") % email


def _role_words(name: str, role: str, casino: Casino | None, until: dt.datetime | None) -> str:
    words = {
        "name": name,
        "role": ROLE_NAMES.get(role, role),
        "place": casino.name if casino else _("every casino"),
    }
    if until is None:
        return _("%(name)s: %(role)s in %(place)s") % words
    return _("%(name)s: %(role)s in %(place)s until %(until)s") % {
        **words,
        "until": f"{last_day(until, casino):%Y-%m-%d}",
    }


def _amount(proposal: SetUpProposal) -> str:
    casino = proposal.casino
    if casino is None:
        return write_amount(proposal.body["amount"], 2)
    return write_money(proposal.body["amount"], casino)


def _propose(by: Any, casino: Casino, kind: str, body: dict[str, Any]) -> None:
    require(by, MAY)
    ask("propose_set_up", by.pk, kind, casino.pk, json.dumps(body))
