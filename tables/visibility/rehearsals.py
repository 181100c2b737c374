"""What a rehearsal is called, and whether what is asked for now is asked for inside one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

REHEARSAL = "rehearsal-"  # how the code of a system begins whose money is not real
WORD = "REHEARSAL"  # how its name and those of its prizes begin, in whatever language people read


def is_named_as_it_is(name: str, *, is_rehearsal: bool) -> bool:
    """Whether a name says of a rehearsal that it is one, and of nothing else."""
    return name.startswith(f"{WORD} ") if is_rehearsal else not name.upper().startswith(WORD)


_rehearses: ContextVar[bool] = ContextVar("rehearses", default=False)


def rehearses() -> bool:
    """Whether what is asked for now is asked for inside a rehearsal."""
    return _rehearses.get()


@contextmanager
def inside_rehearsal(is_inside: bool = True) -> Iterator[None]:
    """Within the block: `only` what is of rehearsals, or nothing of them."""
    token = _rehearses.set(is_inside)
    try:
        yield
    finally:
        _rehearses.reset(token)
