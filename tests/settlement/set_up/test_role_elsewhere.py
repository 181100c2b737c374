"""A proposal is of the casinos in which its person had roles; of another one since it is not."""

from typing import Any

import pytest

from settlement.core.errors import WrongState
from settlement.models import SetUpProposal
from settlement.people.rights import roles
from settlement.people.staff import persons
from settlement.set_up import proposals
from tables.models import Casino
from tests.support.people.roles import acting_as
from tests.support.people.set_up import agree, hana, harbour, join, user

__all__ = ["hana", "harbour"]

pytestmark = pytest.mark.django_db


def test_who_has_got_a_role_elsewhere_since_is_let_in_by_a_new_proposal(
    harbour: Casino, hana: Any
) -> None:
    aroha = join("hana", "aroha", "Cashier", harbour)
    other = Casino.objects.create(
        code="pier", name="Pier", timezone="UTC", currency="NZD", minor_digits=2
    )
    with acting_as("web"):
        persons.lock(hana, aroha)
        assert not persons.unlock(hana, aroha)
    roles.grant(aroha, "Cashier", other)
    with pytest.raises(WrongState, match="another casino"):
        agree("mere")
    assert not user("aroha").is_active
    with acting_as("web"):
        proposals.withdraw(SetUpProposal.objects.latest("id"), hana, "Of both casinos")
        assert not persons.unlock(hana, aroha)
    agree("mere")
    assert user("aroha").is_active
