"""A program that is nobody's, for tests that try everybody: with every scope that there is."""

from django.contrib.auth.models import User

from settlement.models import SetUpProposal
from settlement.models.access import PROGRAM_SCOPES
from settlement.people.programs import programs
from settlement.people.programs.programs import NewProgram
from settlement.people.rights.permissions import Reauthenticated
from settlement.set_up import proposals


def bearer_of_program() -> dict[str, str]:
    """The header of a request; the program is let in by hana and mere, for every casino."""
    hana, mere = (User.objects.get(username=name) for name in ("hana", "mere"))
    program = programs.add(hana, NewProgram("machine", "Machine", "All", mere, PROGRAM_SCOPES))
    proposals.agree(SetUpProposal.objects.latest("id"), Reauthenticated(mere))
    _token, secret = programs.issue(Reauthenticated(hana), program, "All", 30)
    return {"Authorization": f"Bearer {secret}"}
