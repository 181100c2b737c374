"""Rules in words: for pages, notices and the command."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from jackpot.labels.figures import localized, write_count, write_decimals
from settlement.core.words.translation import Labels
from settlement.jurisdiction.pack import Rule

KINDS = Labels(
    {
        "cash_report": gettext_noop("Cash report"),
        "tax_form": gettext_noop("Tax form"),
        "shared_form": gettext_noop("Form for a shared prize"),
        "backup_withholding": gettext_noop("Backup withholding"),
        "identification": gettext_noop("Identification"),
        "retention": gettext_noop("Retention"),
        "ties": gettext_noop("Ties"),
        "failure": gettext_noop("Failure of equipment"),
        "exclusion": gettext_noop("Excluded persons"),
        "report_layout": gettext_noop("Return"),
    }
)
RECORDS = Labels(
    {
        "money": gettext_noop("records of money"),
        "claims": gettext_noop("claims and their evidence"),
        "identification": gettext_noop("identifications"),
        "reports": gettext_noop("reports as files"),
        "access": gettext_noop("log-ins and views"),
        "": gettext_noop("all other records"),
    }
)
TIES = Labels(
    {
        "first": gettext_noop("Of equal hands the one recorded first wins"),
        "shared": gettext_noop("Equal hands share the prize"),
        "posted": gettext_noop("Equal hands: as the posted terms say"),
    }
)
FAILURES = Labels(
    {
        "round": gettext_noop("Contributions of a round that equipment did not record"),
        "hand": gettext_noop("A winning hand of a round in which equipment failed"),
        "amount": gettext_noop("The amount of a prize when equipment failed"),
    }
)
REMEDIES = Labels(
    {
        "made_good": gettext_noop("made good"),
        "void": gettext_noop("not counted"),
        "displayed": gettext_noop("the value that the display last showed"),
        "recorded": gettext_noop("the recorded value, corrected with a reason"),
        "posted": gettext_noop("as the posted terms say"),
    }
)
WINNINGS = Labels(
    {
        "forfeited": gettext_noop("Winnings of an excluded person are forfeited"),
        "decided": gettext_noop(
            "Two people decide whether an excluded person’s winnings are paid or forfeited"
        ),
    }
)
PERIODS = Labels(
    {
        "day": gettext_noop("each gaming day"),
        "month": gettext_noop("each month"),
        "quarter": gettext_noop("each quarter"),
        "year": gettext_noop("each year"),
    }
)


def in_words(rule: Rule, currency: str) -> str:
    """What a rule says, in one sentence without a full stop."""
    match rule.rule:
        case "retention":
            text = _("Keep %(records)s %(years)s years") % {
                "records": RECORDS[rule.records or ""],
                "years": rule.years,
            }
        case "ties":
            text = TIES[rule.ties or ""]
        case "failure":
            text = failure_in_words(rule)
        case "exclusion":
            text = WINNINGS[rule.winnings or ""]
        case "report_layout":
            text = _("%(title)s, %(period)s: %(reports)s") % {
                "title": rule.title,
                "period": PERIODS[rule.period or ""],
                "reports": ", ".join(rule.reports),
            }
        case _:
            text = _of_payments(rule, currency)
    return with_standing(text, rule)


def with_standing(text: str, rule: Rule) -> str:
    """A text about a rule, and whether it is a policy, or a law that nobody has read."""
    if rule.house_policy:
        return _("%(text)s (house policy)") % {"text": text}
    return unconfirmed_in_words(text) if rule.is_unconfirmed else text


def unconfirmed_in_words(text: str) -> str:
    """A source that nobody has compared with the text of the law."""
    return _("%(text)s (source not confirmed)") % {"text": text}


def failure_in_words(rule: Rule) -> str:
    return f"{FAILURES[rule.of_failure or '']}: {REMEDIES[rule.remedy or '']}"


def limit_in_words(rule: Rule, currency: str) -> str:
    """From which amount on, of what, and over which time it is counted."""
    amount = rule.at_least if rule.at_least is not None else rule.above
    limit = (
        _("from %(currency)s %(amount)s")
        if rule.at_least is not None
        else _("above %(currency)s %(amount)s")
    )
    text = limit % {"currency": currency, "amount": _plain(amount or Decimal(0))}
    if rule.of == "cash":
        text = _("%(limit)s in cash") % {"limit": text}
    if rule.per == "person_and_day":
        return _("%(limit)s to one person in a gaming day") % {"limit": text}
    return _("%(limit)s in one payment") % {"limit": text}


def age_in_words(rule: Rule, day: dt.date) -> str:
    """That an amount is one of a year before, where it changes each year; else empty."""
    if not rule.is_stale_on(day):
        return ""
    return _("The amount is that of %(year)s and changes each year: add a rule for %(day)s.") % {
        "year": rule.since.year,
        "day": day.year,
    }


def _of_payments(rule: Rule, currency: str) -> str:
    what = {
        "identification": _("Identify the person"),
        "backup_withholding": _(
            "%(form)s: withhold %(percent)s%% where no taxpayer number is given"
        ),
    }.get(rule.rule, "%(form)s")
    if rule.rule == "identification" and rule.form:
        what = _("Identify the person and fill in “%(form)s”")
    percent = "" if rule.withholding_percent is None else localized(f"{rule.withholding_percent:g}")
    parts = [what % {"form": rule.form, "percent": percent}, limit_in_words(rule, currency)]
    if rule.residence == "resident":
        parts.append(_("who lives here"))
    if rule.residence == "foreign":
        parts.append(_("who lives abroad"))
    if percent and rule.rule != "backup_withholding":
        parts.append(_("withhold %(percent)s%%") % {"percent": percent})
    if rule.cash_in == "apart":
        parts.append(_("cash in is counted apart"))
    if rule.cash_in == "together":
        parts.append(_("together with cash in"))
    if rule.before_payment:
        parts.append(_("before the payment"))
    if rule.parts == "year":
        parts.append(_("a form for each calendar year in which parts are paid"))
    if rule.indexed:
        parts.append(_("indexed each year"))
    return ", ".join(parts)


def _plain(amount: Decimal) -> str:
    """10,000 and 0.01: without decimals that say nothing."""
    return (
        write_decimals(amount, 0) if amount == amount.to_integral_value() else write_count(amount)
    )
