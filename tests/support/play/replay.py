"""The command that replays a system, and what it prints."""

from io import StringIO

from django.core.management import call_command


def replayed(*options: str) -> str:
    output = StringIO()
    call_command("replay", *options, "--system", "main", stdout=output)
    return output.getvalue()
