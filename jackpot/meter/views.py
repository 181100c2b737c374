"""The meter in public: a value, a block and the keys, each with what a phone needs to check it."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse

from jackpot.meter import content
from jackpot.meter.content import Evidence
from jackpot.meter.public_page import page, public_page
from jackpot.models import Block
from jackpot.transparency import proofs
from jackpot.transparency.proofs import Inclusion, NoProof
from tables.models import Casino, JackpotSystem

KEYS_AGE_S = 300  # for so long a browser need not ask for the keys again


@public_page()
def tier(_request: HttpRequest, system: str, tier: str) -> HttpResponse:
    """The value of one tier with its proof."""
    details = content.tier_page(system, tier)
    if details is None:
        raise Http404
    return page(
        "meter/tier.html",
        {
            "details": details,
            "casino": details.casino,
            "evidence": details.evidence,
            "at": details.evidence and content.local(details.casino, details.evidence.at),
            **_witnesses(details.casino, details.evidence),
            "download": reverse("meter-proof", args=[system, tier]),
        },
    )


@public_page()
def tier_proof(_request: HttpRequest, system: str, tier: str) -> HttpResponse:
    """The proof of that page as a file."""
    proof = content.tier_proof(system, tier)
    if proof is None:
        raise Http404
    return _file(proof, f"{system}-{tier}-{proof.leaf.block}.tlog-proof")


@public_page()
def block(_request: HttpRequest, system: str, number: int, start: str) -> HttpResponse:
    """That the block of a slip stands in the log."""
    its_system, row, evidence = _block(system, number, start)
    casino = its_system.casino
    return page(
        "meter/block.html",
        {
            "system": its_system,
            "casino": casino,
            "number": number,
            "hash": bytes(row.hash).hex(),
            "evidence": evidence,
            **_witnesses(casino, evidence),
            "download": reverse("meter-block-proof", args=[system, number, start]),
        },
    )


@public_page()
def block_proof(_request: HttpRequest, system: str, number: int, start: str) -> HttpResponse:
    """The proof of that page as a file."""
    _, _, evidence = _block(system, number, start)
    if evidence is None:
        raise Http404
    return _file(evidence.proof, f"{system}-block-{number}.tlog-proof")


@public_page()
def growth(_request: HttpRequest, system: str, old: int) -> HttpResponse:
    """That the log has only grown since the checkpoint of so many blocks, as a file."""
    row = JackpotSystem.objects.filter(code=system).first()
    if row is None:
        raise Http404
    try:
        text = proofs.growth(row, old)
    except NoProof as why:
        raise Http404 from why
    return HttpResponse(text, content_type="text/plain; charset=utf-8")


@public_page(KEYS_AGE_S)
def keys(_request: HttpRequest) -> HttpResponse:
    """The public keys of all logs, with what they are for."""
    return page(
        "meter/keys.html", {"logs": content.all_keys(), "witnesses": content.witness_keys()}
    )


@public_page(KEYS_AGE_S)
def keys_as_text(_request: HttpRequest) -> HttpResponse:
    """The same for programs, a key a line."""
    lines = [key.line for _, _, keys in content.all_keys() for key in keys]
    lines += [key.line for key in content.witness_keys()]
    text = "".join(f"{line}\n" for line in lines)
    return HttpResponse(text, content_type="text/plain; charset=utf-8")


@public_page()
def nothing(_request: HttpRequest, rest: str = "") -> HttpResponse:
    """Whatever else is asked for here."""
    raise Http404(rest)


def _block(system: str, number: int, start: str) -> tuple[JackpotSystem, Block, Evidence | None]:
    try:
        return content.block_page(system, number, start)
    except NoProof as why:
        raise Http404 from why


def _witnesses(casino: Casino, evidence: Evidence | None) -> dict[str, list[tuple[str, int, str]]]:
    """Name, size of the log and time of the casino: of this checkpoint, and of earlier ones."""
    by_witness = (
        {"witnesses": [], "earlier": []}
        if evidence is None
        else {"witnesses": evidence.witnesses, "earlier": evidence.earlier}
    )
    return {
        key: [(each.name, each.size, content.local(casino, each.at)) for each in rows]
        for key, rows in by_witness.items()
    }


def _file(proof: Inclusion, name: str) -> HttpResponse:
    return HttpResponse(
        proof.to_text(),
        content_type="text/plain; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )
