"""`python -m demo`: start the demo, forget it, or run a command in the running one.

This is an entry of its own because the settings want addresses that exist only once the
demo's servers run.
"""

import argparse
import os
import subprocess
import sys
from collections.abc import Sequence

from rich.console import Console

from demo.reset import reset
from demo.servers.installation import PROJECT, Installation, InstallationError
from demo.servers.ports import LOOPBACK
from demo.start import FAULTS, Wishes, start
from demo.stopping import StopAsked

_INTERRUPTED = 130


def main(arguments: Sequence[str]) -> int:
    """The exit code of the command."""
    console = Console()
    parser = _parser()
    words, unknown = parser.parse_known_args(arguments)
    if words.command in ("unit", "manage"):
        handed_on = arguments[arguments.index(words.command) + 1 :]
    elif unknown:
        parser.error(f"unrecognized arguments: {' '.join(unknown)}")
    installation = Installation.here(empty=words.empty)
    try:
        match words.command:
            case "reset":
                reset(installation.var)
                console.print(
                    f"The demo's data is gone. {installation.command('demo')} starts afresh."
                )
                return 0
            case "unit":
                return _manage(installation, ["table_unit", *handed_on])
            case "manage":
                return _manage(installation, handed_on)
        if words.reset:
            reset(installation.var)
        wishes = Wishes(words.host, words.port, words.speed, words.hands, empty=words.empty)
        return start(wishes, console)
    except FAULTS as fault:
        console.print(str(fault), style="bold red", highlight=False)
        return 1
    except PermissionError as fault:
        console.print(
            f"{fault.filename} belongs to another user: start the demo as the one who made it,"
            f" or let that user run {installation.command('demo-reset')}.",
            style="bold red",
        )
        return 1
    except (StopAsked, KeyboardInterrupt):
        console.print("Stopped before it was up.")
        return _INTERRUPTED


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m demo", description=__doc__)
    parser.add_argument("--host", default=LOOPBACK, help="0.0.0.0 shows it to other devices")
    parser.add_argument("--port", type=int, help="default: the first free one from 8000 on")
    parser.add_argument("--speed", type=float, default=2.0, help="of the simulated tables")
    parser.add_argument(
        "--hands",
        type=float,
        help="chance that one of their rounds ends with a reported hand; 0: no prize is ever hit",
    )
    parser.add_argument(
        "--empty",
        action="store_true",
        help="the first run: no casino, no people, no tables; its data stand beside the demo's",
    )
    parser.add_argument("--reset", action="store_true", help="forget what there is, then start")
    commands = parser.add_subparsers(dest="command", metavar="command")
    commands.add_parser("reset", help="forget the demo's data")
    for name, text in (
        ("unit", "a table unit in this terminal, in the running demo (--empty unit: in that one)"),
        ("manage", "a management command, in the running demo (--empty manage: in that one)"),
    ):
        command = commands.add_parser(name, help=text, add_help=False)
        command.add_argument("rest", nargs="*")
    return parser


def _manage(installation: Installation, arguments: Sequence[str]) -> int:
    """Run a management command in the environment of the running demo."""
    running = installation.running()
    if running is None:
        start_command = installation.command("demo")
        raise InstallationError(f"The demo does not run here: start it with {start_command} first.")
    command = [sys.executable, str(PROJECT / "manage.py"), *arguments]
    environment = {**os.environ, **running["environment"]}
    try:
        return subprocess.run(command, env=environment, check=False).returncode
    except KeyboardInterrupt:
        return _INTERRUPTED


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
