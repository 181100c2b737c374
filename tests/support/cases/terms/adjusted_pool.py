"""Two people adjust a pool: one proposes and cannot agree, another agrees."""

import pytest

from jackpot.models import Tier
from settlement.approvals import proposals
from settlement.core.errors import SamePerson
from settlement.people.rights.permissions import Reauthenticated
from settlement.pools import adjustments
from tests.support.people.roles import acting_as
from tests.support.units.cardroom import CardRoom, money


def adjust(room: CardRoom, amount: float, reason: str, below_reset: str = "") -> None:
    """Anna proposes and cannot agree; David agrees."""
    tier = Tier.objects.get(system=room.system, code="royal")
    before = room.pool()
    with acting_as("web"):
        proposal = adjustments.propose(
            adjustments.PoolAdjustment(
                tier,
                into="pool",
                source="operator",
                amount=money(amount),
                reason=reason,
                evidence="Incident 17",
                below_reset=below_reset,
            ),
            room.people["anna"],
        )
        with pytest.raises(SamePerson, match="somebody else must approve it"):
            proposals.agree(proposal, Reauthenticated(room.people["anna"]))
        assert room.pool() == before  # one person moves nothing
        answer = proposals.agree(proposal, Reauthenticated(room.people["david"]))
    assert answer.seq is not None
