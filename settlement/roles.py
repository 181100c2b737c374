"""Who may do what on the console. A role is a group; services ask for the permission."""

from django.contrib.auth.models import Group, Permission

ROLES: dict[str, tuple[str, ...]] = {
    "Game supervisor": (
        "view_claim",
        "add_note",
        "add_attachment",
        "add_footage",
        "add_identification",
        "view_identification",
        "verify_claim",
        "amend_claim",
        "propose_rejection",
        "propose_aside",
        "propose_adjustment",
        "propose_reversal",
        "open_dispute",
        "propose_resolution",
        "propose_terms",
        "suspend_jackpot",
        "propose_move",
        "propose_boots",
        "rule_round",
        "credit_missed",
        "report_incident",
        "resolve_incident",
        "enter_hand",
        "propose_delegation",
        "second_delegation",
    ),
    "Casino manager": (
        "view_claim",
        "add_note",
        "add_attachment",
        "view_identification",
        "confirm_claim",
        "propose_rejection",
        "second_rejection",
        "clear_alarm",
        "close_gap",
        "propose_aside",
        "second_aside",
        "propose_adjustment",
        "second_adjustment",
        "propose_reversal",
        "second_reversal",
        "withhold_payment",
        "book_unclaimed",
        "propose_forfeit",
        "second_forfeit",
        "open_dispute",
        "propose_resolution",
        "second_resolution",
        "second_lift",
        "propose_order",
        "print_slip",
        "export_bundle",
        "propose_terms",
        "second_terms",
        "suspend_jackpot",
        "propose_closing",
        "second_closing",
        "propose_move",
        "second_move",
        "propose_boots",
        "second_boots",
        "rule_round",
        "credit_missed",
        "second_missed",
        "countersign_missed",
        "report_incident",
        "resolve_incident",
        "propose_delegation",
        "second_delegation",
        "take_delegation",
    ),
    "Cashier": (
        "view_claim",
        "add_note",
        "add_attachment",
        "add_identification",
        "view_identification",
        "pay_claim",
        "withhold_payment",
        "propose_forfeit",
        "open_dispute",
        "print_slip",
    ),
    "Surveillance": (
        "view_claim",
        "add_note",
        "add_attachment",
        "add_footage",
        "report_incident",
    ),
    "Compliance": (
        "view_claim",
        "view_identification",
        "export_reports",
        "open_dispute",
        "place_hold",
        "propose_lift",
        "second_lift",
        "second_order",
        "export_bundle",
        "propose_delegation",
        "second_delegation",
        "take_delegation",
    ),
}


def install_roles() -> None:
    """Make the groups and give them exactly their permissions; safe to run again."""
    Group.objects.bulk_create([Group(name=name) for name in ROLES], ignore_conflicts=True)
    groups = Group.objects.in_bulk(ROLES, field_name="name")
    permissions = dict(
        Permission.objects.filter(content_type__app_label="settlement").values_list(
            "codename", "pk"
        )
    )
    given = Group.permissions.through
    due = {
        (groups[name].pk, permissions[codename])
        for name, codenames in ROLES.items()
        for codename in codenames
    }
    before = {
        (each.group_id, each.permission_id): each
        for each in given.objects.filter(group__in=groups.values())
    }
    given.objects.filter(pk__in=[before[pair].pk for pair in before.keys() - due]).delete()
    given.objects.bulk_create(
        given(group_id=group, permission_id=permission)
        for group, permission in sorted(due - before.keys())
    )
