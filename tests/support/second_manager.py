"""Shared by tests: second manager."""

import io

from django.core.management import call_command


def limit(amount: str) -> str:
    said = io.StringIO()
    call_command(
        "set_second_manager", "harbour", amount, "--first=mere", "--second=david", stdout=said
    )
    return said.getvalue()
