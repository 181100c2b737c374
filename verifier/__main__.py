"""python -m verifier: is this database what the console promises?

python -m verifier proof FILE: does this proof stand in the log?
python -m verifier witness: cosign the checkpoints of logs that only grow.

Exit code 0: every promise holds; 1: there are findings; 2: the verifier could not look.
"""

from __future__ import annotations

import argparse
import json
import os
import sqlite3
import sys

from verifier import proof
from verifier.notes import NoteError
from verifier.witness import server

PROGRAMS = {"proof": proof.main, "witness": server.main}  # these need Python alone


def main() -> int:
    """One of the programs, or the database."""
    program = PROGRAMS.get(sys.argv[1]) if len(sys.argv) > 1 else None
    return program(sys.argv[2:]) if program else look_at_database()


def look_at_database() -> int:
    """Look, and say what was found."""
    import psycopg

    from verifier.check import verify
    from verifier.database.report import CannotLook
    from verifier.journals import UnitRecords
    from verifier.order.log import PublishedLog

    options = _arguments()
    if not options.database:
        print("Name the database: --database postgresql://... or DATABASE_URL.", file=sys.stderr)
        return 2
    try:
        report = verify(
            options.database,
            UnitRecords(
                options.journals,
                log=PublishedLog.parse(options.log_key, options.checkpoints, options.witnesses),
            ),
            settled=not options.running,
            system=options.system,
            progress=lambda line: print(line, file=sys.stderr, flush=True),
        )
    except (CannotLook, NoteError, OSError, psycopg.Error, sqlite3.Error) as why:
        print(f"The verifier could not look: {why}", file=sys.stderr)
        return 2
    if options.json:
        print(json.dumps(report.as_json(), indent=2))
    else:
        print("\n".join(report.lines()))
    return 0 if report.ok else 1


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m verifier",
        description=__doc__,
        formatter_class=argparse.RawTextHelpFormatter,
    )
    parser.add_argument(
        "--database",
        default=os.environ.get("DATABASE_URL"),
        help="postgresql://... of a role that may read; without it DATABASE_URL",
    )
    parser.add_argument("--journals", help="folder with the units' journals", metavar="DIR")
    parser.add_argument("--system", help="look at this system only", metavar="CODE")
    parser.add_argument(
        "--running",
        action="store_true",
        help="the console is at work: events and commands may still wait for their entry",
    )
    parser.add_argument(
        "--log-key",
        action="append",
        default=[],
        help="public key of a system's log or of a witness, NAME+ID+KEY; several times",
        metavar="KEY",
    )
    parser.add_argument(
        "--checkpoints", help="folder with checkpoints kept outside the database", metavar="DIR"
    )
    parser.add_argument(
        "--witnesses", type=int, default=0, help="so many of them must have cosigned", metavar="N"
    )
    parser.add_argument("--json", action="store_true", help="the report for machines")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
