"""The dispute bundle: all that is known of a claim, as one signed archive.

A zip without compression whose bytes follow from the rows alone: the same state gives the same
archive. `manifest.json` carries the SHA-256 of every file, `manifest.sig` its Ed25519 signature.
Blocks stand there as the very bytes that were hashed, events and commands as the bytes whose hash
their entry carries, so that the order can be checked offline: `python -m verifier.bundle`.

What people gathered on the claim stands in it too, files byte for byte. Of players it has seats,
cards and seals (`settlement.bundles.evidence`); what people wrote in notes stands there as written.
Files are read one at a time. Each bundle that is handed out is recorded with its SHA-256.
"""

from __future__ import annotations

import hashlib
import zipfile
from collections.abc import Iterable
from typing import IO, Any

from django.db.models import Q

from jackpot.audit.recorded_blocks import Sealed, sealed_blocks
from jackpot.domain.state.blocks import block_bytes, canonical, instant, source_bytes
from jackpot.models import Block, DisplayMessage, Entry, Hit, RoundState, Terms
from jackpot.storage.pinned_read import read
from jackpot.storage.writing import header_of
from settlement.approvals import proposals
from settlement.audit import file_keys
from settlement.audit.file_keys import Signer
from settlement.bundles.evidence import attachments_of, content, gathered
from settlement.claims.claim_sources import confirmations
from settlement.claims.derivation import Step, as_json, as_text, line_steps
from settlement.claims.detail import ClaimDetail, detail_of
from settlement.claims.status import about
from settlement.core import guards
from settlement.core.words.translation import in_english
from settlement.floor.rulings import requests_about, rulings_about
from settlement.models import (
    Action,
    BundleExport,
    CheckAnswer,
    Claim,
    Payout,
    Proposal,
    Signature,
)
from settlement.people.rights.permissions import require
from settlement.signatures.signing import signatures_of
from tables.models import DisplayReading

FORMAT = 2  # 1 had nothing of the workbench
_PIECE = 1024 * 1024  # bytes
AROUND = 5  # display messages and readings on either side of the hit
_MANIFEST, _SIGNATURE = "manifest.json", "manifest.sig"
_README = """Dispute bundle of claim {number}, {system}, {casino}

derivation.txt   how the amount came about, step by step; derivation.json the same for machines
claim.json       where the claim stands: place, values, report, payees, disputes and holds
terms.json       the terms in force
sources/         events as the table sent them, commands and facts, by the entry that took them
approvals.json   who did, proposed and agreed to what, rulings on the round, and the checklist
payouts.json     what was paid, and which slips were printed
workbench.json   deck ticked off, footage, notes, files, and that players were identified: by a
                 seal, with which the house can show later whom it identified
attachments/     the files
displays.json    what displays were told and what they read back, around the hit
blocks/          the blocks of the order with these entries: the SHA-256 of a file is its hash
blocks.json      these hashes
manifest.json    the SHA-256 of every file; manifest.sig its Ed25519 signature (hexadecimal)

To check it, offline:  python -m verifier.bundle FILE --key PUBLIC-KEY
Times are UTC, amounts in JSON are micros (millionths of the currency unit).
"""


def export(claim: Claim, user: Any, out: IO[bytes]) -> BundleExport:
    """Write the archive for a person whose role allows it, and record that. WrongState: no key."""
    require(user, "export_bundle", claim.system)
    return hand_out(claim, user, out)


def hand_out(claim: Claim, user: Any, out: IO[bytes]) -> BundleExport:
    """As `export`, whoever it is for; None is the command, on the server."""
    build(claim, out)
    out.seek(0)
    digest, size = hashlib.sha256(), 0
    while piece := out.read(_PIECE):
        digest.update(piece)
        size += len(piece)
    out.seek(0)
    with guards.in_words():
        return BundleExport.objects.create(
            claim=claim, person=user, sha256=digest.digest(), size=size
        )


def build(claim: Claim, out: IO[bytes]) -> None:
    """The archive, read at one moment and signed. WrongState where no key is set, or where a file
    is not the one that was attached."""

    def write() -> None:
        out.seek(0)
        out.truncate()
        _build(claim, out, signer)

    signer = file_keys.signer()
    # Its bytes follow from the rows alone, whatever language the one who exports it reads.
    with in_english():
        read(write, [claim.system_id])


def _build(claim: Claim, out: IO[bytes], signer: Signer) -> None:
    files = _files(detail_of(claim))
    attached = attachments_of(claim)
    digests = {path: hashlib.sha256(body).hexdigest() for path, body in files.items()}
    digests |= {path: bytes(each.sha256).hex() for path, each in attached.items()}
    manifest = canonical(
        {
            "format": FORMAT,
            "system": claim.system.code,
            "claim": claim.number,
            "files": digests,
        }
    )
    files[_MANIFEST] = manifest
    files[_SIGNATURE] = signer.sign(manifest).encode()
    # Stored, in the order of names, without a time: the verifier makes it again byte for byte.
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        for path in sorted(files.keys() | attached.keys()):
            entry = zipfile.ZipInfo(path, (1980, 1, 1, 0, 0, 0))
            entry.create_system, entry.external_attr = 3, 0o644 << 16
            archive.writestr(entry, files[path] if path in files else content(attached[path]))


