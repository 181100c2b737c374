"""`manage.py table_unit`: a table unit in a terminal.

Without words it asks for them, one line after the other; with words it does that one thing, and
before it what it needs: `manage.py table_unit report "As Ks | Qs Js Ts 2d 3c"` opens a closed table
and presses the button for a new round. Inside a running demo: `python -m demo unit`.
"""

import logging
from typing import Any

from django import forms
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.http import QueryDict
from msgspec import ValidationError
from rich.console import Console
from rich.table import Table
from rich.text import Text

from demo.casino.seed_data import PAGE_TABLE, TERMINAL_TABLE
from demo.servers.installation import Installation
from demo.units.actions import ACTIONS, ActionError, make_form, report_values
from demo.units.hand_unit import HandUnit, HandUnitError, SentEvent, hand_units
from demo.units.terminal_input import HELP, TypedError, Values, parse
from tables.unit.unit import UnitNotReadyError

_CONNECTION_S = 10.0
_RECEIPT_S = 5.5  # after five seconds the handset says NOT RECORDED
_STYLES = {"ok": "bold green", "wait": "bold yellow", "bad": "bold white on red"}


class Command(BaseCommand):
    help = "A table unit in this terminal: open, press, complete, call, report, amend, void, close."

    def add_arguments(self, parser: CommandParser) -> None:
        if Installation.here().empty:
            parser.add_argument(
                "--table", required=True, help="code of a table; system/table where codes repeat"
            )
        else:
            parser.add_argument(
                "--table",
                default=TERMINAL_TABLE,
                choices=[TERMINAL_TABLE, PAGE_TABLE],
                help="a table that is kept for visitors",
            )
        parser.add_argument("words", nargs="*", help="one thing to do; none: ask for them")

    def handle(self, *_args: Any, **options: Any) -> None:
        logging.getLogger().setLevel(logging.CRITICAL)  # the handset speaks for itself
        console = Console()
        try:
            hand = hand_units.at(options["table"])
        except HandUnitError as fault:
            raise CommandError(str(fault)) from fault
        try:
            if not hand.unit.wait_ready(_CONNECTION_S):
                raise CommandError("The console does not answer: is the intake running?")
            if options["words"]:
                if not obey_alone(hand, " ".join(options["words"]), console):
                    raise CommandError("Nothing was recorded.")
            else:
                _ask(hand, console)
        finally:
            hand_units.stop()


def obey(hand: HandUnit, line: str, console: Console) -> bool:
    """Do what a line says and show the handset; whether an event was recorded."""
    try:
        name, typed = parse(line)
        form = _form(hand, name, typed)
        seq = ACTIONS[name].do(hand, form.cleaned_data if form else {})
    except (TypedError, ActionError) as reason:
        console.print(Text(str(reason), "yellow"))
        return False
    except UnitNotReadyError as reason:
        console.print(Text(str(reason), "red"))
        return False
    except ValidationError as fault:
        console.print(Text(f"The unit cannot send this: {fault}", "yellow"))
        return False
    hand.unit.wait_sequenced(seq, _RECEIPT_S)
    sent_event = next(event for event in hand.sent_events() if event.seq == seq)
    console.print(_text_of(sent_event))
    return sent_event.tone == "ok"


def obey_alone(hand: HandUnit, line: str, console: Console) -> bool:
    """The same with what must go before it: the table open, for a hand a round of its own."""
    return all(obey(hand, each, console) for each in [*needed_before(hand, line), line])


def needed_before(hand: HandUnit, line: str) -> list[str]:
    """What a dealer would have done by now; a hand that was reported is amended by `amend`."""
    name = line.strip().partition(" ")[0]
    if name not in {"press", "call", "report"}:
        return []
    lines = [] if hand.unit.is_session_open else ["open"]
    called, reported = hand.hand_of_round()
    is_taken = reported is not None or (name == "call" and called is not None)
    if name == "press" or lines or hand.unit.round == 0 or is_taken:
        lines += ["complete"] if hand.unit.is_round_open else []
        lines += ["press"] if name != "press" else []
    return lines


def _form(hand: HandUnit, name: str, typed: Values) -> forms.Form | None:
    """The action's form with what was typed over its usual values."""
    if ACTIONS[name].form is None:
        return None
    usual = make_form(hand, name)
    values: Values = (
        {}
        if typed and name == "complete"
        else {
            field: usual.get_initial_for_field(form_field, field)
            for field, form_field in usual.fields.items()
        }
    )
    if name == "report":
        values |= report_values(hand)
    data = QueryDict(mutable=True)
    for field, value in {**values, **typed}.items():
        if isinstance(value, list):
            data.setlist(field, [str(each) for each in value])
        elif value not in (None, False):
            data[field] = str(value)
    form: forms.Form = make_form(hand, name, data)
    for field, errors in form.errors.items():
        raise TypedError(f"{field}: {' '.join(str(error) for error in errors)}")
    return form


def _text_of(sent_event: SentEvent) -> Text:
    text = Text.assemble(
        (f"{sent_event.words}  ", "bold"), (sent_event.handset, _STYLES[sent_event.tone])
    )
    for hit in sent_event.hits:
        text.append(f"  claim {hit}", "bold yellow")
    return text


def _ask(hand: HandUnit, console: Console) -> None:
    console.print(f"[bold]{hand.table.name}[/], {hand.system.name}. Type help, or quit.")
    while True:
        try:
            line = console.input(_prompt(hand)).strip()
        except (EOFError, KeyboardInterrupt):
            console.print()
            return
        if line in {"quit", "exit"}:
            return
        if line in {"help", "?"}:
            console.print(_help())
        elif line:
            obey(hand, line, console)


def _prompt(hand: HandUnit) -> Text:
    if not hand.unit.is_session_open:
        state = "closed"
    elif hand.unit.is_round_open:
        state = f"round {hand.unit.round} in play"
    else:
        state = "open"
    return Text.assemble((f"{hand.table.code} ", "bold"), (f"{state} ", "dim"), "> ")


def _help() -> Table:
    grid = Table.grid(padding=(0, 2))
    for words, meaning in HELP:
        grid.add_row(Text(words, "cyan"), Text(meaning))
    return grid
