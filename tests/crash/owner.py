"""What the owner of the database runs: tables, rights, sample data."""

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from settlement.database_roles import grants
from tests.crash.database_server import DatabaseServer


def run_as_owner(
    tree: Path, command: str, environment: Mapping[str, str], postgres: DatabaseServer
) -> None:
    """A management command of the console of that tree, to its end.

    subprocess.CalledProcessError where it fails.
    """
    passwords = {
        grants.password_variable(role): postgres.password_of(grants.PREFIX + role)
        for role in grants.ROLES
    }
    subprocess.run(
        [sys.executable, tree / "manage.py", command, "-v", "0"],
        cwd=tree,
        env={**os.environ, **environment, **passwords},
        check=True,
        stdout=subprocess.DEVNULL,
    )
