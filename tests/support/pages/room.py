"""A card room with one table, whose display is sent what to show."""

import datetime as dt
from collections.abc import Sequence
from typing import Any

from django.utils import timezone

from jackpot.models import DisplayMessage, DisplayPulse
from tables.models import Casino, GamingTable, JackpotSystem

KEY = "display-of-table-3"


class Room:
    """Table 3 of the main floor."""

    def __init__(self) -> None:
        casino = Casino.objects.create(code="harbour", name="Harbour Casino", currency="NZD")
        self.system = JackpotSystem.objects.create(casino=casino, code="main", name="Main floor")
        self.table = GamingTable.objects.create(
            system=self.system, code="t3", name="Table 3", display_key=KEY
        )

    def shows(
        self,
        *messages: dict[str, Any],
        test: bool = False,
        test_tables: Sequence[str] = (),
        **values: int,
    ) -> None:
        """A display message with these tiers, in minor units."""
        seq = DisplayMessage.objects.count() + 1
        payload = {
            "v": 1,
            "system_seq": seq,
            "at": timezone.now().isoformat(),
            "terms": 12,
            "state": "live",
            "test": test,
            "test_tables": list(test_tables),
            "tiers": [
                {"tier": code, "name": f"{code.title()} Flush", "value": value, "state": "open"}
                for code, value in values.items()
            ],
            "messages": list(messages),
        }
        DisplayMessage.objects.create(
            system=self.system, system_seq=seq, at=timezone.now(), payload=payload
        )
        self.lives()

    def lives(self, age: dt.timedelta = dt.timedelta(0)) -> None:
        """The display worker gave its last sign of life that long ago."""
        DisplayPulse.objects.update_or_create(
            system=self.system, defaults={"at": timezone.now() - age}
        )


def reported(table: str, hit: int = 1) -> dict[str, Any]:
    """What a display says while a hand waits for its confirmation."""
    text = f"JACKPOT REPORTED, TABLE {table}, AWAITING CONFIRMATION"
    return {
        "kind": "reported",
        "text": text,
        "tier": "royal",
        "table": f"t{table}",
        "hit": hit,
        "at": "2026-11-21T03:14:05Z",
    }