def name_of_file(claim: Claim) -> str:
    return f"dispute-{claim.system.code}-{claim.number}.zip"


def _files(detail: ClaimDetail) -> dict[str, bytes]:
    claim, hit = detail.claim, detail.hit
    casino = hit.system.casino
    steps = detail.steps()
    confirmed = confirmations(hit)
    for line in hit.payee_lines:
        steps += line_steps(line, confirmed)
    sealed = _sealed(hit)
    seqs = _seqs(hit)
    recorded = [each for block in sealed for each in block.entries if each.line.seq in seqs]
    readme = _README.format(number=claim.number, system=hit.system.name, casino=casino.name)
    if hit.system.is_rehearsal:
        readme = f"REHEARSAL: NO MONEY. Nobody was paid.\n\n{readme}"
    files = {
        "README.txt": readme.encode(),
        "derivation.txt": as_text(steps, casino.currency, casino.minor_digits).encode(),
        **{f"{name}.json": canonical(body) for name, body in _documents(detail, steps).items()},
        "blocks.json": canonical([_block(each.block) for each in sealed]),
    }
    for each in recorded:
        files[f"sources/{each.line.seq:012d}-{each.line.type}.json"] = source_bytes(each.source)
    for block in sealed:
        files[f"blocks/{block.block.number:012d}.jsonl"] = _block_file(block)
    return files


def _documents(detail: ClaimDetail, steps: list[Step]) -> dict[str, Any]:
    claim, hit = detail.claim, detail.hit
    versions = Terms.objects.filter(system=hit.system_id, number__lte=hit.terms)
    newest = versions.order_by("jackpot", "-number").distinct("jackpot")
    return {
        "derivation": as_json(steps),
        "claim": _claim(claim, hit),
        "terms": [
            {"number": each.number, "effective": each.effective_seq, "terms": each.document}
            for each in newest
        ],
        "approvals": _approvals(detail),
        "payouts": [_payout(each) for each in _payouts(claim)],
        "displays": _displays(hit),
        "workbench": gathered(claim),
    }


def _seqs(hit: Hit) -> set[int]:
    """The entries that are about the claim: those that touched it, those of its round, and what
    dealers asked about it; of an order in question also those by which the other hands took their
    places."""
    condition = about(hit)
    for stop in hit.all_stops:
        condition |= Q(system=hit.system_id, seq=stop.entry)
    numbers = [number for stop in hit.all_stops for number in stop.others]
    for other in Hit.objects.filter(system=hit.system_id, number__in=numbers):
        condition |= about(other) & Q(type__in=("hand_called", "hand_reported", "enter_hand"))
    entries = Entry.objects.filter(condition)
    around = RoundState.objects.get(system=hit.system_id, table=hit.table_id, round=hit.round)
    of_round = {around.started, around.completed, around.void} - {None}
    asked_for = {each.entry.seq for each in requests_about(hit)}
    return {*entries.values_list("seq", flat=True), *of_round, *asked_for}  # type: ignore[arg-type]


def _sealed(hit: Hit) -> list[Sealed]:
    """The blocks that hold them, in order."""
    seqs = sorted(_seqs(hit))
    blocks: list[Sealed] = []
    for seq in seqs:
        if blocks and seq <= blocks[-1].block.last_seq:
            continue
        number = Block.objects.values_list("number", flat=True).get(
            system=hit.system_id, first_seq__lte=seq, last_seq__gte=seq
        )
        blocks.append(next(sealed_blocks(hit.system_id, hit.system.code, after=number - 1)))
    return blocks


def _block_file(sealed: Sealed) -> bytes:
    lines = [each.line for each in sealed.entries]
    return block_bytes(header_of(sealed.system, sealed.block), lines, sealed.transfers)


def _block(block: Block) -> dict[str, Any]:
    return {
        "number": block.number,
        "first": block.first_seq,
        "last": block.last_seq,
        "hash": bytes(block.hash).hex(),
        "previous": bytes(block.previous).hex(),
    }


def _claim(claim: Claim, hit: Hit) -> dict[str, Any]:
    casino = hit.system.casino
    return {
        "casino": casino.name,
        "currency": casino.currency,
        "system": hit.system.code,
        "number": claim.number,
        "table": hit.table.code,
        "round": hit.round,
        "tier": hit.tier.code if hit.tier else None,
        "state": hit.state,
        "place": hit.place,
        "acts_at": hit.acts_at,
        "at": instant(hit.at),
        "values": hit.values,
        "shown": hit.shown,
        "shown_at_entry": hit.shown_seq,
        "held": hit.held,
        "confirmed": hit.confirmed,
        "report": hit.report,
        "report_entry": hit.report_entry,
        "payees": hit.payees,
        "stops": hit.stops,
        "pairing": hit.pairing,
        "clock": hit.clock,
        "entries": sorted(_seqs(hit)),
    }


