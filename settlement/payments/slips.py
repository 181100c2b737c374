"""The payment slip: one for each payment, printed once; every further print is a marked copy.

The first print keeps what it says; a copy is drawn from that, whatever has become of the claim
since. The original waits some seconds for the checkpoint that covers its payment; where that came
too late a copy names it.

The payee's name stands on the paper and nowhere else: what is kept names the identification by its
number, each print is a recorded look, and no digest of a print gives the name away.
"""

from __future__ import annotations

import hashlib
import secrets
from typing import Any

import msgspec
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, override
from django.views.decorators.debug import sensitive_variables

from jackpot.display.names import names_of
from jackpot.hits.columns import PayeeLine
from jackpot.hits.payees import METHODS
from jackpot.labels.claim_names import claim_name
from jackpot.models import Block, Checkpoint, Entry, Hit
from jackpot.transparency import checkpoints, log_state, public_addresses
from settlement.approvals import action_log
from settlement.claims.claim_sources import confirmations
from settlement.claims.derivation import line_steps
from settlement.claims.detail import ClaimDetail, detail_of
from settlement.core.errors import WrongState
from settlement.core.gaming_day import local_time
from settlement.core.printing.house_logo import logo_of
from settlement.core.words.rule_words import CAPACITIES
from settlement.core.words.translation import Labels, in_english, translated
from settlement.evidence import identification
from settlement.jurisdiction.rules import paper_of
from settlement.models import Action, Claim, Payout, SlipPrint
from settlement.payments.amount_in_words import amount_in_words
from settlement.payments.slip_content import Hand, Person, Print, Slip
from settlement.payments.slip_pdf import draw
from settlement.people.rights.permissions import name_of, require
from settlement.signatures.signing import signatures_of
from tables.models import JackpotSystem

ROOT_DIGITS = 16  # of a root on paper
# Whose names stand on a slip, in the order of their actions.
_DID = Labels(
    {
        "amend": gettext_noop("Report amended by"),
        "verify": gettext_noop("Verified by"),
        "approve": gettext_noop("Approved by"),
        "confirm": gettext_noop("Confirmed by"),
        "pay": gettext_noop("Paid by"),
    }
)
_METHODS = Labels(
    {
        "chips": gettext_noop("Chips"),
        "cash": gettext_noop("Cash"),
        "equivalent": gettext_noop("Cash equivalent"),
    }
)


def number_of(payout: Payout) -> str:
    """The slip's number: system, claim, line and part, so that it needs no counter."""
    claim = payout.claim
    return f"{claim.system.code.upper()}-{claim.number}-{payout.line}-{payout.part}"


@sensitive_variables()
def print_slip(payout: Payout, user: Any) -> tuple[bytes, SlipPrint]:
    """The slip as PDF, and the record of this print. The first is the original.

    WrongState where the payment is in no block of the order.
    """
    require(user, "print_slip", payout.claim.system)
    if not SlipPrint.objects.filter(payout=payout).exists():
        log_state.wait_for(payout.claim.system, _block_of(payout).number)  # holds nothing meanwhile
    with in_english(), action_log.locked(payout.claim):  # stored, and held against its digest
        original = SlipPrint.objects.filter(payout=payout, copy=0).first()
        copy = SlipPrint.objects.filter(payout=payout).count()
        now = timezone.now()
        slip = _content(payout) if original is None else _copied(original, payout.claim.system)
        identity = slip.identification
        printed = Print(
            copy,
            name_of(user),
            local_time(now, payout.claim.system.casino),
            identification.name_on_slip(payout.claim, identity, user)
            if identity is not None
            else "",
            secrets.token_hex(16),
        )
        pdf = draw(slip, printed, logo_of(payout.claim.system.casino_id))
        return pdf, SlipPrint.objects.create(
            payout=payout,
            copy=copy,
            person=user,
            at=now,
            digest=hashlib.sha256(pdf).digest(),
            content=msgspec.to_builtins(slip) if original is None else None,
        )


def _content(payout: Payout) -> Slip:
    """What the slip says, once more in the second language of the house where it has one."""
    slip, language = slip_of(payout), payout.claim.system.casino.slip_language
    if not language:
        return slip
    with override(language):
        return msgspec.structs.replace(slip, language=language, second=slip_of(payout))


def _copied(original: SlipPrint, system: JackpotSystem) -> Slip:
    """What the original says, and the first checkpoint that covers its block where it has none."""
    slip = msgspec.convert(original.content, Slip)
    if slip.log_size or (checkpoint := checkpoints.first_of(system, slip.block)) is None:
        return slip
    log = _of_checkpoint(checkpoint, system, slip.block, slip.hash)
    second = slip.second and msgspec.structs.replace(slip.second, **log)
    return msgspec.structs.replace(slip, **log, second=second)


