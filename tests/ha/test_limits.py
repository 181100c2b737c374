"""`make ha ARGS="--brokers"` ends with 1 where a pause is longer than the promise."""

import pytest

from tests.crash import outcome
from tests.ha.__main__ import _lose_nodes
from tests.ha.machines import MACHINES


class _House:
    """A casino that loses nodes, each with a pause of that length; nothing is wrong besides."""

    def __init__(self, pauses_s: list[float]) -> None:
        self._pauses_s = iter(pauses_s)

    def lose_node(self, _machine: str) -> float:
        return next(self._pauses_s)

    def play(self) -> None:
        pass

    def progress(self, _more: int) -> None:
        pass

    def settle(self) -> None:
        pass

    def loads(self) -> list[str]:
        return []

    def entries(self) -> int:
        return 0


@pytest.mark.parametrize(("longest_s", "code"), [(4.9, 0), (7.0, 1)])
def test_a_pause_beyond_the_limit_is_a_broken_promise(
    longest_s: float, code: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("unrest", "findings"):
        monkeypatch.setattr(outcome, name, lambda _: [])
    house = _House([1.0, longest_s, 1.0])
    assert _lose_nodes(house) == code  # type: ignore[arg-type]
    words = f"RabbitMQ of machine {MACHINES[1]} lost: nobody wrote for 7.0 s, limit 5 s"
    assert (words in capsys.readouterr().out) == (code == 1)
