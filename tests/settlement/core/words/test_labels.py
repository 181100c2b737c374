"""Codes that the fold and the services set have words for people."""

import ast
import datetime as dt
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from jackpot.domain import fold
from jackpot.domain.play import hands, rounds
from jackpot.hits.states import HitState, PayeeState
from jackpot.terms import contributions
from settlement.claims.status import Standing
from settlement.core.words.labels import ALARMS, FLAGS, KINDS, STATES, clock_words
from settlement.people.rights.roles import PROGRAM, ROLE_NAMES, ROLES
from settlement.pools.history import REASONS
from settlement.templatetags import console
from tests.support.suite.house_style import PROJECT

FIGURES = {
    "_missing": ["pot", "commission", "drop"],
    "_implausible": ["pot", "uncalled", "commission", "drop"],
}

ADDS = ("flags.append", "flags.add")


def flags_of(path: str) -> Iterator[str]:
    """What a file of the fold puts into a list, or adds to `flags`; figures spelled out."""
    for node in ast.walk(ast.parse(Path(path).read_text())):
        flags: list[ast.expr] = []
        if isinstance(node, ast.List):
            flags = node.elts
        elif isinstance(node, ast.ListComp):
            flags = [node.elt]
        elif isinstance(node, ast.Call) and ast.unparse(node.func) in ADDS:
            flags = node.args
        for each in flags:
            if isinstance(each, ast.Constant) and isinstance(each.value, str):
                yield each.value
            elif isinstance(each, ast.JoinedStr):
                tail = ast.unparse(each).partition("}")[2].strip("'\"")
                yield from (f"{figure}{tail}" for figure in FIGURES[tail])


@pytest.mark.parametrize(
    ("module", "one_of_them"),
    [
        (fold, "ahead_of_gap"),
        (rounds, "uncalled_implausible"),
        (hands, "unknown_tier"),
        (contributions, "drop_missing"),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_every_flag_of_the_fold_has_words(module: object, one_of_them: str) -> None:
    flags = set(flags_of(str(module.__file__)))  # type: ignore[attr-defined]
    assert one_of_them in flags
    assert flags <= FLAGS.keys()


def test_every_alarm_has_words() -> None:
    raised = {
        node.args[0].value
        for floor in ("tables", "jackpot", "settlement")
        for path in (PROJECT / floor).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call)
        and ast.unparse(node.func) == "raise_alarm"
        and isinstance(node.args[0], ast.Constant)
    }
    assert "system_halt" in raised
    assert raised <= ALARMS.keys()


def test_every_pill_has_words() -> None:
    """States, and what templates and the lists of claims show without words of their own."""
    bare = re.compile(r'{% pill "(\w+)" %}')
    names = {
        name
        for path in (PROJECT / "templates").rglob("*.html")
        for name in bare.findall(path.read_text())
    }
    with_words_of_the_page = {"no_start", "unknown_tier", "ahead_of_gap", "later_effect"}
    flags = console.FLAGS - with_words_of_the_page - {"checklist_no"}
    assert "outranked" in names
    assert names | flags | {*HitState, *Standing, *PayeeState} <= STATES.keys()


def test_every_kind_of_a_history_and_every_role_has_words() -> None:
    assert KINDS.keys() == REASONS.keys()
    assert ROLE_NAMES.keys() == {*ROLES, PROGRAM}


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (121, "2 minutes fast"),
        (-3600, "1 hour slow"),
        (-50 * 3600, "2 days slow"),
        (56 * 365.25 * 86_400, "56 years fast"),
    ],
)
def test_how_far_a_clock_is_off(seconds: float, words: str) -> None:
    assert clock_words(dt.timedelta(seconds=seconds)) == words
