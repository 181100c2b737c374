"""Forget the data of the demo: `python -m demo.reset`, which is `make demo-reset`."""

import shutil
import sys
from pathlib import Path

from demo.servers.account import forget
from demo.servers.postgres import PostgresError, PrivatePostgres

VAR = Path(__file__).resolve().parent.parent / "var"


def reset(var: Path = VAR) -> None:
    """Remove the demo's files, also those of servers that had to live elsewhere.

    Raises PostgresError while the demo runs.
    """
    if (var / "postgres").exists():
        PrivatePostgres(var / "postgres").remove()
    forget(var / "broker")
    if var.exists():
        shutil.rmtree(var)


if __name__ == "__main__":
    try:
        reset()
    except PostgresError as error:
        sys.exit(str(error))
    print("The demo's data is gone. `make demo` starts afresh.")  # noqa: T201
