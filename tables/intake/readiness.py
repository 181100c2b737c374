"""Whether an intake can do its work: it hears the broker, and what waits to be sent leaves."""

from collections.abc import Callable, Mapping

from tables.intake.loop import Intake
from tables.process.database_probe import DatabaseProbe, database_check
from tables.telemetry.health import Check

OLD_S = 30  # what has waited in the outbox for longer does not leave
_OLDEST = """
    SELECT extract(epoch FROM clock_timestamp() - created)::integer FROM tables_outboxmessage
    ORDER BY id LIMIT 1
"""


def intake_checks(intake: Intake) -> list[tuple[str, Check]]:
    """The checks of a running intake."""
    return [
        ("broker", _broker_check(intake)),
        ("keys", lambda: {"keys": intake.key_fault} if intake.key_fault else {}),
        ("database", database_check(DatabaseProbe(), _outbox)),
    ]


def _broker_check(intake: Intake) -> Callable[[], Mapping[str, str]]:
    def faults() -> dict[str, str]:
        if not intake.link.is_subscribed:
            return {"broker": "There is no connection to the broker of the tables."}
        if intake.link.is_full:
            return {"queues": "More messages of the tables wait than this process holds."}
        return {}

    return faults


def _outbox(probe: DatabaseProbe) -> str | None:
    for (age_s,) in probe.rows(_OLDEST):
        if age_s > OLD_S:
            return f"The oldest message to the tables has waited for {age_s} s."
    return None
