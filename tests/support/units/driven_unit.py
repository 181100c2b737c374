"""A table unit of the project, driven for the conformance kit as a dealer and a fuse would."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote, urlparse

from conformance.against_unit.trial import Times
from conformance.line import Place
from conformance.scene import NotPossible
from tables.unit.unit import TableUnit, UnitNotReadyError, UnitSettings

# The protocol's times, shorter: the unit's own are set to the same by the tests.
TIMES = Times(
    presence_s=0.2,
    handset_s=0.3,
    guard_s=1.0,
    reading_s=0.2,
    answer_s=3.0,
    quiet_s=0.5,
    will_s=10.0,
    reconnect_s=10.0,
    resend_s=5.0,
    retry_s=0.25,
)
SEATS = (1, 2, 3, 5)
MakeUnit = Callable[..., TableUnit]


@dataclass
class DrivenUnit:
    """Acts of the kit, carried out on a unit that lives in this process."""

    place: Place
    port: int
    journal: Path
    make: MakeUnit = TableUnit
    records_many: bool = True
    is_asked_once: bool = False
    pressed_in_vain: bool = field(default=False, init=False)
    unit: TableUnit = field(init=False)

    def do(self, act: str) -> None:
        if act == "many" and not self.records_many:
            raise NotPossible("it takes long, and shows nothing new")
        getattr(self, f"_{act}")()

    def handset(self, boot: int, seq: int) -> str:
        assert boot == self.unit.boot
        return self.unit.handset_text(seq)

    def leave(self) -> None:
        """Whatever the trial left."""
        if hasattr(self, "unit"):
            self.unit.stop()

    def _switch_on(self) -> None:
        log_in = quote(f"{self.place.system}/{self.place.table}", safe="")
        settings = UnitSettings(
            mac_key=self.place.key.hex(),
            display="d-1",
            guard_s=TIMES.guard_s,
            presence_every_s=TIMES.presence_s,
        )
        self.unit = self.make(
            self.place.system,
            self.place.table,
            settings,
            journal=self.journal,
            url=urlparse(f"mqtt://{log_in}:secret@127.0.0.1:{self.port}"),
        )
        self.unit.start()

    def _forget(self) -> None:
        assert not self.journal.exists()
        self._switch_on()

    def _switch_off(self) -> None:
        self.unit.stop()

    def _cut_power(self) -> None:
        self.unit.cut_power()

    def _open_session(self) -> None:
        self.unit.open_session(SEATS, dealer="Mere")

    def _change_session(self) -> None:
        self.unit.change_session(SEATS, game="holdem", deck=52, dealer="Sione")

    def _close_session(self) -> None:
        self.unit.close_session()

    def _press(self) -> None:
        try:
            self.unit.press()
        except UnitNotReadyError:
            self.pressed_in_vain = True

    _press_again = _press

    def _complete(self) -> None:
        self.unit.complete(pot=12000, jackpot_drop=200)

    def _call_hand(self) -> None:
        self.unit.call_hand([5], "royal")

    def _report_hand(self) -> None:
        board = ["As", "Ks", "Qs", "2d", "3c"]
        self.unit.report_hand([board], [{"seat": 5, "hole": ["Js", "Ts"]}])

    def _withdraw(self) -> None:
        self.unit.withdraw("wrong table", reported_seq=self.unit.last_seq)

    def _void(self) -> None:
        self.unit.request_void("cards_exposed")

    def _miss_rounds(self) -> None:
        self.unit.rounds_missed(1)

    def _lose(self) -> None:
        self.unit.declare_lost(1, 1)

    def _many(self) -> None:
        for _ in range(210):
            self.unit.rounds_missed(1)
