"""What the fold would say of a command now. Nothing is written; the writer judges at its place."""

from __future__ import annotations

from typing import Any

from django.utils import timezone

from jackpot.domain.command_handlers import decide
from jackpot.domain.state.entries import CommandEntry
from jackpot.models import Head
from jackpot.storage.loading import Plan, load
from jackpot.storage.snapshot import snapshot
from tables.models import JackpotSystem

SOMEBODY_ELSE = ""  # a second person is not known yet


def refusal(system: JackpotSystem, kind: str, body: dict[str, Any], first: str) -> str | None:
    """Why the command would be refused now; None where it would be carried out."""
    with snapshot():
        head = Head.objects.filter(system=system).first() or Head(system=system)
        books = load(head, Plan(with_closes=False)).books
    entry = CommandEntry(books.seq + 1, timezone.now(), 0, kind, body, first, SOMEBODY_ELSE)
    refused: str | None = decide(books, entry).get("refused")
    return refused
