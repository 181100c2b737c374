"""A table that moves to another system: the part of its page, and the forms on it."""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from settlement.core.errors import RuleBroken
from settlement.core.input import LONGEST_TEXT
from settlement.floor import table_transfer
from settlement.pages.claims.actions import refusal_text
from settlement.pages.shared.choices import table_or_404
from settlement.pages.shared.decorators import opens_for
from tables.models import GamingTable


def part_of(table: GamingTable, user: Any) -> dict[str, Any]:
    """What the table's page says of moving, and what this person may do about it."""
    may = {name: user.has_perm(f"settlement.{name}") for name in ("propose_move", "second_move")}
    context: dict[str, Any] = {"came_from": getattr(table, "moved_from", None), **may}
    if table.moved_to_id is not None or not any(may.values()):
        return context
    proposal = table_transfer.open_move(table)
    unfinished = table_transfer.unfinished(table) if proposal is None else None
    context |= {"proposal": proposal, "unfinished": unfinished}
    if proposal is not None:
        context["there"] = (
            table_transfer.destinations(table).filter(code=proposal.body["to_system"]).first()
        )
    elif unfinished is None and may["propose_move"]:
        context |= {
            "systems": list(table_transfer.destinations(table)),
            "in_the_way": table_transfer.in_the_way(table),
            "key": uuid.uuid4(),
            "longest": LONGEST_TEXT,
        }
    return context


@require_POST
@opens_for("view_claim")
def table_move(request: HttpRequest, system: str, table: str) -> HttpResponse:
    """Propose that the table goes to another system."""
    gaming_table = table_or_404(system, table)
    post = request.POST
    try:
        key = uuid.UUID(post.get("key", ""))
    except ValueError:
        key = uuid.uuid4()
    to = get_object_or_404(
        table_transfer.destinations(gaming_table), code=post.get("to_system", "")
    )
    try:
        table_transfer.propose(
            gaming_table,
            request.user,
            to=to,
            code=post.get("to_table", ""),
            reason=post.get("reason", ""),
            key=key,
        )
    except RuleBroken as refusal:
        messages.error(request, refusal_text(refusal))
    else:
        messages.success(
            request,
            _("Proposed: nothing moves until somebody else approves it, with the password."),
        )
    return _back(gaming_table)


@require_POST
@opens_for("second_move")
def table_move_finish(request: HttpRequest, system: str, table: str) -> HttpResponse:
    """What two people decided and the order carried out is finished in the other system."""
    gaming_table = table_or_404(system, table)
    try:
        table_transfer.finish(gaming_table)
    except RuleBroken as refusal:
        messages.error(request, refusal_text(refusal))
    else:
        messages.success(request, _("The table is in the other system now."))
    return _back(gaming_table)


def _back(table: GamingTable) -> HttpResponse:
    return redirect(reverse("table", args=[table.system.code, table.code]) + "#moving")
