"""What is said of the files of an export, and signed: `python -m verifier.export` checks it."""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db.models import OuterRef, Subquery
from django.utils.translation import gettext as _

from jackpot.domain.state.blocks import canonical
from jackpot.models import Block, Checkpoint, Head
from jackpot.models.transparency import CheckpointCause
from jackpot.terms.money import format_exact
from jackpot.transparency import checkpoints as signed_checkpoints
from jackpot.transparency import notes, proofs
from settlement.audit import file_keys
from settlement.reports.definitions.definition import Filters
from settlement.reports.writers.sheet import Sheet
from tables.models import JackpotSystem

FORMAT, FORMAT_OF_RETURN = 1, 2
NAME, SIGNATURE = "manifest.json", "manifest.sig"
_PIECE = 1024 * 1024


def checkpoints(filters: Filters) -> list[dict[str, Any]]:
    """Where the orders of a report stood, as of `points_of`."""
    return points_of(filters.systems)


def points_of(systems: Sequence[JackpotSystem]) -> list[dict[str, Any]]:
    """Where the order of each system stood: entry, block and its hash; and its newest signed
    checkpoint, `log`: size, root, ids of the keys and the note itself. None where there is none."""
    newest = Checkpoint.objects.filter(system=OuterRef("system")).order_by("-size")
    heads = Head.objects.filter(system__in=systems).select_related("system")
    heads = heads.annotate(
        **{f"log_{each}": Subquery(newest.values(each)[:1]) for each in ("size", "root", "note")}
    )
    return [
        {
            "system": head.system.code,
            "entry": head.seq,
            "block": head.block_number,
            "hash": bytes(head.block_hash).hex(),
            "log": _log(head),
        }
        for head in heads.order_by("system__code")
    ]


def _log(head: Any) -> dict[str, Any] | None:
    if head.log_size is None:
        return None
    return {
        "size": head.log_size,
        "root": bytes(head.log_root).hex(),
        "keys": notes.signers(head.log_note),
        "note": head.log_note,
    }


def log_in_words(points: list[dict[str, Any]]) -> str:
    """The signed checkpoints as they stand on a report; empty where there is none."""
    return "; ".join(
        _("%(system)s log of %(size)s blocks, root %(root)s, key %(keys)s")
        % {
            "system": each["system"],
            "size": each["log"]["size"],
            "root": each["log"]["root"][:16],
            "keys": ", ".join(each["log"]["keys"]),
        }
        for each in points
        if each["log"]
    )


def version(filters: Filters) -> str:
    """Of the release of the console, and of the fold and rules that made the newest block."""
    newest = Block.objects.filter(system__in=filters.systems).order_by("-at").first()
    if newest is None:
        return _("console %(release)s") % {"release": settings.VERSION}
    return _("console %(release)s, fold %(fold)s, rules %(rules)s") % {
        "release": settings.VERSION,
        "fold": newest.fold_version,
        "rules": newest.rules_version,
    }


def report_body(
    folder: Path, sheet: Sheet, files: dict[str, dict[str, int]], left_out: list[str]
) -> dict[str, Any]:
    """What is said of the files of one report. `left_out`: kinds that were asked
    for and that so many rows, or a long report in a return, have not."""
    definition = sheet.definition
    return {
        "report": definition.code,
        "title": definition.title,
        "columns": [[each.source, each.shape] for each in definition.columns],
        "rows": sheet.totals["rows"],
        "totals": {
            each.source: _total(sheet.totals[each.source], each.shape) for each in definition.summed
        },
        "files": [
            {"name": name, **digest_of(folder / name), **more} for name, more in files.items()
        ],
        "is_final": definition.is_final,
        "left_out": left_out,
    }


def body_of(
    filters: Filters, of_return: str, bodies: list[dict[str, Any]], **facts: Any
) -> dict[str, Any]:
    """The manifest before it is signed: of one report what `report_body` says of it; of a return,
    by its title, a list of that under `reports`."""
    (first, *_more) = bodies
    own = {"format": FORMAT, **first}
    if of_return:
        own = {"format": FORMAT_OF_RETURN, "return": of_return, "reports": bodies}
    return {
        **own,
        "casino": filters.casino.code,
        "currency": filters.casino.currency,
        "filters": filters.as_json(),
        **facts,
    }


def reports_of(body: dict[str, Any]) -> list[dict[str, Any]]:
    """Of a manifest the parts that `report_body` made: of one report the manifest itself."""
    bodies: list[dict[str, Any]] = body.get("reports", [body])
    return bodies


def sign(folder: Path, body: dict[str, Any]) -> dict[str, Any]:
    """The manifest with the proofs of its checkpoints, key and time, and its signature, written
    into the folder. At the primary, outside the moment in which its files were read."""
    signer = file_keys.signer()
    points = [{**point, "proof": _proof(point)} for point in body["checkpoints"]]
    body = {**body, "checkpoints": points, **signer.stamp()}
    text = canonical(body)
    (folder / NAME).write_bytes(text)
    (folder / SIGNATURE).write_text(signer.sign(text))
    return body


def _proof(point: dict[str, Any]) -> str | None:
    """A tlog-proof file: the block of a point stands in the log, under the checkpoint that is named
    beside it, or, where that covers it not yet, under a new one. None without a log or blocks."""
    if not point["block"]:
        return None
    system = JackpotSystem.objects.get(code=point["system"])
    log = point["log"]
    size = log["size"] if log and log["size"] >= point["block"] else None
    if size is None:
        with contextlib.suppress(notes.KeyUnreadable):
            signed_checkpoints.make(system, CheckpointCause.REPORT)
    try:
        return proofs.of_block(system, point["block"], size).to_text()
    except proofs.NoProof:
        return None


def _total(total: int, shape: str) -> str:
    return format_exact(total, 0).replace(",", "") if shape == "money" else str(Decimal(total))


def digest_of(path: Path) -> dict[str, Any]:
    """SHA-256 and length of a file."""
    digest, size = hashlib.sha256(), 0
    with path.open("rb") as file:
        while piece := file.read(_PIECE):
            digest.update(piece)
            size += len(piece)
    return {"sha256": digest.hexdigest(), "bytes": size}