def slip_of(payout: Payout) -> Slip:
    """What the slip of a payment says, read from rows."""
    claim = payout.claim
    detail = detail_of(claim)
    hit = detail.hit
    casino = hit.system.casino
    names = names_of(casino.pk)
    line = next(row for row in hit.payee_lines if row.line == payout.line)
    block = _block_of(payout)
    before = sum(
        row.amount
        for row in Payout.objects.filter(claim=claim, line=payout.line, part__lt=payout.part)
    )
    return Slip(
        number=number_of(payout),
        casino=casino.name,
        currency=casino.currency,
        digits=casino.minor_digits,
        prize=names.get(f"{hit.system.code}/{hit.tier.code if hit.tier else ''}", detail.prize),
        facts=_facts(payout, detail, line),
        amount=payout.amount,
        words=amount_in_words(payout.net, casino.currency, casino.minor_digits),
        parts=[(_METHODS[m], getattr(payout, m)) for m in METHODS if getattr(payout, m)],
        line_amount=line.amount,
        paid_before=before,
        hand=_hand(detail, payout.seat),
        steps=[*detail.steps(payout.entry_seq), *line_steps(line, confirmations(hit))],
        people=_people(claim, hit, payout),
        entry=payout.entry_seq,
        block=block.number,
        hash=bytes(block.hash).hex(),
        identification=identification.newest_of(claim, payout.seat),
        tax=payout.tax,
        is_rehearsal=hit.system.is_rehearsal,
        paper=paper_of(casino),
        **_in_the_log(hit.system, block),
    )


def _block_of(payout: Payout) -> Block:
    block = Block.objects.filter(
        system=payout.claim.system_id,
        first_seq__lte=payout.entry_seq,
        last_seq__gte=payout.entry_seq,
    ).first()
    if block is None:
        raise WrongState(_("The payment is in no block: call technical support."))
    return block


def _in_the_log(system: JackpotSystem, block: Block) -> dict[str, Any]:
    """The newest checkpoint where it covers the block, and the block's public address."""
    checkpoint, digest = checkpoints.statement(system), bytes(block.hash).hex()
    if checkpoint is None:
        return {}
    if checkpoint.size < block.number:
        address = public_addresses.of_block(system.code, block.number, digest)
        return {"log_follows": True, "address": address}
    return _of_checkpoint(checkpoint, system, block.number, digest)


def _of_checkpoint(
    checkpoint: Checkpoint, system: JackpotSystem, block: int, digest: str
) -> dict[str, Any]:
    return {
        "log_size": checkpoint.size,
        "log_root": bytes(checkpoint.root).hex()[:ROOT_DIGITS],
        "address": public_addresses.of_block(system.code, block, digest),
    }


def _facts(payout: Payout, detail: ClaimDetail, line: PayeeLine) -> list[tuple[str, str]]:
    hit = detail.hit
    return [
        (_("Jackpot system"), hit.system.name),
        (_("Claim"), claim_name(hit.system.code, hit.number)),
        (
            _("Table and seat"),
            _("%(table_name)s, seat %(seat)s (%(capacity)s)")
            % {
                "table_name": hit.table.name,
                "seat": payout.seat,
                "capacity": CAPACITIES[line.role],
            },
        ),
        (_("Round"), _("not known") if detail.round is None else str(detail.round)),
        (_("Time of hand"), local_time(hit.at, payout.claim.system.casino)),
        (_("Paid at"), local_time(payout.at, payout.claim.system.casino)),
    ]


def _hand(detail: ClaimDetail, seat: int) -> Hand | None:
    """The hand of the seat that is paid; the first reported one for a player of the table."""
    hit, verdict = detail.hit, detail.examination.verdict
    if verdict is None or hit.read_report is None or not hit.read_report.hands:
        return None
    judged = list(zip(hit.read_report.hands, verdict.seats, strict=True))
    hand, seat_verdict = next((pair for pair in judged if pair[0].seat == seat), judged[0])
    return Hand(
        hand.hole,
        hit.read_report.board,
        [str(card) for card in seat_verdict.hand.cards] if seat_verdict.hand else [],
        _("Seat %(seat)s: %(seat_verdict_label)s")
        % {"seat": hand.seat, "seat_verdict_label": translated(seat_verdict.label)},
    )


def _people(claim: Claim, hit: Hit, payout: Payout) -> list[Person]:
    """Who reported, verified, confirmed and paid what this slip is about."""
    confirmed = next(each for each in confirmations(hit) if payout.line in each.lines)
    paid = Entry.objects.get(system=hit.system_id, seq=payout.entry_seq)
    commands = {"confirm": confirmed.entry.command, "pay": paid.command}
    actions = Action.objects.filter(claim=claim, kind__in=_DID)
    last = actions.get(kind=Action.Kind.CONFIRM, command=commands["confirm"])
    # What was verified or approved after that confirmation belongs to a later one.
    actions = actions.filter(Q(pk__lte=last.pk) | Q(kind=Action.Kind.PAY))
    rows = list(actions.select_related("person").order_by("id"))
    signed = {signature.row for signature in signatures_of(rows)}
    people = {
        action.kind: Person(
            _DID[action.kind],
            _("%(name)s, signed with a passkey") % {"name": name_of(action.person)}
            if action.pk in signed
            else name_of(action.person),
            local_time(action.at, claim.system.casino),
        )
        for action in rows
        if action.command == commands.get(action.kind, action.command)
    }
    called = Person(_("Called at"), hit.table.name, local_time(hit.at, claim.system.casino))
    return [called, *(people[kind] for kind in _DID if kind in people)]
