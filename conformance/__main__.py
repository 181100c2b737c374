"""python -m conformance unit: play console, and try a table unit.

python -m conformance console: play unit, and try a console with its broker.

Exit code 0: nothing that was tried is broken; 1: clauses do not hold; 2: the kit could not try,
or has a fault of its own.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import ssl
import sys
import traceback
from contextlib import ExitStack
from pathlib import Path

from conformance import against_console, against_unit
from conformance.against_console.trial import try_console
from conformance.against_unit.acts import Acts, Person, Program
from conformance.against_unit.tap import Tap
from conformance.against_unit.trial import UnitUnderTest, try_unit
from conformance.line import Broker, Log, NoBroker, Place
from conformance.report import Report

PASSWORD = "CONFORMANCE_PASSWORD"  # noqa: S105 - the name of a variable
KEY = "CONFORMANCE_KEY"


class Mistake(Exception):
    """What was typed cannot be used; the message says why."""


def main(arguments: list[str] | None = None) -> int:
    """Try, and say what was seen."""
    options = _parser().parse_args(arguments)
    try:
        _read_connection(options)
        with ExitStack() as stack:
            log = Log()
            if options.log:
                log.file = stack.enter_context(options.log.open("w"))
            report = _try(options, log, stack)
    except (Mistake, NoBroker, OSError) as why:
        print(f"The kit could not try: {why}", file=sys.stderr)
        return 2
    except Exception as fault:  # noqa: BLE001 - Python would end with 1, which is a verdict
        traceback.print_exception(fault)
        print("The kit has a fault of its own: what it tried says nothing.", file=sys.stderr)
        return 2
    print(report.as_json() if options.json else "\n".join(report.lines()))
    return report.exit_code


def _read_connection(options: argparse.Namespace) -> None:
    """Take over what a file says of place, broker, log-in and key."""
    if options.connection is None:
        return
    try:
        connection = json.loads(options.connection.read_text())
        options.place = options.place or [connection["system"], connection["table"]]
        options.host, options.port = connection["host"], connection["port"]
        options.ca = Path(connection["ca"]) if connection.get("ca") else None
        options.user, options.password = connection["username"], connection["password"]
        options.key = connection.get("mac_key", "")
    except (KeyError, TypeError, ValueError) as error:
        raise Mistake(f"{options.connection} cannot be used: {error!r}") from None


def _try(options: argparse.Namespace, log: Log, stack: ExitStack) -> Report:
    if options.place is None:
        raise Mistake("name the table as SYSTEM/TABLE, or give --connection")
    place = Place(options.place[0], options.place[1], _key(options.key))
    broker = Broker(
        options.host,
        options.port or (8883 if options.tls or options.ca else 1883),
        options.user,
        options.password,
        options.ca,
        options.tls or options.ca is not None,
    )
    if options.side == "console":
        return try_console(place, broker, against_console.SCENES, log=log)
    acts: Acts = Program(options.auto) if options.auto else Person()
    tap = None
    if options.tap is not None:
        tap = Tap(broker, options.tap, _context(options.tap_certificate))
        stack.callback(tap.close)
        print(f"Point the unit at port {tap.port} of this machine.", file=sys.stderr)
    unit = UnitUnderTest(place, acts, tap, options.journal, options.display)
    return try_unit(unit, broker, against_unit.SCENES, log=log)


def _context(files: list[Path] | None) -> ssl.SSLContext | None:
    if not files:
        return None
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(files[0], files[1])
    return context


def _key(digits: str) -> bytes:
    try:
        key = bytes.fromhex(digits)
    except ValueError:
        raise Mistake("the key is not hexadecimal") from None
    if key and not 16 <= len(key) <= 64:
        raise Mistake("the key has 16 to 64 bytes")
    return key


def _place(text: str) -> list[str]:
    if not re.fullmatch("[a-z0-9-]{1,32}/[a-z0-9-]{1,32}", text):
        raise argparse.ArgumentTypeError("name it as system/table, codes of [a-z0-9-]{1,32}")
    return text.split("/")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m conformance",
        description=__doc__,
        formatter_class=argparse.RawTextHelpFormatter,
    )
    sides = parser.add_subparsers(dest="side", required=True, metavar="unit|console")
    unit = sides.add_parser("unit", help="the kit is the console; a unit is under test")
    console = sides.add_parser("console", help="the kit is a unit; a console is under test")
    for side in (unit, console):
        side.add_argument("place", type=_place, nargs="?", metavar="SYSTEM/TABLE")
        side.add_argument(
            "--connection",
            type=Path,
            metavar="FILE",
            help="place, broker, log-in and key as JSON (make demo writes one)",
        )
        side.add_argument("--host", default="localhost", help="of the broker (localhost)")
        side.add_argument("--port", type=int, help="of the broker (1883, with TLS 8883)")
        side.add_argument("--tls", action="store_true", help="with the system's authorities")
        side.add_argument("--ca", type=Path, metavar="FILE", help="TLS with this authority")
        side.add_argument("--user", metavar="NAME", help="log-in at the broker")
        side.add_argument("--password", default=os.environ.get(PASSWORD), help=f"or {PASSWORD}")
        side.add_argument(
            "--key", default=os.environ.get(KEY, ""), metavar="HEX", help=f"for MACs; or {KEY}"
        )
        side.add_argument("--json", action="store_true", help="the report for machines")
        side.add_argument("--log", type=Path, metavar="FILE", help="all messages, a line each")
    unit.add_argument(
        "--auto",
        metavar="PROGRAM",
        help="drives the unit in place of a person: PROGRAM ACT, PROGRAM handset BOOT SEQ",
    )
    unit.add_argument(
        "--tap", type=int, metavar="PORT", help="listen between unit and broker (0: any port)"
    )
    unit.add_argument(
        "--tap-certificate",
        type=Path,
        nargs=2,
        metavar=("CERTIFICATE", "KEY"),
        help="for a unit that speaks TLS to the tap",
    )
    unit.add_argument("--journal", type=Path, metavar="FILE", help="of the unit, to be read")
    unit.add_argument("--display", action="store_true", help="the unit has a display")
    return parser


if __name__ == "__main__":
    sys.exit(main())
