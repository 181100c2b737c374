"""The tasks of the user guides: what people do, step by step."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext_noop as _


@dataclass(frozen=True, slots=True)
class Task:
    """A task in English steps that gettext knows; `page` is where it begins, by the name of its
    address. Its picture has the task's code as its name."""

    title: str
    page: str
    steps: tuple[str, ...]


TASKS: dict[str, Task] = {
    "verify": Task(
        _("Verify a claim"),
        "claims",
        (
            _("Open the claim: its next step stands at the top of the overview and of the list."),
            _("Compare the cards with the layout, and read what the rules say."),
            _("Answer the checklist. A point that needs evidence leads to its form."),
            _("Verify. A person who amended the report cannot verify it."),
        ),
    ),
    "amend": Task(
        _("Correct a report"),
        "claims",
        (
            _("Open the claim and choose to amend the report."),
            _("Touch the cards and seats as they lie on the layout."),
            _("Enter the reason and send it. Another supervisor then verifies."),
        ),
    ),
    "enter-hand": Task(
        _("Enter a hand while the unit is offline"),
        "tables",
        (
            _("Open the table and choose to enter a hand."),
            _("Enter seat, cards and board, and why the unit cannot send them."),
            _("Send the form. The hand gets its sequence number at once."),
        ),
    ),
    "rule-round": Task(
        _("Decide on a void round"),
        "irregularities",
        (
            _("Open Irregularities. Requests of dealers stand at the top."),
            _("Decide, and name the misdeal; or refuse with a reason."),
            _("Pot, commission and drop of a void round go back. A refusal changes nothing."),
        ),
    ),
    "credit-missed": Task(
        _("Credit missed rounds"),
        "irregularities",
        (
            _("Open Irregularities and choose the table."),
            _("Enter how many rounds were missed, and the evidence."),
            _("Above your limit a second person approves; a manager countersigns."),
        ),
    ),
    "handover": Task(
        _("Hand over the shift"),
        "handover",
        (
            _("Open Handover and read it together."),
            _("Write down what the next shift must know."),
            _("Both sign, each with their own password."),
        ),
    ),
    "confirm": Task(
        _("Confirm a claim"),
        "claims",
        (
            _("Open a verified claim: check cards, amount and evidence."),
            _("Confirm with your password or passkey."),
            _("Above the second manager’s amount another manager confirms too."),
        ),
    ),
    "agree": Task(
        _("Decide on a proposal"),
        "home",
        (
            _("The overview lists what waits for you."),
            _("Open it and read reason and effect."),
            _("Approve it or send it back. Nobody approves a proposal of their own."),
        ),
    ),
    "adjust-pool": Task(
        _("Adjust a pool"),
        "pools",
        (
            _("Open the prize under Pools and choose to adjust it."),
            _("Enter the amount, the reason and where the money comes from or goes to."),
            _("Propose it. Another manager approves."),
        ),
    ),
    "close-day": Task(
        _("Close the day"),
        "closing",
        (
            _("Open Close of day and choose the day."),
            _("Work through the open points; each leads to its page."),
            _("Propose the close. A second person approves it."),
            _("Later decisions count on the day on which they are made."),
        ),
    ),
    "clear-alarm": Task(
        _("Clear an alarm"),
        "reconciliation",
        (
            _("Open Reconciliation. Alarms stand below the systems."),
            _("Find out what happened, at the table or with technical support."),
            _("Write a note and clear the alarm."),
        ),
    ),
    "pay": Task(
        _("Pay six payees"),
        "claims",
        (
            _("Open the confirmed claim and go to the cage."),
            _("Identify each payee from a photo ID."),
            _("If somebody who sat nowhere owns a part of it, enter them under Sharers."),
            _("Enter chips, cash or cash equivalent for each, or fill in all in cash."),
            _("Check that the total matches, and record all payments with your password."),
            _("Print the slips."),
        ),
    ),
    "slip": Task(
        _("Print a slip again"),
        "payouts",
        (
            _("Open Payouts and narrow the list to the day."),
            _("Print the slip. A copy says that it is one."),
        ),
    ),
    "count-drop": Task(
        _("Enter the drop"),
        "drop",
        (
            _("Open Drop and bank and choose the gaming day."),
            _("Enter the count of each table, or import a file."),
            _("A variance above the limit becomes a finding, which somebody explains."),
        ),
    ),
    "footage": Task(
        _("Review the footage"),
        "claims",
        (
            _("Open the claim and unfold Evidence."),
            _("Enter the reference, the camera and what the footage shows."),
            _("Attach pictures where they help."),
        ),
    ),
    "incident": Task(
        _("Enter an incident"),
        "incidents",
        (
            _("Open Incidents."),
            _("Describe what happened, where and when."),
            _("A supervisor resolves it with a note."),
        ),
    ),
    "staff-at-play": Task(
        _("Record staff who play"),
        "plays",
        (
            _("Open Staff at play."),
            _("Enter who sits down at which table."),
            _("Record when they leave. They cannot decide on hands in between."),
        ),
    ),
    "report": Task(
        _("Export a report"),
        "reports",
        (
            _("Open Reports and choose one."),
            _("Narrow it to days, system and table."),
            _("Ask for the file. It is signed, and stays under Files of reports."),
        ),
    ),
    "hold": Task(
        _("Place a hold on a claim"),
        "claims",
        (
            _("Open the claim and unfold Disputes, holds, order in question."),
            _("Place a regulator’s hold with its reason. Nothing is paid meanwhile."),
            _("Two people lift it."),
        ),
    ),
    "exclusions": Task(
        _("Import excluded persons"),
        "exclusions",
        (
            _("Open Excluded persons and import the file of the register."),
            _("Read what is new and what ends."),
            _("Import it. The payment of a winner who matches stops."),
        ),
    ),
    "invite": Task(
        _("Invite somebody"),
        "people",
        (
            _("Open People."),
            _("Enter the name, the role and how long it holds."),
            _("Ask a second person to approve the invitation on the same page."),
            _("Pass on the link: it opens once. They choose a password and a second factor."),
        ),
    ),
    "add-tables": Task(
        _("Add tables"),
        "set-up",
        (
            _("Open Set-up and choose the system."),
            _("Enter code and name, or upload a CSV or Excel file with both."),
            _("Issue the table's device, then ask a casino manager to put the table into service."),
        ),
    ),
    "issue-device": Task(
        _("Issue a device"),
        "devices",
        (
            _("Open Devices and choose the table."),
            _("Issue a credential for the unit or the display."),
            _("Scan the code with the device. It is shown once."),
            _("Revoke the credential here when the device is lost."),
        ),
    ),
    "pair-screen": Task(
        _("Pair a screen"),
        "screens",
        (
            _("Open the address of screens in the browser of the screen: it shows a code."),
            _("Open Screens and enter the code."),
            _("Enter its name and choose what it shows."),
        ),
    ),
    "terms": Task(
        _("Change the terms of a jackpot"),
        "terms",
        (
            _("Open Terms, choose the jackpot, and draft new terms; a new jackpot has templates."),
            _("Change the figures. The preview says in words what follows from them."),
            _("Propose them. Figures that move far are typed again by both people."),
            _("Another person approves. Rounds in play finish under the terms they began under."),
        ),
    ),
    "reverse": Task(
        _("Reverse a claim"),
        "claims",
        (
            _("Open the confirmed or paid claim and unfold Reversal."),
            _("Propose the reversal with its reason and evidence."),
            _("Another person approves, who neither confirmed nor paid it."),
            _("The prize goes back to its pool. What was handed over stays to be recovered."),
        ),
    ),
    "close-month": Task(
        _("Close a month"),
        "closing",
        (
            _("Open Close of day and choose the month."),
            _("Close its days first, in order. Open points of each lead to their pages."),
            _("Choose the month under Months, check its figures, and propose the close."),
            _("A second person approves. Scheduled reports are made then."),
        ),
    ),
    "forms": Task(
        _("Draft a tax form"),
        "reports",
        (
            _("Open Reports and choose “Tax and cash reporting”."),
            _("A payment that reaches a limit of the law has the button of its form."),
            _("Open the draft, complete it with the player, and file it with the authority."),
            _("Nothing of a draft is kept here: keep the filed form in your own records."),
        ),
    ),
    "first-set-up": Task(
        _("Set up a casino"),
        "set-up",
        (
            _("Open Set-up: it lists the steps, and says which are done."),
            _("Create the casino: time zone, currency, start of the gaming day, language."),
            _("Choose the rules of the place, create the jackpot systems and their tables."),
            _("Invite the people. A second person approves each role from the second one on."),
        ),
    ),
    "open-casino": Task(
        _("Open the casino"),
        "set-up",
        (
            _("Open Set-up and choose the casino: what is still missing stands at the top."),
            _("Decide which amount two managers confirm, and what is signed: both may wait."),
            _("Take a rehearsal from press to payment. Nothing of it is money."),
            _("Let a casino manager put the tables into service."),
            _("Open the casino. From then on hands count."),
        ),
    ),
    "shared-tablet": Task(
        _("Share a tablet"),
        "tablets",
        (
            _("Open Shared tablets at the tablet itself and make its browser one."),
            _("Enter a badge number for each person on their page in People."),
            _("Each logs in there with the password once a shift, then with badge and PIN."),
            _("Revoke the tablet here when it is lost."),
        ),
    ),
}
