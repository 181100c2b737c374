"""What a public page says: a value or a block with its proof; no hand, no person, no table."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import Any
from zoneinfo import ZoneInfo

from django.utils import timezone

from jackpot.display import values as display
from jackpot.display.names import names_of
from jackpot.labels.figures import write_amount
from jackpot.models import Block, Head
from jackpot.terms.document import JackpotTerms, TierTerms
from jackpot.terms.money import micros_to_minor, minor_to_micros
from jackpot.transparency import notes, proofs, public_addresses, public_keys
from jackpot.transparency.proofs import Inclusion, NoProof
from tables.models import Casino, JackpotSystem

OLD_S = 60.0  # a checkpoint is old at this age, where blocks came since


@dataclass(frozen=True)
class Witness:
    """Who cosigned a log of so many blocks, and when by the witness's own word."""

    name: str
    size: int
    at: dt.datetime


@dataclass(frozen=True)
class Evidence:
    """The proof of a page, as its parts are shown; the phone checks the text itself."""

    proof: Inclusion
    origin: str
    at: dt.datetime
    witnesses: list[Witness]
    earlier: list[Witness]  # who cosigned an earlier checkpoint and not yet this one
    keys: list[public_keys.PublicKey]

    @property
    def text(self) -> str:
        return self.proof.to_text()

    @property
    def size(self) -> int:
        return self.proof.checkpoint.size

    @property
    def root(self) -> str:
        return bytes(self.proof.checkpoint.root).hex()


@dataclass(frozen=True)
class TierPage:
    """A value with what a player reads beside it; None where there is no such public value."""

    casino: Casino
    system: JackpotSystem
    jackpot: JackpotTerms
    tier: TierTerms
    evidence: Evidence | None  # None: there is no checkpoint of it yet
    states: list[str]
    name: str  # of the prize, as the house wrote it in the language of now
    displayed: str  # what displays show now
    is_old: bool

    @property
    def value(self) -> str:
        """As displays write it."""
        if self.evidence is None:
            return ""
        pool = self.evidence.proof.leaf.pools[self.tier.code]
        return _amount_text(self.casino, micros_to_minor(pool, self.casino.minor_digits))


def tier_page(code: str, tier_code: str) -> TierPage | None:
    """The page of one tier; None for a tier that is not in effect, or has a fixed prize."""
    system = _system(code)
    head = Head.objects.filter(system=system).first()
    if system is None or head is None:
        return None
    posted = _posted(system, head, tier_code)
    if posted is None or posted[1].prize is not None:
        return None
    terms, tier = posted
    evidence = _evidence_of_tier(system, tier_code)
    message = display.current(system.pk)
    is_behind = evidence is not None and head.block_number > evidence.size
    return TierPage(
        casino=system.casino,
        system=system,
        jackpot=terms,
        tier=tier,
        evidence=evidence,
        states=_states(message, head, tier_code),
        name=names_of(system.casino_id).get(f"{code}/{tier_code}", tier.name),
        displayed=_displayed(system.casino, message, tier_code),
        is_old=is_behind and _age_s(evidence) > OLD_S,
    )


def tier_proof(code: str, tier_code: str) -> Inclusion | None:
    """The proof of that page by itself."""
    page = tier_page(code, tier_code)
    return page.evidence.proof if page and page.evidence else None


def block_page(code: str, number: int, start: str) -> tuple[JackpotSystem, Block, Evidence | None]:
    """The block whose hash begins so. NoProof where there is none.

    Its evidence is None until a checkpoint covers it.
    """
    system = _system(code)
    block = Block.objects.filter(system=system, number=number).first()
    digits = public_addresses.HASH_DIGITS
    if system is None or block is None or bytes(block.hash).hex()[:digits] != start:
        raise NoProof("There is no such block.")
    try:
        return system, block, _evidence(system, proofs.of_block(system, number))
    except NoProof:
        return system, block, None


def all_keys() -> list[tuple[JackpotSystem, str, list[public_keys.PublicKey]]]:
    """Of each system's log its name and its published keys, without those of witnesses."""
    systems = JackpotSystem.objects.select_related("casino").order_by("code")
    return [
        (
            system,
            notes.origin_of(system.code),
            [key for key in public_keys.published(system.code) if not key.is_of_witness],
        )
        for system in systems
    ]


def witness_keys() -> list[public_keys.PublicKey]:
    """Those of witnesses, who look at all logs."""
    return [key for key in public_keys.published("") if key.is_of_witness]


def local(casino: Casino, at: dt.datetime) -> str:
    """A moment in the casino's own time, to the second."""
    return at.astimezone(ZoneInfo(casino.timezone)).strftime("%-d %b %Y, %H:%M:%S %Z")


def _system(code: str) -> JackpotSystem | None:
    return JackpotSystem.objects.select_related("casino").filter(code=code).first()


def _posted(
    system: JackpotSystem, head: Head, tier_code: str
) -> tuple[JackpotTerms, TierTerms] | None:
    for terms in display.in_effect(system.pk, head.terms_number):
        for tier in terms.tiers:
            if tier.code == tier_code:
                return terms, tier
    return None


def _evidence_of_tier(system: JackpotSystem, tier_code: str) -> Evidence | None:
    try:
        proof = proofs.of_newest_block(system)
    except NoProof:
        return None
    return _evidence(system, proof) if tier_code in proof.leaf.pools else None


def _evidence(system: JackpotSystem, proof: Inclusion) -> Evidence:
    cosigned = proof.cosignatures
    return Evidence(
        proof=proof,
        origin=notes.origin_of(system.code),
        at=proof.checkpoint.at,
        witnesses=[
            Witness(name, proof.checkpoint.size, at)
            for name, line in cosigned.items()
            if (at := proofs.cosigned_at(line)) is not None
        ],
        earlier=[
            Witness(*each) for each in proofs.last_cosigned(system) if each[0] not in cosigned
        ],
        keys=public_keys.published(system.code),
    )


def _states(message: dict[str, Any] | None, head: Head, tier_code: str) -> list[str]:
    """What else than "in play" is so: halted, suspended, test, some_tests, closed."""
    states = ["halted"] if head.halted_at else []
    if message is None:
        return states
    states += [each["state"] for each in message["tiers"] if each["tier"] == tier_code]
    if message["test"]:
        states.append("test")
    elif message.get("test_tables"):
        states.append("some_tests")
    return [state for state in states if state != "open"]


def _displayed(casino: Casino, message: dict[str, Any] | None, tier_code: str) -> str:
    values = [
        each["value"] for each in (message or {"tiers": []})["tiers"] if each["tier"] == tier_code
    ]
    return _amount_text(casino, values[0]) if values else ""


def _age_s(evidence: Evidence | None) -> float:
    return (timezone.now() - evidence.at).total_seconds() if evidence else 0.0


def _amount_text(casino: Casino, minor: int) -> str:
    digits = casino.minor_digits
    return write_amount(minor_to_micros(minor, digits), digits)
