"""Telling an installation that cannot work now from a message that it can never take."""

from django.db import DatabaseError, Error, InterfaceError, OperationalError
from psycopg.errors import PipelineAborted

from tables.process.sealing_keys import SealingKeyFault

# Classes of SQLSTATE that are the message's doing: bad data, a broken constraint, a program
# limit (such as a row too large for an index). All else passes, or is for an operator.
_DOING_OF_THE_MESSAGE = ("22", "23", "54")


def is_outage(error: BaseException) -> bool:
    """Whether to try the same again later, with nothing acknowledged."""
    if isinstance(error, SealingKeyFault):
        return True
    if not isinstance(error, Error):
        return False
    if isinstance(error.__cause__, PipelineAborted):
        return False  # an error before it in the pipeline is the cause, perhaps the message's
    state = getattr(error.__cause__, "sqlstate", None)
    if state is None:
        return isinstance(error, (OperationalError, InterfaceError))
    return isinstance(error, DatabaseError) and not state.startswith(_DOING_OF_THE_MESSAGE)
