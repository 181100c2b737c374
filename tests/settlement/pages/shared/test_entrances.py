"""Every address of pages and API, tried by every role, by a log-in without one, and by nobody.

The addresses are those of the address list itself: who adds one says here whom it lets in.
"""

import uuid
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import URLPattern

from settlement.people.roles import ROLES as PERMISSIONS
from tests.support.cast import ROLES, ClaimHouse
from tests.support.entrances import CLOSED, ONES_OWN, OPEN, PAGES, address_of
from tests.support.page_staff import logged_in

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer")]

READING = "view_claim"
TAKES = "take_delegation"  # the service looks whether the claim's decision was delegated
# Whom an address lets in that takes more than reading; where a form decides what is asked of its
# person, services refuse.
READ_BY: dict[str, str | tuple[str, ...]] = {
    "claim-identification": ("add_identification", "view_identification"),
    "claim-amend": "amend_claim",
    "claim-cage": "pay_claim",
    "claim-reject": "propose_rejection",
    **dict.fromkeys(("claim-reverse", "claim-reverse-rejection"), "propose_reversal"),
    "claim-bundle": "export_bundle",
    **dict.fromkeys(("hand-enter", "hand-place"), "enter_hand"),
    **dict.fromkeys(("round-ruling", "request-refuse", "withdrawal-decide"), "rule_round"),
    "missed-credit": "credit_missed",
    "missed-countersign": "countersign_missed",
    "incident-resolve": "resolve_incident",
    **dict.fromkeys(("pool-csv", "payouts-csv", "rollforward-csv"), "export_reports"),
    **dict.fromkeys(("reports", "report", "export-request", "exports"), "export_reports"),
    **dict.fromkeys(("export-cancel", "export-again", "export-download"), "export_reports"),
    **dict.fromkeys(("export-archive-download", "return-request"), "export_reports"),
    **dict.fromkeys(("schedules", "schedule-end"), "export_reports"),
    **dict.fromkeys(
        ("audit-trail", "security-log", "set-up-changes"), ("view_accessnote", "view_set_up")
    ),
    "second-factors": ("reset_second_factor", "set_factor_demand"),
    "factor-reset": "reset_second_factor",
    "factor-demand": "set_factor_demand",
    "pool-adjust": "propose_adjustment",
    "proposal-approve": "second_adjustment",
    "slip-print": "print_slip",
    "form-draft": ("pay_claim", "export_reports"),
    "gap-close": "close_gap",
    "table-move-finish": "second_move",
    "table-boots": "propose_boots",
    "alarm-clear": "clear_alarm",
    "skip-propose": "propose_aside",
    "skip-agree": "second_aside",
    **dict.fromkeys(("terms-new", "terms-draft"), "propose_terms"),
    "claim-deck": ("verify_claim", TAKES),
    "claim-delegate": "propose_delegation",
    "claim-note": "add_note",
    "claim-footage": "add_footage",
    "claim-attach": "add_attachment",
    "drop-import": ("count_drop", "enter_balance"),
    "remittance-reverse": "remit_tax",
    "finding-step": ("explain_finding", "sign_finding"),
    **dict.fromkeys(("exclusions", "api-exclusions", "api-exclusion-imports"), "view_exclusions"),
    **dict.fromkeys(("exclusions-import", "exclusion-end"), "import_exclusions"),
    "claim-release-excluded": "propose_excluded",
    "home": ("view_claim", "set_up_casino"),
    **dict.fromkeys(("search", "help"), ("view_claim", "view_set_up")),
    **dict.fromkeys(("set-up", "set-up-casino", "set-up-open"), "set_up_casino"),
    **dict.fromkeys(("devices", "device-table", "device-intake"), "set_up_casino"),
    "set-up-tables": ("set_up_casino", "second_move"),
    **dict.fromkeys(("who-may-what", "people", "person"), "view_set_up"),
    **dict.fromkeys(("house-rules", "set-up-withdraw", "all-tokens"), "view_set_up"),
    "anothers-token-end": "administer_people",
    **dict.fromkeys(("webhooks", "webhook"), "view_set_up"),
    **dict.fromkeys(("api-webhooks", "api-webhook-deliveries"), "set_up_casino"),
    "set-up-agree": "second_set_up",
    "invitation-revoke": ("administer_people", "second_set_up"),
}
SENT_BY: dict[str, str | tuple[str, ...]] = {
    "reconcile-now": ("export_reports", "clear_alarm"),
    **READ_BY,
    **dict.fromkeys(("api-webhook-replay", "api-webhook-end"), "set_up_casino"),
    **dict.fromkeys(("api-verify", "api-deck"), "verify_claim"),
    "api-delegate": "propose_delegation",
    **dict.fromkeys(("api-confirm", "api-approve"), ("confirm_claim", TAKES)),
    **dict.fromkeys(("api-reject", "api-propose-rejection"), "propose_rejection"),
    "api-second-rejection": ("second_rejection", TAKES),
    "api-footage": "add_footage",
    "api-notes": "add_note",
    "api-pay": "pay_claim",
    **dict.fromkeys(("api-withhold", "api-release"), "withhold_payment"),
    "api-unclaimed": "book_unclaimed",
    "api-propose-forfeit": "propose_forfeit",
    **dict.fromkeys(("api-propose-reversal", "api-propose-rejection-reversal"), "propose_reversal"),
    "api-propose-adjustment": "propose_adjustment",
    "api-approve-proposal": "second_adjustment",
    **dict.fromkeys(
        ("api-enter-hand", "api-name-round", "api-separate", "api-unpair"), "enter_hand"
    ),
    **dict.fromkeys(("api-refuse-request", "api-rule-round", "api-held-rounds"), "rule_round"),
    "api-credit-missed": "credit_missed",
    "api-countersign": "countersign_missed",
    "api-incidents": "report_incident",
    "api-resolve-incident": "resolve_incident",
    "api-propose-terms": "propose_terms",
    "api-propose-move": "propose_move",
    "api-drop": "count_drop",
    "api-bank": "enter_balance",
    **dict.fromkeys(("api-exclusions", "api-exclusion-end"), "import_exclusions"),
    "api-exclusion-look": "view_exclusions",
    "api-propose-release-excluded": "propose_excluded",
    **dict.fromkeys(("api-remittances", "api-remittance-reverse"), "remit_tax"),
}
# Reading is enough, for everybody with a role.
READ_BY_ALL = [
    *("log", "log-checkpoint", "api-log", "api-checkpoints"),
    "claims",
    "claim",
    "claim-version",
    "claim-print",
    "claim-stop",
    "stop-end",
    "claim-player",
    "handover",
    "handover-signed",
    "plays",
    "play-leave",
    "play-word",
    "claim-attachment",
    "irregularities",
    "rounds-held",
    "incidents",
    "console-stream",
    "open-claims",
    "pools",
    "pool",
    "proposal-agree",
    "proposal-withdraw",
    "payouts",
    "rollforward",
    "closing",
    "drop",
    "findings",
    "withheld-tax",
    "closing-day",
    "tables",
    "table",
    "table-move",
    "reconciliation",
    "quarantine",
    "quarantined",
    "terms",
    "terms-proposal",
    "terms-json",
    "jackpot-terms",
    "jackpot-lifecycle",
    "put-right",
    "tokens",
    "token-end",
    "notice",
    "api-schema",
    "api-docs",
    "api-problems",
    "api-systems",
    "api-system",
    "api-pools",
    "api-claims",
    "api-claim",
    "api-payment-requirements",
    "api-stops",
    "api-stop-claim",
    "api-propose-end",
    "api-requests",
    "api-rulings",
    "api-ruling",
    "api-incident",
    "api-drafts",
    "api-draft",
    "api-proposals",
    "api-proposal",
    "api-agree",
    "api-withdraw",
]


