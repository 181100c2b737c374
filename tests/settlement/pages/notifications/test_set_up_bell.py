"""The bell of who can agree to a set-up proposal, and of who proposed it."""

from django.test import Client

from settlement import tasks
from settlement.models import Notification, SetUpProposal
from settlement.people.rights import roles
from settlement.people.rights.permissions import Reauthenticated
from settlement.set_up import proposals
from tables.models import Casino
from tests.support.cases.confirmed_house import person
from tests.support.pages.page_staff import logged_in, words
from tests.support.people.cast import ClaimHouse
from tests.support.people.roles import acting_as
from tests.support.suite.kept_house import kept_house

house = kept_house(ClaimHouse, CLAIM_WAIT_S=0)


def bell(client: Client) -> str:
    return words(client.get("/notifications/"))


def beat() -> None:
    tasks.collect_webhooks()
    tasks.send_notifications()


def propose(count: int) -> SetUpProposal:
    with acting_as("web"):
        proposals.propose_count(person("mere"), Casino.objects.get(), "missed_rounds", count)
    beat()
    return SetUpProposal.objects.latest("id")


def test_the_bell_leads_to_the_rules_and_says_what_came_of_it(house: ClaimHouse) -> None:
    proposal = propose(5)
    client = logged_in("david")
    assert "Set-up needs a second person" in bell(client)
    row = Notification.objects.get(person__username="david")
    assert client.post(f"/notifications/{row.pk}/open/")["Location"].startswith("/house-rules/")
    with acting_as("web"):
        proposals.agree(proposal, Reauthenticated(person("david")))
    beat()
    assert "one person credits: agreed" in bell(logged_in("mere"))
    refused = propose(7)
    with acting_as("web"):
        proposals.withdraw(refused, person("david"), "Too many")
    beat()
    assert "one person credits: withdrawn" in bell(logged_in("mere"))


def test_who_lost_the_role_sees_it_no_more(house: ClaimHouse) -> None:
    propose(5)
    assert "Set-up needs" in bell(logged_in("david"))
    roles.revoke(person("david"), "Casino manager")
    assert "Set-up needs" not in bell(logged_in("david"))
