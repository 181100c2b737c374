"""A halted system: two people skip its entry, and it resumes."""

from django.contrib.auth.models import User
from django.core.management import call_command

from jackpot.models import Entry, SkipDecision
from settlement.models import SkipProposal
from tests.support.play.house import House


def skip_halted(house: House) -> None:
    """Two people skip what the system is halted on."""
    anna, david = (User.objects.get_or_create(username=name)[0] for name in ("anna", "david"))
    head = house.head
    SkipProposal.objects.create(
        system=house.system,
        event=head.halted_event,
        command=head.halted_command,
        reason="why",
        person=anna,
    )
    SkipDecision.objects.create(
        system=house.system,
        event_id=head.halted_event,
        command=head.halted_command,
        reason="why",
        first="anna",
        second=david.username,
    )


def house_goes_on(house: House) -> None:
    call_command("resume_system", house.system.code, verbosity=0)
    house.post()
    assert house.head.halted_at is None
    assert Entry.objects.filter(type="round_started").count() == house.rounds["t3"]
