"""Addresses inside a rehearsal: those of the console behind one more word, so that an address says
on which side it is."""

PREFIX = "/rehearsal"


def is_inside(path: str) -> bool:
    """Whether it is an address inside a rehearsal."""
    return path.startswith(f"{PREFIX}/")


def inside(address: str) -> str:
    """The same page inside."""
    return f"{PREFIX}{address}"


def outside(path: str) -> str:
    """The same page outside; what is outside stays."""
    return path.removeprefix(PREFIX) if is_inside(path) else path
