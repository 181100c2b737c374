"""What the owner of the database runs: tables, rights, sample data."""

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from settlement.database_roles import grants
from tests.crash.database_server import DatabaseServer

# In one process: under load its start is most of what a command takes.
_RUN = """
import sys, django
django.setup()
from django.core.management import call_command
for command in sys.argv[1:]:
    call_command(command, verbosity=0)
"""


def run_as_owner(
    tree: Path, commands: Sequence[str], environment: Mapping[str, str], postgres: DatabaseServer
) -> None:
    """Management commands of the console of that tree, one after the other, to their end.

    subprocess.CalledProcessError where one fails.
    """
    passwords = {
        grants.password_variable(role): postgres.password_of(grants.PREFIX + role)
        for role in grants.ROLES
    }
    subprocess.run(
        [sys.executable, "-c", _RUN, *commands],
        cwd=tree,
        env={
            **os.environ,
            **environment,
            **passwords,
            "DJANGO_SETTINGS_MODULE": "config.settings",
        },
        check=True,
        stdout=subprocess.DEVNULL,
    )
