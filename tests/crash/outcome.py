"""What a crash must not leave behind, asked of the settled house."""

from tests.crash.house import CrashHouse
from verifier import UnitRecords, verify


def unrest(house: CrashHouse) -> list[str]:
    """Processes that ended although nobody killed them, and alarms: nothing here asks for any."""
    alarms = (f"alarm {kind}: {subject}: {text}" for kind, subject, text in house.alarms())
    ended = (
        f"{line}\n{_last_words(house.log_of(line.split()[0]))}" for line in house.supervisor_lines
    )
    return [*ended, *alarms]


def _last_words(log: str) -> str:
    """The end of a log, or all that was said since the last fatal error."""
    fatal = log.rfind("Fatal Python error")
    return log[fatal:] if fatal >= 0 else log[-4000:]


def findings(house: CrashHouse) -> list[str]:
    """What the verifier finds in database, journals and receipts."""
    report = verify(house.postgres.url, UnitRecords(house.journals))
    return [] if report.ok else report.lines()
