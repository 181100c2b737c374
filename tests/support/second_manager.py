"""Shared by tests: second manager."""

import io

from django.core.management import call_command


def limit(amount: str) -> str:
    output = io.StringIO()
    call_command(
        "set_second_manager", "harbour", amount, "--first=mere", "--second=david", stdout=output
    )
    return output.getvalue()
