"""The kinds of problems that the API answers with; the `type` of each leads to its line here."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from jackpot.web.problems import title_of


@dataclass(frozen=True, slots=True)
class ProblemType:
    """`code` is what programs tell them apart by; `meaning` says when it comes and what to do."""

    code: str
    status: int
    meaning: str | Promise

    @property
    def title(self) -> str:
        return title_of(self.code)


# By what a program can do about it.
REQUEST = (
    ProblemType(
        "invalid",
        400,
        _("Something cannot be read (400), or the body does not fit (422): see “fields”."),
    ),
    ProblemType(
        "parse_error",
        400,
        _("The body is not JSON, is nested too deeply, or holds characters that cannot be stored."),
    ),
    ProblemType(
        "days_out_of_reach",
        400,
        _("Too many gaming days at once, or none that this console knows."),
    ),
    ProblemType(
        "not_found",
        404,
        _("Not found, or not visible to you. Addresses end with a slash."),
    ),
    ProblemType(
        "not_open_yet",
        404,
        _("The hand was just reported: its claim opens in a moment. Wait for “Retry-After”."),
    ),
    ProblemType(
        "method_not_allowed", 405, _("The address has no such method: “Allow” names those it has.")
    ),
    ProblemType("too_slow", 408, _("The body did not arrive completely in time. Send it again.")),
    ProblemType(
        "precondition_failed",
        412,
        _("It changed since you read it, so “If-Match” fails: read it again, then decide."),
    ),
    ProblemType(
        "too_large", 413, _("The body is larger than the address takes, and was not read.")
    ),
    ProblemType("unsupported_media_type", 415, _("Send application/json.")),
    ProblemType(
        "key_used",
        422,
        _("The Idempotency-Key was used for something else. A new request takes a new key."),
    ),
    ProblemType(
        "throttled",
        429,
        _("Too many requests: wait for “Retry-After”. “RateLimit” says what is left."),
    ),
)
PEOPLE = (
    ProblemType(
        "not_authenticated",
        401,
        _("Nobody is logged in, or the log-in ended. Send an access token."),
    ),
    ProblemType(
        "authentication_failed",
        401,
        _("Name, password, code or token is wrong, or the token has ended."),
    ),
    ProblemType(
        "not_permitted",
        403,
        _("The role does not allow it, or the token lacks the scope: ask a colleague."),
    ),
    ProblemType(
        "permission_denied", 403, _("The request did not come from a page of this console.")
    ),
    ProblemType(
        "wrong_password",
        403,
        _("The password in the body is wrong. Each wrong one counts for the lock."),
    ),
    ProblemType(
        "bad_signature",
        403,
        _("The signature is for another action, is too old, or is not from a key of the person."),
    ),
    ProblemType(
        "signature_needed",
        428,
        _("The person signs it: let their passkey sign “to_sign”, and send it in the header."),
    ),
    ProblemType(
        "second_factor_needed", 403, _("The role needs a second factor: add one on the console.")
    ),
    ProblemType(
        "own_hand", 403, _("You were dealt into this hand: a colleague must decide on it.")
    ),
    ProblemType(
        "locked", 401, _("The log-in of the browser is locked: its person opens it again.")
    ),
    ProblemType("locked_out", 429, _("Too many wrong passwords: wait for “Retry-After”.")),
    ProblemType(
        "same_person",
        409,
        _("Somebody other than the person who did the previous step must do this."),
    ),
    ProblemType(
        "not_identified",
        422,
        _("The rules of the place want the player identified before so much is paid."),
    ),
    ProblemType(
        "second_manager_needed",
        409,
        _("The amount takes two managers: one approves, another confirms."),
    ),
    ProblemType("second_needed", 409, _("This takes a second person at the same screen.")),
)
CONSOLE = (
    ProblemType("wrong_state", 409, _("Its state has changed: read it again.")),
    ProblemType(
        "changed_meanwhile",
        409,
        _("Something changed while it was being recorded; nothing was saved. Read it again."),
    ),
    ProblemType(
        "declined", 409, _("The writer judged it at its place in the order and declined it.")
    ),
    ProblemType(
        "excluded",
        409,
        _("A payee is on a list of excluded persons: two people release the payment first."),
    ),
    ProblemType("enough", 409, _("The claim has as many of these as it may have.")),
    ProblemType(
        "stopped", 422, _("A dispute or a regulator's hold is open: nothing is confirmed or paid.")
    ),
    ProblemType(
        "checklist_incomplete",
        422,
        _("Verification needs an answer to every point of the checklist."),
    ),
    ProblemType("hand_does_not_qualify", 422, _("The rules find no hand that wins this prize.")),
    ProblemType(
        "parts_do_not_add_up", 422, _("Chips, cash and cash equivalent must add up to the amount.")
    ),
    ProblemType(
        "bad_withholding",
        422,
        _("The rules of the place ask for another amount of tax, or for the residence."),
    ),
    ProblemType(
        "bad_count", 422, _("A card was ticked off that cannot be in the rest of the deck.")
    ),
    ProblemType(
        "bad_evidence", 422, _("A note, a review of footage or a file cannot be kept as it is.")
    ),
    ProblemType("bad_identification", 422, _("An identification cannot be kept as it is.")),
    ProblemType(
        "bad_sharer", 422, _("Somebody cannot share what a seat won, or not so much of it.")
    ),
    ProblemType("bad_report", 422, _("A reported hand cannot be read.")),
    ProblemType("bad_figure", 422, _("A counted drop or a balance cannot be entered as it is.")),
    ProblemType("bad_file", 422, _("A file that is to be imported cannot be read.")),
    ProblemType("bad_exclusion", 422, _("An excluded person cannot be entered like this.")),
    ProblemType(
        "bad_set_up",
        422,
        _("A casino, a system, a table or an endpoint cannot be set up like this."),
    ),
    ProblemType("bad_reason", 422, _("A reason or evidence is missing, or does not fit.")),
    ProblemType("bad_terms", 422, _("Terms that cannot be posted.")),
    ProblemType(
        "figures_not_retyped", 422, _("A figure changes a lot: type it again, as “fields” asks.")
    ),
    ProblemType(
        "file_fault", 422, _("The rules of the place cannot be read: the owner corrects the file.")
    ),
    ProblemType("busy", 503, _("Too many requests at once. This one was not started.")),
    ProblemType(
        "took_too_long",
        503,
        _(
            "The database stopped the request. Check whether it was carried out, or send it "
            "again with the same key."
        ),
    ),
    ProblemType("schema_differs", 503, _("The console is being updated.")),
    ProblemType("clock_differs", 503, _("The clocks of the console and of its database differ.")),
    ProblemType(
        "database_unavailable",
        503,
        _("The database does not answer. Send the request again with the same key."),
    ),
    ProblemType("fault", 500, _("A fault of the console; it was logged. Call technical support.")),
)
PROBLEM_TYPES = (*REQUEST, *PEOPLE, *CONSOLE)


@require_safe
@never_cache
@login_required
def problem_types(request: HttpRequest) -> HttpResponse:
    """The page."""
    groups = [
        (_("The request"), REQUEST),
        (_("Who asks"), PEOPLE),
        (_("Rules and the console itself"), CONSOLE),
    ]
    return render(request, "console/api/problems.html", {"groups": groups})