@pytest.fixture
def house() -> ClaimHouse:
    house = ClaimHouse()
    house.hit_royal()
    return house


def test_every_address_says_whom_it_lets_in() -> None:
    assert set(PAGES) == {*SENT_BY, *READ_BY_ALL, *ONES_OWN, *OPEN}


def answers(client: Client, page: URLPattern, method: str) -> Any:
    address = address_of(page)
    if method == "get":
        return client.get(address)
    if address.startswith("/api/"):
        return client.post(address, {}, content_type="application/json")
    return client.post(address, {"key": str(uuid.uuid4())})


def is_refused(answer: Any) -> bool:
    """Whether the person is not let in, for the role alone."""
    if answer.status_code != 403:
        return False
    if answer.headers["Content-Type"] == "application/problem+json":
        return bool(answer.json()["code"] == "not_permitted")
    return "Your role does not allow this" in answer.content.decode()


@pytest.mark.parametrize("name", [*dict.fromkeys(ROLES.values()), None])
@pytest.mark.parametrize("method", ["get", "post"])
def test_a_role_opens_what_it_may_and_nothing_else(
    house: ClaimHouse, name: str | None, method: str
) -> None:
    person = next((who for who, role in ROLES.items() if role == name), "nobody")
    client = logged_in(person)
    wrong = [
        (each, answer.status_code)
        for each, page in CLOSED.items()
        if (answer := answers(client, page, method)).status_code != 405  # no such thing for anybody
        and (answer.status_code >= 500 or is_refused(answer) == lets_in(each, method, name))
    ]
    assert not wrong


def lets_in(name: str, method: str, role: str | None) -> bool:
    if name in ONES_OWN:
        return True
    needed = (READ_BY if method == "get" else SENT_BY).get(name, READING)
    has = PERMISSIONS[role] if role else ()
    return any(each in has for each in ([needed] if isinstance(needed, str) else needed))


@pytest.mark.parametrize("method", ["get", "post"])
def test_nobody_who_is_not_logged_in_opens_anything(house: ClaimHouse, method: str) -> None:
    for name, page in CLOSED.items():
        answer = answers(Client(), page, method)
        if answer.status_code == 302:
            assert answer["Location"].startswith("/login/?next="), name
        else:
            refused = 401 if name.startswith("api-") else 403
            assert answer.status_code in (refused, 405), name


def test_a_log_in_without_a_role_reads_no_number_beside_a_refusal(house: ClaimHouse) -> None:
    assert User.objects.get(username="nobody").groups.count() == 0
    page = logged_in("nobody").get("/").content.decode()
    assert "Your role does not allow this" in page
    assert "data-open-claims" not in page
