"""The sections of the console, and who may open each: the navigation and the search read them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from django.utils.translation import gettext_noop as _

# (label, name of the address, icon), in the order of a shift: what is urgent comes first.
SECTIONS = (
    (_("Overview"), "home", "overview"),
    (_("Dashboard"), "dashboard", "rollforward"),
    (_("Claims"), "claims", "claims"),
    (_("Pools"), "pools", "pools"),
    (_("Payouts"), "payouts", "payouts"),
    (_("Tables"), "tables", "tables"),
    (_("Irregularities"), "irregularities", "warning"),
    (_("Incidents"), "incidents", "info"),
    (_("Roll-forward"), "rollforward", "rollforward"),
    (_("Drop and bank"), "drop", "payouts"),
    (_("Excluded persons"), "exclusions", "person"),
    (_("Withheld tax"), "withheld-tax", "payouts"),
    (_("Forms"), "forms", "terms"),
    (_("Close of day"), "closing", "yes"),
    (_("Reports"), "reports", "download"),
    (_("Reconciliation"), "reconciliation", "reconciliation"),
    (_("Quarantine"), "quarantine", "quarantine"),
    (_("Terms"), "terms", "terms"),
    (_("Handover"), "handover", "clock"),
    (_("Staff at play"), "plays", "person"),
    (_("Audit trail"), "audit-trail", "quarantine"),
    (_("Second factors"), "second-factors", "person"),
    (_("People"), "people", "person"),
    (_("Rules of the house"), "house-rules", "terms"),
    (_("Set-up"), "set-up", "overview"),
    (_("Devices"), "devices", "tables"),
    (_("Screens"), "screens", "tables"),
    (_("Webhooks"), "webhooks", "download"),
    (_("Help"), "help", "info"),
)
# Pages that the navigation leaves to others, and people look for by name.
OTHER_PAGES = (
    (_("Findings of drop and bank"), "findings", "payouts"),
    (_("Check a slip"), "slip-check", "payouts"),
    (_("Files of reports"), "exports", "download"),
    (_("Reports made at each close"), "schedules", "clock"),
    (_("Transparency log"), "log", "reconciliation"),
    (_("Security log"), "security-log", "quarantine"),
    (_("Check-up"), "doctor", "success"),
    (_("Backups"), "backups", "success"),
    (_("Changes of set-up"), "set-up-changes", "clock"),
    (_("Who may do what"), "who-may-what", "person"),
    (_("Log-ins"), "log-ins", "person"),
    (_("Invite many people"), "invite-many", "person"),
    (_("Invitations that wait"), "waiting-invitations", "person"),
    (_("Your account"), "account", "person"),
    (_("Notifications"), "notifications", "bell"),
    (_("Notification settings"), "notification-choices", "bell"),
    (_("Change password"), "password", "person"),
    (_("Passkeys that sign"), "signing-keys", "person"),
    (_("Slides of screens"), "slides", "tables"),
    (_("Access tokens"), "tokens", "person"),
    (_("Access tokens of everybody"), "all-tokens", "person"),
    (_("Programs"), "programs", "person"),
    (_("Shared tablets"), "tablets", "person"),
    (_("API"), "api-docs", "info"),
    (_("Problems of the API"), "api-problems", "info"),
)
_SETS_UP, _READS = "settlement.set_up_casino", "settlement.view_claim"
_EXPORTS, _SEES_SET_UP = "settlement.export_reports", "settlement.view_set_up"
_ASKS_FOR: dict[str, str | tuple[str, ...]] = {
    "dashboard": "settlement.view_dashboard",
    "security-log": "settlement.view_accessnote",
    "second-factors": "settlement.reset_second_factor",
    **dict.fromkeys(("reports", "exports", "schedules"), _EXPORTS),
    "exclusions": "settlement.view_exclusions",
    "withheld-tax": "settlement.remit_tax",
    "forms": "settlement.export_reports",
    "slip-check": "settlement.export_bundle",
    **dict.fromkeys(("set-up", "devices", "doctor", "backups"), _SETS_UP),
    **dict.fromkeys(("invite-many", "log-ins"), "settlement.administer_people"),
    "waiting-invitations": ("settlement.administer_people", "settlement.second_set_up"),
    "audit-trail": (_SEES_SET_UP, "settlement.view_accessnote"),
    **dict.fromkeys(("people", "house-rules", "set-up-changes", "who-may-what"), _SEES_SET_UP),
    **dict.fromkeys(("screens", "slides"), "settlement.manage_screens"),
    **dict.fromkeys(("webhooks", "all-tokens", "programs", "tablets"), _SEES_SET_UP),
}
_FOR_ALL = (
    "help",
    "account",
    "notifications",
    "notification-choices",
    "password",
    "signing-keys",
)  # reads claims or sets up, either is enough


def open_to(
    user: Any, pages: tuple[tuple[str, str, str], ...] = SECTIONS
) -> Iterator[tuple[str, str, str]]:
    """Those of the pages that the person's roles open; an administrator reads no claims, and is
    shown set-up alone."""
    may = user.has_perm if user else (lambda _permission: False)
    is_apart = may(_SETS_UP) and not may(_READS)
    for page in pages:
        name = page[1]
        if name in _FOR_ALL or (_may(may, name) if name in _ASKS_FOR else not is_apart):
            yield page


def _may(may: Callable[[str], bool], name: str) -> bool:
    """Whether one of the permissions that open it is there."""
    needed = _ASKS_FOR[name]
    return any(map(may, [needed] if isinstance(needed, str) else needed))
