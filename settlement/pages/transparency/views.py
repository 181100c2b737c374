"""The page "Log": how it stands with each system's log, its checkpoints, and one as a file."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext_noop as _
from django.views.decorators.http import require_safe

from jackpot.models import Checkpoint
from jackpot.models.transparency import CheckpointCause
from jackpot.transparency.cosignatures import algorithms_of
from jackpot.transparency.log_state import checkpoints_of, log_of
from jackpot.transparency.proofs import with_cosignatures
from settlement.audit import file_keys
from settlement.core.words.translation import Labels
from settlement.pages.shared.choices import choice_of, number_of, query_without, system_or_404
from settlement.pages.shared.decorators import opens_for
from tables.models import JackpotSystem

ROWS = 50
CAUSES = Labels(
    {
        CheckpointCause.INTERVAL.value: _("Interval"),
        CheckpointCause.CLOSE.value: _("Close"),
        CheckpointCause.REPORT.value: _("Report"),
    }
)


@require_safe
@opens_for("view_claim")
def log(request: HttpRequest) -> HttpResponse:
    """Every system's log, and the checkpoints of one of them, newest first."""
    systems = list(JackpotSystem.objects.select_related("casino").order_by("name", "pk"))
    code = choice_of(request, "system", [system.code for system in systems])
    system = next((each for each in systems if each.code == code), next(iter(systems), None))
    context: dict[str, Any] = {"systems": systems, "system": system}
    if system is not None:
        context |= {"logs": [log_of(each) for each in systems], "casino": system.casino}
        context |= _checkpoints(request, system)
        context["file_keys"] = file_keys.published()
    return render(request, "console/transparency/log.html", context)


def _checkpoints(request: HttpRequest, system: JackpotSystem) -> dict[str, Any]:
    cause = choice_of(request, "cause", CAUSES)
    rows = checkpoints_of(system, cause)
    before = number_of(request, "before")
    if before is not None:
        rows = rows.filter(size__lt=before)
    page: list[Any] = list(rows[: ROWS + 1])
    query = query_without(request, "before")
    return {
        "rows": [
            {
                "size": row.size,
                "at": row.at,
                "cause": CAUSES[row.cause],
                "is_interval": row.cause == CheckpointCause.INTERVAL,
                "root": bytes(row.root).hex(),
                "witnesses": [
                    (answer.witness, algorithms_of(answer.text)) for answer in row.cosignatures
                ],
            }
            for row in page[:ROWS]
        ],
        "older": f"{query or '?'}&before={page[ROWS - 1].size}" if len(page) > ROWS else "",
        "newest": query or request.path if before is not None else "",
        "causes": CAUSES.items(),
        "cause": cause,
    }


@require_safe
@opens_for("view_claim")
def checkpoint(_request: HttpRequest, system: str, size: int) -> HttpResponse:
    """A checkpoint as it was signed, with the cosignatures that it has by now."""
    row = get_object_or_404(Checkpoint, system=system_or_404(system), size=size)
    response = HttpResponse(with_cosignatures(row), content_type="text/plain; charset=utf-8")
    name = f"{system}-{size}.checkpoint.txt"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
