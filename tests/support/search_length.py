"""How long searches by chance go on: wholly once in CI, a fifth of it in `make test`."""

import os

IS_WHOLE = bool(os.environ.get("WHOLE_SEARCHES"))  # set by .ci/run
_SHARE = 5


def examples(whole: int) -> int:
    """Of a search that makes so many in CI; HYPOTHESIS_EXAMPLES asks for another number."""
    wanted = os.environ.get("HYPOTHESIS_EXAMPLES")
    return int(wanted) if wanted else share(whole)


def share(whole: int) -> int:
    """So much of the whole as this run makes, at least one."""
    return whole if IS_WHOLE else max(1, whole // _SHARE)
