"""The command that sets the amount above which a second manager confirms."""

import io

from django.core.management import call_command


def limit(amount: str) -> str:
    output = io.StringIO()
    call_command(
        "set_second_manager", "harbour", amount, "--first=mere", "--second=david", stdout=output
    )
    return output.getvalue()
