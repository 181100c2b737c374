"""How many steps a state machine really made: Hypothesis may end a run before its last step."""

from collections.abc import Callable

from hypothesis import settings
from hypothesis.stateful import RuleBasedStateMachine, invariant, run_state_machine_as_test

Record = Callable[[str, object], None]


def run(machine: type[RuleBasedStateMachine], like: settings, record: Record) -> int:
    """Run it as a test and count its steps; the summary of the tests prints them, too."""
    step_count = count(machine, like)
    record("steps", f"{machine.__name__}: {step_count:,}")
    return step_count


def count(machine: type[RuleBasedStateMachine], like: settings) -> int:
    """Run it as a test: how many steps it made."""
    step_count = 0

    class Counted(machine):  # type: ignore[valid-type,misc]
        def __init__(self) -> None:
            nonlocal step_count
            super().__init__()
            step_count -= 1  # what holds is looked at once before the first step

        @invariant()
        def count(self) -> None:
            nonlocal step_count
            step_count += 1

    Counted.__qualname__ = machine.__qualname__
    run_state_machine_as_test(Counted, settings=like)
    return step_count
