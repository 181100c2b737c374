"""Who can agree hears of a set-up proposal, who proposed it hears what came of it; nobody else."""

from django.contrib.auth.models import User
from django.core import mail

from settlement import tasks
from settlement.models import Notification, SetUpProposal, WebhookEvent
from settlement.people.rights import role_holders, roles
from settlement.people.rights.permissions import Reauthenticated
from settlement.people.staff import persons
from settlement.set_up import proposals
from tables.models import Casino
from tests.support.cases.confirmed_house import person
from tests.support.people.cast import ClaimHouse
from tests.support.people.roles import acting_as
from tests.support.suite.kept_house import kept_house


def build_house() -> ClaimHouse:
    house = ClaimHouse()
    for user in User.objects.all():
        user.email = f"{user.username}@example.org"
        user.save(update_fields=["email"])
    return house


house = kept_house(build_house, CLAIM_WAIT_S=0, CONSOLE_ORIGIN="https://console.example")


def beat() -> None:
    tasks.collect_webhooks()
    tasks.send_notifications()


def notices() -> list[tuple[str, str]]:
    rows = Notification.objects.order_by("id")
    return list(rows.values_list("person__username", "kind"))


def propose(name: str, count: int) -> SetUpProposal:
    with acting_as("web"):
        proposals.propose_count(person(name), Casino.objects.get(), "missed_rounds", count)
    return SetUpProposal.objects.latest("id")


def test_from_the_proposal_to_what_came_of_it(house: ClaimHouse) -> None:
    proposal = propose("mere", 5)
    seconds = {each.username for each in role_holders.holders("second_set_up", None)} - {"mere"}
    for _ in range(2):  # nothing comes twice
        beat()
    assert sorted(notices()) == [(name, "set_up.proposed") for name in sorted(seconds)]
    assert "david" in seconds
    subject = "Set-up needs a second person: MAIN, change how many missed rounds one person credits"
    assert sorted(each.to[0] for each in mail.outbox) == sorted(
        f"{name}@example.org" for name in seconds
    )
    casino = house.system.casino.code.upper()
    assert {each.subject for each in mail.outbox} == {subject.replace("MAIN", casino)}
    assert "https://console.example/house-rules/" in str(mail.outbox[0].body)
    with acting_as("web"):
        proposals.agree(proposal, Reauthenticated(person("david")))
    beat()
    assert notices()[len(seconds) :] == [("mere", "set_up.decided")]
    refused = propose("mere", 7)
    beat()
    with acting_as("web"):
        proposals.withdraw(refused, person("david"), "Too many")
    beat()
    assert notices()[-1] == ("mere", "set_up.decided")
    assert not WebhookEvent.objects.filter(kind__startswith="set_up").exists()


def test_who_took_it_back_is_told_nothing_nor_who_comes_too_late(house: ClaimHouse) -> None:
    proposal = propose("mere", 5)
    with acting_as("web"):
        proposals.withdraw(proposal, person("mere"), "A mistake")
    beat()
    assert notices() == []


def test_whom_it_is_about_is_not_asked_and_another_casino_hears_nothing(house: ClaimHouse) -> None:
    here = house.system.casino
    there = Casino.objects.create(code="other", name="Other", timezone="UTC", currency="NZD")
    abroad = User.objects.create_user("kai", email="kai@example.org")
    roles.grant(abroad, "Casino manager", there)
    hana = person("hana")
    with acting_as("web"):
        persons.give_role(hana, person("mere"), "Surveillance", here)
    beat()
    names = {name for name, _kind in notices()}
    assert "david" in names
    assert not {"mere", "kai", "hana"} & names
    rows = Notification.objects.filter(person__username="david")
    assert rows.get().casino == here
