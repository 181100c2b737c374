"""A house in which nothing connects the two documents that one person showed but a statement."""

from settlement.evidence import same_player
from settlement.models import Proposal
from settlement.people.rights.permissions import Reauthenticated
from tests.support.cases.confirmed_house import person
from tests.support.houses.office.two_documents import TwoDocuments
from tests.support.people.roles import acting_as

WHY = "Both documents were shown, the photographs agree"


class OtherName(TwoDocuments):
    """The licence bears a name that nothing connects with the passport's."""

    def __init__(self) -> None:
        super().__init__()
        self.shows(self.second, "Mia Chen")

    def state(self, *, is_one: bool = True) -> Proposal:
        """Two people state of the first two numbers that they are one player, or are not."""
        first, second = self.numbers[:2]
        return self.join(second, first, is_one=is_one)

    def join(self, number: int, other: int, *, is_one: bool = True) -> Proposal:
        """The same of any two numbers."""
        with acting_as("web"):
            proposal = same_player.propose(number, person("mere"), other, WHY, is_one=is_one)
            same_player.agree(proposal, Reauthenticated(person("ines")))
        self.post()
        return proposal