def _approvals(detail: ClaimDetail) -> dict[str, Any]:
    claim, hit = detail.claim, detail.hit
    request_seqs = {each.entry.event_id: each.entry.seq for each in requests_about(hit)}
    answers = CheckAnswer.objects.filter(claim=claim).select_related("person").order_by("id")
    signed = {
        action_signature.row: action_signature for action_signature in signatures_of(detail.actions)
    }
    return {
        "actions": [
            {
                "kind": action.kind,
                "person": action.person.get_username(),
                "at": instant(action.at),
                "report_entry": action.report_entry,
                "command": action.command,
                "said": action.body,
                **_signature(action, signed.get(action.pk)),
            }
            for action in detail.actions
        ],
        "checklist": [
            {
                "item": answer.item,
                "answer": answer.answer,
                "note": answer.note,
                "evidence": answer.evidence,
                "person": answer.person.get_username(),
                "at": instant(answer.at),
            }
            for answer in answers
        ],
        "proposals": [_proposal(each) for each in proposals.of_claim(claim)],
        "rulings": [
            {
                "kind": each.kind,
                "round": each.round,
                "reason": each.reason,
                "misdeal": each.misdeal,
                "note": each.note,
                "command": each.command,
                "asked": request_seqs.get(each.request_id),
                "person": each.person.get_username(),
                "at": instant(each.at),
            }
            for each in rulings_about(hit)
        ],
    }


def _signature(action: Action, action_signature: Signature | None) -> dict[str, Any]:
    """What the person's passkey signed of an action, bytes in hexadecimal digits; or nothing."""
    if action_signature is None:
        return {}
    raw = ("authenticator_data", "client_data", "signature")
    signature = {
        "algorithm": action_signature.key.algorithm,
        "public_key": bytes(action_signature.key.public_key).hex(),
        "origin": action_signature.key.origin,
        "statement": action_signature.statement,
        **{name: bytes(getattr(action_signature, name)).hex() for name in raw},
    }
    return {"key": str(action.key), "number": action.person_id, "signature": signature}


def _proposal(proposal: Proposal) -> dict[str, Any]:
    decision = getattr(proposal, "decision", None)
    return {
        "kind": proposal.kind,
        "said": proposal.body,
        "person": proposal.person.get_username(),
        "at": instant(proposal.at),
        "decision": None
        if decision is None
        else {
            "agreed": decision.agreed,
            "command": decision.command,
            "note": decision.note,
            "person": decision.person.get_username(),
            "at": instant(decision.at),
        },
    }


def _payouts(claim: Claim) -> Iterable[Payout]:
    payouts = Payout.objects.filter(claim=claim).order_by("entry_seq")
    return payouts.prefetch_related("prints__person")


def _payout(payout: Payout) -> dict[str, Any]:
    return {
        "line": payout.line,
        "part": payout.part,
        "seat": payout.seat,
        "entry": payout.entry_seq,
        "at": instant(payout.at),
        "cashier": payout.cashier,
        "amount": payout.amount,
        "chips": payout.chips,
        "cash": payout.cash,
        "equivalent": payout.equivalent,
        "tax": payout.tax,
        "slips": [
            {
                "copy": each.copy,
                "person": each.person.get_username(),
                "at": instant(each.at),
                "sha256": bytes(each.digest).hex(),
            }
            for each in sorted(payout.prints.all(), key=lambda each: each.copy)
        ],
    }


def _displays(hit: Hit) -> dict[str, Any]:
    display_messages = DisplayMessage.objects.filter(system=hit.system_id)
    read = DisplayReading.objects.filter(table=hit.table_id)
    before, after = {"system_seq__lt": hit.place}, {"system_seq__gte": hit.place}
    messages = [
        *reversed(display_messages.filter(**before).order_by("-id")[:AROUND]),
        *display_messages.filter(**after).order_by("id")[:AROUND],
    ]
    readings = [
        *reversed(read.filter(**before).order_by("-system_seq", "-id")[:AROUND]),
        *read.filter(**after).order_by("system_seq", "id")[:AROUND],
    ]
    return {
        "messages": [
            {"entry": each.system_seq, "at": instant(each.at), "said": each.payload}
            for each in messages
        ],
        "readings": [
            {
                "display": each.display,
                "entry": each.system_seq,
                "said_at": instant(each.said_at),
                "received_at": instant(each.received_at),
                "shown": each.shown,
            }
            for each in readings
        ],
    }
