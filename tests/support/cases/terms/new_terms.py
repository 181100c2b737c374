"""Two people put new terms into effect in a card room."""

from typing import Any

import pytest

from settlement.approvals import proposals
from settlement.core.errors import SamePerson
from settlement.people.rights.permissions import Reauthenticated
from settlement.terms import drafts
from tests.support.people.roles import acting_as
from tests.support.units.cardroom import CardRoom


def put(room: CardRoom, terms: dict[str, Any], force: str = "") -> None:
    """Anna drafts and cannot agree; David agrees."""
    with acting_as("web"):
        proposal = drafts.propose(room.system, room.people["anna"], terms, force=force)
        with pytest.raises(SamePerson, match="somebody else must approve it"):
            proposals.agree(proposal, Reauthenticated(room.people["anna"]))
        answer = proposals.agree(proposal, Reauthenticated(room.people["david"]))
    assert answer.seq is not None
