"""A bench at which the conformance kit tries units of the project's own."""

import itertools
from collections.abc import Sequence
from pathlib import Path

from conformance import against_unit
from conformance.against_unit.tap import Tap
from conformance.against_unit.trial import Trial, UnitUnderTest, try_unit
from conformance.line import Broker as At
from conformance.line import Place
from conformance.report import Report
from conformance.scene import Scene
from tests.support.servers.services import Broker
from tests.support.units.driven_unit import TIMES, DrivenUnit, MakeUnit
from tests.support.units.running_intake import new_instance

KEY = bytes(range(32))
_tables = itertools.count(1)


class Bench:
    """Where units of the project's own are tried, each at a table of its own."""

    def __init__(self, broker: Broker, folder: Path) -> None:
        self._at = At(broker.host, broker.port)
        self._folder = folder
        self._system = new_instance()

    def try_unit(
        self,
        make: MakeUnit | None = None,
        *,
        records_many: bool = True,
        scenes: Sequence[Scene[Trial]] = against_unit.SCENES,
        has_tap: bool = True,
    ) -> Report:
        place = Place(f"{self._system}-{next(_tables)}", "t-1", KEY)
        journal = self._folder / f"{place.system}.db"
        tap = Tap(self._at) if has_tap else None
        port = tap.port if tap else self._at.port
        driven = DrivenUnit(place, port, journal, records_many=records_many)
        driven.make = make or driven.make
        unit = UnitUnderTest(place, driven, tap, journal, has_display=True)
        try:
            return try_unit(unit, self._at, scenes, times=TIMES)
        finally:
            driven.leave()
            if tap:
                tap.close()
