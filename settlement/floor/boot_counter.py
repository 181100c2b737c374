"""Setting a table's boot counter right: two people say which boot was its unit's last.

One event with a boot that is not the unit's, signed with its key by mistake or by somebody else,
would leave a unit without memory no boot to take, and would overtake all its sessions.
"""

from __future__ import annotations

import uuid
from typing import Any

from django.utils.translation import gettext as _

from jackpot.labels.figures import write_count
from settlement.approvals import proposals
from settlement.core.errors import BadReason, WrongState
from settlement.core.input import required_text
from settlement.models import Proposal
from settlement.people.rights.permissions import require
from tables.models import GamingTable, Stream
from tables.protocol.messages import MAX_BOOT

KIND = Proposal.Kind.RESET_BOOTS


def newest_boot(table: GamingTable) -> int:
    """The newest boot that counts; 0: none was heard."""
    streams = Stream.objects.filter(system=table.system_id, table=table, discarded=False)
    return streams.order_by("-boot").values_list("boot", flat=True).first() or 0


def propose(
    table: GamingTable, user: Any, *, boot: int, reason: str, key: uuid.UUID | None = None
) -> Proposal:
    """Propose that the counter goes on behind `boot`, the last that was the unit's own."""
    require(user, proposals.PERMISSIONS[KIND][0], table.system)
    reason_text = required_text(reason, _("Enter a reason: it is kept in the record."))
    if not 0 <= boot <= MAX_BOOT:
        raise BadReason(
            _("A boot is a number up to %(max_boot)s; 0 if none was the unit's own.")
            % {"max_boot": write_count(MAX_BOOT)}
        )
    if table.moved_to_id is not None:
        raise WrongState(_("This table has moved to another system: its unit counts there."))
    waiting = open_reset(table)
    if waiting is not None and waiting.key != key:
        raise WrongState(_("This is proposed already: approve it, or withdraw it first."))
    body = {"table": table.code, "boot": boot, "reason": reason_text}
    return proposals.propose(table.system, KIND, table.code, body, user, key)


def open_reset(table: GamingTable) -> Proposal | None:
    """What is proposed for this table and nobody has decided."""
    resets = proposals.open_proposals().filter(system=table.system_id, kind=KIND)
    return resets.filter(subject=table.code).first()
