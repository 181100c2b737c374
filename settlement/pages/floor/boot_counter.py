"""A table's boot counter: the part of its page, and the form on it."""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from settlement.core.errors import RuleBroken
from settlement.core.input import LONGEST_TEXT
from settlement.floor import boot_counter
from settlement.pages.claims.actions import refusal_text
from settlement.pages.shared.choices import table_or_404
from settlement.pages.shared.decorators import opens_for
from tables.intake.boots.watermark import next_boot
from tables.models import GamingTable
from tables.protocol.messages import MAX_BOOT


def part_of(table: GamingTable, user: Any) -> dict[str, Any]:
    """What the table's page says of its boots, and what this person may do about them."""
    may = {name: user.has_perm(f"settlement.{name}") for name in ("propose_boots", "second_boots")}
    newest = boot_counter.newest_boot(table)
    return {
        **may,
        "newest": newest,
        "next": next_boot(newest),
        "proposal": boot_counter.open_reset(table) if any(may.values()) else None,
        "key": uuid.uuid4(),
        "longest": LONGEST_TEXT,
        "most": MAX_BOOT,
    }


@require_POST
@opens_for("propose_boots")
def boots_reset(request: HttpRequest, system: str, table: str) -> HttpResponse:
    """Propose to set the counter right."""
    gaming_table, post = table_or_404(system, table), request.POST
    try:
        key = uuid.UUID(post.get("key", ""))
    except ValueError:
        key = uuid.uuid4()
    text = post.get("boot", "")
    try:
        boot_counter.propose(
            gaming_table,
            request.user,
            boot=int(text) if text.isascii() and text.isdecimal() else -1,
            reason=post.get("reason", ""),
            key=key,
        )
    except RuleBroken as refusal:
        messages.error(request, refusal_text(refusal))
    else:
        messages.success(request, _("Proposed. A second person must approve it with a password."))
    return redirect(reverse("table", args=[system, table]) + "#boots")
